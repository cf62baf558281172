"""Searches of many positions by the strong engine.

Every position is searched in one thread, with an empty hash table and empty histories, so that the result depends
neither on the other positions nor on the number of threads.
"""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import View, check_number, is_mover
from ox88.batch.rows.chunks import count_threads, in_chunks
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.legal_moves import legal_moves
from ox88.bitboard.position import to_setup
from ox88.engines.modern.network.file import shipped_network
from ox88.engines.modern.records import MATE
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import DEEPEST, ENDLESS, Line, SearchThread
from ox88.errors import Ox88Error
from ox88.types import NO_MOVE, WHITE

MAX_MEGABYTES: Final = 1024  # For each thread.


@dataclass(frozen=True, slots=True, eq=False)
class SearchResults:
    """The results of n searches.

    Attributes:
        scores: int16[n], centipawns; mate in k plies is 31000 - k, or k - 31000 for the side that is mated.
        moves: uint16[n], the best moves; 0 if there is none.
        depths: uint8[n], the last depth in plies that was completely searched.
        nodes: int64[n], the number of nodes searched.
    """

    scores: NDArray[np.int16]
    moves: NDArray[np.uint16]
    depths: NDArray[np.uint8]
    nodes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.scores)


class WithSearches(Fields):
    """Positions that the engine searches."""

    __slots__ = ()

    def search(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        view: View = "white",
        hash_megabytes: int = 1,
        threads: int | None = None,
    ) -> SearchResults:
        """Search every position until a limit is reached, each in one thread and with an empty hash table.

        Args:
            depth: Limit for each position in plies, at most 126.
            nodes: Limit for each position in nodes, which is never exceeded.
            view: "white", or "mover" for scores for the side to move.
            hash_megabytes: Size of the hash table of each thread.
            threads: Number of threads; all cores by default.

        Returns:
            `scores` int16[n], `moves` uint16[n], `depths` uint8[n] and `nodes` int64[n]. Scores are centipawns; mate in
            n plies is 31000 - n. The move is 0 if there is none.

        Raises:
            Ox88Error: Neither depth nor nodes is given, or a limit is out of range.
        """
        if depth is None and nodes is None:
            raise Ox88Error("a search without a limit: depth= or nodes= for each position is expected")
        deepest = DEEPEST if depth is None else depth
        check_number("depth", deepest, 1, DEEPEST)
        check_number("nodes", ENDLESS if nodes is None else nodes, 1, ENDLESS)
        check_number("hash_megabytes", hash_megabytes, 1, MAX_MEGABYTES)
        count, for_mover, legal = len(self), is_mover(view), legal_moves(self._records, None)
        found = SearchResults(
            np.empty(count, np.int16), np.empty(count, np.uint16), np.empty(count, np.uint8), np.empty(count, np.int64)
        )
        workers = min(count_threads(threads), max(count, 1))
        searchers = [(SearchThread(shipped_network()), make_table(hash_megabytes)) for _ in range(workers)]
        free: queue.SimpleQueue[tuple[SearchThread, Any]] = queue.SimpleQueue()
        for searcher in searchers:
            free.put(searcher)

        def work(rows: slice) -> None:
            thread, table = free.get()
            row, record = rows.start, self._records[rows.start]
            line = _search_one(record, legal[row].tolist(), deepest, nodes, thread, table)
            found.scores[row] = line.shown_value if for_mover or record.turn == WHITE else -line.shown_value
            found.moves[row], found.depths[row], found.nodes[row] = line.moves[0], line.depth, thread.nodes
            free.put((thread, table))

        def stop() -> None:
            for thread, _ in searchers:
                thread.stop()

        in_chunks(work, count, workers, 1, stop)
        return found


def _search_one(
    record: Any, moves: list[int], depth: int, nodes: int | None, thread: SearchThread, table: NDArray[Any]
) -> Line:
    table.fill(0)
    thread.forget()
    thread.prepare(record, [], 1, nodes)
    if not moves:
        return Line(0, -MATE if to_setup(record).is_check() else 0, (NO_MOVE,))
    lines = thread.deepen(table, range(1, depth + 1), moves, 1, lambda _line: None)
    return lines[0] if lines else Line(0, 0, tuple(moves[:1]))
