"""Games of the engine against itself: how they end, and that both players get what is theirs."""

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import chess
import numpy as np
import pytest

from ox88.apps.match.openings import Opening, RandomOpenings
from ox88.apps.time_control import RemainingTime, TimeControl
from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.convert import from_chess_board, from_chess_move
from ox88.engines.base import Clock, Limit
from ox88.engines.modern import parallel_search
from ox88.engines.modern.driver import Modern, PositionHistory
from ox88.engines.modern.network.file import write_network
from ox88.engines.time_management import allot_time
from ox88.errors import Ox88Error
from tests.engines.modern.network.naive import random_network
from tests.tools import naive
from tools import selfplay
from tools.playing import DRAW, GAME, GOES_ON, LOSS, WIN, adjudicate, end_by_rules
from tools.selfplay import (
    EARLY,
    HANDCRAFTED,
    Adjudication,
    Evaluation,
    Pairs,
    Player,
    find_evaluation,
    load_network,
    play_by_clock,
    play_pairs,
    play_single,
    position_of,
    rules_of,
)

OPENINGS = tuple(RandomOpenings(3).opening(number) for number in range(6))


def test_equal_players_are_equal() -> None:
    """The games of a pair are the same game, so each pair is one point for both."""
    counts = play_pairs(Pairs(0, OPENINGS, (), (), 60))
    assert counts == [0, 0, len(OPENINGS), 0, 0]
    mated = Opening("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert play_pairs(Pairs(0, (mated,), (), (), 60)) == [0, 0, 1, 0, 0]
    blind = (("use_quiescence", 0), ("use_table", 0))
    play_pairs(Pairs(0, OPENINGS[:1], blind, (), 60))  # Its parameters do not stay for the next job.
    assert play_pairs(Pairs(1, OPENINGS, (), (), 60)) == [0, 0, len(OPENINGS), 0, 0]


def test_the_better_player_wins_with_either_place() -> None:
    blind = (("use_quiescence", 0), ("use_table", 0))
    counts = play_pairs(Pairs(0, OPENINGS, (), blind, 1000))
    assert counts[3] + counts[4] > counts[0] + counts[1] + 2
    assert play_pairs(Pairs(0, OPENINGS, blind, (), 1000)) == counts[::-1]
    assert sum(counts) == len(OPENINGS)


@pytest.fixture
def file(tmp_path: Path) -> str:
    write_network(tmp_path / "network.npz", random_network())
    return str(tmp_path / "network.npz")


def test_a_player_without_the_network_wins_against_one_that_knows_nothing(file: str) -> None:
    blind = find_evaluation(file)
    counts = play_pairs(Pairs(0, OPENINGS, (), (), 200, HANDCRAFTED, blind))
    assert counts[3] + counts[4] > counts[0] + counts[1] + 2
    assert play_pairs(Pairs(0, OPENINGS, (), (), 200, blind, HANDCRAFTED)) == counts[::-1]


def test_an_evaluation_is_found_by_its_name(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (find_evaluation("handcrafted"), load_network(HANDCRAFTED)) == (HANDCRAFTED, None)
    assert find_evaluation(file) == Evaluation(file, random_network().checksum)
    for shipped, name in ((None, "handcrafted"), (random_network(2), "network")):
        monkeypatch.setattr(selfplay, "shipped_network", lambda shipped=shipped: shipped)
        found = find_evaluation()
        assert (found.file, load_network(found)) == (name, shipped)
        assert found.settings == ({"network": shipped.checksum} if shipped else {})


def test_a_network_that_is_not_there_or_another_one_is_refused(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "shipped_network", lambda: None)
    with pytest.raises(Ox88Error, match="this copy of Ox88 has no network"):
        find_evaluation("network")
    found = find_evaluation(file)
    write_network(Path(file), random_network(2))
    with pytest.raises(Ox88Error, match=f"is another network than at the start: {found.checksum} is expected"):
        Player(found)
    write_network(Path(file), random_network(1, hidden=8))
    with pytest.raises(Ox88Error, match="has 8 neurons a side"):
        Player(find_evaluation(file))


def test_a_game_is_the_one_that_the_naive_twin_plays(file: str) -> None:
    """Two players with networks and numbers of their own: each searches for itself, and knows the whole game."""
    (first, second), twins = ((Player(find_evaluation(file)), Player()) for _ in range(2))
    for player in (second, twins[1]):
        player.set((("use_null_move", 0),))
    rules, results = rules_of(EARLY, 60, 60), set()
    for opening in OPENINGS[:3]:
        position, game = position_of(opening), PositionHistory()
        result, moves, scores = play_single(position, first, second, rules)
        game.set_position(from_chess_board(opening.board()))
        for twin in twins:
            twin.begin(position)
        white, black = (naive.search_of(twin, rules) for twin in twins)
        assert naive.play(game, white, black, EARLY) == (result, moves.tolist(), scores.tolist())
        results.add(len(moves))
    assert len(results) == 3


@pytest.mark.parametrize(
    ("fen", "moves", "result"),
    [
        (chess.STARTING_FEN, "", None),
        (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", LOSS),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", WIN),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", DRAW),
        ("8/8/4k3/8/8/4K3/8/R7 w - - 98 80", "a1a2", None),
        ("8/8/4k3/8/8/4K3/8/R7 w - - 98 80", "a1a2 e6e5", DRAW),
        ("8/8/4k3/8/8/4K3/3p4/8 w - - 0 1", "e3d2", DRAW),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", None),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", DRAW),
    ],
)
def test_the_rules_end_a_game(fen: str, moves: str, result: int | None) -> None:
    board, game, player = chess.Board(fen), PositionHistory(), Player()
    game.set_position(from_chess_board(board))
    for move in moves.split():
        game.push(from_chess_move(chess.Move.from_uci(move), board))
        board.push_uci(move)
    player.thread.prepare(game.position, game.keys, 0, None)
    found = end_by_rules(player.searchers, as_array(board_tables()))
    assert found == (GOES_ON if result is None else result)
    assert naive.ending(board, [], EARLY) == result


@pytest.mark.parametrize(
    ("scores", "result"),
    [
        ([EARLY.won] * EARLY.won_plies, WIN),
        ([-EARLY.won] * EARLY.won_plies, LOSS),
        ([EARLY.won] * (EARLY.won_plies - 1), None),
        ([EARLY.won, -EARLY.won] * EARLY.won_plies, None),
        ([0] * (EARLY.drawn_from - 1), None),
        ([500] * (EARLY.drawn_from - EARLY.drawn_plies) + [EARLY.drawn, -EARLY.drawn] * (EARLY.drawn_plies // 2), DRAW),
        ([0] * (EARLY.drawn_from - 1) + [500] + [0] * (EARLY.drawn_plies - 1), None),
    ],
)
def test_scores_end_a_game(scores: list[int], result: int | None) -> None:
    game, rules = np.zeros(1, GAME).view(np.recarray)[0], rules_of(EARLY, 1, 1)
    found = [adjudicate(game, rules, np.int64(score), np.int64(ply)) for ply, score in enumerate(scores, 1)]
    assert found == [GOES_ON] * (len(scores) - 1) + [GOES_ON if result is None else result]
    assert naive.ending(chess.Board(), scores, EARLY) == result


def test_a_long_game_is_a_draw() -> None:
    rules = rules_of(Adjudication(longest=7), 20, 20)
    result, moves, _ = play_single(position_of(OPENINGS[0]), Player(), Player(), rules)
    assert (result, len(moves)) == (int(DRAW), 7)


def test_a_game_by_a_clock_is_the_one_that_the_engine_plays(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin is the engine itself: the clock that it reads counts its nodes, `rate` of them as a second."""
    rate, limits = 20_000, list[int]()
    (first, second), engines = (Player(find_evaluation(file)), Player()), (Modern(), Modern())
    engines[0].set_option("EvalFile", file)
    engines[1].set_option("Use NNUE", False)
    for engine in engines:
        engine.set_option("Move Overhead", 0)
    searching = [engines[0]]
    shown = SimpleNamespace(perf_counter=lambda: searching[0].threads[0].nodes / rate)
    monkeypatch.setattr(parallel_search, "time", shown)

    def search(game: PositionHistory) -> tuple[int, int]:
        engine = searching[0] = engines[game.position.turn]
        clock = clocks[game.position.turn]
        engine._game = game
        engine.threads[0].prepare(game.position, game.keys, 0, None)  # Nodes are 0 when the search begins.
        hard = allot_time(Clock(clock.seconds, control.increment, clock.moves_to_go), 0.0, game.plies).hard
        limits.append(round(hard * rate))
        limit = Limit(clock=Clock(clock.seconds, control.increment, clock.moves_to_go), nodes=limits[-1])
        last = list(engine.search(limit))[-1]
        assert clock.spend(last.nodes / rate, 0.0)
        engine._end_search()
        assert engine._found is not None
        return engine._found[1], last.line[0]

    for opening, control in zip(OPENINGS, (TimeControl(1.0, 0.01, 20), TimeControl(1.0, 0.01)), strict=False):
        position, game = position_of(opening), PositionHistory()
        result, moves, scores = play_by_clock(control, position, first, second, rules_of(EARLY, rate, rate))
        game.set_position(from_chess_board(opening.board()))
        for engine in engines:
            engine.new_game()
        clocks = RemainingTime(control), RemainingTime(control)
        assert naive.play(game, search, search, EARLY) == (result, moves.tolist(), scores.tolist())
    assert len(set(limits)) > 20


def test_pairs_are_played_by_a_clock() -> None:
    job = Pairs(0, OPENINGS, (), (("use_null_move", 0),), 300, clock=TimeControl(2.0, 0.02))
    (first, second), rules = (Player(), Player()), rules_of(EARLY, job.nodes, job.nodes)
    second.set(job.second)
    games = [(position_of(opening), *players) for opening in OPENINGS for players in ((first, second), (second, first))]
    points = [play_by_clock(TimeControl(2.0, 0.02), *game, rules)[0] for game in games]
    pairs = [white + int(WIN) - black for white, black in zip(points[::2], points[1::2], strict=True)]
    assert play_pairs(job) == [pairs.count(points) for points in range(5)]
    assert play_pairs(job) != play_pairs(dataclasses.replace(job, clock=None))
