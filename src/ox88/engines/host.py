"""The engine of a session: one of several, made when it is needed, with its options, its book and its game."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ox88.engines.base import Engine, EngineEntry, EngineError, Option, OptionValue, get_ready
from ox88.engines.book import book_move, book_moves
from ox88.engines.placed import PlacedEngine
from ox88.engines.settings import find_option, fit
from ox88.errors import Ox88Error
from ox88.types import NO_MOVE

if TYPE_CHECKING:  # Imported with the first position: `uci` is answered without python-chess.
    import chess

# Options that GUIs know of every engine.
PONDER: Final = Option("Ponder", "check", default=False)  # Tells a GUI that it may ponder; nothing depends on it.
CHESS960: Final = Option("UCI_Chess960", "check", default=False)
SHOW_WDL: Final = Option("UCI_ShowWDL", "check", default=False)
OWN_BOOK: Final = Option("OwnBook", "check", default=False)
BOOK_FILE: Final = Option("Book File", "string", default="")


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
        """Set an option from a value or a text. Raises Ox88Error, and the option keeps its value."""
        option = find_option(self.options(), name)
        fitted, remark = fit(option, value)
        if option.name in self._own_values:
            self._set_own(option, fitted)
        else:
            self._end_search()
            self._set_engine_option(option, fitted)
        if remark is not None:
            self._say(remark)

    def _set_own(self, option: Option, value: OptionValue) -> None:
        if option is self._choice and value != self._own_values[option.name]:
            self._end_search()
            if self._placed is not None:
                self._placed = self._make(self._entries[str(value)])
        if option is BOOK_FILE and value:
            import chess

            book_moves(str(value), chess.Board())  # Raises Ox88Error for a file that is no book.
        self._own_values[option.name] = value

    def _set_engine_option(self, option: Option, value: OptionValue) -> None:
        """Set an option at once if the chosen engine has it. Other engines get the value when they are chosen."""
        if self._placed is not None and option in self._chosen.options:
            self._tell(self._placed.engine, option, value)
        if option.kind != "button":
            self._values[option.name.lower()] = value

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
        """A move of the book in a position; NO_MOVE where it has none or OwnBook is off.

        Raises Ox88Error where the book cannot be read; such a book is not asked again.
        """
        if not self._own_values[BOOK_FILE.name] or not self.is_on(OWN_BOOK):
            return NO_MOVE
        try:
            return book_move(str(self._own_values[BOOK_FILE.name]), board)
        except Ox88Error:
            self._own_values[BOOK_FILE.name] = ""
            raise

    def book_moves(self, board: "chess.Board") -> list[tuple[int, int]]:
        """The book's moves in a position with their weights, whether OwnBook is on or off. Raises Ox88Error."""
        path = str(self._own_values[BOOK_FILE.name])
        return book_moves(path, board) if path else []


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
