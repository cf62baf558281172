"""The records of the evaluation: its weights, the pawn table, and the scratch that one evaluation writes.

A score has a middlegame half and an endgame half, packed into one int64 as middlegame + (endgame << 32): one addition
adds both, and multiplying by a count multiplies both.
"""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.leapers import distance
from ox88.bitboard.records import make_record
from ox88.engines.modern.evaluation import weights as numbers

PAWN_ENTRIES = 4096  # A power of two.
HALF = 1 << 31  # Half of an endgame point: added, it lets a shift by 32 round away a middlegame half below zero.

# The terms of the sum.
(MATERIAL, SQUARES, PAWNS, PASSED, MOBILITY, PIECES, KING_SAFETY, THREATS, ENDGAME) = range(9)
TERM_NAMES = (
    "material", "piece squares", "pawns", "passed pawns", "mobility", "pieces", "king safety", "threats", "lone king",
)  # fmt: skip
TERM_COUNT = len(TERM_NAMES)

WeightTables = dict[str, NDArray[Any]]


def pack(middlegame: int, endgame: int) -> int:
    return middlegame + (endgame << 32)


def unpack(score: int) -> tuple[int, int]:
    """(middlegame, endgame) of a packed score."""
    endgame = (int(score) + HALF) >> 32
    return int(score) - (endgame << 32), endgame


def _packed(table: Any) -> NDArray[np.int64]:
    """An array of packed scores from pairs, in whatever tuples they lie."""
    pairs = np.array(table, np.int64)
    return np.asarray(pairs[..., 0] + (pairs[..., 1] << 32))


def _piece_squares(halves_of_boards: Any) -> NDArray[np.int64]:
    """By kind and square, from the halves of the board that weights.py has."""
    halves = _packed(halves_of_boards)
    return np.concatenate((halves, halves[:, :, ::-1]), axis=2).reshape(7, 64)


def _mobility(values: Mapping[str, Any]) -> NDArray[np.int64]:
    """By kind and number of squares, filled up with zeros."""
    table = np.zeros((7, 28), np.int64)
    for kind, name in enumerate(("KNIGHT", "BISHOP", "ROOK", "QUEEN"), 2):
        pairs = values[f"{name}_MOBILITY"]
        table[kind, : len(pairs)] = _packed(pairs)
    return table


@functools.cache
def _distances() -> NDArray[np.uint8]:
    """A king's steps between two squares."""
    table = [[distance(square, other) for other in range(64)] for square in range(64)]
    return np.array(table, np.uint8)


@functools.cache
def _zones() -> NDArray[np.uint64]:
    """By square: what is around a king there; at the edge as much as anywhere else."""
    middles = [min(max(square >> 3, 1), 6) * 8 + min(max(square & 7, 1), 6) for square in range(64)]
    table = [sum(1 << square for square in range(64) if distance(square, middle) <= 1) for middle in middles]
    return np.array(table, np.uint64)


def weight_tables(values: Mapping[str, Any]) -> WeightTables:
    """Field of WEIGHTS to what belongs there: every weight under its name in lower case.

    values: the names of weights.py and what they stand for; other names are left out.
    """
    tables: WeightTables = {"piece_squares": _piece_squares(values["PIECE_SQUARES"]), "mobility": _mobility(values)}
    plain = ("UNITS", "SHIFT", "DIVISOR", "PHASES", "PHASE", "SCALE", "FAR_KING", "MAX_VALUE")
    tables |= {"distances": _distances(), "zones": _zones()}
    for name, table in values.items():
        if name.isupper() and not name.startswith("_") and not name.endswith(("_MOBILITY", "PIECE_SQUARES")):
            tables[name.lower()] = np.array(table, np.int64) if name.endswith(plain) else _packed(table)
    return tables


_WEIGHTS = weight_tables(vars(numbers))

WEIGHTS = np.dtype([(name, table.dtype, table.shape) for name, table in _WEIGHTS.items()], align=True)

# What a colour's pawns are worth, by the pawns and the kings alone.
PAWN_SIDE = np.dtype(
    [
        ("boards", np.uint64),  # The pawns, and the rooks that may castle, which stand where no pawn can.
        ("passed", np.uint64),  # Pawns.
        ("span", np.uint64),  # Squares that the pawns attack or can attack after some steps.
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
        ("kings", np.int64),  # White's square and 64 times Black's. With the boards it is all that an entry depends on.
        ("sides", PAWN_SIDE, 2),  # By colour.
    ],
    align=True,
)

# What an evaluation finds out about one colour.
SIDE = np.dtype(
    [
        ("colour", np.int64),
        ("turned", np.int64),  # Squares ^ turned are as the colour itself sees them.
        ("forward", np.int64),  # The step of its pawns.
        ("king", np.int64),  # Square.
        ("own", np.uint64),  # All its pieces.
        ("pawns", np.uint64),
        ("attacks", np.uint64, 7),  # By kind.
        ("attacked", np.uint64),  # By any kind.
        ("attacked_twice", np.uint64),
        ("area", np.uint64),  # Squares that count for mobility.
        ("zone", np.uint64),  # Around the king.
        ("pinned", np.uint64),
        # The other side's pieces that attack the zone, their units, their attacks on squares beside the king.
        ("attackers", np.int64),
        ("attacker_units", np.int64),
        ("near_attacks", np.int64),
        ("counts", np.int64, 7),  # By kind.
        ("phase", np.int64),
        ("pieces_value", np.int64),  # In the endgame, without pawns.
        ("terms", np.int64, TERM_COUNT),  # Packed scores.
    ],
    align=True,
)

EVALUATION = np.dtype(
    [
        ("weights", WEIGHTS),
        ("pawn_table", PAWN_ENTRY, PAWN_ENTRIES),
        ("sides", SIDE, 2),  # By colour; of the last position.
    ],
    align=True,
)


def fill_weights(evaluation: Any, tables: WeightTables = _WEIGHTS) -> None:
    """Write weights, by default those of weights.py, into an EVALUATION record, and forget all pawn structures."""
    for name, table in tables.items():
        evaluation.weights[name] = table
    evaluation.pawn_table.view(np.uint8)[:] = 0


def make_evaluation() -> Any:
    """An EVALUATION record of its own, ready for use."""
    evaluation = make_record(EVALUATION)
    fill_weights(evaluation)
    return evaluation
