"""An engine as a process that plays: started, asked for moves with a stopwatch, killed when it fails.

python-chess speaks the protocols. Every fault of an engine becomes a Fault with its reason.
"""

import asyncio
import contextlib
import logging
import os
import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import psutil

from ox88.apps.jobs import kill_children
from ox88.apps.match.contender import Contender

START_PATIENCE: Final = 20.0  # Seconds for an engine to tell its name; a program that is no engine never does.
READY_PATIENCE: Final = 120.0  # Seconds to load and compile.
MOVE_PATIENCE: Final = 10.0  # Seconds over the limit after which an engine is taken to hang.
UNCLOCKED_PATIENCE: Final = 600.0  # Seconds for a move of so many nodes or plies.
_DEBIAN_GAMES: Final = "/usr/games"  # Engines lie there, and not every PATH has it.


class Fault(Exception):  # noqa: N818 - A loss, no error of ours.
    """An engine has failed. kind: crash, hang, illegal move, time or protocol error."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class _Stopwatch(chess.engine.Protocol):
    """Notes when the last line was sent before a move was told, and when that was, and what stderr said last."""

    asked_at = 0.0
    answered_at = 0.0
    sets_up_boards = True

    def __init__(self) -> None:
        super().__init__()
        self.last_words: deque[str] = deque(maxlen=1)

    def send_line(self, line: str) -> None:
        super().send_line(line)
        if line.startswith("go"):
            self.asked_at, self.answered_at = time.perf_counter(), 0.0

    def line_received(self, line: str) -> None:
        if not self.answered_at and line.split(maxsplit=1)[:1] in (["bestmove"], ["move"]):
            self.answered_at = time.perf_counter()

    def error_line_received(self, line: str) -> None:
        self.last_words.append(line.strip())


class _TimedUci(_Stopwatch, chess.engine.UciProtocol):
    """UCI with a stopwatch."""


class _TimedXBoard(_Stopwatch, chess.engine.XBoardProtocol):
    """XBoard's protocol with a stopwatch, for engines too that begin at the start position alone."""

    def line_received(self, line: str) -> None:
        super().line_received(line)
        if line.startswith("feature") and "done=1" in line and not self.features.get("setboard"):
            self.sets_up_boards = False
            self.features["setboard"] = 1  # python-chess refuses one without; here the match keeps it from positions.


@dataclass(frozen=True, slots=True)
class Thought:
    """A move and what it took. score: centipawns or mate, White's view; seconds: from `go` to the answer."""

    move: chess.Move
    seconds: float
    score: chess.engine.PovScore | None = None
    depth: int = 0
    nodes: int = 0
    has_resigned: bool = False


class Player:
    """A contender's process. `start` it, `think` with it; after a Fault it is dead, and may be started again."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        self._protocol: _Stopwatch | None = None
        self._transport: asyncio.SubprocessTransport | None = None

    @property
    def is_alive(self) -> bool:
        return self._protocol is not None and not self._protocol.returncode.done()

    @property
    def sets_up_boards(self) -> bool:
        """Whether it can begin from any position, rather than from the start position alone."""
        return self._protocol is None or self._protocol.sets_up_boards

    async def start(self) -> None:
        """Start the process, unless it runs, and set its options. Raises Fault."""
        if self.is_alive:
            return
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # What an engine babbles is not ours to print.
        kind = _TimedUci if self.contender.protocol == "uci" else _TimedXBoard
        words, environment = command_line(self.contender)
        try:
            self._transport, self._protocol = await kind.popen(words, env=environment)
        except OSError as error:
            raise Fault("crash", f"{words[0]} does not start: {error.strerror or error}") from None
        await self._begin(self._protocol)

    async def _begin(self, protocol: _Stopwatch) -> None:
        try:
            await asyncio.wait_for(protocol.initialize(), START_PATIENCE)
            options = fitting(self.contender, protocol.options)
            await asyncio.wait_for(protocol.configure(options), READY_PATIENCE)
            await asyncio.wait_for(protocol.ping(), READY_PATIENCE)
        except TimeoutError:
            self.kill()
            text = f"it does not answer in the {self.contender.protocol} protocol"
            raise Fault("hang", text) from None
        except chess.engine.EngineTerminatedError:
            raise Fault("crash", self._last_words("it ended while starting")) from None
        except (chess.engine.EngineError, ValueError) as error:
            self.kill()
            raise Fault("protocol error", str(error)) from None

    async def think(self, board: chess.Board, limit: chess.engine.Limit, game: object) -> Thought:
        """A move in a position. game: an object of its own for each game. Raises Fault."""
        protocol = self._protocol
        if protocol is None:
            raise Fault("crash", "it is not running")
        wanted = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
        try:
            playing = protocol.play(board, limit, game=game, info=wanted)
            played = await asyncio.wait_for(playing, _patience(limit, board.turn))
        except TimeoutError:
            self.kill()
            raise Fault("hang", "no answer") from None
        except chess.engine.EngineTerminatedError:
            raise Fault("crash", self._last_words("it ended")) from None
        except chess.engine.EngineError as error:
            self.kill()  # Nobody knows what it thinks the position is.
            kind = "illegal move" if "illegal" in str(error) or "invalid" in str(error) else "protocol error"
            raise Fault(kind, str(error)) from None
        return self._thought(board, played, protocol)

    def _thought(self, board: chess.Board, played: chess.engine.PlayResult, protocol: _Stopwatch) -> Thought:
        seconds = (protocol.answered_at or time.perf_counter()) - protocol.asked_at
        if played.resigned and played.move is None:
            return Thought(chess.Move.null(), seconds, has_resigned=True)
        if played.move is None or played.move not in board.legal_moves:
            self.kill()
            raise Fault("illegal move", f"{played.move or 'none'} in {board.fen()}")
        info = played.info
        return Thought(played.move, seconds, info.get("score"), info.get("depth", 0), info.get("nodes", 0))

    async def tell_result(self, board: chess.Board, result: str, reason: str) -> None:
        """Tell an engine that listens to it how the game ended."""
        if self._protocol is not None and self.is_alive:
            winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(result)
            with contextlib.suppress(chess.engine.EngineError, TimeoutError):
                telling = self._protocol.send_game_result(board, winner, reason, game_complete=True)
                await asyncio.wait_for(telling, MOVE_PATIENCE)

    async def stop(self) -> None:
        """Ask it to quit, and see that it does."""
        if self.is_alive and self._protocol is not None:
            with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
                await asyncio.wait_for(self._protocol.quit(), 1.0)
        self.kill()

    def kill(self) -> None:
        """End the process and what it has started, whatever it does."""
        transport, self._transport, self._protocol = self._transport, None, None
        if transport is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            kill_children(psutil.Process(transport.get_pid()))
        with contextlib.suppress(ProcessLookupError):
            transport.kill()
        transport.close()

    def _last_words(self, text: str) -> str:
        words = self._protocol.last_words if self._protocol is not None else ()
        self.kill()
        return f"{text}: {words[-1][:200]}" if words and words[-1] else text


def command_line(contender: Contender) -> tuple[list[str], dict[str, str]]:
    """The words of a contender's command, and its environment."""
    environment = dict(os.environ)
    if Path(_DEBIAN_GAMES).is_dir():
        environment["PATH"] = os.pathsep.join((environment.get("PATH", os.defpath), _DEBIAN_GAMES))
    if contender.source:
        environment["PYTHONPATH"] = str(Path(contender.source) / "src")
    if contender.builtin:
        words = [sys.executable, "-m", "ox88", "uci", "--engine", contender.builtin]
        if contender.options or contender.common:
            words.append("--expert")
        return words, environment
    return list(contender.command), environment


def fitting(contender: Contender, known: Mapping[str, chess.engine.Option]) -> dict[str, Any]:
    """The options to be set in an engine that has the known ones. Raises ValueError where it must have another."""
    for name, _ in contender.options:
        if name not in known:
            raise ValueError(f"it has no option {name!r}; it has {', '.join(sorted(known)) or 'none'}")
    wanted = [pair for pair in contender.common if pair[0] in known] + list(contender.options)
    return {known[name].name: text for name, text in wanted if not known[name].is_managed()}


def _patience(limit: chess.engine.Limit, turn: bool) -> float:
    clock = limit.white_clock if turn else limit.black_clock
    times = [seconds for seconds in (clock, limit.time) if seconds is not None]
    return min(times) + MOVE_PATIENCE if times else UNCLOCKED_PATIENCE
