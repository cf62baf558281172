"""What a network learns from: positions, each with the move played, a score and the game's result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import Rows, as_rows
from ox88.bitboard.records import record_type
from ox88.errors import Ox88Error

NO_SCORE: Final = 32002  # Stockfish's VALUE_NONE, which trainers skip.
MATE: Final = 32000  # Stockfish's VALUE_MATE.
_COLUMNS: Final[dict[str, Any]] = {"moves": np.uint16, "scores": np.int16, "results": np.int8, "plies": np.uint16}
ENTRY = record_type(list(_COLUMNS.items()))

_Numbers = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """n positions to learn from; all arrays have n rows.

    Attributes:
        positions: The Positions.
        moves: uint16[n], the move played, or 0.
        scores: int16[n], centipawns for the side to move, 32,000 - n for mate in n plies; 32,002 where there is none.
        results: int8[n], the game's result for the side to move: 1, 0 or -1.
        plies: uint16[n], the number of moves before.
    """

    positions: Positions
    moves: _Numbers
    scores: _Numbers
    results: _Numbers
    plies: _Numbers

    def __post_init__(self) -> None:
        """Raises Ox88Error, TypeError for columns of another type, length or range."""
        if not isinstance(self.positions, Positions):
            raise TypeError(f"positions of type {type(self.positions).__name__}: ox88.Positions are expected")
        for name, kind in _COLUMNS.items():
            values = np.asarray(getattr(self, name))
            low, high = (-1, 1) if name == "results" else (np.iinfo(kind).min, np.iinfo(kind).max)
            if values.dtype.kind not in "iu":
                raise TypeError(f"{name} of {values.dtype}: whole numbers are expected")
            if values.shape != (len(self),):
                raise Ox88Error(f"{name} of shape {values.shape}: one for each position is expected, ({len(self)},)")
            if values.size and not low <= values.min() <= values.max() <= high:
                raise Ox88Error(f"{name} from {values.min()} to {values.max()}: {low} to {high} are expected")
            object.__setattr__(self, name, np.ascontiguousarray(values, kind))

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, rows: Rows) -> TrainingData:
        """The rows of a slice, an array of rows or a mask."""
        chosen = as_rows(rows)
        return TrainingData(self.positions[chosen], *(getattr(self, name)[chosen] for name in _COLUMNS))

    def __repr__(self) -> str:
        return f"<TrainingData: {len(self):,} positions>"

    def entries(self) -> NDArray[Any]:
        """ENTRY[n], for kernels."""
        entries = np.empty(len(self), ENTRY)
        for name in _COLUMNS:
            entries[name] = getattr(self, name)
        return entries


def of_entries(positions: Positions, entries: NDArray[Any]) -> TrainingData:
    return TrainingData(positions, *(entries[name] for name in _COLUMNS))


def joined(parts: list[TrainingData]) -> TrainingData:
    """All rows, in their order."""
    positions = Positions.concatenate(part.positions for part in parts)
    entries = [part.entries() for part in parts]
    return of_entries(positions, np.concatenate(entries) if entries else np.empty(0, ENTRY))
