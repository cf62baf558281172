"""Perft: the number of move sequences of a given length, which checks a move generator and measures its speed.

The last ply is counted without a list of moves (BULK), by the length of the list (LISTED), or by making every move
(MADE). `perft_rotated` lists the moves on rotated bitboards.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard import attacks, legality, see
from ox88.bitboard.counting import count_legal
from ox88.bitboard.movegen import generate_captures, generate_legal, generate_quiets
from ox88.bitboard.moves import do_move, do_null_move, undo_move, undo_null_move
from ox88.bitboard.position import make_position, set_position
from ox88.bitboard.records import MAX_PLY, MOVE_LIST, POSITION, UNDO, make_record
from ox88.bitboard.rotated import ROTATED, fill_rotated, rotated_tables, update_rotated
from ox88.bitboard.rotated import generate_legal as generate_legal_rotated
from ox88.bitboard.tables import board_tables
from ox88.fen import STARTPOS
from ox88.jit import kernel
from ox88.setup import Setup, parse_fen
from ox88.types import make_move

BULK, LISTED, MADE = range(3)
POLL_DEPTH = 3  # The stop flag is read after every subtree of two plies, which takes microseconds.
DEPTH_BITS = np.uint64(0xFF)
COUNT_SHIFT = np.uint64(8)

NO_TABLE = np.zeros((0, 2), np.uint64)

PERFT_STATE = np.dtype(
    [
        ("position", POSITION),
        ("ply", np.int64),
        ("stop", np.int64),  # Set from another thread.
        ("mode", np.int64),  # How the last ply is counted.
        ("stack", UNDO, MAX_PLY),
        ("lists", MOVE_LIST, MAX_PLY),
    ],
    align=True,
)


@kernel
def perft(state, tables, table, depth):
    """Number of sequences of `depth` >= 1 legal moves. Meaningless once state.stop is set.

    table: a hash table of (key ^ data, data): uint64[n, 2], n a power of two, zeros at first; n = 0 for none. Threads
    may share it: an entry that two threads write at once fails the test of its key. (Robert Hyatt and Tim Mann, "A
    lock-less transposition table implementation for parallel search chess engines", 2002.)
    """
    ply = state.ply
    position = state.position
    if depth <= 1 and state.mode == BULK:
        return count_legal(position, tables)
    is_kept = depth > 1 and len(table) != 0
    key = position.key
    slot = (key ^ np.uint64(depth)) & np.uint64(max(len(table), 1) - 1)
    if is_kept:
        data = table[slot, 1]
        if table[slot, 0] ^ data == key and data & DEPTH_BITS == np.uint64(depth):
            return np.int64(data >> COUNT_SHIFT)
    moves = state.lists[ply]
    undo = state.stack[ply]
    count = generate_legal(position, tables, moves)
    if depth <= 1 and state.mode == LISTED:
        return count
    total = np.int64(0)
    state.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft(state, tables, table, depth - 1) if depth > 1 else 1
        undo_move(position, undo)
        if depth >= POLL_DEPTH and state.stop != 0:
            break
    state.ply = ply
    if is_kept and state.stop == 0:
        data = np.uint64(total) << COUNT_SHIFT | np.uint64(depth)
        table[slot, 0] = key ^ data
        table[slot, 1] = data
    return total


@kernel
def perft_rotated(state, tables, rotated, rotated_tables, depth):
    """As `perft` by lists, on rotated boards, which every move updates."""
    ply = state.ply
    position = state.position
    moves = state.lists[ply]
    undo = state.stack[ply]
    count = generate_legal_rotated(position, tables, rotated, rotated_tables, moves)
    if depth <= 1:
        return count
    total = np.int64(0)
    state.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        update_rotated(rotated, rotated_tables, undo)
        total += perft_rotated(state, tables, rotated, rotated_tables, depth - 1)
        undo_move(position, undo)
        update_rotated(rotated, rotated_tables, undo)
        if depth >= POLL_DEPTH and state.stop != 0:
            break
    state.ply = ply
    return total


class Counter:
    """Counts on magic bitboards, in one thread of `ox88.perft`."""

    modes: tuple[str, ...] = ("hashed", "bulk", "listed", "made")

    def __init__(self, setup: Setup) -> None:
        self._state = make_record(PERFT_STATE)
        self._tables = board_tables()
        self._undo = self._state.stack[MAX_PLY - 1]
        set_position(self._state.position, setup)

    def legal_moves(self) -> list[int]:
        moves = make_record(MOVE_LIST)
        self._generate(moves)
        return [int(move) for move in moves.moves[: moves.length]]

    def _generate(self, moves: Any) -> None:
        generate_legal(self._state.position, self._tables, moves)

    def count_after(self, move: int, depth: int, mode: str, table: NDArray[np.uint64] | None) -> int:
        if depth == 1:
            return 1
        position = self._state.position
        do_move(position, self._tables, self._undo, np.int64(move))
        count = self._count(np.int64(depth - 1), mode, table)
        undo_move(position, self._undo)
        return count

    def _count(self, depth: np.int64, mode: str, table: NDArray[np.uint64] | None) -> int:
        self._state.mode = {"listed": LISTED, "made": MADE}.get(mode, BULK)
        kept = table if table is not None and mode == "hashed" else NO_TABLE
        return int(perft(self._state, self._tables, kept, depth))

    def set_stop(self, stop: bool) -> None:
        self._state.stop = stop


class RotatedCounter(Counter):
    """Counts on rotated bitboards, in one thread of `ox88.perft`."""

    modes = ("listed",)

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._rotated = make_record(ROTATED)
        self._rotated_tables = rotated_tables()

    def _generate(self, moves: Any) -> None:
        position = self._state.position
        fill_rotated(self._rotated, self._rotated_tables, position)
        generate_legal_rotated(position, self._tables, self._rotated, self._rotated_tables, moves)

    def _count(self, depth: np.int64, mode: str, table: NDArray[np.uint64] | None) -> int:  # noqa: ARG002 - It has one mode.
        fill_rotated(self._rotated, self._rotated_tables, self._state.position)
        return int(perft_rotated(self._state, self._tables, self._rotated, self._rotated_tables, depth))


def warm_up() -> None:
    """Call every kernel of the bitboards once, so that all are compiled and in the cache."""
    setup = parse_fen(STARTPOS)
    first_move = make_move(12, 28)
    for counter in (Counter(setup), RotatedCounter(setup)):
        counter.legal_moves()
        for mode in counter.modes:
            counter.count_after(first_move, 2, mode, np.zeros((1 << 10, 2), np.uint64))
    position, tables = make_position(setup), board_tables()
    undo, found = make_record(UNDO), make_record(MOVE_LIST)
    square, colour = np.int64(4), np.int64(1)

    attacks.is_attacked(position, tables, square, colour)
    attacks.pinned(position, tables, colour)
    checkers = np.uint64(attacks.checkers(position, tables))
    pinned = np.uint64(attacks.pinned(position, tables, np.int64(0)))
    generate_captures(position, tables, found, checkers, pinned)
    generate_quiets(position, tables, found, checkers, pinned)

    move = np.int64(found.moves[0])
    legality.is_legal(position, tables, move)
    legality.gives_check(position, tables, move)
    see.see(position, tables, move)
    see.see_ge(position, tables, move, np.int64(0))
    do_null_move(position, tables, undo)
    undo_null_move(position, undo)
