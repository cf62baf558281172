"""What the strong engine says of many positions: evaluations by its network or by hand, hidden neurons, searches.

Positions that follow each other in an array are often positions of a game. So an evaluation is computed from that of
the position before if the two have most pieces in common. A search has one thread, an empty hash table and empty
histories, so that its result depends neither on other positions nor on the number of threads.
"""

from __future__ import annotations

import os
import queue
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import View, check_number, check_out, is_mover
from ox88.batch.rows.chunks import count_threads, in_chunks
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.legal_moves import legal_moves
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.position import to_setup
from ox88.bitboard.records import make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import damped
from ox88.engines.modern.evaluation.evaluate import evaluate as evaluate_by_hand
from ox88.engines.modern.evaluation.records import make_evaluation
from ox88.engines.modern.network.file import Network, NetworkError, read_network, shipped_network
from ox88.engines.modern.network.inference import add_one, forget, input_of, refresh, remove_one, value_of, view_of
from ox88.engines.modern.network.records import ACCUMULATOR, HIDDEN, NETWORK
from ox88.engines.modern.records import MATE
from ox88.engines.modern.static_eval import is_judged_by_hand
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import DEEPEST, ENDLESS, Line, SearchThread
from ox88.errors import Ox88Error
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import EMPTY, NO_MOVE, WHITE

NetworkSource = Network | str | os.PathLike[str]

MAX_MEGABYTES: Final = 1024  # For each thread.
NEURONS = np.int64(HIDDEN)
_CHUNK: Final = 4 * 4096  # Positions. Chunks are large, since each allocates an evaluation record.


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


class WithEngine(Fields):
    """Positions that the strong engine evaluates and searches."""

    __slots__ = ()

    def evaluate(
        self, *, by: NetworkSource = "ox88", view: View = "white", threads: int | None = None
    ) -> NDArray[np.int16]:
        """int16[n]: static evaluations in centipawns, by a network or by the handcrafted evaluation.

        A network's are those that the engine computes with it: where a side has only its king, or a queen plays against
        one piece, the handcrafted evaluation serves, and with c plies on the halfmove clock a value v becomes
        v - (v * c >> 8).

        Args:
            by: "ox88" for the network that comes with Ox88, an `ox88.Network`, the path of a network's file, which each
                call reads, or "handcrafted" for the handcrafted evaluation.
            view: "white", or "mover" for evaluations for the side to move.
            threads: Number of threads; all cores by default.

        Raises:
            NetworkError: The file is no network, the network has another number of neurons than the engine's, or this
                copy of Ox88 has none.
        """
        by_hand, for_mover = np.int64(isinstance(by, str) and by == "handcrafted"), np.int64(is_mover(view))
        network = make_record(NETWORK) if by_hand else network_record(by)

        def write(some: Any, _: slice, values: NDArray[np.int16]) -> None:
            scratch = make_evaluation(), make_record(ACCUMULATOR)
            fill_values(some, board_tables(), network, *scratch, by_hand, for_mover, values)

        return self._each(write, np.int16, threads, _CHUNK)

    def accumulators(
        self, *, network: NetworkSource = "ox88", out: NDArray[Any] | None = None, threads: int | None = None
    ) -> NDArray[np.int16]:
        """The hidden neurons of a network, as features for a network of your own.

        Args:
            network: "ox88" for the network that comes with Ox88, an `ox88.Network`, or the path of a file.
            out: int16[n, 2, N], an array to write to and return, which is faster than a new one.
            threads: Number of threads; all cores by default.

        Returns:
            int16[n, 2, N]: the N neurons of the side to move, then those of the other side, before their activation.
            255 is 1.0.

        Raises:
            NetworkError: As for `evaluate`.
            TypeError: `out` is not of int16.
            Ox88Error: `out` has another shape.
        """
        record, shape = network_record(network), (len(self), 2, HIDDEN)
        found = np.empty(shape, np.int16) if out is None else check_out(out, np.dtype(np.int16), shape)
        return self._each(
            lambda some, _, neurons: fill_accumulators(some, record, make_record(ACCUMULATOR), neurons), found, threads
        )

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


# --- Evaluations ------------------------------------------------------------------------------------------------------


def find_network(source: Any) -> Network:
    """The network of the argument `network`. Raises NetworkError, TypeError."""
    if isinstance(source, Network):
        return source
    if not isinstance(source, (str, os.PathLike)):
        kind = type(source).__name__
        raise TypeError(f'network is of type {kind}: "ox88", an ox88.Network or the path of a file is expected')
    if source != "ox88":
        return read_network(source)
    shipped = shipped_network()
    if shipped is None:
        raise NetworkError("there is no network: this copy of Ox88 comes without one, and no file is named")
    return shipped


def blank_network() -> Network:
    """A network of zeros, to compile with and to measure: all networks take the same time."""
    zeros = np.zeros((), NETWORK)
    return Network(
        zeros["input_weights"], zeros["input_bias"], zeros["output_weights"], zeros["output_bias"], zeros["scale"] + 1
    )


def network_record(source: Any) -> Any:
    """A NETWORK record. Raises NetworkError, TypeError."""
    record = make_record(NETWORK)
    find_network(source).fill(record)
    return record


@kernel
def fill_values(positions, tables, network, evaluation, accumulator, by_hand, for_mover, values):
    """Write the value of each position for White, or for the side to move, as the engine's evaluate_position does.

    by_hand: 1 for the handcrafted evaluation of all positions, 0 for the network's.
    """
    forget(accumulator)
    last = np.int64(0)
    for row in range(len(positions)):
        position = positions[row]
        if by_hand != 0 or is_judged_by_hand(position):
            value = evaluate_by_hand(position, tables, evaluation)
        else:
            go_on(network, accumulator, positions[last], position)
            last = row
            value = damped(position, value_of(network, accumulator, position))
        values[row] = value if for_mover != 0 or position.turn == WHITE else -value


@kernel
def fill_accumulators(positions, network, accumulator, neurons):
    """Write the neurons of each position to neurons[i], those of the side to move first."""
    forget(accumulator)
    last = np.int64(0)
    for row in range(len(positions)):
        position = positions[row]
        go_on(network, accumulator, positions[last], position)
        last = row
        turn = np.int64(position.turn)
        for i in range(NEURONS):
            neurons[row, 0, i] = accumulator.neurons[turn, i]
            neurons[row, 1, i] = accumulator.neurons[turn ^ 1, i]


@kernel
def go_on(network, accumulator, before, position):
    """Compute the neurons of both sides, from those of another position if it differs little and is seen alike."""
    different = NO_SQUARES
    for kind in range(1, 7):
        different |= before.kinds[kind] ^ position.kinds[kind]
    different |= before.colours[0] ^ position.colours[0] | before.colours[1] ^ position.colours[1]
    pieces = popcount(position.colours[0] | position.colours[1])
    for side in range(2):
        if accumulator.views[side] == view_of(position, side) and 2 * popcount(different) < pieces:
            exchange(network, accumulator, before, position, different, side)
        else:
            refresh(network, accumulator, position, side)


@kernel
def exchange(network, accumulator, before, position, different, side):
    """Change the neurons of a side by the pieces on the squares that differ."""
    view = accumulator.views[side]
    while different != NO_SQUARES:
        square = lowest_bit(different)
        different = without_lowest(different)
        if before.board[square] != EMPTY:
            remove_one(network, accumulator, side, input_of(before, square, side, view))
        if position.board[square] != EMPTY:
            add_one(network, accumulator, side, input_of(position, square, side, view))
