"""Perft on any board: on several threads, stoppable, in total or for each root move.

Perft is the number of legal move sequences of a given length from a position. It checks a move generator, and measures
its speed. Each board has a class `Counter`, which counts in one thread.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.threads import run_all

# Each board's counter: module and class.
BOARDS: Final = {
    "bitboard": ("ox88.bitboard.perft", "Counter"),
    "rotated": ("ox88.bitboard.perft", "RotatedCounter"),
    "mailbox": ("ox88.mailbox.perft", "Counter"),
}
MAX_DEPTH: Final = 100
MAX_THREADS: Final = 256

HashTable = NDArray[np.uint64]


class PerftStoppedError(Ox88Error):
    """`Perft.stop` has ended a count."""


class Counter(Protocol):
    """Counts in one thread. modes: ways to count the last ply, the fastest first."""

    modes: Sequence[str]

    def __init__(self, setup: Setup) -> None: ...

    def legal_moves(self) -> list[int]: ...

    def count_after(self, move: int, depth: int, mode: str, table: HashTable | None) -> int:
        """Number of sequences of `depth` >= 1 moves that begin with `move`. Meaningless after a stop."""

    def set_stop(self, stop: bool) -> None:
        """True ends the running count within a millisecond, False allows the next one. Any thread may call it."""


class Perft:
    """Counts from one position. Raises IllegalPositionError."""

    def __init__(self, setup: Setup, board: str = "bitboard", threads: int = 1, hash_megabytes: int = 0) -> None:
        """Board: one of BOARDS. hash_megabytes: size of the table of counts, for the mode "hashed"; 0 for none."""
        if not 1 <= threads <= MAX_THREADS:
            raise Ox88Error(f"perft on {threads} threads: expected 1 to {MAX_THREADS}")
        if board not in BOARDS:
            raise Ox88Error(f"board {board!r}: expected one of {', '.join(BOARDS)}")
        module, name = BOARDS[board]
        make = getattr(import_module(module), name)
        self._board = board
        self._counters: list[Counter] = [make(setup) for _ in range(threads)]
        self._table = new_hash_table(hash_megabytes) if hash_megabytes else None
        self._stopped = False

    @property
    def modes(self) -> Sequence[str]:
        """Ways to count the last ply, the fastest first.

        "bulk" counts the last ply without a list of moves, "listed" takes the length of the list (as Stockfish does),
        "made" plays every move, "hashed" is "bulk" with counts kept in the hash table.
        """
        return [mode for mode in self._counters[0].modes if mode != "hashed" or self._table is not None]

    def count(self, depth: int, mode: str | None = None) -> int:
        """Number of sequences of `depth` moves. mode: one of `modes`; default: the first. Raises PerftStoppedError."""
        return 1 if depth == 0 else sum(self.divide(depth, mode).values())

    def divide(self, depth: int, mode: str | None = None) -> dict[int, int]:
        """For each legal move, the number of sequences of `depth` >= 1 moves that begin with it."""
        if not 1 <= depth <= MAX_DEPTH:
            raise Ox88Error(f"perft of {depth} plies: expected 1 to {MAX_DEPTH}")
        mode = mode or self.modes[0]
        if mode not in self.modes:
            raise Ox88Error(f"mode {mode!r} on the {self._board} board: expected one of {', '.join(self.modes)}")
        self._set_stop(False)
        with _plain_python():
            moves = self._counters[0].legal_moves()
        counts = dict.fromkeys(moves, 0)
        waiting = iter(moves)  # Its next() is atomic: each move goes to one thread.
        calls = [partial(self._count_some, counter, waiting, counts, depth, mode) for counter in self._counters]
        with ThreadPoolExecutor(len(calls)) as pool:
            run_all(pool, calls, self.stop)
        if self._stopped:
            raise PerftStoppedError(f"perft of {depth} plies was stopped before its end")
        return counts

    def stop(self) -> None:
        """End the running count at once. Any thread may call it."""
        self._set_stop(True)

    def _set_stop(self, stop: bool) -> None:
        self._stopped = stop
        for counter in self._counters:
            counter.set_stop(stop)

    def _count_some(
        self, counter: Counter, moves: Iterator[int], counts: dict[int, int], depth: int, mode: str
    ) -> None:
        """The work of one thread: take a move and count, until no move is left."""
        with _plain_python():
            for move in moves:
                if self._stopped:
                    return
                counts[move] = counter.count_after(move, depth, mode, self._table)


def _plain_python() -> np.errstate:
    """With NUMBA_DISABLE_JIT=1 the kernels are plain Python: let keys and bits wrap around without a warning."""
    return np.errstate(over="ignore")


def new_hash_table(megabytes: int) -> HashTable:
    """An empty table of (key ^ data, data), of at most `megabytes`: uint64[a power of two, 2], cache-aligned."""
    try:
        entries = 1 << (megabytes * (1 << 20) // 16).bit_length() - 1
        room = np.zeros(2 * entries + 8, np.uint64)
    except (MemoryError, ValueError):
        raise Ox88Error(f"a hash table of {megabytes} MB does not fit into memory") from None
    start = -room.ctypes.data % 64 // 8
    return room[start : start + 2 * entries].reshape(entries, 2)
