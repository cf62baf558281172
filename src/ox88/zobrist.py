"""The random numbers of Zobrist keys, the same for every board, so that their keys can be compared.

A key is the XOR of one number for each piece on its square, one for Black to move, one for each rook that may still
castle, and one for the en passant file if a pawn may legally capture en passant. So positions that count as equal for a
repetition (FIDE's Laws of Chess, 9.2) have equal keys.
(Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.)

The numbers come from SplitMix64 (Steele, Lea and Flood, 2014): no table to ship, and the same keys in every process.
"""

from typing import Any, Final

import numpy as np

from ox88.jit import kernel
from ox88.setup import Setup
from ox88.types import BLACK, square_file

# Of SplitMix64: a state is this much more than the one before.
STRIDE: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTORS: Final = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _scramble(state: Any) -> Any:
    """The random number of a state of SplitMix64, both uint64; or those of an array of states."""
    mixed = (state ^ state >> np.uint64(30)) * _FACTORS[0]
    mixed = (mixed ^ mixed >> np.uint64(27)) * _FACTORS[1]
    return mixed ^ mixed >> np.uint64(31)


scramble = kernel(_scramble)

_numbers: Final = _scramble(np.uint64(0x88) + STRIDE * np.arange(1, 16 * 64 + 64 + 8 + 2, dtype=np.uint64))

PIECE_KEYS: Final = _numbers[: 16 * 64].reshape(16, 64)  # By piece and square.
CASTLING_KEYS: Final = _numbers[16 * 64 : 17 * 64]  # By the square of the castling rook.
EN_PASSANT_KEYS: Final = _numbers[17 * 64 : 17 * 64 + 8]  # By file.
BLACK_KEY: Final = _numbers[-1]  # Black to move.


def key_of(setup: Setup) -> int:
    """The key of a position from scratch, in plain Python. The boards' incremental keys must equal it."""
    key = 0
    for square, piece in enumerate(setup.board):
        key ^= int(PIECE_KEYS[piece, square]) if piece else 0
    for rook in setup.castling:
        key ^= int(CASTLING_KEYS[rook])
    if setup.has_legal_en_passant():
        key ^= int(EN_PASSANT_KEYS[square_file(setup.en_passant or 0)])
    return key ^ int(BLACK_KEY) if setup.turn == BLACK else key
