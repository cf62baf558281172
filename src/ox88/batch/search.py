"""Searches of many positions, each for itself and in one thread, some of them at once.

Every position is searched with an empty table and with nothing learnt, so that what is found of it depends neither on
its neighbours nor on the number of threads.
"""

import queue
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import count_threads, share
from ox88.batch.legal_moves import legal_moves
from ox88.batch.views import is_movers
from ox88.bitboard.position import to_setup
from ox88.engines.modern.compiling import compile_search
from ox88.engines.modern.records import MATE
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import DEEPEST, ENDLESS, Line, SearchThread
from ox88.types import NO_MOVE, WHITE, Ox88Error

MAX_MEGABYTES: Final = 1024  # A thread.


class Searched(NamedTuple):
    """What searches have found.

    scores: int16[n], centipawns; a mate in n plies is 31,000 - n, or n - 31,000 for the side that is mated.
    moves: uint16[n], the best ones; 0 where there is none. depths: uint8[n], plies that were searched to the end.
    nodes: int64[n].
    """

    scores: NDArray[np.int16]
    moves: NDArray[np.uint16]
    depths: NDArray[np.uint8]
    nodes: NDArray[np.int64]


def search(
    records: NDArray[Any], depth: int | None, nodes: int | None, view: str, hash_megabytes: int, threads: int | None
) -> Searched:
    """Search all positions. Raises TypeError, and Ox88Error where there is no limit or it is out of range."""
    if depth is None and nodes is None:
        raise Ox88Error("a search without an end: depth= or nodes= of each position is expected")
    _check("depth", DEEPEST if depth is None else depth, DEEPEST)
    _check("nodes", ENDLESS if nodes is None else nodes, ENDLESS)
    _check("hash_megabytes", hash_megabytes, MAX_MEGABYTES)
    return _Searches(records, depth or DEEPEST, nodes, is_movers(view), hash_megabytes).run(threads)


def _check(name: str, value: Any, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is {value!r}: a whole number is expected")
    if not 1 <= value <= most:
        raise Ox88Error(f"{name} is {value}: 1 to {most} is possible")


class _Searches:
    def __init__(
        self, records: NDArray[Any], depth: int, nodes: int | None, is_movers_view: bool, megabytes: int
    ) -> None:
        count = len(records)
        self._records = records
        self._legal = legal_moves(records, None)
        self._depths = range(1, depth + 1)
        self._nodes = nodes
        self._is_movers_view = is_movers_view
        self._megabytes = megabytes
        self._found = Searched(
            np.empty(count, np.int16), np.empty(count, np.uint16), np.empty(count, np.uint8), np.empty(count, np.int64)
        )
        self._threads: list[SearchThread] = []
        self._free: queue.SimpleQueue[tuple[SearchThread, Any]] = queue.SimpleQueue()

    def run(self, threads: int | None) -> Searched:
        compile_search()
        workers = min(count_threads(threads), max(len(self._records), 1))
        for _ in range(workers):
            thread = SearchThread()
            self._threads.append(thread)
            self._free.put((thread, make_table(self._megabytes)))
        share(self._search_some, len(self._records), workers, 1, self._stop)
        return self._found

    def _stop(self) -> None:
        for thread in self._threads:
            thread.stop()

    def _search_some(self, rows: slice) -> None:
        thread, table = self._free.get()
        for row in range(rows.start, rows.stop):
            self._write(row, thread, self._search_one(row, thread, table))
        self._free.put((thread, table))

    def _search_one(self, row: int, thread: SearchThread, table: Any) -> Line:
        table.fill(0)
        thread.forget()
        thread.prepare(self._records[row], [], 1, self._nodes)
        first, last = self._legal.offsets[row : row + 2]
        moves = [int(move) for move in self._legal.moves[first:last]]
        if not moves:
            return Line(0, -MATE if to_setup(self._records[row]).is_check() else 0, (NO_MOVE,))
        lines = thread.deepen(table, self._depths, moves, 1, _ignore)
        return lines[0] if lines else Line(0, 0, tuple(moves[:1]))

    def _write(self, row: int, thread: SearchThread, line: Line) -> None:
        is_whites = self._records[row].turn == WHITE
        self._found.scores[row] = line.value if self._is_movers_view or is_whites else -line.value
        self._found.moves[row] = line.moves[0]
        self._found.depths[row] = line.depth
        self._found.nodes[row] = thread.nodes


def _ignore(_line: Line) -> None:
    pass
