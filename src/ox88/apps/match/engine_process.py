"""An engine as a process that plays: started, asked for moves and timed, killed when it fails.

python-chess speaks the protocols. Every failure of an engine becomes an EngineFailure with its reason.
"""

import abc
import asyncio
import contextlib
import logging
import re
import time
from collections import deque
from collections.abc import Iterable
from typing import Any, ClassVar, Final

import chess
import chess.engine
import psutil

from ox88.apps.jobs import kill_children
from ox88.apps.match.participant import Limits, Participant, command_line, engine_options
from ox88.apps.streams import label

# Timeouts in seconds.
START_TIMEOUT: Final = 20.0  # Until the engine tells its name. A program that is no engine never tells one.
READY_TIMEOUT: Final = 120.0  # To load and compile.
MOVE_TIMEOUT: Final = 10.0  # Beyond the limit of a move.
PATIENCE: Final = 60.0  # For a move that is limited by nodes or depth alone.
QUIT_TIMEOUT: Final = 1.0
_MAX_LINE: Final = 1_000_000  # Bytes.
_MAX_REMARKS: Final = 100
# What Ox88 says if it plays otherwise than asked to. Its other such remarks begin with the name of an option.
_OBJECTIONS: Final = re.compile("the engine has failed|.*the handcrafted evaluation is used")

_BOUND: Final = re.compile(r"info (?!string ).*score \S+ \S+ (?:lower|upper)bound")
_SPIN: Final = re.compile(r"(option name .+ type spin default )(-?[0-9]+)( min (-?[0-9]+) max (-?[0-9]+)\s*)")


class EngineFailure(Exception):  # noqa: N818 - The engine loses a game by it, and the match goes on.
    """An engine has failed. kind: crash, hang, illegal move, time or protocol error."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {label(text)}")
        self.kind = kind


class _TimedProtocol(chess.engine.Protocol):
    """Records when `go` was sent, when and with what line a move came back, remarks, and the last line on stderr."""

    remarks_begin: ClassVar[re.Pattern[str]]  # What the protocol writes before a line for people.
    sent_at = 0.0
    answered_at = 0.0
    answer = ""
    last_error_line = ""

    def __init__(self) -> None:
        super().__init__()
        self.remarks: deque[str] = deque(maxlen=_MAX_REMARKS)

    @property
    def is_starting(self) -> bool:
        """True if the engine has asked for more time to start."""
        return False

    @property
    def plays_again(self) -> bool:
        """True if the engine plays another game after the first."""
        return True

    def send_line(self, line: str) -> None:
        super().send_line(line)
        if line.startswith("go"):
            self.sent_at, self.answered_at, self.answer = time.perf_counter(), 0.0, ""

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Drop lines that python-chess cannot parse, and lines that never end."""
        while True:
            try:
                super().pipe_data_received(fd, data)
                break
            except (ValueError, LookupError):  # python-chess has taken the line out of its buffer already.
                data = b""
        if len(self.buffer[fd]) > _MAX_LINE:
            self.buffer[fd].clear()

    def line_received(self, line: str) -> None:
        if not self.answered_at and line.split(maxsplit=1)[:1] in (["bestmove"], ["move"]):
            self.answered_at, self.answer = time.perf_counter(), line
        if begin := self.remarks_begin.match(line):
            self.remarks.append(line[begin.end() :])

    def error_line_received(self, line: str) -> None:
        self.last_error_line = line.strip()[:200] or self.last_error_line

    @abc.abstractmethod
    def why_unplayable(self, board: chess.Board, limits: Limits) -> str:
        """Why the engine cannot play a game from this board; empty if it can."""


class _TimedUci(_TimedProtocol, chess.engine.UciProtocol):
    """UCI, timed."""

    remarks_begin = re.compile("info string ")

    def _line_received(self, line: str) -> None:
        """A bound is no evaluation: it may be far from the value. Only the nodes of its line count.

        python-chess refuses an engine with a default out of its range.
        """
        if _BOUND.match(line):
            line = "info" + "".join(re.findall(r" nodes \d+", line))
        elif spin := _SPIN.fullmatch(line):
            default, low, high = int(spin[2]), int(spin[4]), int(spin[5])
            line = f"{spin[1]}{min(max(default, low), high)}{spin[3]}"
        super()._line_received(line)

    def why_unplayable(self, board: chess.Board, limits: Limits) -> str:  # noqa: ARG002 - UCI has all limits.
        if board.chess960 and "UCI_Chess960" not in self.options:
            return "it does not play Chess960: it has no option UCI_Chess960"
        return ""


class _TimedXBoard(_TimedProtocol, chess.engine.XBoardProtocol):
    """XBoard's protocol, timed; also for engines that cannot set up a position."""

    remarks_begin = re.compile("# |tellusererror ")

    def __init__(self) -> None:
        super().__init__()
        self.features = _Features()

    @property
    def is_starting(self) -> bool:
        return self.features.get("done") == 0

    @property
    def plays_again(self) -> bool:
        return bool(self.features.get("reuse", 1))

    def why_unplayable(self, board: chess.Board, limits: Limits) -> str:
        if board.chess960 and "fischerandom" not in str(self.features.get("variants", "")).split(","):
            return "it does not play Chess960: it has no variant fischerandom"
        if board.root().fen() != chess.STARTING_FEN and not self._has_feature("setboard"):
            return "it cannot set up a position: use openings from the start position"
        if limits.nodes is not None and not self._has_feature("nps"):
            return "it does not count nodes (feature nps=1): give it a limit of depth or time"
        if limits.nodes is not None and (limits.time_control or limits.seconds):
            return "XBoard's protocol cannot limit both nodes and time: give it one of them"
        return ""

    def _has_feature(self, name: str) -> bool:
        return name in self.features and bool(self.features[name])


class _Features(dict[str, Any]):
    """The features of an XBoard engine. python-chess insists on setboard; the match can do without it."""

    def get(self, name: str, default: Any = None) -> Any:
        return 1 if name == "setboard" else super().get(name, default)


PROTOCOLS: Final[dict[str, type[_TimedProtocol]]] = {"uci": _TimedUci, "xboard": _TimedXBoard}


class EngineProcess:
    """The process of a participant. After an EngineFailure it is dead, and may be started again."""

    def __init__(self, participant: Participant) -> None:
        self.participant = participant
        self._protocol: _TimedProtocol | None = None
        self._transport: asyncio.SubprocessTransport | None = None

    async def start(self) -> None:
        """Start the process and set its options, unless a process runs and answers. Raises EngineFailure."""
        if await self._is_ready():
            return
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)  # Do not print what engines write.
        words, environment = command_line(self.participant)
        try:
            transport, protocol = await PROTOCOLS[self.participant.protocol].popen(words, env=environment)
        except OSError as error:
            raise EngineFailure("crash", f"{words[0]} does not start: {error.strerror or error}") from None
        await self.attach(transport, protocol)

    async def _is_ready(self) -> bool:
        """True if a process runs and answers. A process that died between games loses no game."""
        if self._protocol is None:
            return False
        try:
            await asyncio.wait_for(self._protocol.ping(), READY_TIMEOUT)
        except (TimeoutError, chess.engine.EngineError):
            await self.kill()
        return self._protocol is not None

    async def attach(self, transport: asyncio.SubprocessTransport, protocol: _TimedProtocol) -> None:
        """Take over a process that has just been started, and set its options. Raises EngineFailure."""
        self._transport, self._protocol = transport, protocol
        try:
            await _initialize(protocol)
            options = engine_options(self.participant, protocol.options)
            await asyncio.wait_for(protocol.configure(options), READY_TIMEOUT)
            await asyncio.wait_for(protocol.ping(), READY_TIMEOUT)
            if self.participant.builtin:
                _check_remarks(protocol.remarks, options)
        except TimeoutError:
            await self.kill()
            text = f"it does not answer in the {self.participant.protocol} protocol"
            raise EngineFailure("hang", text) from None
        except chess.engine.EngineTerminatedError:
            raise await self._crash("it ended while starting") from None
        except (chess.engine.EngineError, ValueError) as error:
            await self.kill()
            raise EngineFailure("protocol error", str(error)) from None

    def why_unplayable(self, board: chess.Board) -> str:
        """Why a started engine cannot play a game from this board; empty if it can."""
        return "" if self._protocol is None else self._protocol.why_unplayable(board, self.participant.limits)

    def unknown_options(self) -> frozenset[str]:
        """The names given by --option that this engine does not have as options. It must have been started."""
        known = self._protocol.options if self._protocol is not None else {}
        return frozenset(name for name, _ in self.participant.common_options if name not in known)

    async def play(
        self, board: chess.Board, limit: chess.engine.Limit, game: object, patience: float = PATIENCE
    ) -> tuple[chess.engine.PlayResult, float]:
        """Search for a move, which is legal unless the engine resigns. Raises EngineFailure.

        game: an object that differs from game to game. patience: seconds for a move that has no time limit. Returns
        also the seconds from `go` to the answer.
        """
        protocol = self._protocol
        if protocol is None:
            raise EngineFailure("crash", "it is not running")
        clock = limit.white_clock if board.turn else limit.black_clock
        bounds = [seconds for seconds in (clock, limit.time) if seconds is not None]
        timeout = min(bounds) + MOVE_TIMEOUT if bounds else patience
        try:
            info = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
            played = await asyncio.wait_for(protocol.play(board, limit, game=game, info=info), timeout)
        except TimeoutError:
            await self.kill()
            raise EngineFailure("hang", "no answer") from None
        except chess.engine.EngineTerminatedError:
            raise await self._crash("it ended") from None
        except chess.engine.EngineError as error:
            await self.kill()  # The engine's position may differ from the board.
            if error.args and isinstance(error.args[0], ValueError):  # An illegal move, for python-chess.
                raise _illegal_move(protocol, board) from None
            raise EngineFailure("protocol error", str(error)) from None
        if not played.resigned and (played.move is None or played.move not in board.legal_moves):
            await self.kill()
            raise _illegal_move(protocol, board)
        return played, (protocol.answered_at or time.perf_counter()) - protocol.sent_at

    async def send_result(self, board: chess.Board, result: str, reason: str) -> None:
        """Tell the engine how the game ended; end it if it plays only one game."""
        if self._protocol is None:
            return
        winner = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(result)
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            sending = self._protocol.send_game_result(board, winner, reason, game_complete=True)
            await asyncio.wait_for(sending, MOVE_TIMEOUT)
        if not self._protocol.plays_again:
            await self.stop()

    async def stop(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        if self._protocol is not None and not self._protocol.returncode.done():
            with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
                await asyncio.wait_for(self._protocol.quit(), QUIT_TIMEOUT)
        await self.kill()

    async def kill(self) -> None:
        """Kill the process and its children, and wait for its end."""
        self.kill_process()
        protocol, transport = self._protocol, self._transport
        self._protocol = self._transport = None
        if protocol is not None and transport is not None:
            with contextlib.suppress(TimeoutError):  # Another process may hold its pipes open.
                await asyncio.wait_for(asyncio.shield(protocol.returncode), QUIT_TIMEOUT)
            transport.close()

    def kill_process(self) -> None:
        """Kill the process and its children without waiting; callable from any thread."""
        transport = self._transport
        if transport is not None and transport.get_returncode() is None:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(transport.get_pid())
                kill_children(process)
                process.kill()

    async def _crash(self, text: str) -> EngineFailure:
        """The failure of a process that has ended: its exit code and its last line on stderr."""
        protocol, transport = self._protocol, self._transport
        code = transport.get_returncode() if transport is not None else None
        last_line = f": {protocol.last_error_line}" if protocol is not None and protocol.last_error_line else ""
        await self.kill()
        return EngineFailure("crash", f"{text} (exit code {code}){last_line}")


async def _initialize(protocol: _TimedProtocol) -> None:
    """Wait until an engine is ready. Raises TimeoutError if it takes too long; an engine may ask for more time."""
    initializing = asyncio.ensure_future(protocol.initialize())
    try:
        await asyncio.wait([initializing], timeout=START_TIMEOUT)
        await asyncio.wait_for(initializing, READY_TIMEOUT if protocol.is_starting else 0)
    finally:
        initializing.cancel()


def _check_remarks(remarks: Iterable[str], options: Iterable[str]) -> None:
    """Raise ValueError if an engine of Ox88 has said that it plays without an option of the match, or not at all.

    Such an engine goes on playing, since a GUI could do nothing else. Its games would say nothing of the engine asked
    for.
    """
    names = tuple(name.replace("_", " ") for name in options)  # XBoard's names have no spaces.
    for remark in remarks:
        if remark.startswith(names) or _OBJECTIONS.match(remark):
            raise ValueError(remark)


def _illegal_move(protocol: _TimedProtocol, board: chess.Board) -> EngineFailure:
    words = protocol.answer.split()[1:2]
    return EngineFailure("illegal move", f"{words[0][:20] if words else 'none'} in {board.fen()}")
