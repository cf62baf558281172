"""Engine and MicroMax, for scripts: python-chess's SimpleEngine, whose engine lives in this process."""

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn, TypeVar, cast

from chess.engine import ConfigMapping, EngineError, Protocol, SimpleEngine

from ox88.engines.base import EngineEntry, get_ready
from ox88.engines.registry import MICROMAX, MODERN
from ox88.simple.connection import connect
from ox88.threads import Background

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _interruptible(method: _Method) -> _Method:
    """The method, which Ctrl-C ends on every system: the search is stopped first, for nobody waits for it any more."""

    @functools.wraps(method)
    def call(self: "_InProcessEngine", *arguments: Any, **keywords: Any) -> Any:
        bound = functools.partial(method, self, *arguments, **keywords)
        if threading.current_thread() is not threading.main_thread():  # Ctrl-C is for the main thread alone.
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

        options: as for `configure`, such as {"Hash": 64, "Move Overhead": 100}. timeout: seconds that a call may take
        beyond its limit, as for SimpleEngine. expert: have the options for developers too, all numbers of the search.
        Raises chess.engine.EngineError for an option that the engine has not, or a value that is none of its.
        """
        transport, protocol = connect(self._entry, get_ready(self._entry.make()), expert)
        super().__init__(transport, protocol, timeout=timeout)
        weakref.finalize(self, transport.abandon).atexit = False
        transport.tell_returncode(self.returncode)
        try:
            self.ping()  # The session takes the engine: what it refuses from now on, it says at once.
            self.configure(options or {})
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
        name = cls.__name__
        raise TypeError(f"{name} starts no process: {name}(options) makes one, chess.engine.SimpleEngine others")

    def _stop_command(self) -> None:
        with contextlib.suppress(EngineError), self._not_shut_down():
            self.protocol.loop.call_soon_threadsafe(_stop_command, self.protocol)


def _stop_command(protocol: Protocol) -> None:
    if protocol.command is not None:
        protocol.command.cancel()


class Engine(_InProcessEngine):
    """Ox88, the strong engine, as a chess.engine.SimpleEngine.

    It thinks in this process: there is no program to find and none to wait for. Several engines may think at a time,
    each asked by a thread of its own. `close`, `quit` or a with block ends one; so do the garbage collector and the
    end of the program.
    """

    _entry = MODERN


class MicroMax(_InProcessEngine):
    """micro-Max, the historic engine, as a chess.engine.SimpleEngine. Its table takes 201 MB."""

    _entry = MICROMAX
