"""A session: which puzzle comes next, and what its answers are worth."""

import functools
import random
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.drill import Drill, Verdict
from ox88.apps.train.grading import Grade, end_of_day
from ox88.apps.train.records import Outcome, Records
from ox88.errors import Ox88Error

if TYPE_CHECKING:
    from ox88.apps.puzzles.puzzles import Puzzles

KINDS: Final = ("mistakes", "open", "theme", "rush")
LENGTH: Final = 10
RUSH_SECONDS: Final = 180.0
RUSH_ERRORS: Final = 3
_RUSH_FIRST, _RUSH_STEP = 600, 40  # Ratings of a rush's puzzles.
_NEAREST: Final = 30  # Puzzles of the open set among which chance chooses.
_LATELY: Final = 90 * 86_400.0  # Seconds in which a puzzle of the open set is not shown again.


@dataclass(slots=True)
class Session:
    """A session. keys: all that are trained; empty for what is due. end: of a rush, by the clock.

    outcomes: of the puzzles that were answered, by their keys.
    """

    what: str
    theme: str = ""
    keys: Sequence[str] = ()
    length: int = LENGTH
    end: float | None = None
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    is_over: bool = False

    @property
    def grades(self) -> list[Grade]:
        return [outcome.answer.grade for outcome in self.outcomes.values()]

    @property
    def right(self) -> int:
        """Puzzles that were solved at once, without a hint."""
        return self.grades.count("good")

    @property
    def wrong(self) -> int:
        return len(self.outcomes) - self.right


class OpenPuzzles:
    """The open set, read when it is first needed."""

    @functools.cached_property
    def _all(self) -> "Puzzles":
        from ox88.apps.puzzles.open_set import load  # Reads the file, which a start need not wait for.

        return load()

    @functools.cached_property
    def themes(self) -> list[str]:
        return sorted({theme for themes in self._all.column("themes") for theme in themes.split()})

    def choose(self, rating: float, theme: str, seen: Collection[str], chance: random.Random) -> Puzzle | None:
        """A puzzle near a rating, of a theme unless it is "", that is not among those seen; None if there is none."""
        keys, themes = self._all.column("id"), self._all.column("themes")
        nearest = []
        for row in abs(self._all.column("rating") - rating).argsort(kind="stable"):
            if keys[row] not in seen and (not theme or theme in themes[row].split()):
                nearest.append(row)
                if len(nearest) == _NEAREST:
                    break
        return self._all[int(chance.choice(nearest))] if nearest else None


class Trainer:
    """One person who trains. All that is answered is saved before it is returned.

    Args:
        store: Keeps the answers.
        clock: Seconds since 1970.
        chance: Chooses among puzzles that fit.
    """

    def __init__(
        self, store: Store, clock: Callable[[], float] = time.time, chance: random.Random | None = None
    ) -> None:
        self.records = Records(store)
        self.open_puzzles = OpenPuzzles()
        self.session: Session | None = None
        self.drill: Drill | None = None
        self.clock = clock
        self._chance = chance or random.Random()  # noqa: S311 - Nobody has to guess it.

    # --- The session ------------------------------------------------------------------------------------------------

    def begin(self, what: str, theme: str = "", keys: Sequence[str] = (), length: int = LENGTH) -> None:
        """Begin a session, and take its first puzzle. Raises Ox88Error if there is nothing to train."""
        if what == "theme" and theme not in self.open_puzzles.themes:
            raise Ox88Error(f"the open set has no puzzles of the theme {theme!r}: `fork` is one that it has")
        session = Session(what, theme, keys, 0 if what == "rush" else length)
        if what == "mistakes":
            session.length = min(length, len(self._waiting(session)))
            if not session.length:
                raise Ox88Error("no mistake is due, and there are no new ones: learn from a game first")
        if what == "rush":
            session.end = self.clock() + RUSH_SECONDS
        self.session = session
        self._take_next(session)

    def advance(self, done: str = "") -> None:
        """Leave a puzzle for the next one, if it is the current one. Raises Ox88Error without a session."""
        session = self.going_on()
        if session.end is not None and self.clock() >= session.end:
            self._end(session)
        elif self.drill is not None and self.drill.puzzle.id == done:
            self._take_next(session)

    def going_on(self) -> Session:
        if self.session is None:
            raise Ox88Error("there is no session: begin one")
        return self.session

    def due_count(self) -> int:
        return len(self.records.due(end_of_day(self.clock())))

    def _take_next(self, session: Session) -> None:
        self._end(session)
        is_long_enough = session.length and len(session.seen) >= session.length
        if is_long_enough or (session.what == "rush" and session.wrong >= RUSH_ERRORS):
            return
        self.drill = self._next_mistake(session) if session.what == "mistakes" else self._next_open(session)
        if self.drill is not None:
            session.is_over = False
            session.seen.append(self.drill.puzzle.id)

    def _end(self, session: Session) -> None:
        session.is_over, self.drill = True, None

    def _next_mistake(self, session: Session) -> Drill | None:
        for card in filter(None, map(self.records.card, self._waiting(session))):
            return Drill(card.puzzle, card.kind, self.records.is_answered(card.id), card.also)
        return None

    def _waiting(self, session: Session) -> list[str]:
        """The keys of puzzles that may come: what is due first, then new mistakes."""
        keys = session.keys or [*self.records.due(end_of_day(self.clock())), *self.records.fresh()]
        return [key for key in keys if key not in session.seen and (not session.keys or self.records.card(key))]

    def _next_open(self, session: Session) -> Drill | None:
        is_rush = session.what == "rush"
        rating = _RUSH_FIRST + _RUSH_STEP * len(session.seen) if is_rush else self.records.rating().value
        seen = self.records.seen_since(self.clock() - _LATELY).union(session.seen)
        puzzle = self.open_puzzles.choose(rating, session.theme, seen, self._chance)
        return None if puzzle is None else Drill(puzzle, "open", self.records.is_answered(puzzle.id))

    # --- The puzzle -------------------------------------------------------------------------------------------------

    def play(self, key: str, text: str) -> tuple[Verdict, Drill]:
        """Try a move in the current puzzle. Raises Ox88Error."""
        before, session = self.current(key), self.going_on()
        drill = before.copy()
        verdict = drill.play(text)
        drill.is_shown = verdict == "wrong" and session.what == "rush"
        if verdict == "solved" or drill.is_missed != before.is_missed:
            self._save(drill, session)
        self.drill = drill
        return verdict, drill

    def hint(self, key: str) -> Drill:
        """Show which piece moves. Raises Ox88Error."""
        drill = self.current(key)
        drill.is_hinted = True
        return drill

    def show(self, key: str) -> Drill:
        """Show the solution, which ends the puzzle. Raises Ox88Error."""
        drill = self.current(key).copy()
        drill.is_shown = True
        self._save(drill, self.going_on())
        self.drill = drill
        return drill

    def current(self, key: str) -> Drill:
        """The current puzzle, which goes on. Raises Ox88Error if it is over, or has another key."""
        session = self.going_on()
        if session.end is not None and self.clock() >= session.end:
            self._end(session)
            raise Ox88Error("the time of the rush is over")
        if self.drill is None or self.drill.puzzle.id != key or self.drill.is_over:
            raise Ox88Error("this puzzle is over: go on to the next one")
        return self.drill

    def _save(self, drill: Drill, session: Session) -> None:
        is_new = drill.kind == "open" and not drill.comes_back
        is_rated = is_new and session.what in ("open", "theme") and not (drill.is_solved and drill.is_hinted)
        session.outcomes[drill.puzzle.id] = self.records.answer(drill, self.clock(), is_rated)
        if session.end is not None:
            self.records.put_rush(session.end, session.right)
