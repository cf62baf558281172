"""An engine as a process that plays: started, asked for moves with a stopwatch, killed when it fails.

python-chess speaks the protocols. Every fault of an engine becomes a Fault with its reason.
"""

import abc
import asyncio
import contextlib
import difflib
import logging
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import psutil

from ox88.apps.jobs import kill_children
from ox88.apps.labels import label
from ox88.apps.match.contender import Contender
from ox88.apps.match.pace import Pace

START_PATIENCE: Final = 20.0  # Seconds for an engine to tell its name; a program that is no engine never does.
READY_PATIENCE: Final = 120.0  # Seconds to load and compile.
MOVE_PATIENCE: Final = 10.0  # Seconds over the limit after which an engine is taken to hang.
UNCLOCKED_PATIENCE: Final = 600.0  # Seconds for a move of so many nodes or plies.
QUIT_PATIENCE: Final = 1.0  # Seconds to quit.
_LONGEST_LINE: Final = 1_000_000  # Bytes.
_NAMES: Final = 8  # Of options, that an error tells.
_SWITCHED: Final = {"true": True, "1": True, "false": False, "0": False}
_DEBIAN_GAMES: Final = "/usr/games"  # Engines lie there, and not every PATH has it.


class Fault(Exception):  # noqa: N818 - A loss, no error of ours.
    """An engine has failed. kind: crash, hang, illegal move, time or protocol error."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {label(text)}")
        self.kind = kind


class _Stopwatch(chess.engine.Protocol):
    """Notes when the last line was sent before a move was told, when and how that was, and what stderr said last."""

    asked_at = 0.0
    answered_at = 0.0
    answer = ""
    last_words = ""

    @property
    def plays_again(self) -> bool:
        """Whether it plays another game after the first."""
        return True

    def send_line(self, line: str) -> None:
        super().send_line(line)
        if line.startswith("go"):
            self.asked_at, self.answered_at, self.answer = time.perf_counter(), 0.0, ""

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Leave out lines that python-chess trips over, and those that never end."""
        while True:
            try:
                super().pipe_data_received(fd, data)
                break
            except (ValueError, LookupError):  # It has taken the line out of its buffer before.
                data = b""
        if len(self.buffer[fd]) > _LONGEST_LINE:
            self.buffer[fd].clear()

    def line_received(self, line: str) -> None:
        if not self.answered_at and line.split(maxsplit=1)[:1] in (["bestmove"], ["move"]):
            self.answered_at, self.answer = time.perf_counter(), line

    def error_line_received(self, line: str) -> None:
        self.last_words = line.strip()[:200] or self.last_words

    @abc.abstractmethod
    def obstacle(self, board: chess.Board, pace: Pace) -> str:
        """Why the engine cannot play a game that begins on this board; nothing if it can."""


class _TimedUci(_Stopwatch, chess.engine.UciProtocol):
    """UCI with a stopwatch."""

    def obstacle(self, board: chess.Board, pace: Pace) -> str:  # noqa: ARG002 - UCI knows any pace.
        if board.chess960 and "UCI_Chess960" not in self.options:
            return "it does not play Chess960: it has no option UCI_Chess960"
        return ""


class _TimedXBoard(_Stopwatch, chess.engine.XBoardProtocol):
    """XBoard's protocol with a stopwatch, for engines too that begin at the start position alone."""

    def __init__(self) -> None:
        super().__init__()
        self.features = _Features()

    @property
    def plays_again(self) -> bool:
        return bool(self.features.get("reuse", 1))

    def obstacle(self, board: chess.Board, pace: Pace) -> str:
        if board.chess960 and "fischerandom" not in str(self.features.get("variants", "")).split(","):
            return "it does not play Chess960: it has no variant fischerandom"
        if board.root().fen() != chess.STARTING_FEN and not self._tells("setboard"):
            return "it cannot set up a position: use openings from the start position"
        if pace.nodes is not None and not self._tells("nps"):
            return "it does not count nodes (feature nps=1): give it a limit of depth or time"
        if pace.nodes is not None and (pace.clock or pace.time):
            return "XBoard's protocol has no limit of nodes beside one of time: give it one of them"
        return ""

    def _tells(self, feature: str) -> bool:
        return feature in self.features and bool(self.features[feature])


class _Features(dict[str, Any]):
    """What an XBoard engine says it has. python-chess wants setboard of all; here the match does without."""

    def get(self, name: str, default: Any = None) -> Any:
        return 1 if name == "setboard" else super().get(name, default)


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

    async def start(self) -> None:
        """Start the process, unless one runs and answers, and set its options. Raises Fault."""
        if await self._is_ready():
            return
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # What an engine babbles is not ours to print.
        kind = _TimedUci if self.contender.protocol == "uci" else _TimedXBoard
        words, environment = command_line(self.contender)
        try:
            self._transport, self._protocol = await kind.popen(words, env=environment)
        except OSError as error:
            raise Fault("crash", f"{words[0]} does not start: {error.strerror or error}") from None
        await self._begin(self._protocol)

    async def _is_ready(self) -> bool:
        """Whether a process runs and answers. One that has died since its last game costs nobody the next."""
        if self._protocol is None:
            return False
        try:
            await asyncio.wait_for(self._protocol.ping(), READY_PATIENCE)
        except (TimeoutError, chess.engine.EngineError):
            await self.kill()
        return self._protocol is not None

    async def _begin(self, protocol: _Stopwatch) -> None:
        try:
            await asyncio.wait_for(protocol.initialize(), START_PATIENCE)
            options = fitting(self.contender, protocol.options)
            await asyncio.wait_for(protocol.configure(options), READY_PATIENCE)
            await asyncio.wait_for(protocol.ping(), READY_PATIENCE)
        except TimeoutError:
            await self.kill()
            text = f"it does not answer in the {self.contender.protocol} protocol"
            raise Fault("hang", text) from None
        except chess.engine.EngineTerminatedError:
            raise await self._crash("it ended while starting") from None
        except (chess.engine.EngineError, ValueError) as error:
            await self.kill()
            raise Fault("protocol error", str(error)) from None

    def obstacle(self, board: chess.Board) -> str:
        """Why it cannot play a game that begins on this board; nothing if it can. It must have been started."""
        return "" if self._protocol is None else self._protocol.obstacle(board, self.contender.pace)

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
            await self.kill()
            raise Fault("hang", "no answer") from None
        except chess.engine.EngineTerminatedError:
            raise await self._crash("it ended") from None
        except chess.engine.EngineError as error:
            await self.kill()  # Nobody knows what it thinks the position is.
            if error.args and isinstance(error.args[0], ValueError):  # What python-chess says of a move.
                raise _illegal(protocol, board) from None
            raise Fault("protocol error", str(error)) from None
        if not played.resigned and (played.move is None or played.move not in board.legal_moves):
            await self.kill()
            raise _illegal(protocol, board)
        return _thought(played, protocol)

    async def tell_result(self, board: chess.Board, result: str, reason: str) -> None:
        """Tell an engine that listens to it how the game ended, and end one that plays a single game."""
        if self._protocol is None:
            return
        winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(result)
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            telling = self._protocol.send_game_result(board, winner, reason, game_complete=True)
            await asyncio.wait_for(telling, MOVE_PATIENCE)
        if not self._protocol.plays_again:
            await self.stop()

    async def stop(self) -> None:
        """Ask it to quit, and see that it does."""
        if self._protocol is not None and not self._protocol.returncode.done():
            with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
                await asyncio.wait_for(self._protocol.quit(), QUIT_PATIENCE)
        await self.kill()

    async def kill(self) -> None:
        """End the process and what it has started, whatever it does."""
        self.kill_process()
        protocol, transport = self._protocol, self._transport
        self._protocol = self._transport = None
        if protocol is not None and transport is not None:
            with contextlib.suppress(TimeoutError):  # Somebody else may hold its pipes open.
                await asyncio.wait_for(asyncio.shield(protocol.returncode), QUIT_PATIENCE)
            transport.close()

    def kill_process(self) -> None:
        """The same from any thread, without waiting for its end."""
        transport = self._transport
        if transport is not None and transport.get_returncode() is None:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(transport.get_pid())
                kill_children(process)
                process.kill()

    async def _crash(self, text: str) -> Fault:
        """What is known of the end of the process."""
        protocol, transport = self._protocol, self._transport
        code = transport.get_returncode() if transport is not None else None
        words = f": {protocol.last_words}" if protocol is not None and protocol.last_words else ""
        await self.kill()
        return Fault("crash", f"{text} (exit code {code}){words}")


def _thought(played: chess.engine.PlayResult, protocol: _Stopwatch) -> Thought:
    seconds = (protocol.answered_at or time.perf_counter()) - protocol.asked_at
    if played.resigned or played.move is None:
        return Thought(chess.Move.null(), seconds, has_resigned=True)
    info = played.info
    return Thought(played.move, seconds, info.get("score"), info.get("depth", 0), info.get("nodes", 0))


def _illegal(protocol: _Stopwatch, board: chess.Board) -> Fault:
    words = protocol.answer.split()[1:2]
    return Fault("illegal move", f"{words[0][:20] if words else 'none'} in {board.fen()}")


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
            names = difflib.get_close_matches(name, known, _NAMES, 0.4) or sorted(known)[:_NAMES]
            raise ValueError(f"it has no option {name!r}; among those it has are {', '.join(names) or 'none'}")
        if known[name].is_managed():
            raise ValueError(f"its option {name} is set by the match itself")
    wanted = [pair for pair in contender.common if pair[0] in known] + list(contender.options)
    return {known[name].name: _value(known[name], text) for name, text in wanted if not known[name].is_managed()}


def _value(option: chess.engine.Option, text: str) -> str | bool:
    """A text as a value of the option; what is wrong with others python-chess says. Raises ValueError."""
    if option.type != "check":
        return text
    if text.lower() not in _SWITCHED:  # python-chess takes all but `false` for true.
        raise ValueError(f"its option {option.name} is true or false, and not {text!r}")
    return _SWITCHED[text.lower()]


def _patience(limit: chess.engine.Limit, turn: bool) -> float:
    clock = limit.white_clock if turn else limit.black_clock
    times = [seconds for seconds in (clock, limit.time) if seconds is not None]
    return min(times) + MOVE_PATIENCE if times else UNCLOCKED_PATIENCE
