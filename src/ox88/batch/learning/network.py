"""The network on many positions: its evaluations, and its hidden neurons as features for other networks.

Positions that follow each other in an array are often positions of a game. So each is computed from the one before it
if they have most pieces in common.
"""

import os
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import check_out, is_mover
from ox88.batch.rows.chunks import in_chunks
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.records import make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import damped
from ox88.engines.modern.evaluation.evaluate import evaluate as evaluate_by_hand
from ox88.engines.modern.evaluation.records import make_evaluation
from ox88.engines.modern.network.accumulator import add_one, forget, input_of, refresh, remove_one, view_of
from ox88.engines.modern.network.file import Network, NetworkError, read_network, shipped_network
from ox88.engines.modern.network.output import value_of
from ox88.engines.modern.network.records import ACCUMULATOR, HIDDEN, NETWORK
from ox88.engines.modern.static_eval import is_judged_by_hand
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import EMPTY, WHITE

NetworkSource = Network | str | os.PathLike[str]

_CHUNK: Final = 4 * 4096  # Positions. Chunks are large, since each allocates an evaluation record.
NEURONS = np.int64(HIDDEN)


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


def evaluate_by(source: NetworkSource, records: NDArray[Any], view: str, threads: int | None) -> NDArray[np.int16]:
    values, for_mover, network = np.empty(len(records), np.int16), np.int64(is_mover(view)), network_record(source)

    def work(rows: slice) -> None:
        accumulator, evaluation = make_record(ACCUMULATOR), make_evaluation()
        evaluate_by_network(records[rows], board_tables(), evaluation, network, accumulator, for_mover, values[rows])

    in_chunks(work, len(records), threads, _CHUNK)
    return values


def accumulators(
    source: NetworkSource, records: NDArray[Any], out: NDArray[Any] | None, threads: int | None
) -> NDArray[np.int16]:
    network, shape = network_record(source), (len(records), 2, HIDDEN)
    found = np.empty(shape, np.int16) if out is None else check_out(out, np.dtype(np.int16), shape)

    def work(rows: slice) -> None:
        fill_accumulators(records[rows], network, make_record(ACCUMULATOR), found[rows])

    in_chunks(work, len(records), threads)
    return found


@kernel
def evaluate_by_network(positions, tables, evaluation, network, accumulator, for_mover, values):
    """Write the value of each position for White, or for the side to move, as the engine's evaluate_position does."""
    forget(accumulator)
    last = np.int64(0)
    for row in range(len(positions)):
        position = positions[row]
        if is_judged_by_hand(position):
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
