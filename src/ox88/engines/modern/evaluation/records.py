"""The records of the evaluation: its weights, the pawn table, and the working memory of one evaluation.

A score has a middlegame half and an endgame half, packed into one int64 as middlegame + (endgame << 32). One addition
adds both halves, and multiplying by a count multiplies both.
"""

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.records import make_record
from ox88.bitboard.steps import distance
from ox88.engines.modern.evaluation import weights as numbers
from ox88.engines.modern.options import SWITCHED

PAWN_ENTRIES = 4096  # A power of two.
HALF = 1 << 31  # Added before a shift by 32, it rounds the endgame half right where the middlegame half is negative.

# Indices of the terms.
(MATERIAL, SQUARES, PAWNS, PASSED, MOBILITY, PIECES, KING_SAFETY, THREATS, ENDGAME) = range(9)
TERM_NAMES = (
    "material", "piece squares", "pawns", "passed pawns", "mobility", "pieces", "king safety", "threats", "driving",
)  # fmt: skip
TERM_COUNT = len(TERM_NAMES)

_MOBILITY: Final = ("KNIGHT_MOBILITY", "BISHOP_MOBILITY", "ROOK_MOBILITY", "QUEEN_MOBILITY")


def pack(middlegame: int, endgame: int) -> int:
    return middlegame + (endgame << 32)


def unpack(score: int) -> tuple[int, int]:
    """(middlegame, endgame) of a packed score."""
    endgame = (int(score) + HALF) >> 32
    return int(score) - (endgame << 32), endgame


def _weights(table: Any) -> NDArray[np.int64]:
    """An array of packed scores where the table's last axis is a (middlegame, endgame) pair, else of plain numbers."""
    numbers = np.array(table, np.int64)
    if numbers.shape[-1:] != (2,):
        return numbers
    return np.asarray(numbers[..., 0] + (numbers[..., 1] << 32))


def _piece_squares(half_boards: Any) -> NDArray[np.int64]:
    """By kind and square, from files a to d as in weights.py."""
    halves = _weights(half_boards)
    return np.concatenate((halves, halves[:, :, ::-1]), axis=2).reshape(7, 64)


def _mobility() -> NDArray[np.int64]:
    """By kind and number of squares, padded with zeros."""
    table = np.zeros((7, 28), np.int64)
    for kind, name in enumerate(_MOBILITY, 2):
        pairs = getattr(numbers, name)
        table[kind, : len(pairs)] = _weights(pairs)
    return table


def _distances() -> NDArray[np.uint8]:
    """King moves between two squares: uint8[64, 64]."""
    return np.array([[distance(square, other) for other in range(64)] for square in range(64)], np.uint8)


def _zones() -> NDArray[np.uint64]:
    """King zone by square: 3 x 3 squares, shifted inwards at the edge."""
    middles = [min(max(square >> 3, 1), 6) * 8 + min(max(square & 7, 1), 6) for square in range(64)]
    table = [sum(1 << square for square in range(64) if distance(square, middle) <= 1) for middle in middles]
    return np.array(table, np.uint64)


# The fields of WEIGHTS and their values: each upper-case name of weights.py, and tables made of some.
_WEIGHTS: dict[str, NDArray[Any]] = {
    "piece_squares": _piece_squares(numbers.PIECE_SQUARES),
    "mobility": _mobility(),
    "distances": _distances(),
    "zones": _zones(),
    **{
        name.lower(): _weights(table)
        for name, table in vars(numbers).items()
        if name.isupper() and not name.startswith("_") and name not in ("PIECE_SQUARES", *_MOBILITY)
    },
}

WEIGHTS = np.dtype([(name, table.dtype, table.shape) for name, table in _WEIGHTS.items()], align=True)

# Scores of a colour's pawns that depend on pawns and kings alone.
PAWN_SIDE = np.dtype(
    [
        ("boards", np.uint64),  # Pawns, and rooks that may castle: a rook on the back rank cannot be taken for a pawn.
        ("passed", np.uint64),  # Pawns.
        ("span", np.uint64),  # Squares that the pawns attack, at once or after some pushes.
        # Packed scores.
        ("squares", np.int64),
        ("structure", np.int64),
        ("passed_score", np.int64),
        ("shelter", np.int64),
    ],
    align=True,
)
PAWN_ENTRY = np.dtype(
    [
        ("kings", np.int64),  # White's square + 64 * Black's. With `boards` it is the key of the entry.
        ("sides", PAWN_SIDE, 2),  # By colour.
    ],
    align=True,
)

# Working memory of one evaluation, for one colour.
SIDE = np.dtype(
    [
        ("colour", np.int64),
        ("relative", np.int64),  # square ^ relative is the square as this colour sees it.
        ("forward", np.int64),  # A pawn push: 8 or -8.
        ("king", np.int64),  # Square.
        ("own", np.uint64),  # All pieces of the side.
        ("pawns", np.uint64),
        ("attacks", np.uint64, 7),  # By kind.
        ("attacked", np.uint64),  # The squares that any kind attacks.
        ("attacked_twice", np.uint64),
        ("mobility_area", np.uint64),  # Squares that count for mobility.
        ("king_zone", np.uint64),  # Around the king.
        ("pinned", np.uint64),
        # The other side's pieces that attack the king zone, their danger units, and their attacks next to the king.
        ("attackers", np.int64),
        ("attacker_units", np.int64),
        ("near_attacks", np.int64),
        ("counts", np.int64, 7),  # By kind.
        ("phase", np.int64),
        ("pieces_value", np.int64),  # Endgame material without pawns.
        ("terms", np.int64, TERM_COUNT),  # Packed scores.
    ],
    align=True,
)

EVALUATION = np.dtype(
    [
        ("weights", WEIGHTS),
        ("pawn_table", PAWN_ENTRY, PAWN_ENTRIES),
        ("sides", SIDE, 2),  # By colour, of the last position evaluated.
    ],
    align=True,
)


def fill_weights(evaluation: Any) -> None:
    """Write the weights of weights.py into an EVALUATION record, and clear its pawn table."""
    for name, table in _WEIGHTS.items():
        evaluation.weights[name] = table
    evaluation.pawn_table.view(np.uint8)[:] = 0


def make_evaluation() -> Any:
    """A new EVALUATION record with the weights of weights.py."""
    evaluation = make_record(EVALUATION)
    fill_weights(evaluation)
    return evaluation


def switch_off(evaluation: Any, switches: Collection[str]) -> None:
    """Reset an EVALUATION record to weights.py, and zero the weights that belong to some switches."""
    fill_weights(evaluation)
    for switch in switches:
        for field in SWITCHED[switch]:
            evaluation.weights[field] = 0
