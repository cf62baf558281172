"""A session: which puzzle comes next, and what its answers are worth."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ox88.apps.store import Store
from ox88.apps.train.cards import Grade, end_of_day
from ox88.apps.train.drill import Drill, Verdict
from ox88.apps.train.open_puzzles import OpenPuzzles
from ox88.apps.train.records import Answer, Records
from ox88.errors import Ox88Error

KINDS: Final = ("mistakes", "open", "theme", "rush")
LENGTH: Final = 10
RUSH_SECONDS: Final = 180.0
RUSH_ERRORS: Final = 3
_RUSH_FIRST, _RUSH_STEP = 600, 40  # Ratings of a rush's puzzles.
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
    outcomes: "dict[str, Outcome]" = field(default_factory=dict)
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an answer leads to. due: when the puzzle comes back, in seconds since 1970; None if it does not."""

    answer: Answer
    due: float | None


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
        self.outcome: Outcome | None = None  # Of the current puzzle, if it is over.
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

    def _end(self, session: Session) -> None:
        session.is_over, self.drill, self.outcome = True, None, None

    def _take_next(self, session: Session) -> None:
        self._end(session)
        is_long_enough = session.length and len(session.seen) >= session.length
        if is_long_enough or (session.what == "rush" and session.wrong >= RUSH_ERRORS):
            return
        self.drill = self._next_mistake(session) if session.what == "mistakes" else self._next_open(session)
        if self.drill is not None:
            session.is_over = False
            session.seen.append(self.drill.puzzle.id)

    def _waiting(self, session: Session) -> list[str]:
        """The keys of puzzles that may come: what is due first, then new mistakes."""
        keys = session.keys or [*self.records.due(end_of_day(self.clock())), *self.records.fresh()]
        return [key for key in keys if key not in session.seen and (not session.keys or self.records.card(key))]

    def _next_mistake(self, session: Session) -> Drill | None:
        for key in self._waiting(session):
            card = self.records.card(key)
            if card is not None:
                return Drill(card.puzzle, card.kind, self.records.is_answered(key), card.also)
        return None

    def _next_open(self, session: Session) -> Drill | None:
        rating = self.records.rating().value
        if session.what == "rush":
            rating = _RUSH_FIRST + _RUSH_STEP * len(session.seen)
        seen = self.records.seen_since(self.clock() - _LATELY).union(session.seen)
        puzzle = self.open_puzzles.choose(rating, session.theme, seen, self._chance)
        return None if puzzle is None else Drill(puzzle, "open", self.records.is_answered(puzzle.id))

    # --- The puzzle -------------------------------------------------------------------------------------------------

    def play(self, key: str, text: str) -> Verdict:
        """Try a move in the current puzzle. Raises Ox88Error."""
        before, session = self.current(key), self.going_on()
        drill = before.copy()
        verdict = drill.play(text)
        drill.is_shown = verdict == "wrong" and session.what == "rush"
        if verdict == "solved" or drill.is_missed != before.is_missed:
            self._save(drill, session)
        self.drill = drill
        return verdict

    def hint(self, key: str) -> None:
        """Show which piece moves. Raises Ox88Error."""
        self.current(key).is_hinted = True

    def show(self, key: str) -> None:
        """Show the solution, which ends the puzzle. Raises Ox88Error."""
        before = self.current(key)
        drill = before.copy()
        drill.is_shown = True
        self._save(drill, self.going_on())
        self.drill = drill

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
        outcome = Outcome(*self.records.answer(drill, self.clock(), is_rated))
        self.outcome = outcome if drill.is_over else None
        session.outcomes[drill.puzzle.id] = outcome
        if session.end is not None:
            self.records.put_rush(session.end, session.right)
