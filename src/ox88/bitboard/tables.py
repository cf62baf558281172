"""TABLES: the constant tables of the board in one record, filled once a process."""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88 import zobrist
from ox88.bitboard.cuckoo import SLOTS, fill_cuckoo
from ox88.bitboard.magic import ATTACK_COUNT, MAGIC, fill_magic
from ox88.bitboard.records import as_array, make_record
from ox88.bitboard.steps import fill_leapers, fill_lines
from ox88.types import BLACK_BIT, EMPTY

PIECE_VALUES = (0, 100, 300, 300, 500, 900, 0)  # By kind, in centipawns.

TABLES = np.dtype(
    [
        ("knight_attacks", np.uint64, 64),
        ("king_attacks", np.uint64, 64),
        ("pawn_attacks", np.uint64, (2, 64)),  # By colour.
        ("rook_rays", np.uint64, 64),
        ("bishop_rays", np.uint64, 64),
        ("between", np.uint64, (64, 64)),  # The squares between two squares of a line; empty for others.
        ("line", np.uint64, (64, 64)),  # The whole line through two squares; empty if there is none.
        ("rook_magics", MAGIC, 64),
        ("bishop_magics", MAGIC, 64),
        ("slider_attacks", np.uint64, ATTACK_COUNT),
        ("piece_keys", np.uint64, (16, 64)),
        ("castling_keys", np.uint64, 64),
        ("en_passant_keys", np.uint64, 8),
        ("black_key", np.uint64),
        ("reversible_keys", np.uint64, SLOTS),  # The cuckoo table, see cuckoo.py.
        ("reversible_moves", np.int64, SLOTS),
        ("values", np.int64, 16),  # By piece, Black's negative.
    ],
    align=True,
)


@functools.cache
def board_tables() -> Any:
    """The TABLES record, which no kernel writes to."""
    tables = make_record(TABLES)
    fill_leapers(tables)
    fill_lines(tables)
    fill_magic(tables)
    tables.piece_keys[:] = zobrist.PIECE_KEYS
    tables.piece_keys[EMPTY] = 0  # do_move looks up the captured piece without a branch.
    tables.castling_keys[:] = zobrist.CASTLING_KEYS
    tables.en_passant_keys[:] = zobrist.EN_PASSANT_KEYS
    tables.black_key = zobrist.BLACK_KEY
    fill_cuckoo(tables)
    for kind, value in enumerate(PIECE_VALUES):
        tables.values[kind] = value
        tables.values[kind + BLACK_BIT] = -value
    return tables


@functools.cache
def all_tables() -> NDArray[Any]:
    """An array of one, the TABLES: for kernels that Python calls, since Numba takes it in a tenth of the time."""
    return as_array(board_tables())
