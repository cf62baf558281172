"""Positions as planes of 8 x 8: the input of a convolutional network.

    0-5     White's pawns, knights, bishops, rooks, queens, king
    6-11    Black's, likewise
    12, 13  White may castle on the h-file's side, on the a-file's side
    14, 15  Black may castle, likewise
    16      the square that a pawn's double step has just passed, as in FEN
    17      White is to move

A plane has a row for each rank, the first rank first, and a column for each file. Planes 12 to 15 and 17 are all ones
or all zeros. In the "mover" view the board is flipped where Black is to move: Black's pieces and castling rights come
first, and the eighth rank is row 0. Plane 17 does not depend on the view.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ox88.batch.rows.arguments import View, check_out, is_mover
from ox88.batch.rules.fields import Fields
from ox88.bitboard.attacks import king_square
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.records import make_buffer
from ox88.jit import kernel, lowest_bit
from ox88.types import WHITE

PLANES = np.int64(18)
FIRST_PLANE = np.int64(0)
ONE_PLANE = np.int64(1)
SIDE_PLANES = np.uint64(6)
CASTLING_PLANE = np.int64(12)
EN_PASSANT_PLANE = np.uint64(16)
SIDE_PLANE = np.int64(17)
SQUARES = np.uint64(64)
FLIPPED = np.uint64(56)  # square ^ 56 is the square on the same file with the ranks flipped.


class WithPlanes(Fields):
    """Positions with planes."""

    __slots__ = ()

    def planes(
        self,
        dtype: DTypeLike = np.float32,
        *,
        view: View = "white",
        out: NDArray[Any] | None = None,
        threads: int | None = None,
    ) -> NDArray[Any]:
        """Input planes for a convolutional network: pieces, castling, en passant, the side to move.

        The docstring of `ox88.batch.learning.planes` lists them.

        Args:
            dtype: bool, or a type of whole or floating-point numbers of at most 64 bits.
            view: "white", or "mover" to flip the board where Black is to move.
            out: dtype[n, 18, 8, 8], an array to write to and return, which is faster than a new one.
            threads: Number of threads; all cores by default.

        Returns:
            dtype[n, 18, 8, 8]. `torch.from_dlpack` and `jax.numpy.from_dlpack` take it without a copy.

        Raises:
            TypeError: `dtype` is not such a type, or `out` has another dtype.
            Ox88Error: `out` has another shape, or `view` is unknown.
        """
        kind = np.dtype(dtype)
        if kind.kind not in "biuf" or kind.itemsize > 8:
            raise TypeError(f"planes of {kind}: whole numbers, bool, float16, float32 or float64 are expected")
        shape = (len(self), int(PLANES), 8, 8)
        if out is None:
            # JAX takes an array without a copy if it begins at a multiple of 64 bytes. No large one of NumPy does.
            found = make_buffer(math.prod(shape) * kind.itemsize).view(kind).reshape(shape)
        else:
            found = check_out(out, kind, shape)
        one, ones = _ones(kind)
        for_mover, is_used = np.int64(is_mover(view)), np.int64(out is not None)

        self._each(
            lambda some, _, words: fill_planes(some, for_mover, is_used, one, ones, words, words.view(np.uint8)),
            found.reshape(len(self), int(PLANES) * 64).view(np.uint64),
            threads,
        )
        return found


@functools.cache
def _ones(kind: np.dtype[Any]) -> tuple[NDArray[np.uint8], np.uint64]:
    """The bytes of the number 1, and a word of as many 1s as fit into it."""
    return np.ones(1, kind).view(np.uint8), np.ones(8, kind).view(np.uint64)[0]


@kernel
def fill_planes(positions, for_mover, is_used, one, ones, words, places):
    """Write the planes of all positions to an array of any numeric type. is_used: 0 if the array holds zeros.

    words, places: views of the array, uint64[n, words] and uint8[n, bytes], so that this kernel serves all types. one:
    the bytes of the number 1, of which at most two are not 0. ones: a uint64 whose bytes are those of one or more 1s.
    """
    size = np.uint64(len(one))
    low, high = nonzero_bytes(one)
    for row in range(len(positions)):
        position = positions[row]
        planes = words[row]
        numbers = places[row]
        if is_used != 0:
            fill(planes, FIRST_PLANE, PLANES, NO_SQUARES)
        is_flipped = for_mover != 0 and position.turn != WHITE
        first = np.uint64(is_flipped)  # The colour whose planes come first.
        flip = FLIPPED if is_flipped else NO_SQUARES
        for side in range(2):
            own = position.colours[np.uint64(side) ^ first]
            for kind in range(1, 7):
                plane = np.uint64(side) * SIDE_PLANES + np.uint64(kind - 1)
                squares = own & position.kinds[np.uint64(kind)]
                while squares != NO_SQUARES:
                    place = (plane * SQUARES + (np.uint64(lowest_bit(squares)) ^ flip)) * size
                    squares = without_lowest(squares)
                    numbers[place + low] = one[low]
                    numbers[place + high] = one[high]
        rooks = position.castling
        while rooks != NO_SQUARES:
            fill(planes, CASTLING_PLANE + castling_number(position, lowest_bit(rooks), first), ONE_PLANE, ones)
            rooks = without_lowest(rooks)
        if position.en_passant != 0:
            place = (EN_PASSANT_PLANE * SQUARES + (np.uint64(position.en_passant) ^ flip)) * size
            numbers[place + low] = one[low]
            numbers[place + high] = one[high]
        if position.turn == WHITE:
            fill(planes, SIDE_PLANE, ONE_PLANE, ones)


@kernel
def nonzero_bytes(one):
    """The first and the last byte of a number that are not 0."""
    low = np.uint64(0)
    while one[low] == 0:
        low += np.uint64(1)
    high = np.uint64(len(one)) - np.uint64(1)
    while one[high] == 0:
        high -= np.uint64(1)
    return low, high


@kernel
def fill(planes, first, count, word):
    """Fill `count` planes. Indices are unsigned: a signed one costs a test, since it may count from the end."""
    size = np.uint64(len(planes) // PLANES)
    for place in range(np.uint64(first) * size, np.uint64(first + count) * size):
        planes[np.uint64(place)] = word


@kernel
def castling_number(position, rook, first):
    """Which castling plane a rook has: 0 or 1 for the first colour's h-file or a-file side, 2 or 3 for the other's."""
    colour = np.int64(rook >> 5)
    return 2 * (colour ^ np.int64(first)) + np.int64(rook < king_square(position, colour))
