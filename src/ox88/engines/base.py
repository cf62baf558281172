"""The interface of all engines, what goes in and out, and their options. Imports no compiler and no protocol."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeVar

from ox88.errors import MissingFileError, Ox88Error
from ox88.setup import Setup
from ox88.types import NO_MOVE


class EngineError(Ox88Error):
    """An engine was asked for something that it cannot do; the text says what and why."""


class MissingEngineFileError(EngineError, MissingFileError):
    """A file or a folder that an option names is not there."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side to move. remaining, increment: seconds; moves_to_go: until the next time control."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """When a search ends, and which moves it considers. The first limit that is reached ends it.

    nodes: positions. time: seconds, inf for a search without end. depth: plies. mate: a mate in this many moves ends
    the search. clock: the engine itself decides how much of it to use. ponder: `time` counts from `ponder_hit` on.
    moves: the only moves to consider at the root; empty for all.
    """

    nodes: int | None = None
    time: float | None = None
    depth: int | None = None
    mate: int | None = None
    clock: Clock | None = None
    ponder: bool = False
    moves: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for name in ("nodes", "time", "depth", "mate"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise EngineError(f"the limit {name}={value} is not a number from 0 on")


MOST_CENTIPAWNS: Final = 9_999  # Programs take a larger score for a mate.


@dataclass(frozen=True, slots=True)
class Score:
    """From the mover's view: centipawns, or moves to mate (positive: gives it; negative or 0: suffers it).

    centipawns: at most MOST_CENTIPAWNS, for either side. tablebase: True for a result that endgame tables know. Then a
    win is MOST_CENTIPAWNS, a draw 0, a loss -MOST_CENTIPAWNS.
    """

    centipawns: int | None = None
    mate: int | None = None
    tablebase: bool = False

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        centipawns = self.centipawns or 0
        if self.tablebase:
            return f"tablebase {'win' if centipawns > 0 else 'loss' if centipawns else 'draw'}"
        return f"{centipawns / 100:+.2f}"


DRAWN_MOVES: Final = 3  # An engine accepts a draw that saw no more than a draw in this many of its moves on end.


def accepts_draw(scores: Sequence[Score]) -> bool:
    """True if an engine accepts a draw. scores: what it saw at each of its moves in the game, the last at the end."""
    last = scores[-DRAWN_MOVES:]
    return len(last) == DRAWN_MOVES and all((score.mate or score.centipawns or 0) <= 0 for score in last)


Bound = Literal["exact", "lower", "upper"]


@dataclass(frozen=True, slots=True)
class Info:
    """What a search has found so far.

    time: seconds since the search began. line: the best moves, the first to be played. selective_depth: plies of the
    longest line searched. multipv: which of the best lines this is, from 1. hash_full: share of the table in use,
    thousandths. tablebase_hits: positions looked up. outcomes: win, draw and loss expected, in thousandths, mover's
    view. current_move, current_move_number: the root move that a long search is at; such an Info has no line.
    """

    depth: int
    score: Score
    nodes: int
    time: float
    line: tuple[int, ...] = ()
    bound: Bound = "exact"
    selective_depth: int = 0
    multipv: int = 1
    hash_full: int = 0
    tablebase_hits: int = 0
    outcomes: tuple[int, int, int] | None = None
    current_move: int = NO_MOVE
    current_move_number: int = 0

    @property
    def best_move(self) -> int:
        return self.line[0] if self.line else NO_MOVE

    @property
    def nodes_per_second(self) -> int:
        return int(self.nodes / self.time) if self.time > 0 else 0


# --- Options ----------------------------------------------------------------------------------------------------------

EMPTY: Final = "<empty>"  # UCI's text for an empty string.
OptionValue = int | bool | str | None


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of an engine, in the words of UCI. A button has no value.

    expert: for the engine's developers; a protocol lists it only when asked to.
    required: after a refused value nothing is searched, since the engine would not be the one that was asked for.
    """

    name: str
    kind: Literal["spin", "check", "combo", "string", "button"]
    default: OptionValue = None
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()
    expert: bool = False
    required: bool = False


def find_option(options: Iterable[Option], name: str) -> Option:
    """The option of that name, in any case. Raises EngineError, which lists all options."""
    options = tuple(options)
    for option in options:
        if option.name.lower() == name.lower():
            return option
    known = ", ".join(option.name for option in options if not option.expert) or "none"
    raise EngineError(f"there is no option {name!r}; there are: {known}")


def fit(option: Option, value: OptionValue) -> tuple[OptionValue, str | None]:
    """(the value converted to the option's kind, a remark if a number was clamped to the range or None).

    Raises EngineError for a value that the option cannot have.
    """
    if option.kind == "button":
        return None, None
    if option.kind == "string":
        return "" if value is None or value == EMPTY else str(value), None
    shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "..."
    least, most = option.minimum, option.maximum
    if option.kind == "spin":
        text = str(int(value) if isinstance(value, bool) else value)
        if not re.fullmatch(r"[-+]?[0-9]{1,18}", text):
            raise EngineError(f"{option.name} is a whole number from {least} to {most}, not {shown}")
        number = min(max(int(text), least), most)
        remark = f"{option.name} {text} is out of range {least} to {most}: it is {number} now"
        return number, None if number == int(text) else remark
    choices = ("false", "true") if option.kind == "check" else option.choices
    for choice in choices:
        if str(value).lower() == choice.lower():
            return (choice == "true" if option.kind == "check" else choice), None
    raise EngineError(f"{option.name} is one of {', '.join(choices)}, not {shown}")


# --- Engines ----------------------------------------------------------------------------------------------------------


class Engine(Protocol):
    """A chess engine. It holds a position with its past, searches it, and never prints.

    `search` is a generator of Info. The search starts at once, and limits of time act while the generator is read. The
    last Info carries the move to play, and the move expected in return if there is one, or no line where there is no
    legal move. Any thread may call `stop`, which ends the search within milliseconds, and `ponder_hit`,
    which lets its time limits count.
    """

    name: str

    @property
    def setup(self) -> Setup:
        """The position to be searched."""

    def set_position(self, setup: Setup) -> None:
        """Start from a position without a past. Raises IllegalPositionError."""

    def push(self, move: int) -> None:
        """Play a move. Raises EngineError if it is not legal, and changes nothing then."""

    def pop(self) -> None:
        """Take the last move back. Raises EngineError if there is none."""

    def new_game(self) -> None:
        """Clear hash table and histories: a new game begins."""

    def set_option(self, name: str, value: OptionValue = None) -> str | None:
        """Set an option by its name, in any case. Returns a remark for the user, or None.

        A number out of range is clamped. Raises EngineError, and changes nothing, if the value cannot be set.
        """

    def search(self, limit: Limit) -> Iterator[Info]: ...

    def stop(self) -> None: ...

    def ponder_hit(self) -> None: ...

    def board_text(self) -> str:
        """The position as the engine itself prints it."""

    def evaluation_text(self) -> str:
        """The static evaluation and what it is made of, for people."""


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """An engine that can be made by name: its options are known before the engine and its compiler are loaded."""

    name: str
    options: tuple[Option, ...]
    make: Callable[[], Engine]


_E = TypeVar("_E", bound=Engine)


def get_ready(engine: _E) -> _E:
    """Compile or load all of an engine, by a short search and a move, before a clock runs. Returns the engine."""
    *_, last = engine.search(Limit(nodes=1))
    if last.line:
        engine.push(last.best_move)
        engine.pop()
    engine.new_game()
    return engine
