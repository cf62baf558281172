"""The arrays in a `Games`, and functions that select and join games in this form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.columns import Column, join_columns
from ox88.batch.ragged import join_offsets, take_ranges


@dataclass(frozen=True, slots=True)
class GameArrays:
    """n games. Game i has the rows offsets[i]:offsets[i + 1] of moves, clocks, evals and packed."""

    moves: NDArray[np.uint16]
    clocks: NDArray[np.float32] | None  # None if no move has one.
    evals: NDArray[np.float32] | None
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

    def take(self, rows: NDArray[np.int64]) -> "GameArrays":
        """The games of some rows."""
        plies, offsets = take_ranges(self.offsets, rows)
        return GameArrays(
            moves=self.moves[plies],
            clocks=None if self.clocks is None else self.clocks[plies],
            evals=None if self.evals is None else self.evals[plies],
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
        clocks=_join_annotations([(part.clocks, len(part.moves)) for part in parts]),
        evals=_join_annotations([(part.evals, len(part.moves)) for part in parts]),
        packed=np.concatenate(packed) if len(packed) == len(parts) else None,
        offsets=join_offsets([part.offsets for part in parts]),
        # All setups begin with the start position, which is kept once.
        setups=np.concatenate([parts[0].setups[:1], *(part.setups[1:] for part in parts)]),
        games=games,
        error_texts=join_columns([part.error_texts for part in parts]),
        columns={name: join_columns([part.columns[name] for part in parts]) for name in names},
    )


def _join_annotations(parts: list[tuple[NDArray[np.float32] | None, int]]) -> NDArray[np.float32] | None:
    if all(values is None for values, _ in parts):
        return None
    return np.concatenate([np.full(length, np.nan, np.float32) if some is None else some for some, length in parts])
