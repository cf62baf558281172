"""Checks, attacked squares, pinned pieces and the ends of games, in bulk."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import Colours, as_colours
from ox88.batch.rules.fields import Fields
from ox88.bitboard import attacks
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.counting import count_legal
from ox88.bitboard.position import is_insufficient
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_FIFTY_MOVES = 100  # Plies.
_SEVENTYFIVE_MOVES = 150


class Outcome(IntEnum):
    """How a game has ended. Repetitions are not found, since a position has no history."""

    NONE = 0
    CHECKMATE = 1  # The side to move has lost. All other outcomes are draws.
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    SEVENTYFIVE_MOVES = 4
    FIFTY_MOVES = 5  # A draw if a player claims it.


class Status(Fields):
    """Positions in which checks, attacks, pins and ends are found."""

    __slots__ = ()

    def checkers(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that give check to the side to move."""

        def write(rows: slice, found: NDArray[np.uint64]) -> None:
            find_checkers(self._records[rows], board_tables(), found)

        return self._each(write, np.uint64, threads)

    def is_check(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is in check."""
        return np.not_equal(self.checkers(threads=threads), 0)

    def is_checkmate(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is checkmated."""
        return np.equal(self.outcome(threads=threads), Outcome.CHECKMATE)

    def is_stalemate(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move has no legal move and is not in check."""
        return np.equal(self.outcome(threads=threads), Outcome.STALEMATE)

    def outcome(self, *, claim_draw: bool = False, threads: int | None = None) -> NDArray[np.int8]:
        """int8[n]: the `ox88.Outcome` of each position, 0 if the game goes on.

        Repetitions are not found: `Games.repetitions` counts them.

        Args:
            claim_draw: True to count fifty moves without capture or pawn move as a draw, as seventy-five always do.
                They must have been played; python-chess counts the move to come, too.
            threads: Number of threads; all cores by default.
        """
        claims = np.int64(claim_draw)

        def write(rows: slice, found: NDArray[np.int8]) -> None:
            find_outcomes(self._records[rows], board_tables(), claims, found)

        return self._each(write, np.int8, threads)

    def attacks(self, colour: Colours | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the squares that a side attacks, including those of its own protected pieces.

        Args:
            colour: `ox88.WHITE` = 0, `ox88.BLACK` = 1, python-chess's `chess.WHITE` or `chess.BLACK`, or n of these; by
                default the side to move.
            threads: Number of threads; all cores by default.

        Raises:
            TypeError: `colour` is an array of bools, which could mean either convention, or something else.
        """
        colours = as_colours(self.turn if colour is None else colour, len(self))

        def write(rows: slice, found: NDArray[np.uint64]) -> None:
            find_attacks(self._records[rows], board_tables(), colours[rows], found)

        return self._each(write, np.uint64, threads)

    def pinned(self, colour: Colours | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that are pinned to their own king. `colour` is as for `attacks`."""
        colours = as_colours(self.turn if colour is None else colour, len(self))

        def write(rows: slice, found: NDArray[np.uint64]) -> None:
            find_pinned(self._records[rows], board_tables(), colours[rows], found)

        return self._each(write, np.uint64, threads)


@kernel
def find_checkers(positions, tables, found):
    for row in range(len(positions)):
        found[row] = attacks.checkers(positions[row], tables)


@kernel
def find_attacks(positions, tables, colours, found):
    for row in range(len(positions)):
        position = positions[row]
        occupied = attacks.occupied_squares(position)
        found[row] = attacks.attacked_by(position, tables, np.int64(colours[row]), occupied)


@kernel
def find_pinned(positions, tables, colours, found):
    for row in range(len(positions)):
        found[row] = attacks.pinned(positions[row], tables, np.int64(colours[row]))


@kernel
def find_outcomes(positions, tables, claims, found):
    """Write the Outcome of each position. claims: 1 to count fifty moves as a draw."""
    for row in range(len(positions)):
        position = positions[row]
        clock = np.int64(position.halfmove_clock)
        if count_legal(position, tables) == 0:
            is_check = attacks.checkers(position, tables) != NO_SQUARES
            found[row] = Outcome.CHECKMATE if is_check else Outcome.STALEMATE
        elif is_insufficient(position):
            found[row] = Outcome.INSUFFICIENT_MATERIAL
        elif clock >= _SEVENTYFIVE_MOVES:
            found[row] = Outcome.SEVENTYFIVE_MOVES
        else:
            found[row] = Outcome.FIFTY_MOVES if clock >= _FIFTY_MOVES and claims != 0 else Outcome.NONE
