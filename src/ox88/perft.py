"""Perft, the same way on every board: its root moves shared out to threads, stopped at once, counted or divided.

Perft is the number of games of some plies from a position. It proves a move generator right, and measures it. What a
board brings is a `Counter`: the records that one thread counts with, and the kernels that count.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ox88.threads import run_all
from ox88.types import Ox88Error, Setup

# The class of each board's counters; a board is imported when it is asked for.
BOARDS: Final = {
    "bitboard": ("ox88.bitboard.perft", "Counter"),
    "rotated": ("ox88.bitboard.perft", "RotatedCounter"),
    "mailbox": ("ox88.mailbox.perft", "Counter"),
}
MAX_DEPTH: Final = 100
MAX_THREADS: Final = 256

HashTable = NDArray[np.uint64]


class PerftStoppedError(Ox88Error):
    """`Perft.stop` has ended a count, so there is no number."""


class Counter(Protocol):
    """What one thread counts with. modes: what can happen at the last ply, the fastest first."""

    modes: Sequence[str]

    def __init__(self, setup: Setup) -> None: ...

    def legal_moves(self) -> list[int]: ...

    def count_after(self, move: int, depth: int, mode: str, table: HashTable | None) -> int:
        """Number of games of `depth` plies, at least 1, that begin with a move. Means nothing once it is stopped."""

    def set_stop(self, stop: bool) -> None:
        """End the running count within a millisecond, or allow the next; from any thread."""


class Perft:
    """Counts from one position. Raises IllegalPositionError for one that no game has."""

    def __init__(self, setup: Setup, board: str = "bitboard", threads: int = 1, hash_megabytes: int = 0) -> None:
        """Board: one of BOARDS. hash_megabytes: for a table of counts, on the board that has the mode "hashed"."""
        if not 1 <= threads <= MAX_THREADS:
            raise Ox88Error(f"perft on {threads} threads: 1 to {MAX_THREADS} are possible")
        make = _counter_class(board)
        self._board = board
        self._counters: list[Counter] = [make(setup) for _ in range(threads)]
        self._table = new_hash_table(hash_megabytes) if hash_megabytes else None
        self._stopped = False

    @property
    def modes(self) -> Sequence[str]:
        """What may happen at the last ply, the fastest first.

        "bulk" counts its moves without a list, "listed" takes the length of the list (as Stockfish does), "made" plays
        every move, "hashed" is "bulk" with counts kept in the hash table.
        """
        return [mode for mode in self._counters[0].modes if mode != "hashed" or self._table is not None]

    def count(self, depth: int, mode: str | None = None) -> int:
        """Number of games of `depth` plies; mode: one of `modes`, by default the first. Raises PerftStoppedError."""
        return 1 if depth == 0 else sum(self.divide(depth, mode).values())

    def divide(self, depth: int, mode: str | None = None) -> dict[int, int]:
        """Likewise for each legal move, which is the first of `depth` plies, at least 1."""
        if not 1 <= depth <= MAX_DEPTH:
            raise Ox88Error(f"perft of {depth} plies: 1 to {MAX_DEPTH} are possible")
        mode = mode or self.modes[0]
        if mode not in self.modes:
            raise Ox88Error(f"perft {mode!r} on the {self._board} board: it has {', '.join(self.modes)}")
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
        """End the running count at once; from any thread."""
        self._set_stop(True)

    def _set_stop(self, stop: bool) -> None:
        self._stopped = stop
        for counter in self._counters:
            counter.set_stop(stop)

    def _count_some(
        self, counter: Counter, moves: Iterator[int], counts: dict[int, int], depth: int, mode: str
    ) -> None:
        """In a thread: take moves and count."""
        with _plain_python():
            for move in moves:
                if self._stopped:
                    return
                counts[move] = counter.count_after(move, depth, mode, self._table)


def _plain_python() -> np.errstate:
    """Where NUMBA_DISABLE_JIT makes the kernels plain Python, keys and bits wrap around without a warning."""
    return np.errstate(over="ignore")


def _counter_class(board: str) -> Any:
    if board not in BOARDS:
        raise Ox88Error(f"there is no board {board!r}: it is one of {', '.join(BOARDS)}")
    module, name = BOARDS[board]
    return getattr(import_module(module), name)


def new_hash_table(megabytes: int) -> HashTable:
    """An empty table of (key ^ data, data), uint64[a power of two, 2], of at most so many megabytes, cache-aligned."""
    try:
        entries = 1 << (megabytes * (1 << 20) // 16).bit_length() - 1
        room = np.zeros(2 * entries + 8, np.uint64)
    except (MemoryError, ValueError):
        raise Ox88Error(f"a hash table of {megabytes} MB does not fit into memory") from None
    start = -room.ctypes.data % 64 // 8
    return room[start : start + 2 * entries].reshape(entries, 2)
