"""The campaign games: its referee sees what an engine does wrong."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import chess
import pytest

from tests.positions import FENS
from tools.proof.campaign import FailureError, Tally
from tools.proof.games import games, referee
from tools.proof.games.games import random_options, random_start
from tools.proof.games.referee import Player, play
from tools.proof.games.talker import Talker
from tools.proof.games.waiting import seconds_over, seconds_waited
from tools.proof.games.wording import check_info

RIGHT = "info depth 3 seldepth 5 multipv 1 score cp -12 lowerbound wdl 300 400 300 nodes 9 nps 90 hashfull 1000 time 1"

# Answers each go with the first legal move, unless the text of a test comes before.
ENGINE = """
import chess, sys, time
board, number = chess.Board(), 0
for line in sys.stdin:
    match line.split():
        case ["isready"]: print("readyok", flush=True)
        case ["position", "fen", *rest]:
            fen, _, moves = " ".join(rest).partition(" moves ")
            board = chess.Board(fen)
            for move in moves.split(): board.push_uci(move)
        case ["go", *_]:
            number += 1
            move = next(iter(board.legal_moves))
            %s
            print("bestmove", move, flush=True)
        case ["quit"]: break
"""


@pytest.mark.parametrize("line", [RIGHT, f"{RIGHT} pv e2e4 e7e5", "info string any e9", "info currmove a2a3"])
def test_what_uci_has(line: str) -> None:
    check_info(line, chess.Board(), 1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("info depth -1", "'-1' is not a number"),
        ("info depth", "'' is not a number"),
        ("info score 12", "the score 12"),
        ("info score mate -x", "the score mate -x"),
        ("info wdl 300 300 300", "not 1000 together"),
        ("info hashfull 1001", "more than 1000"),
        ("info multipv 2", "multipv 2 is more than 1"),
        ("info colour red", "UCI does not have 'colour'"),
        ("info pv", "a line without a move"),
        ("info pv e2e4 e2e4", "e2e4 of the line e2e4 e2e4"),
        ("info currmove e2e5", "e2e5 of the line"),
    ],
)
def test_what_uci_does_not_have(line: str, reason: str) -> None:
    with pytest.raises(FailureError, match=reason):
        check_info(line, chess.Board(), 1)


def play_scripted(bad: str, clock: float = 20.0) -> Tally:
    """A short game between two scripted engines, of which one begins with `bad` before it answers go."""
    tally = Tally()
    with Talker(("-c", ENGINE % bad)) as first, Talker(("-c", ENGINE % "pass")) as second:
        players = [Player(first), Player(second)]
        for player in players:
            player.set_options([("Threads", "1"), ("MultiPV", "1"), ("Ponder", "false")])
            player.clock.seconds = clock
        play(players[0], players[1], chess.Board(FENS[2]), Random(1), tally)
    return tally


@pytest.fixture
def few_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MOST_PLIES", 6)
    monkeypatch.setattr(referee, "_STOPS", 0.0)


@pytest.mark.usefixtures("few_plies")
def test_a_game_without_fault() -> None:
    assert play_scripted("pass").counts["moves at random options"] == 6


@pytest.mark.usefixtures("few_plies")
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("move = 'a1a8'", "a1a8 of the line a1a8"),
        ("print('bestmove', move)", "unasked|of the line"),  # As it is noticed now, or as an answer to the next go.
        ("print('hello')", "'hello' is no answer to go"),
        ("sys.exit(3)", "ended with the code 3"),
        ("move = '0000'", "0000"),
        ("time.sleep(0.3)", "it loses on time"),
    ],
)
def test_a_game_with_a_fault(bad: str, reason: str) -> None:
    with pytest.raises(FailureError, match=reason):
        play_scripted(bad, clock=0.1 if "sleep" in bad else 20.0)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux tells")
def test_how_long_a_process_waits_for_a_core() -> None:
    """Two processes on one core share it; one that sleeps does not wait."""
    busy = [sys.executable, "-c", "while True: pass"]
    with contextlib.ExitStack() as stack:
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})  # Processes inherit it.
        stack.callback(os.sched_setaffinity, 0, cores)
        processes = [subprocess.Popen(words) for words in (busy, busy, ["sleep", "60"])]
        for process in processes:
            stack.callback(process.wait)
            stack.callback(process.kill)
        time.sleep(1.0)
        first, second, sleeping = (seconds_waited(process.pid) for process in processes)
    assert min(first, second) > 0.2
    assert sleeping < 0.2
    assert seconds_waited(None) == 0.0


@pytest.mark.parametrize(
    ("seconds", "clock", "waited", "over"),
    [(0.4, 0.5, 0.0, 0.0), (0.6, 0.5, 0.0, 0.1), (0.6, 0.5, 0.04, 0.06), (0.6, 0.5, 0.3, 0.0), (0.6, 0.5, -1.0, 0.1)],
)
def test_how_late_a_move_is(seconds: float, clock: float, waited: float, over: float) -> None:
    assert seconds_over(seconds, clock, waited) == pytest.approx(over)


def test_random_starts_are_legal() -> None:
    boards = [random_start(Random(seed)) for seed in range(60)]
    assert all(board.is_valid() for board in boards)
    assert len({board.fen() for board in boards}) > 50
    rows = [board for board in boards if board.fullmove_number == 1 and board.chess960]
    assert any(board.piece_at(chess.A1).piece_type != board.piece_at(chess.A8).piece_type for board in rows)  # type: ignore[union-attr]
    assert len({tuple(random_options(Random(seed))) for seed in range(40)}) > 30


def test_the_result_of_an_ending_is_held_against_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", 2)
    monkeypatch.setattr(games, "_ending", lambda _: chess.Board("8/8/8/8/8/k7/8/KQ6 w - - 0 1"))
    tally = Tally()
    for expected in ("1-0", "0-1"):
        monkeypatch.setattr(games, "_known_result", lambda *_, expected=expected: expected)
        games.with_tables(Random(1), tally)
    assert tally.counts["endings with the result of the tables"] == games.GAMES
    assert tally.counts["endings with another result than that of the tables"] == games.GAMES


@pytest.mark.slow
@pytest.mark.parametrize("kind", dict.fromkeys(games.KINDS))
def test_games_of_each_kind(kind: games.Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is: here nobody loses on time."""
    monkeypatch.setattr(games, "GAMES", 4)
    for module in (games, referee):
        monkeypatch.setattr(module, "MARGIN", 60.0)
    tally = Tally()
    kind(Random(1), tally)
    assert sum(count for name, count in tally.counts.items() if name.startswith("games: ")) == games.GAMES
