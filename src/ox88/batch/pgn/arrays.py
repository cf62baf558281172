"""The arrays in a `Games`, and functions that select and join games in this form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.columns import Column, join_columns
from ox88.batch.pgn.records import ANNOTATIONS
from ox88.batch.ragged import join_offsets, take_ranges


@dataclass(frozen=True, slots=True)
class GameArrays:
    """n games. Game i has the rows offsets[i]:offsets[i + 1] of moves, annotations and packed."""

    moves: NDArray[np.uint16]
    annotations: dict[str, NDArray[np.float32]]  # By the names in ANNOTATIONS; only if some move has such a one.
    packed: NDArray[Any] | None  # PACKED, the positions before the moves; None if not requested.
    offsets: NDArray[np.int64]
    setups: NDArray[Any]  # POSITION; row 0 is the start position.
    games: NDArray[Any]  # GAME_ROW[n].
    error_texts: Column
    columns: dict[str, Column]  # The values of the tags, by name.

    @property
    def setup_rows(self) -> NDArray[np.int64]:
        """int64[n]: the row in `setups` of each game's first position."""
        return np.ascontiguousarray(self.games["setup"])

    def annotation(self, name: str) -> NDArray[np.float32]:
        """float32[plies]: one of ANNOTATIONS; NaN where it is not given."""
        values = self.annotations.get(name)
        return np.full(len(self.moves), np.nan, np.float32) if values is None else values

    def take(self, rows: NDArray[np.int64]) -> "GameArrays":
        """The games of some rows."""
        plies, offsets = take_ranges(self.offsets, rows)
        return GameArrays(
            moves=self.moves[plies],
            annotations={name: values[plies] for name, values in self.annotations.items()},
            packed=None if self.packed is None else self.packed[plies],
            offsets=offsets,
            setups=self.setups,
            games=self.games[rows],
            error_texts=self.error_texts.take(rows),
            columns={name: column.take(rows) for name, column in self.columns.items()},
        )


def join(parts: list[GameArrays]) -> GameArrays:
    """The games of all parts, with the tags that every part has."""
    names = [name for name in parts[0].columns if all(name in part.columns for part in parts)]
    packed = [part.packed for part in parts if part.packed is not None]
    games = np.concatenate([part.games for part in parts])
    setups_before = np.cumsum([0, *(len(part.setups) - 1 for part in parts[:-1])])
    games["setup"] += np.repeat(setups_before, [len(part.games) for part in parts]) * (games["setup"] > 0)
    return GameArrays(
        moves=np.concatenate([part.moves for part in parts]),
        annotations={
            name: np.concatenate([part.annotation(name) for part in parts])
            for name in ANNOTATIONS
            if any(name in part.annotations for part in parts)
        },
        packed=np.concatenate(packed) if len(packed) == len(parts) else None,
        offsets=join_offsets([part.offsets for part in parts]),
        # All setups begin with the start position, which is kept once.
        setups=np.concatenate([parts[0].setups[:1], *(part.setups[1:] for part in parts)]),
        games=games,
        error_texts=join_columns([part.error_texts for part in parts]),
        columns={name: join_columns([part.columns[name] for part in parts]) for name in names},
    )
