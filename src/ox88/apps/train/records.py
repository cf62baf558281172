"""What is kept of the training, in the store: a row for each puzzle that comes back, and one for each answer."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.cards import Grade, State, due_time, review
from ox88.apps.train.drill import Drill, Kind
from ox88.apps.train.rating import Rating

_TABLES: Final = (
    # due: NULL until the first answer.
    "CREATE TABLE IF NOT EXISTS cards (key TEXT PRIMARY KEY, added REAL NOT NULL, due REAL, data TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, key TEXT NOT NULL, time REAL NOT NULL, data TEXT)",
    "CREATE TABLE IF NOT EXISTS learnt (game TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS rushes (ends REAL PRIMARY KEY, solved INTEGER NOT NULL)",
)
_ADD: Final = "INSERT OR IGNORE INTO cards VALUES (?, ?, ?, ?)"
_DUE: Final = "SELECT key FROM cards WHERE due < ? ORDER BY due, rowid"
_FRESH: Final = "SELECT key FROM cards WHERE due IS NULL ORDER BY added DESC, rowid"
_LAST: Final = "SELECT data FROM answers ORDER BY time DESC, rowid DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Card:
    """A puzzle that comes back. state: FSRS's; None until the first answer."""

    puzzle: Puzzle
    kind: Kind
    added: float
    state: State | None = None

    @classmethod
    def load(cls, data: dict[str, Any]) -> Self:
        return cls(**data | {"puzzle": load_puzzle(data["puzzle"])})

    @property
    def due(self) -> float | None:
        return None if self.state is None else due_time(self.state)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. rating, deviation, volatility: the person's after it. change: of the rating; 0 if it was not rated."""

    key: str
    time: float
    grade: Grade
    themes: Sequence[str]
    rating: float
    deviation: float
    volatility: float
    change: float


def load_puzzle(data: dict[str, Any]) -> Puzzle:
    return Puzzle(**data | {"moves": tuple(data["moves"]), "themes": tuple(data["themes"])})


class Records:
    """The tables. The methods raise Ox88Error if the file cannot be used."""

    def __init__(self, store: Store) -> None:
        self._store = store
        for table in _TABLES:
            store.execute(table)

    # --- Cards ------------------------------------------------------------------------------------------------------

    def add(self, puzzles: Iterable[Puzzle], now: float) -> list[str]:
        """Keep puzzles of one's own mistakes. Returns their keys; those that are known stay as they are."""
        keys = []
        for puzzle in puzzles:
            self._store.execute(_ADD, puzzle.id, now, None, _dump(Card(puzzle, "mistake", now)))
            keys.append(puzzle.id)
        return keys

    def card(self, key: str) -> Card | None:
        rows = self._store.execute("SELECT data FROM cards WHERE key = ?", key)
        return Card.load(json.loads(rows[0][0])) if rows else None

    def cards(self) -> Iterator[Card]:
        for (data,) in self._store.execute("SELECT data FROM cards ORDER BY rowid"):
            yield Card.load(json.loads(data))

    def due(self, before: float) -> list[str]:
        """The keys of what is due before a time, what has waited longest first."""
        return [key for (key,) in self._store.execute(_DUE, before)]

    def fresh(self) -> list[str]:
        """The keys of mistakes that were never tried, those of the last games first."""
        return [key for (key,) in self._store.execute(_FRESH)]

    def put(self, card: Card) -> None:
        """Keep a card, in place of the one before."""
        self._store.execute("REPLACE INTO cards VALUES (?, ?, ?, ?)", card.puzzle.id, card.added, card.due, _dump(card))

    # --- Answers ----------------------------------------------------------------------------------------------------

    def answer(self, drill: Drill, now: float, is_rated: bool) -> tuple[Answer, float | None]:
        """Save the answer to a puzzle, perhaps in place of the one that a wrong move has given before.

        Returns it, and when the puzzle comes back.
        """
        puzzle, grade = drill.puzzle, drill.grade
        with self._store.transaction():
            before = self.find_answer(drill.answer_id)
            rating = old = self.rating()
            change = 0.0 if before is None else before.change
            if is_rated and before is None:
                rating = old.after_puzzle(puzzle.rating, grade == "good")
                change = rating.value - old.value
            state = None
            if drill.kind == "mistake" or drill.state is not None or grade != "good":
                known = self.card(puzzle.id)
                state = review(drill.state, grade, now)
                self.put(Card(puzzle, drill.kind, now if known is None else known.added, state))
            answer = Answer(
                puzzle.id, now, grade, puzzle.themes, rating.value, rating.deviation, rating.volatility, change
            )
            self.put_answer(drill.answer_id, answer)
        return answer, None if state is None else due_time(state)

    def put_answer(self, answer_id: str, answer: Answer) -> None:
        self._store.execute(
            "REPLACE INTO answers VALUES (?, ?, ?, ?)", answer_id, answer.key, answer.time, _dump(answer)
        )

    def find_answer(self, answer_id: str) -> Answer | None:
        rows = self._store.execute("SELECT data FROM answers WHERE id = ?", answer_id)
        return Answer(**json.loads(rows[0][0])) if rows else None

    def answers(self) -> Iterator[tuple[str, Answer]]:
        """The answers by their ids, the first one first."""
        for answer_id, data in self._store.execute("SELECT id, data FROM answers ORDER BY time, rowid"):
            yield answer_id, Answer(**json.loads(data))

    def seen_since(self, time: float) -> set[str]:
        """The keys of the puzzles that were answered after a time."""
        return {key for (key,) in self._store.execute("SELECT key FROM answers WHERE time > ?", time)}

    def rating(self) -> Rating:
        """The person's, after the last answer."""
        rows = self._store.execute(_LAST)
        if not rows:
            return Rating()
        last = Answer(**json.loads(rows[0][0]))
        return Rating(last.rating, last.deviation, last.volatility)

    def put_rush(self, ends: float, solved: int) -> None:
        """Keep what a rush has come to so far."""
        self._store.execute("REPLACE INTO rushes VALUES (?, ?)", ends, solved)

    def best_rush(self) -> int:
        return int(self._store.execute("SELECT coalesce(max(solved), 0) FROM rushes")[0][0])

    # --- Games ------------------------------------------------------------------------------------------------------

    def note_learnt(self, game: str) -> None:
        self._store.execute("INSERT OR IGNORE INTO learnt VALUES (?)", game)

    def learnt(self) -> set[str]:
        """The ids of games whose mistakes are known."""
        return {game for (game,) in self._store.execute("SELECT game FROM learnt")}


def _dump(item: Any) -> str:
    return json.dumps(asdict(item))
