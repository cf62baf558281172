"""The strong engine on many positions: its static evaluation, and searches.

Every position is searched in one thread, with an empty hash table and empty histories, so that the result depends
neither on the other positions nor on the number of threads.
"""

import queue
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import check_number, is_mover
from ox88.batch.rows.chunks import count_threads, in_chunks
from ox88.batch.rules.legal_moves import legal_moves
from ox88.bitboard.position import to_setup
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate as evaluate_one
from ox88.engines.modern.evaluation.records import make_evaluation
from ox88.engines.modern.network.file import shipped_network
from ox88.engines.modern.records import MATE
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import DEEPEST, ENDLESS, Line, SearchThread
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.types import NO_MOVE, WHITE

_CHUNK: Final = 4 * 4096  # Positions. Chunks are large, since each allocates an evaluation record.
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


def evaluate(records: NDArray[Any], view: str, threads: int | None) -> NDArray[np.int16]:
    values, for_mover = np.empty(len(records), np.int16), np.int64(is_mover(view))

    def work(rows: slice) -> None:
        evaluate_all(records[rows], board_tables(), make_evaluation(), for_mover, values[rows])

    in_chunks(work, len(records), threads, _CHUNK)
    return values


def search(
    records: NDArray[Any], depth: int | None, nodes: int | None, view: str, hash_megabytes: int, threads: int | None
) -> SearchResults:
    if depth is None and nodes is None:
        raise Ox88Error("a search without a limit: depth= or nodes= for each position is expected")
    depth = DEEPEST if depth is None else depth
    check_number("depth", depth, 1, DEEPEST)
    check_number("nodes", ENDLESS if nodes is None else nodes, 1, ENDLESS)
    check_number("hash_megabytes", hash_megabytes, 1, MAX_MEGABYTES)
    count, for_mover, legal = len(records), is_mover(view), legal_moves(records, None)
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
        row, record = rows.start, records[rows.start]
        moves = legal.moves[legal.offsets[row] : legal.offsets[row + 1]].tolist()
        line = _search_one(record, moves, depth, nodes, thread, table)
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


@kernel
def evaluate_all(positions, tables, evaluation, for_mover, values):
    """Write the value of each position for White, or for the side to move."""
    for row in range(len(positions)):
        position = positions[row]
        value = evaluate_one(position, tables, evaluation)
        values[row] = value if for_mover != 0 or position.turn == WHITE else -value
