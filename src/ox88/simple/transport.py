"""What python-chess takes for an engine's process: a UCI session in a thread of its own, lines through a queue."""

import asyncio
import atexit
import concurrent.futures
import contextlib
import dataclasses
import logging
import os
import queue
import threading
import weakref
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any, Final, cast

from chess.engine import EngineError

from ox88.engines.base import Engine, EngineEntry
from ox88.protocols.uci import Session
from ox88.simple.protocol import NO_BEST_MOVE, FailingProtocol

_LOGGER: Final = logging.getLogger(__name__)
_REMARK: Final = "info string "
_EXIT_PATIENCE: Final = 5.0  # Seconds that the end of the interpreter waits for searches to end.


class SessionTransport(asyncio.SubprocessTransport, asyncio.WriteTransport):
    """A session in a thread of its own, in place of a process: lines go to a queue, answers to the protocol's loop.

    What python-chess calls, it calls in the loop's thread; `abandon`, `leave` and `join` are for any.
    """

    def __init__(self, protocol: FailingProtocol, entry: EngineEntry, engine: Engine, expert: bool) -> None:
        super().__init__()
        self.closed = asyncio.Event()
        self._protocol = protocol
        self._returncode: int | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._command = ""  # What the session obeys, ...
        self._refusals: dict[str, str] = {}  # ... and why it has refused one, by its first word.
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

    def tell_returncode(self, future: "concurrent.futures.Future[int]") -> None:
        """Set the future's result to the code of the session's end: 0, or 1 where it has failed."""
        self._protocol.loop.call_soon_threadsafe(self._give_returncode, future)

    # --- In the session's thread ----------------------------------------------------------------------------------

    def _obey(self, entry: EngineEntry, engine: Engine, expert: bool) -> None:
        """Lend the engine to a session. A session may outlive its end for a while, but not the engine and its table."""
        loan = cast(Engine, weakref.proxy(engine))
        lent = dataclasses.replace(entry, make=lambda: loan)
        name = f"{entry.name} {version('ox88')}"
        returncode = 1
        try:
            session = Session([lent], self._answer, name=name, expert=expert, failed=self._fail)
            session.run(self._commands())
            returncode = 0
        except Exception as error:
            _LOGGER.error("the engine has ended", exc_info=error)
            self._fail(error)
        finally:
            self._tell(self._end, returncode)

    def _commands(self) -> Iterator[str]:
        """The lines, but for a search that was not prepared: it would be of another position, or with other options."""
        for line in iter(self._lines.get, None):
            self._command = line.partition(" ")[0]
            if self._command == "position":
                self._refusals.pop("position", None)
            if self._command in ("go", "isready") and self._refusals:
                self._refuse()
            else:
                yield line

    def _refuse(self) -> None:
        refusals, self._refusals = self._refusals, {}
        error = EngineError("; ".join(refusals.values()))
        if "setoption" in refusals:
            self._tell(self._protocol.forget_options)
        self._tell(self._protocol.refuse_search if self._command == "go" else self._protocol.fail, error)

    def _answer(self, line: str) -> None:
        """Hand a line over. What is said in words while no search runs, python-chess has no place for."""
        if line.startswith(_REMARK) and threading.current_thread() is self._thread and self._command != "go":
            self._remark(line.removeprefix(_REMARK))
        else:
            self._tell(self._receive, line)

    def _remark(self, text: str) -> None:
        if self._command in ("position", "setoption"):
            self._refusals.setdefault(self._command, text)
        else:
            _LOGGER.warning("%s", text)

    def _fail(self, error: Exception) -> None:
        """The engine has failed, in any thread: python-chess would be told of any legal move."""
        failure = EngineError(f"the engine has failed: {type(error).__name__}: {error}")
        failure.__cause__ = error
        self._tell(self._protocol.fail, failure)

    def _tell(self, listener: Callable[..., None], *arguments: Any) -> None:
        self._protocol.loop.call_soon_threadsafe(listener, *arguments)

    # --- In the loop's thread -------------------------------------------------------------------------------------

    def _receive(self, line: str) -> None:
        if self.is_closing() or self._is_left:
            return
        self._protocol.receive(NO_BEST_MOVE if line == "bestmove 0000" else line)

    def _end(self, returncode: int) -> None:
        self._returncode = returncode
        if self._is_left and self._protocol.command is not None:
            return
        self._protocol.connection_lost(None)

    def _give_returncode(self, future: "concurrent.futures.Future[int]") -> None:
        self._protocol.returncode.add_done_callback(lambda returncode: future.set_result(returncode.result()))


_transports: Final[weakref.WeakSet[SessionTransport]] = weakref.WeakSet()


@atexit.register
def _leave_all() -> None:
    """Let no kernel run while the interpreter takes apart what it works on."""
    left = list(_transports)
    for transport in left:
        transport.leave()
    for transport in left:
        transport.join(_EXIT_PATIENCE)
