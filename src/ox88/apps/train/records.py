"""What is kept of the training, in the store: a row for each puzzle that comes back, and one for each answer."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Final, TypeVar, get_args

from ox88.apps.fields import choice, number, several, text, whole
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.cards import Grade, due_after
from ox88.apps.train.drill import Drill, Kind
from ox88.apps.train.rating import Rating
from ox88.errors import Ox88Error

_TABLES: Final = (
    # due: NULL until the first answer.
    "CREATE TABLE IF NOT EXISTS cards (key TEXT PRIMARY KEY, added REAL NOT NULL, due REAL, data TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, key TEXT NOT NULL, time REAL NOT NULL, data TEXT)",
    "CREATE INDEX IF NOT EXISTS answers_of_keys ON answers (key)",
    "CREATE INDEX IF NOT EXISTS answers_of_times ON answers (time)",
    "CREATE TABLE IF NOT EXISTS learnt (game TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS rushes (ends REAL PRIMARY KEY, solved INTEGER NOT NULL)",
)
_ADD: Final = "INSERT OR IGNORE INTO cards VALUES (?, ?, NULL, ?)"
_DUE: Final = "SELECT key FROM cards WHERE due < ? ORDER BY due, rowid"
_FRESH: Final = "SELECT key FROM cards WHERE due IS NULL ORDER BY added DESC, rowid"
_ANSWERS: Final = "SELECT data FROM answers ORDER BY time, rowid"
_ANSWERS_OF: Final = "SELECT data FROM answers WHERE key = ? ORDER BY time, rowid"
_LAST: Final = "SELECT data FROM answers ORDER BY time DESC, rowid DESC LIMIT 1"


POINTS: Final = (-2000, 5000)  # Of ratings. With a larger difference to a puzzle's Glicko-2 divides by zero.
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

    @property
    def puzzle(self) -> Puzzle:
        data = {name: getattr(self, name) for name in Puzzle.__slots__}
        return Puzzle(**data | {"moves": tuple(self.moves), "themes": tuple(self.themes), "rating": round(self.rating)})


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


_Kept = TypeVar("_Kept", Card, Answer)


def _load(kind: type[_Kept], text: str) -> _Kept:
    try:
        return kind(**json.loads(text))
    except TypeError as error:
        raise Ox88Error(f"the training cannot be read, perhaps since it is of a later version: {error}") from None


class Records:
    """The tables. The methods raise Ox88Error if the file cannot be used."""

    def __init__(self, store: Store) -> None:
        self.store = store
        for table in _TABLES:
            store.execute(table)

    # --- Cards ------------------------------------------------------------------------------------------------------

    def add(self, puzzles: Iterable[Puzzle], now: float, kind: Kind = "mistake") -> None:
        """Keep puzzles as cards."""
        self.keep(Card(**asdict(puzzle), kind=kind, added=now) for puzzle in puzzles)

    def keep(self, cards: Iterable[Card]) -> None:
        """Keep cards; those that are known stay as they are."""
        for card in cards:
            self.store.execute(_ADD, card.id, card.added, json.dumps(asdict(card)))

    def card(self, key: str) -> Card | None:
        rows = self.store.execute("SELECT data FROM cards WHERE key = ?", key)
        return _load(Card, rows[0][0]) if rows else None

    def cards(self) -> Iterator[Card]:
        for (data,) in self.store.execute("SELECT data FROM cards ORDER BY rowid"):
            yield _load(Card, data)

    def due(self, before: float) -> list[str]:
        """The keys of what is due before a time, what has waited longest first."""
        return [key for (key,) in self.store.execute(_DUE, before)]

    def fresh(self) -> list[str]:
        """The keys of mistakes that were never tried, those of the last games first."""
        return [key for (key,) in self.store.execute(_FRESH)]

    def schedule(self, key: str) -> float | None:
        """Find from its answers when a card is due; None if there are none, or no such card."""
        answers = [(answer.time, answer.grade) for answer in self.answers(key)]
        due = due_after(answers) if answers else None
        self.store.execute("UPDATE cards SET due = ? WHERE key = ?", due, key)
        return due if self.card(key) else None

    # --- Answers ----------------------------------------------------------------------------------------------------

    def answer(self, drill: Drill, now: float, is_rated: bool) -> tuple[Answer, float | None]:
        """Save the answer to a puzzle, perhaps in place of the one that a wrong move has given before.

        Returns it, and when the puzzle comes back. What of the open set is solved at once need not come back.
        """
        puzzle, grade = drill.puzzle, drill.grade
        with self.store.transaction():
            before = self.find_answer(drill.answer_id)
            old = self.rating()
            rating = old.after_puzzle(puzzle.rating, grade == "good") if is_rated and before is None else old
            change = rating.value - old.value if before is None else before.change
            numbers = rating.value, rating.deviation, rating.volatility, change
            answer = Answer(drill.answer_id, puzzle.id, now, grade, puzzle.themes, *numbers)
            self.put(answer)
            if drill.kind == "mistake" or grade != "good":
                self.add([puzzle], now, drill.kind)
            return answer, self.schedule(puzzle.id)

    def put(self, answer: Answer) -> None:
        data = json.dumps(asdict(answer))
        self.store.execute("REPLACE INTO answers VALUES (?, ?, ?, ?)", answer.id, answer.key, answer.time, data)

    def find_answer(self, answer_id: str) -> Answer | None:
        rows = self.store.execute("SELECT data FROM answers WHERE id = ?", answer_id)
        return _load(Answer, rows[0][0]) if rows else None

    def is_answered(self, key: str) -> bool:
        return bool(self.store.execute("SELECT 1 FROM answers WHERE key = ? LIMIT 1", key))

    def answers(self, key: str | None = None) -> Iterator[Answer]:
        """All answers, or those to a puzzle, the first one first."""
        rows = self.store.execute(_ANSWERS) if key is None else self.store.execute(_ANSWERS_OF, key)
        for (data,) in rows:
            yield _load(Answer, data)

    def seen_since(self, time: float) -> set[str]:
        """The keys of the puzzles that were answered after a time."""
        return {key for (key,) in self.store.execute("SELECT key FROM answers WHERE time > ?", time)}

    def rating(self) -> Rating:
        """The person's, after the last answer."""
        for (data,) in self.store.execute(_LAST):
            last = _load(Answer, data)
            return Rating(last.rating, last.deviation, last.volatility)
        return Rating()

    def rushes(self) -> list[Rush]:
        return [Rush(*row) for row in self.store.execute("SELECT ends, solved FROM rushes ORDER BY ends")]

    def put_rush(self, ends: float, solved: int) -> None:
        """Keep what a rush has come to so far."""
        self.store.execute("REPLACE INTO rushes VALUES (?, ?)", ends, solved)

    def best_rush(self) -> int:
        return int(self.store.execute("SELECT coalesce(max(solved), 0) FROM rushes")[0][0])

    # --- Games ------------------------------------------------------------------------------------------------------

    def note_learnt(self, game: str) -> None:
        self.store.execute("INSERT OR IGNORE INTO learnt VALUES (?)", game)

    def learnt(self) -> set[str]:
        """The ids of games whose mistakes are known."""
        return {game for (game,) in self.store.execute("SELECT game FROM learnt")}
