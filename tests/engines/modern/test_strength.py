"""Limited strength: the weaker, the fewer nodes and the worse the choice."""

import random

import pytest

from ox88.convert import from_chess_board, to_chess_move
from ox88.engines.base import Limit, OptionValue
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.options import (
    ERRING_LINES,
    ERRORLESS_ELO,
    FULL_SKILL,
    LEAST_ELO,
    MOST_ELO,
    OPTIONS,
    requested_strength,
    strength_of,
)
from ox88.engines.modern.parallel_search import chosen
from ox88.engines.modern.thread import Line
from tests.positions import random_board

DEFAULTS = {option.name: option.default for option in OPTIONS}
ELOS = range(LEAST_ELO, MOST_ELO + 1, 50)


def test_the_weaker_the_greater_the_errors_and_then_the_fewer_the_nodes() -> None:
    strengths = [strength_of(elo) for elo in ELOS]
    assert [each.noise for each in strengths] == sorted((each.noise for each in strengths), reverse=True)
    strong = [strength_of(elo) for elo in ELOS if elo >= ERRORLESS_ELO]
    assert [each.nodes for each in strong] == sorted(each.nodes for each in strong)
    assert len(set(strengths)) == len(strengths)
    assert {(each.noise, each.lines) for each in strong} == {(0.0, 1)}
    assert strengths[0].lines == ERRING_LINES
    assert strength_of(ERRORLESS_ELO - 1).noise > 0


def test_strength_is_asked_for_in_two_ways() -> None:
    assert requested_strength(DEFAULTS) is None
    assert requested_strength({**DEFAULTS, "UCI_Elo": 1000}) is None
    assert requested_strength({**DEFAULTS, "UCI_LimitStrength": True, "UCI_Elo": 1000}) == strength_of(1000)
    assert requested_strength({**DEFAULTS, "UCI_LimitStrength": True, "Skill Level": 0}) == strength_of(1500)
    levels = [requested_strength({**DEFAULTS, "Skill Level": level}) for level in range(FULL_SKILL)]
    assert levels[0] == strength_of(LEAST_ELO)
    assert levels[FULL_SKILL // 2] == strength_of((LEAST_ELO + MOST_ELO) // 2)
    assert len({level for level in levels if level is not None}) == FULL_SKILL


@pytest.mark.parametrize(("noise", "share"), [(0.0, 0.0), (100.0, 0.2398)])
def test_lines_are_misjudged_as_often_as_the_error_says(
    noise: float, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two errors of 100 differ by over 100 in one direction with probability 0.2398 (standard error 0.0068)."""
    monkeypatch.setattr(random, "gauss", random.Random(88).gauss)
    lines = [Line(5, value, (number,), number=number) for number, value in ((1, 0), (2, -100))]
    found = [chosen(lines, noise).number for _ in range(4000)]
    assert found.count(2) / len(found) == pytest.approx(share, abs=0.027)


@pytest.mark.parametrize("settings", [{"UCI_LimitStrength": True, "UCI_Elo": 1700}, {"Skill Level": 10}])
def test_a_level_does_not_depend_on_the_number_of_threads(settings: dict[str, OptionValue]) -> None:
    found = []
    for threads in (1, 4):
        engine = Modern()
        for name, value in {**settings, "Threads": threads}.items():
            engine.set_option(name, value)
        infos = engine.search(Limit(depth=60))
        assert engine._search
        assert not engine._search._helpers
        last = list(infos)[-1]
        found.append((last.nodes, last.score, last.line))
        strength = requested_strength({**DEFAULTS, **settings})
        assert strength
        assert last.nodes == strength.nodes
    assert found[0] == found[1]


def test_a_weak_engine_moves_legally_and_not_always_alike() -> None:
    engine = Modern()
    engine.set_option("UCI_LimitStrength", True)
    engine.set_option("UCI_Elo", LEAST_ELO)
    played = set()
    for _ in range(40):
        infos = list(engine.search(Limit(depth=20)))
        assert infos[-1].nodes <= strength_of(LEAST_ELO).nodes
        assert {info.multipv for info in infos} == {1}  # The lines that it chooses from are not shown.
        played.add(infos[-1].best_move)
    assert len(played) > 3
    for seed in range(60):
        board = random_board(seed, seed)
        if any(board.legal_moves):
            engine.set_position(from_chess_board(board))
            last = list(engine.search(Limit(depth=20)))[-1]
            assert board.is_legal(to_chess_move(last.best_move, board))
