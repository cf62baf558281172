"""A puzzle while a person solves it, and a session: which puzzle comes next, and what its answers are worth."""

import contextlib
import copy
import functools
import itertools
import random
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self

import chess

from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.grading import Grade, end_of_day
from ox88.apps.train.records import Answer, Card, Kind, Records
from ox88.errors import Ox88Error
from ox88.rules import parse_move

if TYPE_CHECKING:
    from ox88.apps.puzzles.puzzles import Puzzles

Verdict = Literal["right", "wrong", "solved"]
What = Literal["mistakes", "open", "theme", "rush"]  # A session trains: one's own mistakes, or puzzles of the open set.

LENGTH: Final = 10
RUSH_SECONDS: Final = 180.0
RUSH_ERRORS: Final = 3
_RUSH_FIRST, _RUSH_STEP = 600, 40  # Ratings of a rush's puzzles.
_NEAREST: Final = 30  # Puzzles of the open set among which chance chooses.
_LATELY: Final = 90 * 86_400.0  # Seconds in which a puzzle of the open set is not shown again.


def _new_id() -> str:
    return secrets.token_urlsafe(12)


@dataclass(slots=True)
class Drill:
    """A puzzle while a person solves it.

    Attributes:
        puzzle: The puzzle.
        kind: One of the person's own mistakes, or a puzzle of the open set.
        comes_back: It was answered before.
        also: First moves that are right too, and end it.
        answer_id: Of the answer, which a wrong move saves, and the solution replaces.
        board: The position after the moves that were played.
        is_missed: A wrong move was tried.
        is_hinted: The piece was shown.
        is_shown: The solution was shown.
        is_solved: The solution was played to its end.
    """

    puzzle: Puzzle
    kind: Kind
    comes_back: bool
    also: Sequence[str] = ()
    answer_id: str = field(default_factory=_new_id)
    board: chess.Board = field(init=False)
    is_missed: bool = False
    is_hinted: bool = False
    is_shown: bool = False
    is_solved: bool = False

    def __post_init__(self) -> None:
        self.board = self.puzzle.board()

    def copy(self) -> Self:
        other = copy.copy(self)
        other.board = self.board.copy()
        return other

    def save(self) -> dict[str, Any]:
        """All of it as plain data, for `load`."""
        moves = [move.uci() for move in self.board.move_stack[1:]]
        return {name: getattr(self, name) for name in _DRILL} | {"puzzle": asdict(self.puzzle), "moves": moves}

    @classmethod
    def load(cls, data: dict[str, Any]) -> Self:
        drill = cls(**{name: data[name] for name in _DRILL} | {"puzzle": Puzzle.of(data["puzzle"])})
        for move in data["moves"]:
            drill.board.push_uci(move)
        return drill

    @property
    def played(self) -> int:
        """How many moves of the solution were played."""
        return len(self.board.move_stack) - 1

    @property
    def expected(self) -> chess.Move:
        return self.puzzle.solution[self.played]

    @property
    def is_over(self) -> bool:
        return self.is_solved or self.is_shown

    @property
    def grade(self) -> Grade:
        if not self.is_solved:
            return "again"
        return "hard" if self.is_missed or self.is_hinted else "good"

    def play(self, text: str) -> Verdict:
        """Try a move. The reply follows one that is right; a mate is right, whatever the solution is.

        Raises MoveError.
        """
        move, expected = parse_move(text, self.board), self.expected
        self.board.push(move)
        is_last = move == expected and self.played == len(self.puzzle.solution)
        is_last |= self.played == 1 and move.uci() in self.also
        self.is_solved = is_last or self.board.is_checkmate()
        if self.is_solved:
            return "solved"
        if move == expected:
            self.board.push(self.expected)
            return "right"
        self.board.pop()
        self.is_missed = True
        return "wrong"

    def also_san(self) -> list[str]:
        """The other moves that are right, in SAN."""
        board = self.puzzle.board()
        return [board.san(chess.Move.from_uci(move)) for move in self.also]

    def solved_board(self) -> chess.Board:
        """The end of the solution, with its moves."""
        board = self.puzzle.board()
        for move in self.puzzle.solution:
            board.push(move)
        return board


class Outcome(NamedTuple):
    """What an answer leads to. due: when the puzzle comes back, in seconds since 1970; None if it does not."""

    answer: Answer
    due: float | None


@dataclass(slots=True)
class Session:
    """A session. keys: all that are trained; empty for what is due. end: of a rush, by the clock.

    seen: the ids of the answers to its puzzles, by their keys. outcomes: of those that were answered.
    """

    what: What
    theme: str = ""
    keys: Sequence[str] = ()
    length: int = LENGTH
    end: float | None = None
    id: str = field(default_factory=_new_id)
    seen: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    is_over: bool = False

    def save(self) -> dict[str, Any]:
        """What the session asks as plain data. Its answers are kept already."""
        return {name: getattr(self, name) for name in _SESSION}

    def has_time(self, now: float) -> bool:
        return self.end is None or now < self.end

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


_DRILL: Final = tuple(each.name for each in fields(Drill) if each.init)
_SESSION: Final = ("what", "theme", "keys", "length", "end", "id", "seen")


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
        rows = abs(self._all.column("rating") - rating).argsort(kind="stable")
        fitting = (row for row in rows if keys[row] not in seen and (not theme or theme in themes[row].split()))
        nearest = list(itertools.islice(fitting, _NEAREST))
        return self._all[int(chance.choice(nearest))] if nearest else None


class Trainer:
    """One person who trains. All that is answered is saved before it is returned, and so is where the session stands.

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

    def begin(self, what: What, theme: str = "", keys: Sequence[str] = (), length: int = LENGTH) -> None:
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
        self.records.drop_sessions()
        self._take_next(session)

    def resume(self) -> Session | None:
        """The session. If none was begun here, it is the last one of today, in any program, that has not ended."""
        kept = self.records.last_session(end_of_day(self.clock(), -1)) if self.session is None else None
        if kept is not None:
            with contextlib.suppress(KeyError, TypeError, ValueError):  # Such as one of a later version.
                session, drill = Session(**kept["session"]), Drill.load(kept["drill"])
                for key, answer_id in session.seen.items():
                    if answer := self.records.find_answer(answer_id):
                        session.outcomes[key] = Outcome(answer, self.records.schedule(key))
                if session.has_time(self.clock()):
                    self.session, self.drill = session, drill
        return self.session

    def goes_on(self) -> bool:
        session = self.resume()
        return session is not None and not session.is_over and session.has_time(self.clock())

    def advance(self, done: str = "") -> None:
        """Leave a puzzle for the next one, if it is the current one. Raises Ox88Error without a session."""
        session = self.going_on()
        if not session.has_time(self.clock()):
            self._end(session)
        elif self.drill is not None and self.drill.puzzle.id == done:
            self._take_next(session)

    def going_on(self) -> Session:
        session = self.resume()
        if session is None:
            raise Ox88Error("there is no session: begin one")
        return session

    def keep(self, mistakes: Iterable[tuple[Puzzle, Sequence[str]]]) -> list[str]:
        """Keep a person's mistakes, each with other first moves that are right. Returns their keys."""
        cards = [Card.of(puzzle, "mistake", self.clock(), also) for puzzle, also in mistakes]
        self.records.keep(cards)
        return [card.id for card in cards]

    def due_count(self) -> int:
        return len(self.records.due(end_of_day(self.clock())))

    def _take_next(self, session: Session) -> None:
        drill, is_long_enough = None, session.length and len(session.seen) >= session.length
        if not (is_long_enough or (session.what == "rush" and session.wrong >= RUSH_ERRORS)):
            drill = self._next_mistake(session) if session.what == "mistakes" else self._next_open(session)
        if drill is None:
            self._end(session)
        else:
            self._keep(replace(session, seen=session.seen | {drill.puzzle.id: drill.answer_id}), drill)

    def _end(self, session: Session) -> None:
        self.records.drop_sessions(session.id)
        self.session, self.drill, session.is_over = session, None, True

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
        self._keep(session, drill, answers=verdict == "solved" or drill.is_missed != before.is_missed)
        return verdict, drill

    def hint(self, key: str) -> Drill:
        """Show which piece moves. Raises Ox88Error."""
        drill = self.current(key).copy()
        drill.is_hinted = True
        self._keep(self.going_on(), drill)
        return drill

    def show(self, key: str) -> Drill:
        """Show the solution, which ends the puzzle. Raises Ox88Error."""
        drill = self.current(key).copy()
        drill.is_shown = True
        self._keep(self.going_on(), drill, answers=True)
        return drill

    def current(self, key: str) -> Drill:
        """The current puzzle, which goes on. Raises Ox88Error if it is over, or has another key."""
        session = self.going_on()
        if not session.has_time(self.clock()):
            self._end(session)
            raise Ox88Error("the time of the rush is over")
        if self.drill is None or self.drill.puzzle.id != key or self.drill.is_over:
            raise Ox88Error("this puzzle is over: go on to the next one")
        return self.drill

    def _keep(self, session: Session, drill: Drill, answers: bool = False) -> None:
        """Save where the session stands, with the answer if there is one; then this is its state."""
        with self.records.store.transaction():
            outcome = self._answer(session, drill) if answers else None
            state = {"session": session.save(), "drill": drill.save()}
            self.records.put_session(session.id, self.clock(), state)
        self.session, self.drill = session, drill
        if outcome is not None:
            session.outcomes[drill.puzzle.id] = outcome
            if session.end is not None:
                self.records.put_rush(session.end, session.right)

    def _answer(self, session: Session, drill: Drill) -> Outcome:
        """Save the answer, perhaps in place of the one that a wrong move has given before.

        What of the open set is solved at once need not come back.
        """
        records, puzzle, grade, now = self.records, drill.puzzle, drill.grade, self.clock()
        is_new = drill.kind == "open" and not drill.comes_back
        is_rated = is_new and session.what in ("open", "theme") and not (drill.is_solved and drill.is_hinted)
        before, old = records.find_answer(drill.answer_id), records.rating()
        rating = old.after_puzzle(puzzle.rating, grade == "good") if is_rated and before is None else old
        change = rating.value - old.value if before is None else before.change
        numbers = rating.value, rating.deviation, rating.volatility, change
        answer = Answer(drill.answer_id, puzzle.id, now, grade, puzzle.themes, *numbers)
        records.put(answer)
        if drill.kind == "mistake" or grade != "good":
            records.keep([Card.of(puzzle, drill.kind, now)])
        return Outcome(answer, records.schedule(puzzle.id))
