"""Slow, obvious twins of the network's kernels, on python-chess: in whole numbers as the kernels, and in fractions."""

from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.position import make_position
from ox88.bitboard.records import make_record
from ox88.engines.modern.network.file import Network
from ox88.engines.modern.network.inference import refresh, value_of
from ox88.engines.modern.network.records import (
    ACCUMULATOR,
    ACTIVATION_UNIT,
    BUCKETS,
    HIDDEN,
    INPUTS,
    MOST_INPUT_WEIGHT,
    MOST_OUTPUT_WEIGHT,
    NETWORK,
    OUTPUT_UNIT,
)
from tests.bitboard.naive import to_setup


def random_network(seed: int = 1, most: float = 0.1, hidden: int = HIDDEN) -> Network:
    """Evenly distributed weights. most: the largest ones, as a share of what a file may hold."""
    choice = np.random.default_rng(seed)

    def weights(limit: int, *shape: int) -> NDArray[np.int16]:
        return choice.integers(-limit, limit, shape, np.int16, endpoint=True)

    return Network(
        weights(int(MOST_INPUT_WEIGHT * most), INPUTS, hidden),
        weights(int(MOST_INPUT_WEIGHT * most), hidden),
        weights(int(MOST_OUTPUT_WEIGHT * most), BUCKETS, 2, hidden),
        choice.integers(-10_000, 10_000, BUCKETS),
        choice.integers(100, 600, BUCKETS),
        {"name": f"random {seed}"},
    )


def seen_by(board: chess.Board, side: chess.Color) -> chess.Board:
    """The board as a side sees it: its pieces are White's, and its king stands on files a to d."""
    board = board if side else board.mirror()
    king = board.king(chess.WHITE)
    assert king is not None
    return board.transform(chess.flip_horizontal) if chess.square_file(king) >= 4 else board


def inputs(board: chess.Board, side: chess.Color) -> list[int]:
    """The inputs that are on for a side."""
    pieces = seen_by(board, side).piece_map()
    return [
        (0 if piece.color else 384) + (piece.piece_type - 1) * 64 + square for square, piece in sorted(pieces.items())
    ]


def neurons(network: Network, board: chess.Board, side: chess.Color) -> NDArray[np.int64]:
    found: NDArray[np.int64] = network.input_weights[inputs(board, side)].sum(axis=0, dtype=np.int64)
    found += network.input_bias
    return found


def bucket(board: chess.Board) -> int:
    """The set of output weights."""
    return (len(board.piece_map()) - 1) // 4


def value(network: Network, board: chess.Board) -> int:
    """The output in centipawns for the side to move, in whole numbers."""
    total = 0
    for weights, side in zip(network.output_weights[bucket(board)], (board.turn, not board.turn), strict=True):
        clipped = neurons(network, board, side).clip(0, ACTIVATION_UNIT)
        total += int((clipped * clipped * weights.astype(np.int64)).sum())
    total = total // ACTIVATION_UNIT + int(network.output_bias[bucket(board)])
    return total * int(network.scale[bucket(board)]) // (ACTIVATION_UNIT * OUTPUT_UNIT)


def exact_value(network: Network, board: chess.Board) -> float:
    """The output in centipawns in fractions, as a trainer computes it."""
    total = int(network.output_bias[bucket(board)]) / (ACTIVATION_UNIT * OUTPUT_UNIT)
    for weights, side in zip(network.output_weights[bucket(board)], (board.turn, not board.turn), strict=True):
        activations = (neurons(network, board, side) / ACTIVATION_UNIT).clip(0.0, 1.0) ** 2
        total += float(activations @ (weights / OUTPUT_UNIT))
    return total * int(network.scale[bucket(board)])


# --- The kernels, called alike ----------------------------------------------------------------------------------------


def network_record(network: Network) -> Any:
    record = make_record(NETWORK)
    network.fill(record)
    return record


def refreshed(record: Any, board: chess.Board) -> Any:
    """The ACCUMULATOR of a board. record: NETWORK."""
    accumulator = make_record(ACCUMULATOR)
    for side in range(2):
        refresh(record, accumulator, make_position(to_setup(board)), np.int64(side))
    return accumulator


def kernel_value(record: Any, board: chess.Board) -> int:
    return int(value_of(record, refreshed(record, board), make_position(to_setup(board))))
