"""Neurons and output: the kernels equal their twins in whole numbers, and nearly those in fractions."""

import chess
import numpy as np
import pytest
from hypothesis import given

from ox88.engines.modern.network.file import Network, read_network
from ox88.engines.modern.network.records import BUCKETS, HIDDEN, INPUTS, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT
from ox88.engines.modern.options import SHIPPED_NETWORK
from tests.bitboard.naive import positions
from tests.engines.modern.network import naive
from tests.positions import boards, random_board

NETWORK = naive.random_network()
RECORD = naive.network_record(NETWORK)


@given(boards())
def test_every_piece_switches_on_an_input_of_its_own(board: chess.Board) -> None:
    for side in chess.COLORS:
        found = naive.inputs(board, side)
        assert len(set(found)) == len(board.piece_map())
        assert 0 <= min(found) <= max(found) < INPUTS


@pytest.mark.parametrize(
    "network",
    [*(naive.random_network(7, most) for most in (0.02, 0.1, 1.0)), read_network(SHIPPED_NETWORK)],
    ids=["small weights", "random weights", "large weights", "Ox88's"],
)
def test_the_output_is_its_twin_s_and_only_rounding_parts_it_from_fractions(network: Network) -> None:
    record = naive.network_record(network)
    buckets = set()
    for board in [*positions()[::11], chess.Board("4k3/8/8/8/8/8/4P3/2K5 w - - 0 1")]:
        value = naive.kernel_value(record, board)
        assert value == naive.value(network, board), board.fen()
        assert is_near(value, network, board), board.fen()
        buckets.add(naive.bucket(board))
    assert buckets == set(range(BUCKETS))


def is_near(value: int, network: Network, board: chess.Board) -> bool:
    """True if only rounding parts a value from that in fractions.

    Whole numbers lose less than one 255th of the 64th of 1.0 in the sum, and one centipawn in the end.
    """
    exact = naive.exact_value(network, board)
    largest = 1.0 + int(network.scale[naive.bucket(board)]) / (255 * 64)
    return exact - largest - 1e-6 <= value <= exact + 1e-6


@given(boards())
def test_mirrored_and_flipped_positions_are_alike(board: chess.Board) -> None:
    board.castling_rights = chess.BB_EMPTY
    found = naive.kernel_value(RECORD, board)
    assert naive.kernel_value(RECORD, board.mirror()) == found
    assert naive.kernel_value(RECORD, board.transform(chess.flip_horizontal)) == found


def test_the_largest_weights_fit() -> None:
    """All weights at a limit, with the signs that make sums and products largest."""
    crowded = random_board(1, 0)
    for sign in (1, -1):
        network = Network(
            np.full((INPUTS, HIDDEN), MOST_INPUT_WEIGHT, np.int16),
            np.full(HIDDEN, MOST_INPUT_WEIGHT, np.int16),
            np.full((BUCKETS, 2, HIDDEN), sign * MOST_OUTPUT_WEIGHT, np.int16),
            np.zeros(BUCKETS, np.int64),
            np.full(BUCKETS, 400),
        )
        found = naive.kernel_value(naive.network_record(network), crowded)
        assert found == naive.value(network, crowded)
        assert found * sign > 100_000
