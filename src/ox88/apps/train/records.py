"""What is kept of the training, in the store: a row for each puzzle that comes back, and one for each answer."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, pairwise
from typing import Annotated, Any, Final, Literal, Self, TypedDict, TypeVar, get_args

from ox88.apps.fields import choice, number, several, text, whole
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.grading import Grade, Rating, day_of, due_after, end_of_day
from ox88.errors import Ox88Error

_TABLES: Final = (
    # due: NULL until the first answer.
    "CREATE TABLE IF NOT EXISTS cards (key TEXT PRIMARY KEY, added REAL NOT NULL, due REAL, data TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, key TEXT NOT NULL, time REAL NOT NULL, data TEXT)",
    "CREATE INDEX IF NOT EXISTS answers_of_keys ON answers (key)",
    "CREATE INDEX IF NOT EXISTS answers_of_times ON answers (time)",
    "CREATE TABLE IF NOT EXISTS learnt (game TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS rushes (ends REAL PRIMARY KEY, solved INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, time REAL NOT NULL, data TEXT NOT NULL)",
)
_DAYS: Final = 14  # For which what is due is counted.
POINTS: Final = (-2000, 5000)  # Of ratings. With a larger difference to a puzzle's Glicko-2 divides by zero.
Kind = Literal["mistake", "open"]  # One of the person's own mistakes, or a puzzle of the open set.
Name = Annotated[str, text(40)]
Names = Annotated[Sequence[str], several(text(40), 300)]
Time = Annotated[float, number(0, 4e9)]
Points = Annotated[float, number(*POINTS)]


@dataclass(frozen=True, slots=True)
class Card:
    """A puzzle that comes back. The first fields are the puzzle's.

    added: when, in seconds since 1970. also: moves that are right too.
    """

    id: Name
    fen: Annotated[str, text(200)]
    moves: Names
    rating: Points
    themes: Names
    source: Annotated[str, text(2000)]
    played: Name
    reason: Annotated[str, text(2000)]
    kind: Annotated[Kind, choice(get_args(Kind))]
    added: Time
    also: Names = ()

    @classmethod
    def of(cls, puzzle: Puzzle, kind: Kind, added: float, also: Sequence[str] = ()) -> Self:
        return cls(**asdict(puzzle), kind=kind, added=added, also=also)

    @property
    def puzzle(self) -> Puzzle:
        return Puzzle.of({name: getattr(self, name) for name in Puzzle.__slots__} | {"rating": round(self.rating)})


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. rating, deviation, volatility: the person's after it. change: of the rating; 0 if it was not rated."""

    id: Name
    key: Name
    time: Time
    grade: Annotated[Grade, choice(get_args(Grade))]
    themes: Names
    rating: Points
    deviation: Annotated[float, number(1, 1000)]
    volatility: Annotated[float, number(0.001, 1)]
    change: Points


@dataclass(frozen=True, slots=True)
class Rush:
    """When a rush had to end, and how many puzzles were solved at once."""

    ends: Time
    solved: Annotated[int, whole(0, 10_000)]


class ThemeCount(TypedDict):
    """How many puzzles of a theme were seen, and solved at once."""

    theme: str
    seen: int
    right: int


class RatingPoint(TypedDict):
    """The rating at the end of a day."""

    day: str
    rating: int


class Statistics(TypedDict):
    """How the training goes. days: how many puzzles are due today, tomorrow, and on the days after.

    fresh: mistakes that were never tried. today: answers. streak: days in a row with an answer, up to today, or up to
    yesterday if today has none yet. best: the most that was right in a rush. ratings: of the days with an answer, the
    first day first. themes: what was seen most comes first.
    """

    days: list[int]
    fresh: int
    today: int
    streak: int
    best: int
    ratings: list[RatingPoint]
    themes: list[ThemeCount]


_Kept = TypeVar("_Kept", Card, Answer)


class Records:
    """The tables. The methods raise Ox88Error if the file cannot be used."""

    def __init__(self, store: Store) -> None:
        self.store = store
        for table in _TABLES:
            store.execute(table)

    def _load(self, kind: type[_Kept], query: str, *arguments: object) -> Iterator[_Kept]:
        for (data,) in self.store.execute(query, *arguments):
            try:
                yield kind(**json.loads(data))
            except TypeError as error:
                what = "the training cannot be read, perhaps since it is of a later version"
                raise Ox88Error(f"{what}: {error}") from None

    def _keys(self, query: str, *arguments: object) -> list[str]:
        return [key for (key,) in self.store.execute(query, *arguments)]

    # --- Cards ------------------------------------------------------------------------------------------------------

    def keep(self, cards: Iterable[Card]) -> None:
        """Keep new cards; known cards stay as they are."""
        for card in cards:
            row = card.id, card.added, json.dumps(asdict(card))
            self.store.execute("INSERT OR IGNORE INTO cards VALUES (?, ?, NULL, ?)", *row)

    def card(self, key: str) -> Card | None:
        return next(self._load(Card, "SELECT data FROM cards WHERE key = ?", key), None)

    def cards(self) -> Iterator[Card]:
        return self._load(Card, "SELECT data FROM cards ORDER BY rowid")

    def due(self, before: float) -> list[str]:
        """The keys of what is due before a time, what has waited longest first."""
        return self._keys("SELECT key FROM cards WHERE due < ? ORDER BY due, rowid", before)

    def fresh(self) -> list[str]:
        """The keys of mistakes that were never tried, the last game's first."""
        return self._keys("SELECT key FROM cards WHERE due IS NULL ORDER BY added DESC, rowid")

    def schedule(self, key: str) -> float | None:
        """Find from its answers when a card is due; None if there are none, or no such card."""
        answers = [(answer.time, answer.grade) for answer in self.answers(key)]
        due = due_after(answers) if answers else None
        self.store.execute("UPDATE cards SET due = ? WHERE key = ?", due, key)
        return due if self.card(key) else None

    # --- Answers ----------------------------------------------------------------------------------------------------

    def find_answer(self, answer_id: str) -> Answer | None:
        return next(self._load(Answer, "SELECT data FROM answers WHERE id = ?", answer_id), None)

    def put(self, answer: Answer) -> None:
        data = json.dumps(asdict(answer))
        self.store.execute("REPLACE INTO answers VALUES (?, ?, ?, ?)", answer.id, answer.key, answer.time, data)

    def is_answered(self, key: str) -> bool:
        return bool(self.store.execute("SELECT 1 FROM answers WHERE key = ? LIMIT 1", key))

    def answers(self, key: str | None = None) -> Iterator[Answer]:
        """All answers, or all answers to a puzzle, the oldest first."""
        if key is None:
            return self._load(Answer, "SELECT data FROM answers ORDER BY time, rowid")
        return self._load(Answer, "SELECT data FROM answers WHERE key = ? ORDER BY time, rowid", key)

    def seen_since(self, time: float) -> set[str]:
        """The keys of the puzzles that were answered after a time."""
        return {*self._keys("SELECT key FROM answers WHERE time > ?", time)}

    def rating(self) -> Rating:
        """The person's, after the last answer."""
        for last in self._load(Answer, "SELECT data FROM answers ORDER BY time DESC, rowid DESC LIMIT 1"):
            return Rating(last.rating, last.deviation, last.volatility)
        return Rating()

    # --- Sessions that go on ----------------------------------------------------------------------------------------

    def put_session(self, session_id: str, time: float, data: dict[str, Any]) -> None:
        self.store.execute("REPLACE INTO sessions VALUES (?, ?, ?)", session_id, time, json.dumps(data))

    def last_session(self, since: float) -> dict[str, Any] | None:
        """The one that was kept last, if that was since a time."""
        rows = self.store.execute("SELECT data FROM sessions WHERE time >= ? ORDER BY time DESC LIMIT 1", since)
        return json.loads(rows[0][0]) if rows else None

    def drop_sessions(self, session_id: str = "") -> None:
        """Drop one, or all."""
        self.store.execute("DELETE FROM sessions WHERE ? IN (id, '')", session_id)

    # --- Rushes and games -------------------------------------------------------------------------------------------

    def rushes(self) -> list[Rush]:
        return [Rush(*row) for row in self.store.execute("SELECT ends, solved FROM rushes ORDER BY ends")]

    def put_rush(self, ends: float, solved: int) -> None:
        """Keep what a rush has come to so far."""
        self.store.execute("REPLACE INTO rushes VALUES (?, ?)", ends, solved)

    def best_rush(self) -> int:
        return max((rush.solved for rush in self.rushes()), default=0)

    def note_learnt(self, game: str) -> None:
        self.store.execute("INSERT OR IGNORE INTO learnt VALUES (?)", game)

    def learnt(self) -> set[str]:
        """The ids of games whose mistakes are known."""
        return {*self._keys("SELECT game FROM learnt")}

    # --- How it goes ------------------------------------------------------------------------------------------------

    def statistics(self, now: float) -> Statistics:
        answers = list(self.answers())
        seen = Counter(theme for answer in answers for theme in answer.themes)
        right = Counter(theme for answer in answers if answer.grade == "good" for theme in answer.themes)
        due = [len(self.due(end)) for end in [0.0, *(end_of_day(now, day) for day in range(_DAYS))]]
        with_answers, today = {day_of(answer.time).toordinal() for answer in answers}, day_of(now).toordinal()
        last = today if today in with_answers else today - 1
        ratings = {day_of(answer.time).isoformat(): round(answer.rating) for answer in answers}
        return {
            "days": [after - before for before, after in pairwise(due)],
            "fresh": len(self.fresh()),
            "today": sum(day_of(answer.time).toordinal() == today for answer in answers),
            "streak": next(days for days in count() if last - days not in with_answers),
            "best": self.best_rush(),
            "ratings": [{"day": day, "rating": rating} for day, rating in ratings.items()],
            "themes": [{"theme": name, "seen": times, "right": right[name]} for name, times in seen.most_common()],
        }
