"""The campaign games: its referee sees what an engine does wrong."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Final

import chess
import chess.engine
import pytest

from ox88.apps.match.engine_process import EngineFailure, EngineMove, EngineProcess
from tests.positions import FENS
from tools.proof.campaign import FailureError, Tally
from tools.proof.games import games, referee
from tools.proof.games.games import random_options, random_start
from tools.proof.games.referee import Player, play
from tools.proof.games.talker import Talker
from tools.proof.games.waiting import Waiting, seconds_over
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


# Tells an illegal line while it ponders, on a move that the other engine does not play.
PONDERING = """
            if 'ponder' in line: print('info pv a1a1')
            else:
                board.push(move)
                move = f"{move} ponder {list(board.legal_moves)[-1]}"
"""


def play_scripted(bad: str, clock: float = 20.0, ponders: str = "false") -> Tally:
    """A short game between two scripted engines, of which one begins with `bad` before it answers go."""
    tally = Tally()
    with Talker(("-c", ENGINE % bad)) as first, Talker(("-c", ENGINE % "pass")) as second:
        players = [Player(first), Player(second)]
        for player in players:
            player.set_options([("Threads", "1"), ("MultiPV", "1"), ("Ponder", ponders)])
            player.clock.seconds = clock
        play(players[0], players[1], chess.Board(FENS[2]), Random(1), tally)
    return tally


@pytest.fixture
def few_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MOST_PLIES", 6)
    monkeypatch.setattr(referee, "_STOPS", 0.0)


def wait_for_core(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Have every engine wait so long for a core."""
    monkeypatch.setattr(Waiting, "seconds", lambda _: seconds)


@pytest.mark.usefixtures("few_plies")
def test_a_game_without_fault() -> None:
    counts = play_scripted("pass").counts
    assert counts["moves at random options"] == 6
    assert counts["moves held to the clock, at random options, Threads 1"] == 6
    assert not counts["moves excused"]


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


@pytest.mark.usefixtures("few_plies")
@pytest.mark.parametrize("plies", [1, 6])  # It still ponders at the end of the game, or is stopped for another move.
def test_lines_of_stopped_pondering_are_checked(plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MOST_PLIES", plies)
    with pytest.raises(FailureError, match="a1a1 of the line"):
        play_scripted(PONDERING, ponders="true")


@pytest.mark.usefixtures("few_plies")
def test_a_late_move_is_excused_by_waiting_for_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_core(monkeypatch, 100.0)
    tally = play_scripted("time.sleep(0.3)", clock=0.1)
    assert tally.counts["moves excused"] == 3
    assert tally.most["milliseconds excused"] > 150
    assert tally.most["milliseconds over the clock, at random options"] == 0


@pytest.mark.usefixtures("few_plies")
def test_with_more_threads_than_cores_no_move_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_core(monkeypatch, 0.0)
    monkeypatch.setattr(referee, "_cores", lambda: 0)
    tally = play_scripted("time.sleep(0.3)", clock=0.1)
    assert tally.counts["moves with more threads than cores, only reported"] == 6
    assert tally.most["milliseconds over the clock, with more threads than cores"] > 150
    assert not any(name.startswith("moves held") for name in tally.counts)


@pytest.mark.usefixtures("few_plies")
def test_the_delay_of_stop_with_and_without_waiting_for_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_for_core(monkeypatch, 100.0)
    monkeypatch.setattr(referee, "_STOPS", 1.0)
    tally = play_scripted("time.sleep(0.3)")
    assert tally.counts["stops"] == 6
    assert tally.most["milliseconds from stop to bestmove"] > 200
    assert tally.most["milliseconds from stop to bestmove, beside waiting for a core"] == 0


# Four threads that compute beside each other.
THREADS = """
import hashlib, threading
def work():
    while True: hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000)
for _ in range(4): threading.Thread(target=work).start()
"""


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux tells")
def test_how_long_a_process_waits_for_a_core() -> None:
    """Two processes on one core share it; threads wait at the same time; one that sleeps does not wait."""
    busy = [sys.executable, "-c", "while True: pass"]
    with contextlib.ExitStack() as stack:
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})  # Processes inherit it.
        stack.callback(os.sched_setaffinity, 0, cores)
        commands = (busy, [sys.executable, "-c", THREADS], ["sleep", "60"])
        processes = [subprocess.Popen(words) for words in commands]
        for process in processes:
            stack.callback(process.wait)
            stack.callback(process.kill)
        time.sleep(0.5)  # To start.
        waiting, started = [Waiting(process.pid) for process in processes], time.perf_counter()
        time.sleep(1.0)
        one, threads, sleeping = (process.seconds() for process in waiting)
        passed = time.perf_counter() - started
    assert min(one, threads) > 0.2
    assert threads < 1.5 * passed
    assert sleeping < 0.2
    assert Waiting(None).seconds() < 0.2


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


QUEEN: Final = chess.Board("8/8/8/8/8/k7/8/KQ6 w - - 0 1")
MATE: Final = chess.Board("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1")
BARE: Final = chess.Board("8/8/8/8/8/k7/8/K7 w - - 0 1")


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A case plays two games, endings with a queen."""
    monkeypatch.setattr(games, "GAMES", 2)
    monkeypatch.setattr(games, "_ending", lambda _: QUEEN)
    monkeypatch.setattr(games, "KINDS", (games.with_tables, games.against_uci))


def fake_engines(monkeypatch: pytest.MonkeyPatch, name: str, late: float, failure: str = "") -> None:
    """Have all engines play the first legal move, one of them late, or fail in its first move."""

    async def start(_: EngineProcess) -> None:
        pass

    async def answer(
        engine: EngineProcess, board: chess.Board, limit: chess.engine.Limit, game: object, patience: float
    ) -> EngineMove:
        assert patience > 0
        is_named = engine.participant.name == name
        if failure and is_named:
            raise EngineFailure(failure, f"{game}")
        clock = limit.white_clock if board.turn else limit.black_clock
        seconds = (clock or 0.0) + late if is_named else 0.0
        return EngineMove(next(iter(board.legal_moves)), seconds)

    monkeypatch.setattr(EngineProcess, "start", start)
    monkeypatch.setattr(EngineProcess, "play", answer)
    monkeypatch.setattr(games, "_installed", lambda _: ["stockfish"])
    wait_for_core(monkeypatch, 0.0)


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize(
    ("board", "known", "kind"),
    [
        (MATE, "1-0", ""),
        (MATE, "0-1", "wins not won, but lost"),
        (MATE, "1/2-1/2", "draws lost"),
        (BARE, "1-0", "wins not won, but drawn"),
        (BARE, "1/2-1/2", ""),
    ],
)
def test_the_result_of_an_ending_is_held_against_the_tables(
    board: chess.Board, known: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_engines(monkeypatch, "", 0.0)
    monkeypatch.setattr(games, "_ending", lambda _: board)
    monkeypatch.setattr(games, "_known_result", lambda *_: known)
    tally = Tally()
    assert games.with_tables(Random(1), tally) == []
    counts = {label: count for label, count in tally.counts.items() if label.startswith("endings")}
    other = {"endings with another result than that of the tables": games.GAMES, f"endings: {kind}": games.GAMES}
    assert counts == (other if kind else {"endings with the result of the tables": games.GAMES})


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize(("case", "name"), [(0, "Ox88"), (0, "Ox88 (2)"), (1, "Ox88")])
def test_a_game_of_a_match_that_is_lost_on_time(case: int, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is measured how late the move was, and the other games of the case are played."""
    fake_engines(monkeypatch, name, 0.2)
    tally = Tally()
    with pytest.raises(FailureError) as caught:
        games.Games().run(case, 1, tally)
    told = [line for line in str(caught.value).splitlines() if line.startswith(f"{name} loses by time: 0.200 s over")]
    assert len(told) == games.GAMES
    assert tally.most["milliseconds over the clock, Ox88 in a match"] == pytest.approx(200)
    assert sum(count for label, count in tally.counts.items() if label.startswith("games: ")) == games.GAMES


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize("kind", ["illegal move", "crash"])
def test_how_an_opponent_fails_is_counted(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_engines(monkeypatch, "stockfish", 0.0, kind)
    tally = Tally()
    assert games.against_uci(Random(1), tally) == []
    assert tally.counts["games that stockfish lost by a failure"] == games.GAMES
    assert tally.counts[f"games that stockfish lost by a failure: {kind}"] == games.GAMES


@pytest.mark.usefixtures("two_games")
def test_a_late_opponent_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_engines(monkeypatch, "stockfish", 0.2)
    tally = Tally()
    assert games.against_uci(Random(1), tally) == []
    assert tally.counts["games that stockfish lost by a failure: time"] == games.GAMES
    assert tally.most == {"milliseconds over the clock, Ox88 in a match": 0.0}


# Starts, and ends when a game begins.
ENDING = """
import sys
for line in sys.stdin:
    match line.split():
        case ["uci"]: print("uciok", flush=True)
        case ["isready"]: print("readyok", flush=True)
        case _: sys.exit(3)
"""


def test_after_a_failing_game_at_random_options_new_processes_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", 2)
    monkeypatch.setattr(games, "_PLAIN_UCI", ("-c", ENDING))
    failures = games.at_random_options(Random(1), Tally())
    assert len(failures) == games.GAMES
    assert all("ended" in failure for failure in failures)


@pytest.mark.slow
@pytest.mark.parametrize("kind", dict.fromkeys(games.KINDS))
def test_games_of_each_kind(kind: games.Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is: here nobody loses on time."""
    monkeypatch.setattr(games, "GAMES", 4)
    for module in (games, referee):
        monkeypatch.setattr(module, "MARGIN", 60.0)
    tally = Tally()
    assert kind(Random(1), tally) == []
    assert sum(count for name, count in tally.counts.items() if name.startswith("games: ")) == games.GAMES
