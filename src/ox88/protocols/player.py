"""Who plays in a session: the engine that is chosen, made when it is needed, and what it is told to keep in mind."""

import contextlib
from collections.abc import Callable, Iterator, Sequence

from ox88.engines.base import Engine, EngineEntry, Option, OptionValue, get_ready
from ox88.engines.settings import fit
from ox88.protocols.game import Game, go_on, initial_game, place
from ox88.types import Ox88Error, from_uci


class Player:
    """One engine of several at a time, at a position with its past. Options and position outlast a change of engine.

    say: takes what is to be said in words. setup: the position now.
    """

    def __init__(self, engines: Sequence[EngineEntry], name: str, say: Callable[[str], None]) -> None:
        self._entries = {entry.name: entry for entry in engines}
        self._entry = self._entries[name]
        self._say = say
        self._engine: Engine | None = None
        self._values: dict[
            str, OptionValue
        ] = {}  # Of any engine's options, by lower-case name, as far as they are set.
        self._game = initial_game()
        self.setup = self._game.start

    def option_groups(self) -> tuple[tuple[Option, ...], ...]:
        """The options of each engine, the chosen one's first."""
        return (self._entry.options, *(entry.options for entry in self._entries.values()))

    def ready(self) -> Engine:
        """The engine, made now if it is not yet. Raises what making it raises."""
        if self._engine is None:
            self._engine = self._make(self._entry)
        return self._engine

    def choose(self, name: str) -> None:
        """Let another engine go on from here. Raises Ox88Error where it cannot, and changes nothing then."""
        entry = self._entries[name]
        if self._engine is not None and entry is not self._entry:
            self._engine = self._make(entry)
        self._entry = entry

    def set_option(self, option: Option, value: OptionValue) -> None:
        """Set an option of any engine, in the option's own values; kept for an engine that does not play now.

        Raises Ox88Error where the engine refuses it.
        """
        if self._engine is not None and option in self._entry.options:
            self._tell(self._engine, option.name, value)
        if option.kind != "button":
            self._values[option.name.lower()] = value

    def new_game(self) -> None:
        if self._engine is not None:
            self._engine.new_game()

    def move_to(self, game: Game) -> None:
        """Go to a position. Raises Ox88Error, and stays at the old one then."""
        engine = self.ready()
        go_on(engine, self._game, game)
        self._game = game
        self.setup = engine.setup

    def legal_moves(self, texts: Sequence[str]) -> Iterator[int]:
        """Those of some moves that are legal here; of the others it is said why not."""
        engine = self.ready()
        for text in texts:
            try:
                move = from_uci(text.lower(), self.setup)
                engine.push(move)
            except Ox88Error as error:
                self._say(str(error))
            else:
                engine.pop()
                yield move

    def _make(self, entry: EngineEntry) -> Engine:
        with compiler_heard(self._say):
            engine = get_ready(entry.make())
        for option in entry.options:
            if option.name.lower() in self._values:
                self._restore_option(engine, option)
        place(engine, self._game)
        return engine

    def _restore_option(self, engine: Engine, option: Option) -> None:
        try:
            self._tell(engine, option.name, fit(option, self._values[option.name.lower()])[0])
        except Ox88Error as error:
            self._say(str(error))

    def _tell(self, engine: Engine, name: str, value: OptionValue) -> None:
        remark = engine.set_option(name, value)
        if remark is not None:
            self._say(remark)


@contextlib.contextmanager
def compiler_heard(say: Callable[[str], None]) -> Iterator[None]:
    """What the compiler says meanwhile, the GUI hears too. Loads the compiler."""
    from ox88.jit import progress

    progress.listen(say)
    try:
        yield
    finally:
        progress.listen(None)
