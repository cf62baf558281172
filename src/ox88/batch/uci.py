"""Writes moves in UCI's notation, in bulk: a table has the text of every move."""

import functools
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.move_arguments import EachMove
from ox88.bitboard.bits import FILE_A, FILE_H, RANK_1, RANK_8, mask
from ox88.types import CASTLING_FLAG, KING, format_uci

_ALL_MOVES: Final = 1 << 16
_HOMES: Final = ((RANK_1, mask(4)), (RANK_8, mask(60)))  # By colour: its back rank, and the e-file's square there.


def format_ucis(records: NDArray[Any], moves: EachMove) -> list[str]:
    """The texts of all moves, one after another; castling as e1h1 in positions that Chess960 alone has."""
    texts = texts_of(moves.numbers, chess960=False)
    castlings = np.flatnonzero(moves.numbers & CASTLING_FLAG)
    rows = np.searchsorted(moves.offsets, castlings, "right") - 1
    in_chess960 = castlings[_are_chess960(records[rows])]
    for place, text in zip(in_chess960.tolist(), texts_of(moves.numbers[in_chess960], chess960=True), strict=True):
        texts[place] = text
    return texts


def texts_of(moves: NDArray[np.uint16], chess960: bool) -> list[str]:
    return list(map(_all_texts(chess960).__getitem__, moves.tolist()))


@functools.cache
def _all_texts(chess960: bool) -> list[str]:
    return [format_uci(move, chess960) for move in range(_ALL_MOVES)]


def _are_chess960(records: NDArray[Any]) -> NDArray[np.bool_]:
    """What Setup.is_chess960 says of each position."""
    rooks, kings = records["castling"], records["kinds"][:, KING]
    found: NDArray[np.bool_] = np.not_equal(rooks & ~(FILE_A | FILE_H), 0)
    for colour, (rank, home) in enumerate(_HOMES):
        found |= np.not_equal(rooks & rank, 0) & np.equal(kings & records["colours"][:, colour] & home, 0)
    return found
