"""Neurons and output: the kernels equal their twins in whole numbers, and nearly those in fractions."""

import random
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.bitboard.records import MAX_PLY
from ox88.engines.benchmark import TACTICS
from ox88.engines.modern.evaluation.weights import CLOCK_SHIFT, MAX_VALUE
from ox88.engines.modern.network.file import Network, read_network
from ox88.engines.modern.network.records import BUCKETS, HIDDEN, INPUTS, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT
from ox88.engines.modern.nodes import make_null_move, unmake_move, unmake_null_move
from ox88.engines.modern.options import SHIPPED_NETWORK
from ox88.engines.modern.records import BEFORE_ROOT
from ox88.engines.modern.static_eval import evaluate_position
from ox88.engines.modern.thread import SearchThread
from tests.bitboard.naive import positions, start_board, to_int
from tests.engines.modern.network import naive
from tests.engines.modern.roots import TABLE, TABLES, frame_of, play_on, set_root
from tests.positions import boards, random_board

NETWORK = naive.random_network()
RECORD = naive.network_record(NETWORK)


@settings(max_examples=40)
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
    for board in [*positions()[::22], chess.Board("4k3/8/8/8/8/8/4P3/2K5 w - - 0 1")]:
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


@settings(max_examples=40)
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


# --- Neurons that follow moves: in any order of moves, null moves, moves taken back and evaluations ------------------


@pytest.fixture(scope="module")
def thread() -> SearchThread:
    return SearchThread(NETWORK)


class Walk:
    """A search's line and its twin. Steps are chosen at random; rare kinds of moves are preferred."""

    def __init__(self, thread: SearchThread, seed: int) -> None:
        self.choice = random.Random(seed)
        self.board = start_board(seed, self.choice)
        for _ in range(self.choice.randrange(60)):
            self.board.push(self.choice.choice(list(self.board.legal_moves)))
            if not any(self.board.legal_moves):
                self.board.pop()
                break
        self.record = set_root(thread, self.board)
        self.plies = 0

    def step(self) -> None:
        going_back = self.plies and self.choice.random() < 0.3
        moves = list(self.board.legal_moves)
        if going_back or not moves or self.plies == MAX_PLY - 2:
            self.go_back()
        elif self.choice.random() < 0.1 and not self.board.is_check():
            make_null_move(self.record, TABLES, TABLE, frame_of(self.record))
            self.board.push(chess.Move.null())
            self.plies += 1
        else:
            self.go_on(moves)

    def go_on(self, moves: list[chess.Move]) -> None:
        board = self.board
        kinds: tuple[Callable[[chess.Move], Any], ...] = (
            bool, board.is_castling, board.is_en_passant, board.is_capture, lambda move: move.promotion,
            lambda move: board.piece_type_at(move.from_square) == chess.KING,
        )  # fmt: skip
        chosen = [[move for move in moves if is_of(move)] for is_of in kinds]
        move = self.choice.choice(self.choice.choice([some for some in chosen if some]))
        play_on(self.record, to_int(board, move))
        board.push(move)
        self.plies += 1

    def go_back(self) -> None:
        if not self.plies:
            return
        before = self.record.frames[int(self.record.ply) + BEFORE_ROOT - 1]
        if self.board.pop():
            unmake_move(self.record, before)
        else:
            unmake_null_move(self.record, before)
        self.plies -= 1


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.floats(0.1, 1.0))
def test_neurons_follow_the_moves(thread: SearchThread, seed: int, evaluated: float) -> None:
    walk = Walk(thread, seed)
    for _ in range(120):
        walk.step()
        if walk.choice.random() > evaluated:
            continue
        value = int(evaluate_position(walk.record, TABLES))
        if walk.board.occupied.bit_count() <= 4 or any(has_lone_king(walk.board, side) for side in chess.COLORS):
            continue
        assert value == expected_value(walk.board), walk.board.fen()
        for side in chess.COLORS:
            neurons = frame_of(walk.record).accumulator.neurons[int(not side)]
            assert np.array_equal(neurons, naive.neurons(NETWORK, walk.board, side)), walk.board.fen()


def has_lone_king(board: chess.Board, side: chess.Color) -> bool:
    return len(chess.SquareSet(board.occupied_co[side])) == 1


def expected_value(board: chess.Board, network: Network = NETWORK) -> int:
    value = naive.value(network, board)
    value -= value * board.halfmove_clock >> CLOCK_SHIFT
    return min(max(value, -MAX_VALUE), MAX_VALUE)


@pytest.mark.parametrize(
    ("fen", "by_hand"),
    [
        ("8/8/8/4k3/8/8/8/4KBN1 w - - 0 1", True),
        ("8/8/2r5/3k4/8/8/1Q6/K7 w - - 0 1", True),
        ("8/8/2n5/3k4/8/8/1Q6/K7 b - - 0 1", True),
        ("8/8/4k3/1q6/8/8/1B6/K7 w - - 0 1", True),
        ("8/8/2b5/3k4/8/8/1R6/K7 w - - 0 1", False),
        ("8/8/2q5/3k4/8/8/1Q6/K7 w - - 0 1", False),
        ("8/8/2p5/3k4/8/8/1Q6/K7 w - - 0 1", False),
        ("8/8/2rr4/3k4/8/8/1Q6/K7 w - - 0 1", False),
        ("8/8/2r5/3k4/8/8/1QP5/K7 w - - 0 1", False),
    ],
)
def test_a_king_that_is_driven_to_the_edge_is_evaluated_by_hand(fen: str, by_hand: bool) -> None:
    board = chess.Board(fen)
    values = [
        int(evaluate_position(set_root(SearchThread(network), board), TABLES))
        for network in (None, NETWORK, naive.random_network(2))
    ]
    assert (len(set(values)) == 1) == by_hand


def test_another_network_or_none_begins_without_the_neurons_of_the_first() -> None:
    thread, board = SearchThread(NETWORK), chess.Board(TACTICS[0])
    by_hand = int(evaluate_position(set_root(SearchThread(), board), TABLES))
    for network in (NETWORK, naive.random_network(2), None, NETWORK):
        thread.set_network(network)
        expected = expected_value(board, network) if network else by_hand
        assert int(evaluate_position(set_root(thread, board), TABLES)) == expected
    assert by_hand != expected
