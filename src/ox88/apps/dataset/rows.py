"""Rows of the table: positions of games, each by its game and the number of moves before it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ox88


@dataclass(frozen=True, slots=True)
class Rows:
    """games: of one file. file: its number. game: int64[n], of each row its place among the games, ascending; ply:
    int64[n], ascending within a game.
    """

    games: ox88.Games
    file: int
    game: NDArray[np.int64]
    ply: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: NDArray[np.bool_]) -> "Rows":
        return self if chosen.all() else Rows(self.games, self.file, self.game[chosen], self.ply[chosen])

    def of_games(self, values: NDArray[Any]) -> NDArray[Any]:
        """Of values that stand beside the games, those of the rows."""
        if self._are_all:
            return np.repeat(values, self.games.lengths)
        found: NDArray[Any] = values[self.game]
        return found

    def of_moves(self, values: NDArray[Any]) -> NDArray[Any]:
        """Of values that stand beside the moves of the games, those of the rows."""
        if self._are_all:
            return values
        found: NDArray[Any] = values[self.games.offsets[self.game] + self.ply]
        return found

    def packed(self) -> NDArray[Any]:
        """PACKED[n]. Raises ValueError where the games were read without them."""
        packed = self.games.packed
        if packed is None:
            raise ValueError("games without packed positions: read_parts makes them where it is asked for them")
        return self.of_moves(packed)

    @property
    def _are_all(self) -> bool:
        """Whether there is a row for each move: they ascend, so their number tells."""
        return len(self) == len(self.games.moves)

    def positions(self) -> ox88.Positions:
        return self.games.positions(self.game, self.ply, threads=1)


def all_rows(games: ox88.Games, file: int) -> Rows:
    """A row for each move of some games of a file."""
    lengths = games.lengths
    ply = np.arange(len(games.moves)) - np.repeat(games.offsets[:-1], lengths)
    return Rows(games, file, np.repeat(np.arange(len(games)), lengths), ply)
