"""The options of a session, whatever its protocol: its own, those of every engine, and which engine plays."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from ox88.engines.base import EngineEntry, Option, OptionValue
from ox88.engines.settings import fit
from ox88.protocols.book import book_move, book_moves, check_book
from ox88.protocols.player import Player
from ox88.types import NO_MOVE, Ox88Error, Setup

OWN_BOOK: Final = Option("OwnBook", "check", default=False)
BOOK_FILE: Final = Option("Book File", "string", default="")


class SessionOptions:
    """What a GUI can set. It asks once, and may choose another engine later: so those of all engines are listed.

    engine: the name of the one to begin with. own: the protocol's own. rest: called before an option reaches an engine,
    which must not be searching then.
    """

    def __init__(
        self,
        engines: Sequence[EngineEntry],
        engine: str,
        player: Player,
        rest: Callable[[], None],
        own: Iterable[Option] = (),
    ) -> None:
        self._player = player
        self._rest = rest
        self._engine = Option("Engine", "combo", engine, choices=tuple(entry.name for entry in engines))
        self._own = (*own, OWN_BOOK, BOOK_FILE, self._engine)
        self._values = {option.name: option.default for option in self._own}

    def __iter__(self) -> Iterator[Option]:
        return iter(merged(self._own, *self._player.option_groups()))

    def is_on(self, option: Option) -> bool:
        """Whether one of the session's own is set to true."""
        return self._values[option.name] is True

    def set(self, option: Option, value: OptionValue) -> str | None:
        """Set one of them, from text too. Returns what is to be said about it; raises Ox88Error."""
        fitted, remark = fit(option, value)
        if option.name in self._values:
            self._set_own(option, fitted)
        else:
            self._rest()
            self._player.set_option(option, fitted)
        return remark

    def _set_own(self, option: Option, value: OptionValue) -> None:
        if option is self._engine:
            self._rest()
            self._player.choose(str(value))
        if option is BOOK_FILE and value:
            check_book(str(value))
        self._values[option.name] = value

    def book_move(self, setup: Setup) -> int:
        """A move of the book; NO_MOVE where it has none or is not to be used. A book that fails is not asked again.

        Raises Ox88Error where it does.
        """
        path = str(self._values[BOOK_FILE.name])
        if not path or not self.is_on(OWN_BOOK):
            return NO_MOVE
        try:
            return book_move(path, setup)
        except Ox88Error:
            self._values[BOOK_FILE.name] = ""
            raise

    def book_moves(self, setup: Setup) -> list[tuple[int, int]]:
        """The moves that the book has, with their weights, whether it is to be used or not. Raises Ox88Error."""
        path = str(self._values[BOOK_FILE.name])
        return book_moves(path, setup) if path else []


def merged(*groups: Iterable[Option]) -> tuple[Option, ...]:
    """The options of all groups, each name once: the first one that bears it, in any case."""
    options: dict[str, Option] = {}
    for group in groups:
        for option in group:
            options.setdefault(option.name.lower(), option)
    return tuple(options.values())
