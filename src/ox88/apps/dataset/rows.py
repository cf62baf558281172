"""Rows of the table: positions of games, each by its game and the number of moves before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.batch.pgn.games import join_games


@dataclass(frozen=True, slots=True)
class Rows:
    """games: those with rows. files: int64[games], the number of each one's file. game: int64[n], of each row its place
    among the games, ascending. ply: int64[n].
    """

    games: ox88.Games
    files: NDArray[np.int64]
    game: NDArray[np.int64]
    ply: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: slice | NDArray[np.bool_]) -> "Rows":
        """Some rows, with their games alone: what is made of them depends on nothing else."""
        game, ply = self.game[chosen], self.ply[chosen]
        is_first = np.diff(game, prepend=-1) != 0
        used = game[is_first]
        return Rows(self.games[used], self.files[used], np.cumsum(is_first) - 1, ply)

    @property
    def moves_at(self) -> NDArray[np.int64]:
        """Where the move that was played, its clock and its evaluation stand among those of all games."""
        return self.games.offsets[self.game] + self.ply

    def positions(self) -> ox88.Positions:
        return self.games.positions(self.game, self.ply, threads=1)


def all_rows(games: ox88.Games, file: int) -> Rows:
    """A row for each move of some games of a file."""
    game = np.repeat(np.arange(len(games)), games.lengths)
    return Rows(games, np.full(len(games), file), game, np.arange(len(game)) - games.offsets[game])


def join_rows(parts: Sequence[Rows]) -> Rows:
    """At least one part."""
    if len(parts) == 1:
        return parts[0]
    firsts = np.cumsum([0, *(len(part.games) for part in parts[:-1])])
    game = np.concatenate([part.game + first for part, first in zip(parts, firsts, strict=True)])
    files, plies = (np.concatenate(arrays) for arrays in zip(*((part.files, part.ply) for part in parts), strict=True))
    return Rows(join_games([part.games for part in parts]), files, game, plies)
