"""The evaluation: its terms, switches and sum against a naive twin; symmetry, bounds, and known endgames."""

from collections.abc import Iterator
from random import Random
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given

from ox88.bitboard.position import make_position
from ox88.bitboard.tables import board_tables
from ox88.engines.base import MOST_CENTIPAWNS
from ox88.engines.modern.evaluation import weights
from ox88.engines.modern.evaluation.evaluate import evaluate, explain
from ox88.engines.modern.evaluation.records import (
    TERM_NAMES,
    make_evaluation,
    pack,
    switch_off,
    unpack,
)
from ox88.engines.modern.options import SWITCHED
from tests.bitboard.naive import to_setup
from tests.engines.modern.evaluation import naive
from tests.positions import boards, either_colour, place

USED = make_evaluation()  # Its pawn table fills up from test to test.


def value_of(board: chess.Board, evaluation: Any = USED) -> int:
    with np.errstate(over="ignore"):
        return int(evaluate(make_position(to_setup(board)), board_tables(), evaluation))


def value_of_fen(fen: str) -> int:
    return value_of(chess.Board(fen))


@given(boards())
def test_both_colours_are_judged_alike(board: chess.Board) -> None:
    assert value_of(board) == value_of(board.mirror())


@given(boards())
def test_the_pawn_table_changes_nothing_and_values_are_bounded(board: chess.Board) -> None:
    value = value_of(board, make_evaluation())
    assert value == value_of(board) == value_of(board)
    assert abs(value) <= weights.MAX_VALUE


@pytest.mark.parametrize("key", ["kings", "white", "black"])
def test_an_entry_of_other_boards_is_not_taken(key: str) -> None:
    evaluation, board = make_evaluation(), naive.sample_boards()[1]
    value = value_of(board, evaluation)
    for entry in evaluation.pawn_table:
        entry.sides[0].structure += pack(500, 500)
    assert value_of(board, evaluation) != value
    for entry in evaluation.pawn_table:
        if key == "kings":
            entry.kings ^= 1
        else:
            entry.sides[int(key == "black")].boards ^= np.uint64(1 << 20)
    assert value_of(board, evaluation) == value


def test_the_value_is_the_tapered_sum_of_the_terms() -> None:
    for board in naive.sample_boards():
        value, found = explain(make_position(to_setup(board)))
        sign = 1 if board.turn else -1
        leads = [(white[0] - black[0], white[1] - black[1]) for white, black in found.values()]
        middlegame, endgame = (weights.TEMPO[i] + sign * sum(lead[i] for lead in leads) for i in (0, 1))
        strong = board.turn if endgame > 0 else not board.turn
        pawns, phase = len(board.pieces(chess.PAWN, strong)), min(naive.phase(board), weights.FULL_PHASE)
        if pawns < 4 or not board.pieces(chess.PAWN, not strong) or one_bishop_each(board):
            continue  # Scaled.
        expected = (middlegame * phase + endgame * (weights.FULL_PHASE - phase)) // weights.FULL_PHASE
        expected -= expected * board.halfmove_clock >> weights.CLOCK_SHIFT
        assert value == expected, board.fen()


def one_bishop_each(board: chess.Board) -> bool:
    return all(len(board.pieces(chess.BISHOP, colour)) == 1 for colour in chess.COLORS)


@pytest.mark.parametrize(
    ("fen", "bound"),
    [
        ("8/8/4k3/8/8/2B5/4K3/8 w - - 0 1", 0),
        ("8/8/4k3/8/8/2N5/4K3/8 b - - 0 1", 0),
        ("8/8/4k3/8/8/8/4K3/8 w - - 0 1", 0),
        ("8/8/4k3/3n4/8/2B5/4K3/8 b - - 0 1", 0),
        ("8/8/4k3/8/8/2NN4/4K3/8 w - - 0 1", 30),
        ("8/8/4k3/4b3/8/2R5/4K3/8 w - - 0 1", 30),
        ("8/8/3rk3/4b3/8/2R5/4K3/8 b - - 0 1", 120),
        ("7k/8/8/7P/8/3B4/4K3/8 w - - 0 1", 0),  # h8 is dark, the bishop is not.
        ("8/8/8/2b5/7p/8/5k2/7K b - - 0 1", 0),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", 0),
        ("8/5k2/4b3/4P3/3P4/2B5/4K3/8 w - - 0 1", 130),  # Bishops of opposite colours.
    ],
)
def test_what_cannot_be_won_counts_little(fen: str, bound: int) -> None:
    assert abs(value_of_fen(fen)) <= bound


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/8/2Q5/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/2R5/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/2BN4/4K3/8 w - - 0 1",
        "8/8/4k3/8/8/2BB4/4K3/8 w - - 0 1",
        "k7/8/8/7P/8/3B4/4K3/8 w - - 0 1",
        "k7/8/8/P7/8/3B4/4K3/8 w - - 0 1",
        "8/8/8/2b5/p7/8/2k5/K7 b - - 0 1",  # a1 is dark, and so is the bishop.
    ],
)
def test_what_can_be_won_counts_much(fen: str) -> None:
    assert value_of_fen(fen) > 300


def test_a_game_without_progress_goes_towards_a_draw() -> None:
    values = [value_of_fen(f"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - {clock} 90") for clock in (0, 30, 60, 99)]
    assert values == sorted(values, reverse=True)
    assert 0 < values[-1] < values[0] * 3 // 4


def test_sensible_opinions() -> None:
    start = value_of(chess.Board())
    assert 0 < start < 40
    assert value_of_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700
    # The same with all pieces: a passed pawn is worth more the farther it is.
    ranks = [
        value_of_fen(f"6k1/6pp/{rows}/6PP/6K1 w - - 0 1") for rows in ("8/8/8/P7", "8/8/P7/8", "8/P7/8/8", "P7/8/8/8")
    ]
    assert ranks == sorted(ranks)


def test_values_stay_bounded_with_fifteen_queens_and_whatever_the_weights_are() -> None:
    queens = chess.Board("QQQQQQ1k/QQQQQ3/8/8/8/QQQ5/8/K2Q4 b - - 0 1")
    assert weights.MAX_VALUE // 2 < -value_of(queens) <= weights.MAX_VALUE == MOST_CENTIPAWNS
    wild = make_evaluation()
    for tempo, bound in ((50_000, weights.MAX_VALUE), (-50_000, -weights.MAX_VALUE)):
        wild.weights.tempo = pack(tempo, tempo)
        assert value_of(chess.Board(), wild) == bound


@pytest.mark.parametrize("pair", [(0, 0), (5, -7), (-5, 7), (-300, -400), (1 << 20, -(1 << 20))])
def test_packing(pair: tuple[int, int]) -> None:
    assert unpack(pack(*pair)) == pair
    assert unpack(3 * pack(*pair) - pack(1, -1)) == (3 * pair[0] - 1, 3 * pair[1] + 1)


# --- Terms ------------------------------------------------------------------------------------------------------------


def named_terms(board: chess.Board) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
    return explain(make_position(to_setup(board)))[1]


@pytest.mark.parametrize("name", naive.TERMS)
def test_a_term_is_that_of_its_twin(name: str) -> None:
    twin = naive.TERMS[name]
    values = set()
    for board in naive.sample_boards():
        term = named_terms(board)[name]
        assert term == (twin(board), twin(board.mirror())), board.fen()
        values |= set(term)
    assert len(values) > 20


DRIVING = (
    "Qk", "Rk", "BBk", "BNk", "BBNk", "RNk", "QQRk", "NNNBk", "RPk", "BNPk", "Qkr", "Qkb", "Qkn",
)  # fmt: skip
NOT_DRIVING = (
    "Bk", "Nk", "NNk", "NNNk", "Pk", "BPk", "NPk", "Rkb", "Rkn", "Rkr", "Qkq", "Qkp", "Qkbn", "Qknn", "Qkrp", "QPkr",
    "QQkr", "Rkp", "BBkn", "BNkp", "Qkrn", "QBkr",
)  # fmt: skip


def placed(men: str) -> Iterator[chess.Board]:
    """Some positions with kings and these men, of either colour and turn."""
    random = Random(men)
    for _ in range(20):
        yield either_colour(place(f"K{men}", random), random)


@pytest.mark.parametrize("men", [*DRIVING, *NOT_DRIVING])
def test_a_king_is_driven_to_its_mate_where_that_wins(men: str) -> None:
    driven = 0
    for board in placed(men):
        expected = [naive.driving(side) for side in (board, board.mirror())]
        assert named_terms(board)["driving"] == ((0, expected[0]), (0, expected[1])), board.fen()
        driven += any(expected)
    assert driven == 20 * (men in DRIVING) or (driven and men in ("BBk", "BBNk"))  # Bishops may be of one colour.


def test_bishop_and_knight_drive_to_a_corner_and_not_along_a_diagonal() -> None:
    """The bishop goes on dark squares. Every king is two steps from White's."""
    values = []
    for kings in ("d3d5", "d2d4", "d4d2", "d3b3", "c3a2", "c3a1"):
        board = chess.Board(None)
        board.set_piece_at(chess.parse_square(kings[:2]), chess.Piece.from_symbol("K"))
        board.set_piece_at(chess.parse_square(kings[2:]), chess.Piece.from_symbol("k"))
        board.set_piece_at(chess.F8, chess.Piece.from_symbol("B"))
        board.set_piece_at(chess.H7, chess.Piece.from_symbol("N"))
        values.append(named_terms(board)["driving"][0][1])
    assert values == sorted(values), values
    assert values[-1] - values[0] == 7 * weights.DRIVING_CORNER[1]


# --- Switches ---------------------------------------------------------------------------------------------------------

TERM_OF = {
    "use_piece_squares": "piece squares",
    "use_mobility": "mobility",
    "use_pieces": "pieces",
    "use_pawn_structure": "pawns",
    "use_passed_pawns": "passed pawns",
    "use_king_safety": "king safety",
    "use_threats": "threats",
}


def terms_of(position: Any, evaluation: Any) -> dict[str, list[int]]:
    evaluate(position, board_tables(), evaluation)
    return {name: [int(evaluation.sides[colour].terms[n]) for colour in (0, 1)] for n, name in enumerate(TERM_NAMES)}


@pytest.mark.parametrize("switch", SWITCHED)
def test_what_is_switched_off_is_nothing_and_the_rest_stays(switch: str) -> None:
    every, some = make_evaluation(), make_evaluation()
    switch_off(some, {switch})
    seen = False
    for board in naive.sample_boards():
        position = make_position(to_setup(board))
        expected = terms_of(position, every)
        seen |= any(expected[TERM_OF[switch]])
        assert terms_of(position, some) == expected | {TERM_OF[switch]: [0, 0]}, board.fen()
    assert seen
