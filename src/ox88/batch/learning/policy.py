"""Moves as indices of a network's policy head, in two layouts. The ranks of Black's moves are flipped.

"az": AlphaZero's layout of 8 x 8 x 73 = 4,672 indices. An index is square * 73 + plane. The square is the one that the
piece leaves, a1 = 0 to h8 = 63. The plane tells where the piece goes:

    0-55    direction * 7 + distance - 1; the directions are north, north-east, east and so on, clockwise
    56-63   a knight's jump: two north and one east, two east and one north, and so on, clockwise
    64-72   64 + kind * 3 + direction: a promotion; kind is 0 for knight, 1 for bishop, 2 for rook, and direction 0 for
            a capture to the west, 1 for straight on, 2 for a capture to the east; queens are in planes 0-55

Castling is the king's move of two squares, e1g1. In Chess960, if the king is not on the e-file or the rook not in a
corner, it is the king's move to the square of its rook, which no other legal move is.
(Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go", Science 362, 2018.)

"compact": Leela Chess Zero's layout of 1,858 indices. First come all moves of a queen or a knight on an empty board, by
the square they leave, then by the one they reach, a1 to h8; then the 22 moves of a pawn to the last rank, by file, each
with queen, rook and bishop. Promotion to knight has the index of the plain move. Castling is written e1h1.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import chain
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import IllegalMoveError, RowError, as_numbers, check_out
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.moves import Moves, Numbers, each_move
from ox88.bitboard.legality import is_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import castling_targets
from ox88.bitboard.position import to_setup
from ox88.bitboard.records import MOVE_LIST, as_array, make_record, record_type
from ox88.bitboard.steps import walk
from ox88.bitboard.tables import all_tables
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.setup import format_fen
from ox88.types import BISHOP, CASTLING_FLAG, KNIGHT, NO_MOVE, QUEEN, ROOK, WHITE, make_move

Layout = Literal["az", "compact"]
SIZES: Final[dict[Layout, int]] = {"az": 64 * 73, "compact": 1858}
NO_INDEX: Final = -1
FLIPPED = np.int64(56 | 56 << 6)  # move ^ FLIPPED is the move with the ranks flipped.
NO_FLAG = np.int64(CASTLING_FLAG - 1)  # move & NO_FLAG is the move without its castling flag.
E_FILE = np.int64(4)

# Clockwise from north, in files and ranks.
_DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_AZ_PLANES: Final = 73
_AZ_PROMOTIONS: Final = (KNIGHT, BISHOP, ROOK)
_COMPACT_PROMOTIONS: Final = (QUEEN, ROOK, BISHOP)

POLICY = record_type(
    [
        ("indices", np.int16, CASTLING_FLAG),  # Index of a White move without its castling flag, or NO_INDEX.
        ("king_moves_two", np.int64),  # 1 if castling is the king's move of two squares, where that is possible.
    ]
)


# --- Indices ----------------------------------------------------------------------------------------------------------


@functools.cache
def policy_record(layout: Layout) -> Any:
    """The POLICY record of a layout. Raises Ox88Error."""
    layouts: dict[str, Callable[[], dict[int, int]]] = {"az": _az_indices, "compact": _compact_indices}
    if layout not in layouts:
        raise Ox88Error(f"layout {layout!r}: one of {', '.join(layouts)} is expected")
    policy = make_record(POLICY)
    policy.indices.fill(NO_INDEX)
    for move, index in layouts[layout]().items():
        policy.indices[move] = index
    policy.king_moves_two = layout == "az"
    return policy


def _az_indices() -> dict[int, int]:
    """The index of each White move. A promotion to queen has that of a queen's move between the squares."""
    indices = {}
    for square in range(64):
        first = square * _AZ_PLANES
        for direction, step in enumerate(_DIRECTIONS):
            for distance, target in enumerate(walk(square, *step)):
                indices[make_move(square, target)] = first + direction * 7 + distance
        for jump, step in enumerate(_JUMPS):
            for target in walk(square, *step)[:1]:
                indices[make_move(square, target)] = first + 56 + jump
    for square, target in _pawns_to_last_rank():
        indices[make_move(square, target, QUEEN)] = indices[make_move(square, target)]
        for number, kind in enumerate(_AZ_PROMOTIONS):
            plane = 64 + number * 3 + target - square - 7
            indices[make_move(square, target, kind)] = square * _AZ_PLANES + plane
    return indices


def _compact_indices() -> dict[int, int]:
    """The index of each White move. A promotion to knight has that of the move without a promotion."""
    pairs = []
    for square in range(64):
        lines = [walk(square, *step) for step in _DIRECTIONS] + [walk(square, *step)[:1] for step in _JUMPS]
        pairs += [(square, target) for target in sorted(chain.from_iterable(lines))]
    moves = [make_move(*pair) for pair in pairs]
    moves += [make_move(*pair, kind) for pair in _pawns_to_last_rank() for kind in _COMPACT_PROMOTIONS]
    indices = {move: number for number, move in enumerate(moves)}
    return indices | {make_move(*pair, KNIGHT): indices[make_move(*pair)] for pair in _pawns_to_last_rank()}


def _pawns_to_last_rank() -> list[tuple[int, int]]:
    pairs = [(square, square + 8 + step) for square in range(48, 56) for step in (-1, 0, 1)]
    return [(square, target) for square, target in pairs if 56 <= target < 64]


# --- For all positions ------------------------------------------------------------------------------------------------


class WithPolicy(Fields):
    """Positions with policy indices."""

    __slots__ = ()

    def policy_index(self, moves: Moves, layout: Layout = "az", *, threads: int | None = None) -> NDArray[np.int64]:
        """int64[number of moves]: the policy indices of legal moves (ox88.batch.learning.policy).

        `moves` is as for `push`. The layout is "az" for AlphaZero's 8 x 8 x 73, or "compact" for the 1,858 of Leela
        Chess Zero.

        Raises:
            IllegalMoveError: A move is not legal.
            Ox88Error: `layout` is unknown, or the number of moves is wrong.
        """
        policy, each = as_array(policy_record(layout)), each_move(self._records, moves, threads)
        indices = self._each_move(each, lambda *some: write_indices(all_tables(), policy, *some), np.int64, threads)
        for place in map(int, np.flatnonzero(indices == NO_INDEX)[:1]):
            row = each.row_of(place)
            raise IllegalMoveError(row, int(each.numbers[place]), self._records[row])
        return indices

    def policy_move(self, indices: Numbers, layout: Layout = "az", *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the legal move of position i with the policy index indices[i], as `policy_index` returns it.

        Raises:
            IndexError: The layout has no such index.
            RowError: No legal move of the position has the index.
        """
        policy = as_array(policy_record(layout))
        expected = "whole numbers are expected, as policy_index returns them"
        numbers = as_numbers("indices", indices, len(self), expected).astype(np.int64)
        for row in np.flatnonzero((numbers < 0) | (numbers >= SIZES[layout]))[:1]:
            raise IndexError(f"row {row}: index {numbers[row]} is out of range: there are 0 to {SIZES[layout] - 1}")
        moves = self._each(
            lambda some, rows, found: find_moves(*_scratch(), policy, some, numbers[rows], found), np.uint16, threads
        )
        for row in np.flatnonzero(moves == NO_MOVE)[:1]:
            fen = format_fen(to_setup(self._records[row]))
            raise RowError(int(row), f"no legal move has the {layout} index {numbers[row]} in {fen}")
        return moves

    def policy_mask(
        self, layout: Layout = "az", *, out: NDArray[np.bool_] | None = None, threads: int | None = None
    ) -> NDArray[np.bool_]:
        """True at the policy indices of the legal moves.

        Args:
            layout: "az" or "compact", as for `policy_index`.
            out: bool[n, 4672] for "az", bool[n, 1858] for "compact": an array to write to and return, which is faster
                than a new one.
            threads: Number of threads; all cores by default.

        Raises:
            TypeError: `out` is not of bool.
            Ox88Error: `out` has another shape, or `layout` is unknown.
        """
        policy = as_array(policy_record(layout))
        shape = (len(self), SIZES[layout])
        mask = np.zeros(shape, np.bool_) if out is None else check_out(out, np.dtype(np.bool_), shape)

        def write(some: Any, _: slice, mask: NDArray[np.bool_]) -> None:
            if out is not None:
                mask.fill(False)
            fill_mask(*_scratch(), policy, some, mask)

        return self._each(write, mask, threads)


def _scratch() -> tuple[NDArray[Any], NDArray[Any]]:
    """The tables, and a list that one thread writes moves to: arrays of one."""
    return all_tables(), np.empty(1, MOVE_LIST)


@kernel
def index_of(position, policy, move):
    """The index of a legal move."""
    plain = move & NO_FLAG
    if plain != move and policy.king_moves_two != 0:
        king = move & 63
        rook = plain >> 6
        if king & 7 == E_FILE and (rook & 7 == 0 or rook & 7 == 7):
            plain = king | castling_targets(king, rook)[0] << 6
    if position.turn != WHITE:
        plain ^= FLIPPED
    return np.int64(policy.indices[plain])


@kernel
def write_indices(all_tables, policies, positions, offsets, moves, indices):
    """Write the indices of moves[offsets[i]:offsets[i + 1]], for each position i; NO_INDEX for an illegal move."""
    tables, policy = all_tables[0], policies[0]
    for row in range(len(positions)):
        position = positions[row]
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            indices[place] = index_of(position, policy, move) if is_legal(position, tables, move) else NO_INDEX


@kernel
def find_moves(all_tables, lists, policies, positions, indices, moves):
    """Write the legal move that has indices[i], for each position i; NO_MOVE if none has it. lists: one MOVE_LIST."""
    tables, found, policy = all_tables[0], lists[0], policies[0]
    for row in range(len(positions)):
        position = positions[row]
        moves[row] = NO_MOVE
        for number in range(generate_legal(position, tables, found)):
            move = np.int64(found.moves[number])
            if index_of(position, policy, move) == indices[row]:
                moves[row] = move


@kernel
def fill_mask(all_tables, lists, policies, positions, mask):
    tables, found, policy = all_tables[0], lists[0], policies[0]
    for row in range(len(positions)):
        position = positions[row]
        for number in range(generate_legal(position, tables, found)):
            mask[row, index_of(position, policy, np.int64(found.moves[number]))] = True
