"""The engine of a session: one of several, made when it is needed, with its options, book, game and search."""

import contextlib
import errno
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ox88.engines.base import Engine, EngineEntry, EngineError, Info, Option, OptionValue, find_option, fit, get_ready
from ox88.engines.placed import PlacedEngine
from ox88.errors import Ox88Error, unreadable
from ox88.threads import Background
from ox88.types import NO_MOVE

if TYPE_CHECKING:  # Imported with the first position: `uci` is answered without python-chess.
    import chess

# Options that GUIs know of every engine.
PONDER: Final = Option("Ponder", "check", default=False)  # Tells a GUI that it may ponder; nothing depends on it.
CHESS960: Final = Option("UCI_Chess960", "check", default=False)
SHOW_WDL: Final = Option("UCI_ShowWDL", "check", default=False)
OWN_BOOK: Final = Option("OwnBook", "check", default=False)
BOOK_FILE: Final = Option("Book File", "string", default="")
_STOP_AGAIN_AFTER: Final = 0.1  # Seconds.


class EngineHost:
    """Holds one engine at a time. Options and game outlast a change of engine.

    Args:
        engines: the engines to choose from.
        chosen: the name of the first one.
        say: called with remarks for people: on values, and on what the compiler does.
        end_search: ends the search that runs. Called before an option reaches the engine.
        own: options of the protocol itself, which reads them by `is_on`.
    """

    def __init__(
        self,
        engines: Sequence[EngineEntry],
        chosen: str,
        say: Callable[[str], None],
        end_search: Callable[[], None],
        own: Iterable[Option] = (),
    ) -> None:
        self._entries = {entry.name: entry for entry in engines}
        self._choice = Option("Engine", "combo", chosen, choices=tuple(self._entries))
        self._own = (*own, OWN_BOOK, BOOK_FILE, self._choice)
        self._own_values = {option.name: option.default for option in self._own}
        self._values: dict[str, OptionValue] = {}  # The options that were set, of any engine, by lower-case name.
        self._say = say
        self._end_search = end_search
        self._placed: PlacedEngine | None = None
        self._board: chess.Board | None = None
        self._no_position = ""  # Why there is no position: the last one was refused.
        self._refused: dict[str, str] = {}  # The errors of required options whose values were refused, by name.

    # --- The engine and its game ------------------------------------------------------------------------------------

    def ready(self) -> Engine:
        """The engine. It is made and compiled at the first use, which may raise an Ox88Error."""
        return self._get_placed().engine

    @property
    def board(self) -> "chess.Board":
        """The game that the engine is at. Copy it to change it. Raises EngineError after a refused position."""
        if self._no_position:
            raise EngineError(self._no_position)
        if self._board is None:
            import chess

            self._board = chess.Board()
        return self._board

    @property
    def obstacle(self) -> str:
        """Why no search can begin: the last position, or a required value of an option, was refused. Else empty."""
        return self._no_position or self.refused_value

    @property
    def refused_value(self) -> str:
        """Why the last value of a required option was refused; empty if none was."""
        refused = (self._refused[option.name] for option in self._chosen.options if option.name in self._refused)
        return next(refused, "")

    def place(self, board: "chess.Board") -> None:
        """Bring the engine to a position of a game. Raises Ox88Error if it is refused."""
        placed = self._get_placed()
        try:
            placed.place(board)
        except Ox88Error as error:
            self.refuse(error)
            raise
        self._board, self._no_position = board.copy(), ""

    def refuse(self, reason: Ox88Error) -> None:
        """Forget the position: the next request is meant for one that was refused. reason: what is wrong with it."""
        self._no_position = f"there is no position, since the last one was refused: {reason}"

    def new_game(self) -> None:
        """Clear what the engine has learnt from earlier positions."""
        if self._placed is not None:
            self._placed.engine.new_game()

    @property
    def _chosen(self) -> EngineEntry:
        return self._entries[str(self._own_values[self._choice.name])]

    def _get_placed(self) -> PlacedEngine:
        if self._placed is None:
            self._placed = self._make(self._chosen)
        return self._placed

    def _make(self, entry: EngineEntry) -> PlacedEngine:
        with compiler_progress(self._say):
            placed = PlacedEngine(get_ready(entry.make()))
        for option in entry.options:
            if option.name.lower() in self._values:
                try:
                    self._tell(placed.engine, option, fit(option, self._values[option.name.lower()])[0])
                except Ox88Error as error:
                    self._say(str(error))
        if not self._no_position:
            placed.place(self.board)
        return placed

    # --- Options ----------------------------------------------------------------------------------------------------

    def options(self) -> tuple[Option, ...]:
        """The host's own options and the options of all engines, each name once; the chosen engine's come first."""
        others = (option for entry in self._entries.values() for option in entry.options)
        options: dict[str, Option] = {}
        for option in (*self._own, *self._chosen.options, *others):
            options.setdefault(option.name.lower(), option)
        return tuple(options.values())

    def is_on(self, option: Option) -> bool:
        """True if an own option is set to true."""
        return self._own_values[option.name] is True

    def set_option(self, name: str, value: OptionValue) -> None:
        """Set an option from a value or a text. Raises Ox88Error, and the option keeps its value.

        An engine's option is set at once if the chosen engine has it. Other engines get the value when they are chosen.
        """
        option = find_option(self.options(), name)
        fitted, remark = fit(option, value)
        if option.name in self._own_values:
            if option is self._choice and fitted != self._chosen.name:
                self._end_search()
                if self._placed is not None:
                    self._placed = self._make(self._entries[str(fitted)])
            if option is BOOK_FILE and fitted:
                import chess

                book_moves(str(fitted), chess.Board())  # Raises Ox88Error for a file that is no book.
            self._own_values[option.name] = fitted
        else:
            self._end_search()
            if self._placed is not None and option in self._chosen.options:
                self._tell(self._placed.engine, option, fitted)
            if option.kind != "button":
                self._values[option.name.lower()] = fitted
        if remark is not None:
            self._say(remark)

    def _tell(self, engine: Engine, option: Option, value: OptionValue) -> None:
        self._refused.pop(option.name, None)
        try:
            remark = engine.set_option(option.name, value)
        except Ox88Error as error:
            if option.required:
                self._refused[option.name] = str(error)
            raise
        if remark is not None:
            self._say(remark)

    # --- The book ---------------------------------------------------------------------------------------------------

    def book_move(self, board: "chess.Board") -> int:
        """A random move of the book, drawn by the weights; NO_MOVE where it has none or OwnBook is off.

        Raises Ox88Error where the book cannot be read; such a book is not asked again.
        """
        try:
            moves = self.book_moves(board) if self.is_on(OWN_BOOK) else []
        except Ox88Error:
            self._own_values[BOOK_FILE.name] = ""
            raise
        if not moves:
            return NO_MOVE
        return random.choices([move for move, _ in moves], [weight for _, weight in moves])[0]  # noqa: S311 - No secret.

    def book_moves(self, board: "chess.Board") -> list[tuple[int, int]]:
        """`book_moves` of the book, whether OwnBook is on or off; empty where there is no book."""
        path = str(self._own_values[BOOK_FILE.name])
        return book_moves(path, board) if path else []


def book_moves(path: str, board: "chess.Board") -> list[tuple[int, int]]:
    """A Polyglot book's moves in a position with their weights, the heaviest first. Raises FileError for a bad file."""
    import chess.polyglot

    from ox88.convert import from_chess_move

    try:
        if not Path(path).is_file():  # python-chess takes a folder for an empty book.
            raise FileNotFoundError(errno.ENOENT, "there is no such file", path)
        with chess.polyglot.open_reader(path) as book:
            moves = [(from_chess_move(entry.move, board), entry.weight) for entry in book.find_all(board)]
    except OSError as error:
        if error.strerror is None:
            error.strerror = "it is no Polyglot book, which has entries of 16 bytes"
        raise unreadable(f"the book {path[:200]!r}", error, "cannot be read") from None
    return sorted(moves, key=lambda move: -move[1])


@contextlib.contextmanager
def compiler_progress(say: Callable[[str], None]) -> Iterator[None]:
    """Pass on what the compiler says meanwhile. Loads the compiler."""
    from ox88.jit import progress

    progress.listen(say)
    try:
        yield
    finally:
        progress.listen(None)


def any_legal_move(board: "chess.Board") -> tuple[int, ...]:
    """A line of one legal move, found without the engine; empty where there is none."""
    from ox88.convert import from_chess_move

    return tuple(from_chess_move(move, board) for move in list(board.legal_moves)[:1])


class BackgroundSearch:
    """A search in a thread of its own: passes each Info on as it comes, and the best line at the end.

    Args:
        engine: the engine that searches.
        infos: what `engine.search` has returned.
        listener: called with each Info, in the search's thread.
        failed: called with an exception of the engine. The best line so far is then the result.
        ended: called once with the best line, empty where there is none.
        held: delay `ended` until `stop`, or until `ponder_hit` unless endless.
        endless: only `stop` ends the search.
    """

    def __init__(
        self,
        engine: Engine,
        infos: Iterator[Info],
        *,
        listener: Callable[[Info], None],
        failed: Callable[[Exception], None],
        ended: Callable[[tuple[int, ...]], None],
        held: bool = False,
        endless: bool = False,
    ) -> None:
        self._engine = engine
        self._infos = infos
        self._listener = listener
        self._failed = failed
        self._ended = ended
        self._is_endless = endless
        self._lock = threading.RLock()  # Held while the engine is stopped, so that `stop` cannot hit a later search.
        self._released = threading.Event()
        self._is_engine_free = threading.Event()
        if not held:
            self._released.set()
        self._background = Background(self._run, self.stop)

    def stop(self) -> None:
        """End the search soon. Does not wait, so `ended` may take a lock that the caller holds."""
        self._released.set()
        with self._lock:
            if not self._is_engine_free.is_set():
                self._engine.stop()

    def end(self) -> None:
        """Stop the search, if it still runs, and wait until `ended` has returned."""
        self._background.cancel()

    def free_engine(self) -> None:
        """Stop the search and wait until the engine is free. `ended` may be called after that."""
        self.stop()
        while not self._is_engine_free.wait(_STOP_AGAIN_AFTER):
            self.stop()

    def ponder_hit(self) -> None:
        """The move pondered on was played: time limits count from this call on, and `ended` may be called."""
        self._engine.ponder_hit()
        if not self._is_endless:
            self._released.set()

    def _run(self) -> None:
        line: tuple[int, ...] = ()
        try:
            for info in self._infos:
                self._listener(info)
                if info.multipv == 1 and info.line:
                    line = info.line
        except Exception as error:  # A protocol owes its GUI a move, whatever has failed.
            self._failed(error)
        with self._lock:
            self._is_engine_free.set()
        self._released.wait()
        self._ended(line)
        del self._listener, self._failed, self._ended  # Break reference cycles, which keep the engine alive.
