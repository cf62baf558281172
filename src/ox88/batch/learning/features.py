"""Positions as lists of features: the sparse input of a network like NNUE's.

Each piece on its square is a feature, with an index. A network gets the list of each position twice: for the side to
move, then for the other side. (Yu Nasu, "Efficiently updatable neural networks for computer shogi", 2018.)

A side sees the board from its own first rank, and its own pieces come first:

    "768"      (theirs * 6 + kind) * 64 + square: 768 features
    "halfkp"   king * 640 + (theirs * 5 + kind) * 64 + square, kings left out: 40,960 features
    "halfka"   king * 768 + (theirs * 6 + kind) * 64 + square: 49,152 features

kind is 0 to 5 for pawn, knight, bishop, rook, queen and king. theirs is 1 for the other side's pieces, else 0. square
is that of the piece, king that of the side's own king: a1 = 0 to h8 = 63, for Black with ranks flipped, so that a8 = 0.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import Ragged, to_offsets
from ox88.batch.rules.fields import Fields
from ox88.bitboard.attacks import king_square
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.errors import Ox88Error
from ox88.jit import kernel, lowest_bit
from ox88.types import KING

FeatureSet = Literal["768", "halfkp", "halfka"]

# (kinds of pieces that are features, features for each square of the own king, all features).
FEATURE_SETS: Final[dict[FeatureSet, tuple[int, int, int]]] = {
    "768": (6, 0, 768),
    "halfkp": (5, 640, 64 * 640),
    "halfka": (6, 768, 64 * 768),
}


class Features(Ragged[np.int32]):
    """The features of n positions: `features[i]` is int32[2, k], a row for the side to move, one for the other side.

    `torch.nn.EmbeddingBag(include_last_offset=True)` takes a row of `indices` and the `offsets`.
    """

    __slots__ = ()

    @property
    def indices(self) -> NDArray[np.int32]:
        """int32[2, total]: those of position i are `indices[:, offsets[i]:offsets[i + 1]]`, a1 first."""
        return self._values


class WithFeatures(Fields):
    """Positions with features."""

    __slots__ = ()

    def features(self, kind: FeatureSet = "768", *, threads: int | None = None) -> Features:
        """The pieces as sparse inputs of a network like NNUE's, for the side to move and for the other side.

        Args:
            kind: "768", "halfkp" or "halfka" (ox88.batch.learning.features).
            threads: Number of threads; all cores by default.

        Returns:
            `features[i]` is int32[2, k], those of position i; `features.indices` int32[2, total] has those of all, and
            `features.offsets` int64[n + 1] where each position's begin.

        Raises:
            Ox88Error: `kind` is unknown.
        """
        if kind not in FEATURE_SETS:
            raise Ox88Error(f"features {kind!r}: one of {', '.join(FEATURE_SETS)} is expected")
        kinds, king_stride, _ = (np.int64(number) for number in FEATURE_SETS[kind])
        pieces = np.bitwise_count(self.colours[:, 0] | self.colours[:, 1])
        offsets = to_offsets(pieces - 2 * int(kinds < KING))
        indices = np.empty((2, offsets[-1]), np.int32)

        def work(rows: slice) -> None:
            list_features(self._records[rows], kinds, king_stride, offsets[rows], indices)

        in_chunks(work, len(self), threads)
        return Features(indices, offsets)


@kernel
def list_features(positions, kinds, king_stride, offsets, indices):
    """Write the features of position i to indices[:, offsets[i]...]."""
    for row in range(len(positions)):
        position = positions[row]
        place = offsets[row]
        own, other = np.int64(position.turn), np.int64(position.turn) ^ 1
        own_base, other_base = king_base(position, own, king_stride), king_base(position, other, king_stride)
        squares = position.colours[0] | position.colours[1]
        if kinds < KING:
            squares &= ~position.kinds[KING]
        while squares != NO_SQUARES:
            square = lowest_bit(squares)
            squares = without_lowest(squares)
            piece = np.int64(position.board[square])
            indices[0, place] = own_base + feature_of(piece, square, own, kinds)
            indices[1, place] = other_base + feature_of(piece, square, other, kinds)
            place += 1


@kernel
def feature_of(piece, square, colour, kinds):
    """The index of a piece on a square, seen by a colour, without its king. kinds: of pieces that are features."""
    is_theirs = piece >> 3 ^ colour
    return (is_theirs * kinds + (piece & 7) - 1 << 6) + (square ^ flip_for(colour))


@kernel
def flip_for(colour):
    """The number to XOR a square with, so that a colour's first rank becomes rank 1."""
    return colour * 56


@kernel
def king_base(position, colour, king_stride):
    return (king_square(position, colour) ^ flip_for(colour)) * king_stride
