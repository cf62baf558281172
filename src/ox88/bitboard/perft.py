"""Perft: the number of move sequences of a length, which shows whether a move generator is right, and how fast.

Five kernels count the same: `perft` lists the legal moves of the last ply but does not make them, `perft_counted` does
not even list them, `perft_made` makes every one, `perft_hashed` keeps what it has counted in a hash table, and
`perft_rotated` lists them on rotated bitboards. `Perft` is their Python side: it owns the records and the threads.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.counting import count_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.position import set_position
from ox88.bitboard.records import MAX_PLY, MOVE_LIST, SEARCHER, make_record
from ox88.bitboard.rotated import ROTATED, fill_rotated, rotated_tables, update_rotated
from ox88.bitboard.rotated_movegen import generate_legal as generate_legal_rotated
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.types import Ox88Error, Setup

MODES: Final = ("listed", "counted", "made", "hashed", "rotated")
HASH_MEGABYTES: Final = 64
_WAIT_SECONDS: Final = 0.05  # Between two looks at the keyboard's Ctrl-C.

POLL_DEPTH = 3  # The stop flag is read after every subtree of two plies: some thousand moves, some microseconds.
DEPTH_BITS = np.uint64(0xFF)
COUNT_SHIFT = np.uint64(8)


@kernel
def perft(searcher, tables, depth):
    """Number of sequences of `depth` legal moves, at least 1. Means nothing once searcher.stop is set."""
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    if depth <= 1:
        return count
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft(searcher, tables, depth - 1)
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


@kernel
def perft_counted(searcher, tables, depth):
    ply = searcher.ply
    position = searcher.position
    if depth <= 1:
        return count_legal(position, tables)
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft_counted(searcher, tables, depth - 1)
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


@kernel
def perft_made(searcher, tables, depth):
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft_made(searcher, tables, depth - 1) if depth > 1 else 1
        undo_move(position, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


@kernel
def perft_hashed(searcher, tables, table, depth):
    """As perft_counted, with a hash table of a power of two of (key ^ data, data), uint64[n, 2]: zeros to begin with.

    Several searchers may share it: an entry that two write at once fails the test of its key. (Robert Hyatt and Tim
    Mann, "A lock-less transposition table implementation for parallel search chess engines", 2002.)
    """
    ply = searcher.ply
    position = searcher.position
    if depth <= 1:
        return count_legal(position, tables)
    key = position.key
    entry = table[(key ^ np.uint64(depth)) & np.uint64(len(table) - 1)]
    data = entry[1]
    if entry[0] ^ data == key and data & DEPTH_BITS == np.uint64(depth):
        return np.int64(data >> COUNT_SHIFT)
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal(position, tables, moves)
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        total += perft_hashed(searcher, tables, table, depth - 1)
        undo_move(position, undo)
        if searcher.stop != 0:
            break
    searcher.ply = ply
    if searcher.stop == 0:
        data = np.uint64(total) << COUNT_SHIFT | np.uint64(depth)
        entry[0] = key ^ data
        entry[1] = data
    return total


@kernel
def perft_rotated(searcher, tables, rotated, rotated_tables, depth):
    """As `perft`, with the rotated boards following every move: at depth 1 the legal moves are listed, and not made."""
    ply = searcher.ply
    position = searcher.position
    moves = searcher.lists[ply]
    undo = searcher.stack[ply]
    count = generate_legal_rotated(position, tables, rotated, rotated_tables, moves)
    if depth <= 1:
        return count
    total = np.int64(0)
    searcher.ply = ply + 1
    for number in range(count):
        do_move(position, tables, undo, np.int64(moves.moves[number]))
        update_rotated(rotated, rotated_tables, undo)
        total += perft_rotated(searcher, tables, rotated, rotated_tables, depth - 1)
        undo_move(position, undo)
        update_rotated(rotated, rotated_tables, undo)
        if depth >= POLL_DEPTH and searcher.stop != 0:
            break
    searcher.ply = ply
    return total


# --- The Python side --------------------------------------------------------------------------------------------------


class PerftStoppedError(RuntimeError):
    """A count was stopped before it was complete."""


class Perft:
    """Counts the sequences of legal moves from a position, its root moves shared out to threads."""

    def __init__(self, setup: Setup, threads: int = 1, hash_megabytes: int = HASH_MEGABYTES) -> None:
        self._workers = [_Worker(setup) for _ in range(threads)]
        self._hash_megabytes = hash_megabytes

    def count(self, depth: int, mode: str = "listed") -> int:
        """Number of sequences of `depth` moves. Raises PerftStoppedError if `stop` is called meanwhile.

        mode: what happens at the last ply: its moves are "listed", "counted" or "made"; "hashed" keeps counts in a hash
        table; "rotated" is "listed" on rotated bitboards.
        """
        return 1 if depth == 0 else sum(self.divide(depth, mode).values())

    def divide(self, depth: int, mode: str = "listed") -> dict[int, int]:
        """Number of sequences of `depth` moves, at least 1, that begin with each legal move."""
        if not 1 <= depth <= MAX_PLY or mode not in MODES:
            raise Ox88Error(f"perft to depth {depth}, {mode}: a depth up to {MAX_PLY} and one of {MODES} are expected")
        table = new_hash_table(self._hash_megabytes) if mode == "hashed" else None
        for worker in self._workers:
            worker.searcher.stop = 0
        moves = self._workers[0].legal_moves()
        counts = dict.fromkeys(moves, 0)
        waiting = iter(moves)  # Its next() is atomic: each move goes to one thread.
        with ThreadPoolExecutor(len(self._workers)) as pool:
            futures = [pool.submit(worker.divide, waiting, depth, mode, table) for worker in self._workers]
            try:
                while wait(futures, timeout=_WAIT_SECONDS).not_done:
                    pass
            except BaseException:
                self.stop()
                raise
        for future in futures:
            counts.update(future.result())
        if any(worker.searcher.stop for worker in self._workers):
            raise PerftStoppedError(f"the count to depth {depth} was stopped")
        return counts

    def stop(self) -> None:
        """End a running count, from another thread, within a millisecond."""
        for worker in self._workers:
            worker.searcher.stop = 1


class _Worker:
    """What one thread counts with."""

    def __init__(self, setup: Setup) -> None:
        self.searcher = make_record(SEARCHER)
        self._tables = board_tables()
        self._undo = self.searcher.stack[MAX_PLY - 1]
        set_position(self.searcher.position, setup)

    def legal_moves(self) -> list[int]:
        moves = make_record(MOVE_LIST)
        count = generate_legal(self.searcher.position, self._tables, moves)
        return [int(move) for move in moves.moves[:count]]

    def divide(self, moves: Iterator[int], depth: int, mode: str, table: NDArray[np.uint64] | None) -> dict[int, int]:
        """Counts of the moves that this thread gets hold of."""
        counts = {}
        with np.errstate(over="ignore"):  # Where the kernels are plain Python.
            for move in moves:
                if self.searcher.stop:
                    break
                do_move(self.searcher.position, self._tables, self._undo, np.int64(move))
                counts[move] = self._count(np.int64(depth - 1), mode, table)
                undo_move(self.searcher.position, self._undo)
        return counts

    def _count(self, depth: np.int64, mode: str, table: NDArray[np.uint64] | None) -> int:
        if depth == 0:
            return 1
        if mode == "rotated":
            rotated = make_record(ROTATED)
            fill_rotated(rotated, rotated_tables(), self.searcher.position)
            return int(perft_rotated(self.searcher, self._tables, rotated, rotated_tables(), depth))
        if mode == "hashed":
            return int(perft_hashed(self.searcher, self._tables, table, depth))
        kernel = {"listed": perft, "counted": perft_counted, "made": perft_made}[mode]
        return int(kernel(self.searcher, self._tables, depth))


def new_hash_table(megabytes: int) -> NDArray[np.uint64]:
    """An empty table for `perft_hashed`, uint64[a power of two, 2], of at most so many megabytes."""
    entries = 1 << (megabytes * (1 << 20) // 16).bit_length() - 1
    room = np.zeros(2 * entries + 8, np.uint64)
    start = -room.ctypes.data % 64 // 8
    return room[start : start + 2 * entries].reshape(entries, 2)
