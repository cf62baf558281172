"""Moves as indices of a network's policy head, in two layouts, as seen by the side that moves: Black's are flipped.

"az": AlphaZero's 8 x 8 x 73, 4,672 indices: square * 73 + plane, with the square that the piece leaves, a1 = 0 to
h8 = 63, and the plane of its destination:

    0-55    direction * 7 + distance - 1; the directions are north, north-east, east and so on, clockwise
    56-63   a knight's jump: two north and one east, two east and one north, and so on, clockwise
    64-72   (kind * 3 + direction): promotion to knight, bishop or rook, capturing to the west, straight or capturing to
            the east; a promotion to queen is in planes 0-55

Castling is the king's move of two squares, e1g1. In Chess960, if the king is not on the e-file or the rook not in a
corner, it is the king taking its own rook, which is no other legal move.
(Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go", Science 362, 2018.)

"compact": the 1,858 indices of Leela Chess Zero, for the moves that a queen or a knight can make on an empty board:
from each square, a1 to h8, to each square; then the 22 moves of a pawn to the last rank, by file, with queen, rook and
bishop. Promotion to a knight has the index of the plain move. Castling is the king taking its own rook, e1h1.
"""

import functools
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.arguments import IllegalMoveError, RowError, as_moves, as_numbers
from ox88.batch.chunks import in_chunks
from ox88.batch.legal_moves import LegalMoves
from ox88.bitboard.legality import is_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import castling_targets
from ox88.bitboard.position import to_setup
from ox88.bitboard.records import MOVE_LIST, make_record
from ox88.bitboard.steps import walk
from ox88.bitboard.tables import board_tables
from ox88.fen import format_fen
from ox88.jit import kernel
from ox88.types import BISHOP, CASTLING_FLAG, KNIGHT, NO_MOVE, QUEEN, ROOK, WHITE, Ox88Error, make_move

SIZES: Final = {"az": 64 * 73, "compact": 1858}
NO_INDEX: Final = -1
FLIPPED = np.int64(56 | 56 << 6)  # move ^ FLIPPED is the move as seen from the other side.
PLAIN = np.int64(CASTLING_FLAG - 1)
E_FILE = np.int64(4)

# Clockwise from north, in files and ranks.
_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_AZ_PLANES: Final = 73
_AZ_PROMOTIONS: Final = (KNIGHT, BISHOP, ROOK)
_COMPACT_PROMOTIONS: Final = (QUEEN, ROOK, BISHOP)

POLICY = np.dtype(
    [
        ("indices", np.int16, CASTLING_FLAG),  # Index of a White move without its castling flag, or NO_INDEX.
        ("castles_in_steps", np.int64),  # 1 if castling is the king's move of two squares, where that is possible.
    ],
    align=True,
)


# --- Indices ----------------------------------------------------------------------------------------------------------


@functools.cache
def policy_record(layout: str) -> Any:
    """The POLICY record of a layout. Raises Ox88Error."""
    numberings = {"az": _az_numbers, "compact": _compact_numbers}
    if layout not in numberings:
        raise Ox88Error(f"policy {layout!r}: one of {', '.join(numberings)} is expected")
    policy = make_record(POLICY)
    policy.indices.fill(NO_INDEX)
    for move, number in numberings[layout]().items():
        policy.indices[move] = number
    policy.castles_in_steps = layout == "az"
    return policy


def _az_numbers() -> dict[int, int]:
    """The index of each White move. A promotion to queen has that of the queen's own move."""
    numbers = {}
    for square in range(64):
        first = square * _AZ_PLANES
        for direction, step in enumerate(_DIRECTIONS):
            for distance, target in enumerate(walk(square, *step)):
                numbers[make_move(square, target)] = first + direction * 7 + distance
        for jump, step in enumerate(_JUMPS):
            for target in walk(square, *step)[:1]:
                numbers[make_move(square, target)] = first + 56 + jump
    for square, target in _pawns_to_last_rank():
        numbers[make_move(square, target, QUEEN)] = numbers[make_move(square, target)]
        for number, kind in enumerate(_AZ_PROMOTIONS):
            plane = 64 + number * 3 + target - square - 7
            numbers[make_move(square, target, kind)] = square * _AZ_PLANES + plane
    return numbers


def _compact_numbers() -> dict[int, int]:
    """The index of each White move. A promotion to knight has that of the plain move."""
    pairs = []
    for square in range(64):
        lines = [walk(square, *step) for step in _DIRECTIONS] + [walk(square, *step)[:1] for step in _JUMPS]
        pairs += [(square, target) for target in sorted(chain.from_iterable(lines))]
    moves = [make_move(*pair) for pair in pairs]
    moves += [make_move(*pair, kind) for pair in _pawns_to_last_rank() for kind in _COMPACT_PROMOTIONS]
    numbers = {move: number for number, move in enumerate(moves)}
    return numbers | {make_move(*pair, KNIGHT): numbers[make_move(*pair)] for pair in _pawns_to_last_rank()}


def _pawns_to_last_rank() -> list[tuple[int, int]]:
    pairs = [(square, square + 8 + step) for square in range(48, 56) for step in (-1, 0, 1)]
    return [(square, target) for square, target in pairs if 56 <= target < 64]


# --- For all positions ------------------------------------------------------------------------------------------------


def policy_index(records: NDArray[Any], moves: Any, layout: str, threads: int | None) -> NDArray[np.int64]:
    policy = policy_record(layout)
    found, offsets = moves if isinstance(moves, LegalMoves) else (moves, np.arange(len(records) + 1))
    if len(offsets) != len(records) + 1:
        raise Ox88Error(f"the legal moves of {len(offsets) - 1} positions: those of {len(records)} are expected")
    found = as_moves(found, int(offsets[-1]))
    indices = np.empty(len(found), np.int64)

    def work(rows: slice) -> None:
        some = offsets[rows.start : rows.stop + 1]
        number_moves(records[rows], board_tables(), policy, some, found, indices)

    in_chunks(work, len(records), threads)
    for place in np.flatnonzero(indices == NO_INDEX)[:1]:
        row = int(np.searchsorted(offsets, place, "right")) - 1
        raise IllegalMoveError(row, int(found[place]), records[row])
    return indices


def policy_move(records: NDArray[Any], indices: Any, layout: str, threads: int | None) -> NDArray[np.uint16]:
    policy = policy_record(layout)
    expected = "whole numbers are expected, as policy_index returns them"
    numbers = as_numbers("indices", indices, len(records), expected).astype(np.int64)
    for row in np.flatnonzero((numbers < 0) | (numbers >= SIZES[layout]))[:1]:
        raise IndexError(f"row {row}: index {numbers[row]} is out of range: there are 0 to {SIZES[layout] - 1}")
    moves = np.empty(len(records), np.uint16)

    def work(rows: slice) -> None:
        find_moves(records[rows], board_tables(), make_record(MOVE_LIST), policy, numbers[rows], moves[rows])

    in_chunks(work, len(records), threads)
    for row in np.flatnonzero(moves == NO_MOVE)[:1]:
        fen = format_fen(to_setup(records[row]))
        raise RowError(int(row), f"no legal move has the {layout} index {numbers[row]} in {fen}")
    return moves


def policy_mask(records: NDArray[Any], layout: str, threads: int | None) -> NDArray[np.bool_]:
    """bool[n, SIZES[layout]]."""
    policy = policy_record(layout)
    mask = np.zeros((len(records), SIZES[layout]), np.bool_)

    def work(rows: slice) -> None:
        fill_mask(records[rows], board_tables(), make_record(MOVE_LIST), policy, mask[rows])

    in_chunks(work, len(records), threads)
    return mask


@kernel
def index_of(position, policy, move):
    """The index of a legal move."""
    plain = move & PLAIN
    if plain != move and policy.castles_in_steps != 0:
        king = move & 63
        rook = plain >> 6
        if king & 7 == E_FILE and (rook & 7 == 0 or rook & 7 == 7):
            plain = king | castling_targets(king, rook)[0] << 6
    if position.turn != WHITE:
        plain ^= FLIPPED
    return np.int64(policy.indices[plain])


@kernel
def number_moves(positions, tables, policy, offsets, moves, indices):
    """Write the indices of moves[offsets[i]:offsets[i + 1]] of each position i; NO_INDEX for an illegal move."""
    for row in range(len(positions)):
        position = positions[row]
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            indices[place] = index_of(position, policy, move) if is_legal(position, tables, move) else NO_INDEX


@kernel
def find_moves(positions, tables, found, policy, indices, moves):
    """Write the legal move with an index of each position; NO_MOVE if there is none. found: a MOVE_LIST."""
    for row in range(len(positions)):
        position = positions[row]
        moves[row] = NO_MOVE
        for number in range(generate_legal(position, tables, found)):
            move = np.int64(found.moves[number])
            if index_of(position, policy, move) == indices[row]:
                moves[row] = move


@kernel
def fill_mask(positions, tables, found, policy, mask):
    for row in range(len(positions)):
        position = positions[row]
        for number in range(generate_legal(position, tables, found)):
            mask[row, index_of(position, policy, np.int64(found.moves[number]))] = True
