"""What the sessions of both protocols share: the engine, lines written one at a time, and remarks for people."""

import abc
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypedDict, Unpack

from ox88.engines.base import Engine, EngineEntry, Option
from ox88.engines.host import EngineHost
from ox88.errors import Ox88Error
from ox88.types import NO_MOVE

if TYPE_CHECKING:  # Imported with the first position: a GUI's greeting is answered without python-chess.
    import chess

Write = Callable[[str], None]

LONGEST_REMARK: Final = 600  # Characters.


class SessionOptions(TypedDict, total=False):
    """Keywords of every session.

    Attributes:
        name: the program's name.
        engine: the name of the engine to begin with; by default the first one.
        expert: list the options for developers too.
        when_ready: called once, when the first engine is made and compiled.
    """

    name: str
    engine: str | None
    expert: bool
    when_ready: Callable[[], None]


class BaseSession(abc.ABC):
    """A conversation with a GUI. Its engine is made when it is needed."""

    remark: ClassVar[str]  # What the protocol writes before a line that is for people.

    def __init__(
        self,
        engines: Sequence[EngineEntry],
        write: Write,
        own_options: Iterable[Option] = (),
        **options: Unpack[SessionOptions],
    ) -> None:
        """Start a conversation.

        Args:
            engines: the engines to choose from.
            write: takes a line, from any thread.
            own_options: options of the protocol itself.
            options: as in `SessionOptions`.
        """
        self._output = write
        self._output_lock = threading.Lock()
        self._when_ready = options.get("when_ready")
        self._name = options.get("name", "Ox88")
        self._is_expert = options.get("expert", False)
        chosen = options.get("engine") or engines[0].name
        self._host = EngineHost(engines, chosen, self._say, self._end_search, own_options)

    @abc.abstractmethod
    def _end_search(self) -> None:
        """End the search that runs, if any."""

    def _write(self, line: str) -> None:
        with self._output_lock:
            self._output(line)

    def _say(self, text: str) -> None:
        """Tell people something, on one line that a GUI need not understand."""
        self._write(f"{self.remark} {shortened(text)}")

    def _failed(self, error: Exception) -> None:
        self._say(f"the engine has failed: {type(error).__name__}: {error}")

    def _listed_options(self) -> list[Option]:
        return [option for option in self._host.options() if self._is_expert or not option.expert]

    def _get_ready(self) -> None:
        """Make and compile the engine, while the GUI waits."""
        try:
            self._ready_engine()
        except Exception as error:  # Whatever it is: the GUI needs an answer, and `go` reports the error again.
            self._failed(error)

    def _ready_engine(self) -> Engine:
        """The engine, compiled."""
        engine = self._host.ready()
        call, self._when_ready = self._when_ready, None
        if call is not None:
            call()
        return engine

    def _book_move(self, board: "chess.Board") -> int:
        """A move of the book; NO_MOVE if there is none, or the book cannot be read."""
        try:
            return self._host.book_move(board)
        except Ox88Error as error:
            self._say(str(error))
            return NO_MOVE


def shortened(text: str, length: int = LONGEST_REMARK) -> str:
    """The text on one line, with `...` in place of what is longer than `length` characters."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."
