"""The parts of the server: clocks, games, their store, messages, slots, the outbox."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import chess
import hypothesis.strategies as st
import pytest
from hypothesis import given

from ox88.apps.clock import ChessClock
from ox88.apps.web.app import Outbox
from ox88.apps.web.engine_pool import Slots
from ox88.apps.web.game import Opponent, PlayedGame
from ox88.apps.web.messages import LONGEST_MESSAGE, MessageError, read_message
from ox88.apps.web.store import GameStore
from ox88.fen import STARTPOS
from ox88.rules import MoveError
from ox88.types import Ox88Error


def begin(start: str = STARTPOS, side: str = "white", clock: ChessClock | None = None) -> PlayedGame:
    return PlayedGame.begin("x", Opponent("Ox88", 1500, 3.0), side, start, clock)


# --- Clocks -----------------------------------------------------------------------------------------------------------


def test_one_side_runs_at_a_time() -> None:
    clock = ChessClock(60, 2)
    clock.start(chess.WHITE, 100)
    assert clock.remaining(chess.WHITE, 110) == 50
    assert clock.remaining(chess.BLACK, 110) == 60
    assert clock.press(chess.WHITE, 115) == 47
    clock.start(chess.BLACK, 120)
    assert clock.view(125) == {"white": 47, "black": 55, "running": "black"}
    clock.stop(130)
    assert clock.remaining(chess.BLACK, 999) == 50


@given(st.lists(st.tuples(st.sampled_from(["start", "stop", "press"]), st.booleans(), st.floats(0, 100)), max_size=30))
def test_no_time_is_lost(steps: list[tuple[str, bool, float]]) -> None:
    """The time left and the time used are the time at the start and the increments."""
    clock, now, given_time, run = ChessClock(1000, 5), 0.0, 2000.0, 0.0
    for step, side, pause in steps:
        run += pause if clock.running is not None else 0.0
        now += pause
        if step == "stop":
            clock.stop(now)
        elif step == "start":
            clock.start(side, now)
        elif clock.running in (None, side):
            clock.press(side, now)
            given_time += 5
    left = sum(clock.remaining(side, now) for side in chess.COLORS)
    assert left == pytest.approx(given_time - run)


# --- Games ------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 200), max_size=60), st.sampled_from(["white", "black"]), st.booleans())
def test_a_saved_game_is_the_same(choices: list[int], side: str, timed: bool) -> None:
    game = begin(side=side, clock=ChessClock(60, 1) if timed else None)
    for number, choice in enumerate(choices):
        moves = list(game.board.legal_moves)
        if game.end is not None:
            break
        if game.clock:
            game.clock.start(game.board.turn, number)
        game.push(moves[choice % len(moves)], number + 0.5)
    saved = game.save(len(choices))
    again = PlayedGame.load("x", saved)
    assert again.board.move_stack == game.board.move_stack
    assert again.board.fen() == game.board.fen()
    assert again.end == game.end
    assert again.pgn() == game.pgn()
    assert again.save(0) == saved


def test_taking_back_undoes_the_answer_too() -> None:
    game = begin()
    for move in ("e4", "e5", "Nf3"):
        game.play(move, 0)
    game.take_back()
    assert [move.uci() for move in game.board.move_stack] == ["e2e4", "e7e5"]
    game.take_back()
    assert not game.board.move_stack
    with pytest.raises(MoveError, match="no move of yours"):
        game.take_back()
    black = begin(side="black")
    black.play("e4", 0)
    with pytest.raises(MoveError, match="no move of yours"):
        black.take_back()


def test_a_resigned_game_goes_on_after_a_takeback() -> None:
    game = begin()
    game.play("e4", 0)
    game.resign(game.side)
    assert str(game.end) == "White resigns, 0-1"
    with pytest.raises(MoveError, match="the game is over"):
        game.play("e5", 0)
    game.take_back()
    assert game.end is None


@pytest.mark.parametrize(
    ("fen", "verdict"),
    [
        (STARTPOS, "White's time is out, 0-1"),
        ("6k1/8/8/8/8/8/7P/7K w - - 0 1", "White's time is out; the other side cannot mate, 1/2-1/2"),
    ],
)
def test_time_runs_out(fen: str, verdict: str) -> None:
    game = begin(fen)
    game.lose_on_time(chess.WHITE)
    assert str(game.end) == verdict


# --- The store --------------------------------------------------------------------------------------------------------


def test_what_is_saved_is_there_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite3"
    first = GameStore(path)
    first.save("a", {"moves": ["e2e4"]})
    first.save("a", {"moves": ["e2e4", "e7e5"]})
    with GameStore(path) as second:  # The first was not closed, as if it were killed.
        assert second.load("a") == {"moves": ["e2e4", "e7e5"]}
        assert second.load("b") is None
    first.close()


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("This is no database, although it is long enough to be taken for one." * 20)
    with pytest.raises(Ox88Error, match="games cannot be kept in"):
        GameStore(path)
    (tmp_path / "file").write_text("")
    with pytest.raises(Ox88Error, match="games cannot be kept in"):
        GameStore(tmp_path / "file" / "games.sqlite3")


def test_a_store_that_fails_says_so(tmp_path: Path) -> None:
    with GameStore(tmp_path / "games.sqlite3") as store, sqlite3.connect(tmp_path / "games.sqlite3") as other:
        other.execute("DROP TABLE games")
        with pytest.raises(Ox88Error, match="no such table"):
            store.save("a", {})
    other.close()


# --- Messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[]",
        "1",
        "null",
        '"move"',
        "{}",
        '{"type": 1}',
        '{"type": "\\ud800"}',
        "[" * 100_000,
        b"\xff",
        "1" * 9999,
    ],
)
def test_what_is_no_message(text: str | bytes) -> None:
    with pytest.raises(MessageError, match="is expected"):
        read_message(text)


def test_a_message_that_is_too_long() -> None:
    with pytest.raises(MessageError, match="at most 2 MB"):
        read_message("x" * (LONGEST_MESSAGE + 1))


@pytest.mark.parametrize("value", [None, True, "3", [], {}, -1, 11, 2.5, float("nan"), float("inf"), 10**400])
def test_what_is_no_number(value: object) -> None:
    message = read_message(json.dumps({"type": "x", "number": value}))
    with pytest.raises(MessageError, match=r"^number is "):
        message.whole("number", 0, 10)


# --- Slots ------------------------------------------------------------------------------------------------------------


def take_slots(script: str) -> str:
    """Take some of two slots, and list who waited and who got one, in order.

    script: `game A` or `analysis A` asks for a slot, `leave A` gives it back, `cancel A` stops asking. Steps joined by
    + follow each other at once.
    """
    log: list[str] = []
    tasks: dict[str, asyncio.Task[None]] = {}
    leaves: dict[str, asyncio.Event] = {}

    async def hold(slots: Slots, is_analysis: bool, name: str) -> None:
        async with slots.taken(is_analysis, lambda _: log.append(f"{name} waits")):
            log.append(name)
            await leaves[name].wait()

    def do(slots: Slots, what: str, name: str) -> None:
        if what == "leave":
            leaves[name].set()
        elif what == "cancel":
            tasks[name].cancel()
        else:
            leaves[name] = asyncio.Event()
            tasks[name] = asyncio.create_task(hold(slots, what == "analysis", name))

    async def run() -> None:
        slots = Slots(2)
        for steps in script.split(", "):
            for step in steps.split("+"):
                do(slots, *step.split())
                await asyncio.sleep(0)
            for _ in range(5):
                await asyncio.sleep(0)
        for task in tasks.values():
            task.cancel()

    asyncio.run(run())
    return ", ".join(log)


@pytest.mark.parametrize(
    ("script", "log"),
    [
        ("analysis A, analysis B, game C", "A, B waits, C"),
        ("game A, game B, analysis C, game D, leave A, leave B", "A, B, C waits, D waits, D, C"),
        ("game A, game B, game C, game D, cancel C, leave A", "A, B, C waits, D waits, D"),
        ("game A, game B, game C, game D, leave A+cancel C", "A, B, C waits, D waits, D"),
        ("game A, game B, game C, analysis D, leave A+leave B", "A, B, C waits, D waits, C, D"),
    ],
)
def test_games_have_priority_and_analyses_leave_a_slot(script: str, log: str) -> None:
    assert take_slots(script) == log


# --- The outbox -------------------------------------------------------------------------------------------------------


def test_an_outbox_ends_when_nobody_takes_what_is_in_it() -> None:
    async def fill(count: int) -> list[dict[str, Any]]:
        outbox = Outbox(3)
        for number in range(count):
            outbox.put({"number": number})
        taken = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                async for message in outbox:
                    taken += [message]
                taken.append({"over": True})
        return taken

    assert asyncio.run(fill(3)) == [{"number": 0}, {"number": 1}, {"number": 2}]
    assert asyncio.run(fill(4)) == [{"over": True}]
