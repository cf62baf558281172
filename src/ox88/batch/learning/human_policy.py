"""What people of a rating play: the chance of each legal move."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import RowError, as_numbers, check_number
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import Ragged
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.legal_moves import legal_moves
from ox88.engines.modern.human.policy import LEAST_RATING, MOST_RATING, Past, chances_and_values
from ox88.errors import Ox88Error
from ox88.types import CASTLING_FLAG, COLOUR_NAMES, NO_MOVE, PAWN, format_uci, square_name

_CHUNK: Final = 64  # Positions; each takes about a millisecond.
_EXPECTED: Final = "the opponent's last move and the one before it are expected, uint16[n, 2], 0 where unknown"


class HumanPolicy(Ragged[np.float64]):
    """How likely people are to play each legal move of n positions: `policy[i]` is float64[k], and its sum is 1.

    The moves are those of `legal_moves`, in its order. A slice, an array of rows or a mask gives the HumanPolicy of
    some positions.
    """

    __slots__ = ()

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """float64[total]: those of all positions, as `moves` of LegalMoves has their moves."""
        return self._values


class WithPeople(Fields):
    """Positions with the moves that people would play."""

    __slots__ = ()

    def human_policy(self, rating: Any = 1500, *, before: Any = None, threads: int | None = None) -> HumanPolicy:
        """The probability that a person of a rating plays each legal move, in the order of `legal_moves`.

        It was learnt from games of people on Lichess. Known moves before a position make it better: a piece that has
        just captured is often taken back.

        Args:
            rating: Of the players on Lichess's scale, from 400 to 2800: one for all positions, or an array of n.
            before: uint16[n, 2], the opponent's last move and the one before it, 0 where unknown, as
                `Games.moves_before` makes them. The last move is a capture if the halfmove clock says so.
            threads: Number of threads; all cores by default.

        Raises:
            TypeError: A rating or a move is not a whole number.
            Ox88Error: A rating is out of range, or an array has another shape.
            RowError: A last move cannot have led to its position.
        """
        ratings, past = _ratings(rating, len(self)), past_of(self._records, before)
        legal = legal_moves(self._records, threads)
        offsets, moves = legal.offsets, legal.moves
        found = np.empty(len(moves))

        def work(rows: slice) -> None:
            first, end = offsets[rows.start], offsets[rows.stop]
            some = Past(past.last_moves[rows], past.own_moves[rows], past.last_captures[rows])
            own = offsets[rows.start : rows.stop + 1] - first
            found[first:end] = chances_and_values(self._records[rows], own, moves[first:end], ratings[rows], some)[0]

        in_chunks(work, len(self), threads, _CHUNK)
        return HumanPolicy(found, offsets)


def _ratings(rating: Any, count: int) -> NDArray[np.int64]:
    """int64[n]. Raises TypeError, Ox88Error."""
    if np.ndim(rating) == 0:
        check_number("rating", rating, LEAST_RATING, MOST_RATING)
        return np.full(count, rating, np.int64)
    ratings = as_numbers("ratings", rating, count, "whole numbers are expected")
    for wrong in np.flatnonzero((ratings < LEAST_RATING) | (ratings > MOST_RATING))[:1].tolist():
        raise RowError(wrong, f"the rating is {ratings[wrong]}: {LEAST_RATING} to {MOST_RATING} are expected")
    return np.ascontiguousarray(ratings, np.int64)


def past_of(records: Any, before: Any) -> Past:
    """What happened before, from the argument `before`. Raises TypeError, Ox88Error."""
    if before is None:
        return Past.unknown(len(records))
    moves = np.asarray(before)
    if moves.dtype.kind not in "iu":
        raise TypeError(f"before of {moves.dtype}: {_EXPECTED}")
    if moves.shape != (len(records), 2):
        raise Ox88Error(f"before of shape {moves.shape}: {_EXPECTED}")
    if moves.size and not 0 <= moves.min() <= moves.max() <= np.iinfo(np.uint16).max:
        raise Ox88Error(f"before has {moves.min()} to {moves.max()}: {_EXPECTED}")
    last = moves[:, 0].astype(np.int64)
    is_castling = last & CASTLING_FLAG != 0
    origins, targets = last & 63, last >> 6 & 63
    targets = np.where(is_castling, origins & 56 | np.where(targets > origins, 6, 2), targets)
    pieces = records["board"][np.arange(len(records)), targets].astype(np.int64)
    is_wrong = (last != NO_MOVE) & ((pieces & 7 == 0) | (pieces >> 3 == records["turn"]))
    for row in np.flatnonzero(is_wrong)[:1].tolist():
        side = COLOUR_NAMES[1 - int(records["turn"][row])]
        text, target = format_uci(int(last[row])), square_name(int(targets[row]))
        raise RowError(row, f"{text} is not the move before: {side} has no piece on {target}")
    was_pawn = (pieces & 7 == PAWN) | (last >> 12 & 7 != 0)
    takes = np.where(was_pawn, (origins ^ targets) & 7 != 0, records["halfmove_clock"] == 0)
    uint16 = np.ascontiguousarray(moves.T, np.uint16)
    return Past(uint16[0], uint16[1], takes & ~is_castling & (last != NO_MOVE))
