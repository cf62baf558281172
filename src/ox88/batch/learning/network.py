"""Evaluations of many positions, by a network or by hand, and a network's hidden neurons as features for others.

Positions that follow each other in an array are often positions of a game. So each is computed from the one before it
if they have most pieces in common.
"""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import View, check_out, is_mover
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rules.fields import Fields
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.records import make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import damped
from ox88.engines.modern.evaluation.evaluate import evaluate as evaluate_by_hand
from ox88.engines.modern.evaluation.records import make_evaluation
from ox88.engines.modern.network.file import Network, NetworkError, read_network, shipped_network
from ox88.engines.modern.network.inference import add_one, forget, input_of, refresh, remove_one, value_of, view_of
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


class WithEvaluations(Fields):
    """Positions with static evaluations, and with the hidden neurons of a network."""

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

        def write(rows: slice, values: NDArray[np.int16]) -> None:
            scratch = make_evaluation(), make_record(ACCUMULATOR)
            fill_values(self._records[rows], board_tables(), network, *scratch, by_hand, for_mover, values)

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

        def work(rows: slice) -> None:
            fill_accumulators(self._records[rows], record, make_record(ACCUMULATOR), found[rows])

        in_chunks(work, len(self), threads)
        return found


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
