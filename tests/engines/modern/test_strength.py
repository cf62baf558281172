"""Limited strength: choices as people make them, and above their ratings the fewer nodes the weaker."""

import chess
import pytest

from ox88.convert import from_chess_board, to_chess_move
from ox88.engines.base import Info, Limit, OptionValue
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.human.ranker import temperature_of
from ox88.engines.modern.options import (
    FULL_SKILL,
    LEAST_ELO,
    MOST_ELO,
    MOST_HUMAN_ELO,
    OPTIONS,
    requested_strength,
    strength_of,
)
from tests.positions import random_board

DEFAULTS = {option.name: option.default for option in OPTIONS}
ELOS = range(LEAST_ELO, MOST_ELO + 1, 50)


def make_level(settings: dict[str, OptionValue]) -> Modern:
    engine = Modern()
    for name, value in settings.items():
        engine.set_option(name, value)
    return engine


def last_info(engine: Modern) -> Info:
    return list(engine.search(Limit(depth=60)))[-1]


def test_people_up_to_a_rating_and_then_the_more_nodes_the_stronger() -> None:
    people = [strength_of(elo) for elo in ELOS if elo <= MOST_HUMAN_ELO]
    assert [each.rating for each in people] == [elo for elo in ELOS if elo <= MOST_HUMAN_ELO]
    strong = [strength_of(elo) for elo in ELOS if elo > MOST_HUMAN_ELO]
    assert {each.rating for each in strong} == {None}
    assert [each.nodes for each in strong] == sorted({each.nodes for each in strong})
    told = [strength_of(2400).nodes, strength_of(2630).nodes]  # In docs/levels.md.
    assert told == pytest.approx([1100, 2200], rel=0.03)
    temperatures = [temperature_of(elo) for elo in ELOS if elo <= MOST_HUMAN_ELO]
    assert temperatures == sorted(temperatures, reverse=True)  # The better, the less by chance.
    assert 0 < temperatures[-1] < 1 < temperatures[0] < 2


def test_strength_is_asked_for_in_two_ways() -> None:
    assert requested_strength(DEFAULTS) is None
    assert requested_strength({**DEFAULTS, "UCI_Elo": 1000}) is None
    assert requested_strength({**DEFAULTS, "UCI_LimitStrength": True, "UCI_Elo": 1000}) == strength_of(1000)
    assert requested_strength({**DEFAULTS, "UCI_LimitStrength": True, "Skill Level": 0}) == strength_of(1500)
    levels = [requested_strength({**DEFAULTS, "Skill Level": level}) for level in range(FULL_SKILL)]
    assert levels[0] == strength_of(LEAST_ELO)
    assert levels[FULL_SKILL // 2] == strength_of((LEAST_ELO + MOST_ELO) // 2)
    assert len({level for level in levels if level is not None}) == FULL_SKILL


@pytest.mark.parametrize("settings", [{"UCI_LimitStrength": True, "UCI_Elo": 2400}, {"Skill Level": 18}])
def test_a_level_that_searches_does_not_depend_on_the_number_of_threads(settings: dict[str, OptionValue]) -> None:
    found = []
    for threads in (1, 4):
        engine = make_level({**settings, "Threads": threads})
        last = last_info(engine)
        found.append((last.nodes, last.score, last.line))
        strength = requested_strength({**DEFAULTS, **settings})
        assert strength
        assert last.nodes == strength.nodes
    assert found[0] == found[1]


def test_a_seed_gives_the_same_moves_and_no_seed_others() -> None:
    settings: dict[str, OptionValue] = {"UCI_LimitStrength": True, "UCI_Elo": 1100}
    chosen = {last_info(make_level({**settings, "Seed": seed})).best_move for seed in range(1, 30)}
    assert len(chosen) > 3
    assert last_info(make_level({**settings, "Seed": 7})).line == last_info(make_level({**settings, "Seed": 7})).line
    engine = make_level(settings)
    assert len({last_info(engine).best_move for _ in range(40)}) > 1  # All the same by chance: 0.6 ** 40.


def test_levels_move_legally_everywhere() -> None:
    engine = make_level({"UCI_LimitStrength": True, "UCI_Elo": LEAST_ELO})
    for seed in range(60):
        board = random_board(seed, seed)
        if any(board.legal_moves):
            engine.set_position(from_chess_board(board))
            assert board.is_legal(to_chess_move(last_info(engine).best_move, board))


def test_lines_are_shown_if_asked_for_and_only_moves_to_search_are_played() -> None:
    engine = make_level({"UCI_LimitStrength": True, "UCI_Elo": 1500, "MultiPV": 3, "Seed": 1})
    infos = list(engine.search(Limit()))
    assert [info.multipv for info in infos] == [2, 3, 1]
    assert len({info.best_move for info in infos}) == 3
    wanted = infos[0].best_move
    assert {info.best_move for info in engine.search(Limit(moves=(wanted,)))} == {wanted}


def test_a_level_counts_the_nodes_of_the_values_of_all_moves() -> None:
    counts = [
        last_info(make_level({"UCI_LimitStrength": True, "UCI_Elo": elo, "Seed": 88})).nodes
        for elo in (500, 1500, 2000, 2000)
    ]
    assert 20 * 2 < counts[0] == counts[1] < counts[2] == counts[3]  # 20 moves, two searches each; more if strong.


def test_a_lone_king_is_mated_by_search_from_level_1500_on() -> None:
    board = chess.Board("8/8/8/4k3/8/8/8/R3K3 w - - 0 1")
    engine = make_level({"UCI_LimitStrength": True, "UCI_Elo": 1500})
    for _ in range(60):
        engine.set_position(from_chess_board(board))
        board.push(to_chess_move(last_info(engine).best_move, board))
        if board.is_checkmate():
            return
        defence = max(board.legal_moves, key=lambda move: -chess.square_distance(move.to_square, chess.D4))
        board.push(defence)
    pytest.fail(f"no mate: {board.fen()}")
