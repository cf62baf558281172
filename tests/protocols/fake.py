"""A scripted engine, and a dialogue with a session: what is sent, what comes back, and waiting for it."""

import dataclasses
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import chess
import chess.polyglot

from ox88.convert import from_chess_board, to_chess_board, to_chess_move
from ox88.engines.base import (
    Engine,
    EngineEntry,
    EngineError,
    Info,
    Limit,
    Option,
    OptionValue,
    Score,
    find_option,
    fit,
)
from ox88.protocols import uci, xboard
from ox88.setup import Setup, parse_uci
from ox88.types import format_uci
from tests.processes import PATIENCE

OPTIONS = (
    Option("Hash", "spin", default=16, minimum=1, maximum=1024),
    Option("Clear Hash", "button"),
    Option("Style", "combo", default="Solid", choices=("Solid", "Risky")),
    Option("Syzygy Path", "string", default="", required=True),
    Option("Null Move Margin", "spin", default=3, maximum=9, expert=True),
)
TOO_LARGE = 1023  # Megabytes that there are not.
LONG = 99  # A depth that the engine searches until it is stopped.
Script = Callable[["FakeEngine", Limit], Iterator[Info]]


def first_legal(engine: "FakeEngine", limit: Limit) -> Iterator[Info]:
    """The alphabetically first of the moves, at depth 1."""
    moves = limit.moves or tuple(
        parse_uci(text, engine.setup) for text in sorted(map(engine.board.uci, engine.board.legal_moves))
    )
    yield Info(1, Score(centipawns=10), len(moves), 0.001, moves[:1])


class FakeEngine:
    """Plays by a script of Infos. It ends at once, but with an endless limit, a LONG one or while it ponders."""

    name = "Fake"

    def __init__(self, script: Script = first_legal) -> None:
        self.script = script
        self.board = chess.Board()
        self.calls: list[str] = []
        self.limits: list[Limit] = []
        self._is_ready = False
        self.may_end = threading.Event()

    @property
    def setup(self) -> Setup:
        return from_chess_board(self.board)

    def set_position(self, setup: Setup) -> None:
        self.calls.append("set_position")
        self.board = to_chess_board(setup.check())

    def push(self, move: int) -> None:
        chess_move = to_chess_move(move, self.board)
        if not self.board.is_legal(chess_move):
            raise EngineError(f"{format_uci(move)} is not legal in {self.board.fen()}")
        self.calls.append(f"push {format_uci(move)}")
        self.board.push(chess_move)

    def pop(self) -> None:
        self.calls.append("pop")
        self.board.pop()

    def new_game(self) -> None:
        """The first ends what `get_ready` does, which is nothing to be told."""
        if self._is_ready:
            self.calls.append("new_game")
        else:
            self._is_ready = True
            self.calls.clear()
            self.limits.clear()

    def set_option(self, name: str, value: OptionValue = None) -> str | None:
        option = find_option(OPTIONS, name)
        if option.name == "Syzygy Path" and value:
            raise EngineError(f"Syzygy Path: there is no folder {value!r}")
        if option.name == "Hash" and value == TOO_LARGE:
            raise EngineError(f"Hash: there is not enough memory for {value} MB")
        self.calls.append(f"{option.name} = {value!r}")
        return fit(option, value)[1]

    def search(self, limit: Limit) -> Iterator[Info]:
        self.limits.append(limit)
        self.may_end.clear()
        if not limit.ponder and limit.time != float("inf") and limit.depth != LONG:
            self.may_end.set()
        return self._infos(limit)

    def _infos(self, limit: Limit) -> Iterator[Info]:
        if not any(self.board.legal_moves):
            yield Info(0, Score(mate=0) if self.board.is_check() else Score(centipawns=0), 0, 0.0)
            return
        yield from (self.script if self._is_ready else first_legal)(self, limit)
        self.may_end.wait()

    def stop(self) -> None:
        self.may_end.set()

    def ponder_hit(self) -> None:
        self.calls.append("ponder_hit")
        if self.limits and self.limits[-1].time != float("inf"):
            self.may_end.set()

    def board_text(self) -> str:
        return str(self.board)

    def evaluation_text(self) -> str:
        return "fine\nvery fine"


class Dialogue:
    """A session with fake engines, whose lines can be waited for. speaks: the protocol's session."""

    def __init__(
        self, *scripts: Script, speaks: type[uci.Session | xboard.Session] = uci.Session, **options: Any
    ) -> None:
        self.engines: list[FakeEngine] = []
        self.out: list[str] = []
        self.heard = threading.Condition()
        entries = [self._entry(number, script) for number, script in enumerate(scripts or (first_legal,))]
        self.session = speaks(entries, self.hear, **options)

    def _entry(self, number: int, script: Script) -> EngineEntry:
        def make() -> FakeEngine:
            self.engines.append(FakeEngine(script))
            return self.engines[-1]

        return EngineEntry(f"Fake{number or ''}", OPTIONS if number == 0 else OPTIONS[:1], make)

    @property
    def engine(self) -> FakeEngine:
        return self.engines[-1]

    def hear(self, line: str) -> None:
        with self.heard:
            self.out.append(line)
            self.heard.notify_all()

    def send(self, *lines: str) -> list[str]:
        """Let the session obey; what it has written meanwhile."""
        before = len(self.out)
        for line in lines:
            assert self.session.obey(line)
        return self.out[before:]

    def expect(self, start: str, count: int = 1) -> list[str]:
        """Wait until so many lines begin with a text; returns these lines."""

        def found() -> list[str]:
            return [line for line in self.out if line.startswith(start)]

        with self.heard:
            assert self.heard.wait_for(lambda: len(found()) >= count, timeout=PATIENCE), self.out
        return found()

    def said(self) -> list[str]:
        return [line.removeprefix("info string ") for line in self.out if line.startswith("info string ")]

    def end(self, *lines: str) -> list[str]:
        self.session.run(lines)
        return self.out


def transcript(lines: Sequence[str], *scripts: Script, **options: Any) -> list[str]:
    """What a session answers to lines, to their end."""
    return Dialogue(*scripts, **options).end(*lines)


def remembering(entry: EngineEntry) -> tuple[EngineEntry, list[Engine]]:
    """The entry, and a list of the engines that are made by it."""
    made: list[Engine] = []

    def make() -> Engine:
        made.append(entry.make())
        return made[-1]

    return dataclasses.replace(entry, make=make), made


def book_entry(board: chess.Board, move: str, weight: int) -> bytes:
    """An entry of a Polyglot book."""
    squares = chess.Move.from_uci(move)
    raw = squares.from_square << 6 | squares.to_square
    return chess.polyglot.ENTRY_STRUCT.pack(chess.polyglot.zobrist_hash(board), raw, weight, 0)
