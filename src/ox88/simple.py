"""The engines behind python-chess's own types: a `chess.engine.SimpleEngine` without a process.

python-chess's UCI talks to a session of ours as it does to a process, through queues in place of pipes. So what its
users know of play, analyse, analysis and options holds here word for word, and is written nowhere a second time.
"""

import asyncio
import atexit
import concurrent.futures
import contextlib
import dataclasses
import functools
import logging
import os
import queue
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, ClassVar, Final, NoReturn, TypeVar, cast

from chess.engine import AnalysisResult, BaseCommand, ConfigMapping, EngineError, SimpleEngine, UciProtocol

from ox88 import __version__
from ox88.engines import base
from ox88.engines.base import EngineEntry, get_ready
from ox88.engines.registry import MICROMAX, MODERN
from ox88.protocols.uci import Session
from ox88.threads import Background

_T = TypeVar("_T")
_Method = TypeVar("_Method", bound=Callable[..., Any])

_LOGGER: Final = logging.getLogger(__name__)
_REMARK: Final = "info string "
_NO_MOVE: Final = "bestmove (none)"  # So python-chess wants it; 0000 would be a move that passes.
_EXIT_PATIENCE: Final = 5.0  # Seconds that the end of the interpreter waits for searches to end.


def _interruptible(method: _Method) -> _Method:
    """The method, which Ctrl-C ends on every system: the search is stopped first, for nobody waits for it any more."""

    @functools.wraps(method)
    def call(self: "_InProcessEngine", *arguments: Any, **keywords: Any) -> Any:
        bound = functools.partial(method, self, *arguments, **keywords)
        if threading.current_thread() is not threading.main_thread():
            return bound()
        return Background(bound, self._stop_command).result()

    return cast(_Method, call)


class _InProcessEngine(SimpleEngine):
    """What both engines share. Every method is python-chess's, and so are the errors."""

    _entry: ClassVar[EngineEntry]

    def __init__(
        self, options: ConfigMapping | None = None, *, timeout: float | None = 10.0, expert: bool = False
    ) -> None:
        """Make the engine, and wait until it is compiled, however long that takes: some seconds, once.

        options: as for `configure`, such as {"Hash": 64, "Move Overhead": 100}. timeout: as for SimpleEngine, seconds
        beyond what a call should take. expert: whether `options` has those for developers, all numbers of the search.
        Raises chess.engine.EngineError for an option that the engine has not, or a value that is none of its.
        """
        transport, protocol = _connect(self._entry, get_ready(self._entry.make()), expert)
        super().__init__(transport, protocol, timeout=timeout)
        weakref.finalize(self, transport.abandon).atexit = False
        protocol.loop.call_soon_threadsafe(protocol.returncode.add_done_callback, _passing_on(self.returncode))
        try:
            self.configure(options or {})
            self.ping()
        except BaseException:
            self.close()
            raise

    play = _interruptible(SimpleEngine.play)
    analyse = _interruptible(SimpleEngine.analyse)

    def quit(self) -> None:
        super().quit()
        self.close()

    @classmethod
    def popen(cls, *_: object, **__: object) -> NoReturn:
        raise TypeError(
            f"{cls.__name__} starts no process: it is {cls.__name__}(options), or chess.engine.SimpleEngine"
        )

    def _stop_command(self) -> None:
        with contextlib.suppress(EngineError), self._not_shut_down():
            self.protocol.loop.call_soon_threadsafe(cast(_Protocol, self.protocol).stop_command)


class Engine(_InProcessEngine):
    """Ox88, the strong engine, as a chess.engine.SimpleEngine.

    It thinks in this process: there is no program to find or to wait for, and a call costs a fraction of a millisecond.
    Several may think at a time, each for a thread of its own. `close`, `quit` or a with block ends one; so do the
    garbage collector and the end of the program.
    """

    _entry = MODERN


class MicroMax(_InProcessEngine):
    """micro-Max, the historic engine, as a chess.engine.SimpleEngine. Its table takes 201 MB."""

    _entry = MICROMAX


class _Protocol(UciProtocol):
    """python-chess's UCI, where a command that cannot be carried out ends; else it would be waited for for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._listeners: set[asyncio.Task[None]] = set()

    async def analysis(self, *arguments: Any, **keywords: Any) -> AnalysisResult:
        analysis = await super().analysis(*arguments, **keywords)
        listener = asyncio.create_task(_listen(analysis))
        self._listeners.add(listener)
        listener.add_done_callback(self._listeners.discard)
        return analysis

    async def communicate(self, command_factory: Callable[..., BaseCommand[_T]]) -> _T:
        made: list[BaseCommand[_T]] = []

        def make(protocol: UciProtocol) -> BaseCommand[_T]:
            made.append(command_factory(protocol))
            return made[0]

        try:
            return await super().communicate(make)
        except Exception as error:
            if not made or self.command is not made[0]:
                raise
            self.fail(error)  # It has failed on its first step, by a value of a wrong type.
            return await made[0].result

    def fail(self, error: Exception) -> None:
        """End the command that runs: an error is what comes of it."""
        command = self.command
        if command is None:
            return
        if not command.result.done():
            command.result.set_exception(error)
        else:  # An analysis, which is its caller's already.
            command.engine_terminated(error)
        if not command.finished.done():
            command.set_finished()
        if self.command is command:
            self.command = None

    def stop_command(self) -> None:
        if self.command is not None:
            self.command.cancel()


async def _listen(analysis: AnalysisResult) -> None:
    """Hear how an analysis ends. An error that nobody hears of, asyncio prints."""
    with contextlib.suppress(EngineError):
        await analysis.wait()


class _Transport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """A session in a thread of its own, in place of a process: lines go to a queue, answers to the protocol's loop.

    What python-chess calls, it calls in the loop's thread; `abandon`, `leave` and `join` are for any.
    """

    def __init__(self, protocol: _Protocol, entry: EngineEntry, engine: base.Engine, expert: bool) -> None:
        super().__init__()
        self.closed = asyncio.Event()
        self._protocol = protocol
        self._returncode: int | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._command = ""  # What the session obeys, ...
        self._refusal = ""  # ... and why it has refused the last position.
        self._is_left = False
        self._thread = threading.Thread(
            target=self._obey, args=(entry, engine, expert), name="ox88 session", daemon=True
        )
        protocol.connection_made(self)
        self._thread.start()
        _transports.add(self)

    # --- What python-chess asks of a process ----------------------------------------------------------------------

    def get_pid(self) -> int:
        return os.getpid()

    def get_returncode(self) -> int | None:
        return self._returncode

    def get_pipe_transport(self, _: int) -> asyncio.BaseTransport:
        return self

    def write(self, data: bytes | bytearray | memoryview) -> None:
        for line in bytes(data).decode().splitlines():
            self._lines.put(line)

    def is_closing(self) -> bool:
        return self.closed.is_set()

    def close(self) -> None:
        """End the session and its search. What was asked and is not answered yet fails."""
        self.closed.set()
        self._lines.put(None)

    # --- For any thread -------------------------------------------------------------------------------------------

    def abandon(self) -> None:
        """Close, without a wait."""
        with contextlib.suppress(RuntimeError):  # The loop has ended already.
            self._protocol.loop.call_soon_threadsafe(self.close)

    def leave(self) -> None:
        """End the session and its search, and tell nobody: the program ends, and whoever waits will not wake up."""
        self._is_left = True
        self._lines.put(None)

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    # --- In the session's thread ----------------------------------------------------------------------------------

    def _obey(self, entry: EngineEntry, engine: base.Engine, expert: bool) -> None:
        """Lend the engine to a session. A session may outlive its end for a while, but not the engine and its table."""
        loan = cast(base.Engine, weakref.proxy(engine))
        lent = dataclasses.replace(entry, make=lambda: loan)
        returncode = 1
        try:
            Session([lent], self._answer, name=f"{entry.name} {__version__}", expert=expert).run(self._commands())
            returncode = 0
        finally:
            self._protocol.loop.call_soon_threadsafe(self._end, returncode)

    def _commands(self) -> Iterator[str]:
        """The lines. After a position that was refused nothing is searched: it would be the position before it."""
        for line in iter(self._lines.get, None):
            self._command = line.partition(" ")[0]
            if self._command == "position":
                self._refusal = ""
            if self._command == "go" and self._refusal:
                self._protocol.loop.call_soon_threadsafe(self._protocol.fail, EngineError(self._refusal))
            else:
                yield line

    def _answer(self, line: str) -> None:
        """Hand a line over. What is said in words while no search runs, python-chess has no place for."""
        if line.startswith(_REMARK) and threading.current_thread() is self._thread and self._command != "go":
            self._remark(line.removeprefix(_REMARK))
        else:
            self._protocol.loop.call_soon_threadsafe(self._receive, line)

    def _remark(self, text: str) -> None:
        if self._command == "position":
            self._refusal = text
        else:
            _LOGGER.warning("%s", text)

    # --- In the loop's thread -------------------------------------------------------------------------------------

    def _receive(self, line: str) -> None:
        if self.is_closing() or self._is_left:
            return
        answer = _NO_MOVE if line == "bestmove 0000" else line
        try:
            self._protocol.pipe_data_received(1, f"{answer}\n".encode())
        except Exception as error:  # Of what the caller has given, say a board that is none.
            self._protocol.fail(error)

    def _end(self, returncode: int) -> None:
        self._returncode = returncode
        if self._is_left and self._protocol.command is not None:
            return
        self._protocol.connection_lost(None)


_Connection = tuple[_Transport, _Protocol]
_Conversation = Callable[[], Coroutine[Any, Any, None]]


def _connect(entry: EngineEntry, engine: base.Engine, expert: bool) -> _Connection:
    """A session and python-chess's side of it, in an event loop which ends after a close."""
    connected: concurrent.futures.Future[_Connection] = concurrent.futures.Future()
    conversation = functools.partial(_converse, connected, entry, engine, expert)
    thread = threading.Thread(target=_run_loop, args=(connected, conversation), name="ox88 loop", daemon=True)
    thread.start()
    return connected.result()


def _run_loop(connected: "concurrent.futures.Future[_Connection]", conversation: _Conversation) -> None:
    try:
        asyncio.run(conversation())
    except Exception as error:
        if connected.done():
            raise
        connected.set_exception(error)


async def _converse(
    connected: "concurrent.futures.Future[_Connection]", entry: EngineEntry, engine: base.Engine, expert: bool
) -> None:
    protocol = _Protocol()
    transport = _Transport(protocol, entry, engine, expert)
    await protocol.initialize()
    connected.set_result((transport, protocol))
    await protocol.returncode
    await transport.closed.wait()
    calls = asyncio.all_tasks() - {asyncio.current_task()}
    if calls:  # They hear now that the engine is gone.
        await asyncio.wait(calls, timeout=1.0)


def _passing_on(result: "concurrent.futures.Future[int]") -> "Callable[[asyncio.Future[int]], None]":
    return lambda future: result.set_result(future.result())


_transports: Final[weakref.WeakSet[_Transport]] = weakref.WeakSet()


@atexit.register
def _leave_all() -> None:
    """Let no kernel run while the interpreter takes apart what it works on."""
    left = list(_transports)
    for transport in left:
        transport.leave()
    for transport in left:
        transport.join(_EXIT_PATIENCE)
