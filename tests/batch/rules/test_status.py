"""Checks, attacks and outcomes in bulk, compared with python-chess."""

import operator
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

import ox88
from tests.batch.samples import boards, positions

ENDS = {
    "7k/5Q2/6K1/8/8/8/8/8 b - - 150 90": ox88.Outcome.STALEMATE,
    "7k/6Q1/6K1/8/8/8/8/8 b - - 150 90": ox88.Outcome.CHECKMATE,
    "7k/8/6K1/8/8/8/8/8 b - - 150 90": ox88.Outcome.INSUFFICIENT_MATERIAL,
    "7k/8/5bK1/8/8/8/8/6B1 w - - 0 90": ox88.Outcome.INSUFFICIENT_MATERIAL,
    "7k/8/6K1/5b2/8/8/8/6B1 w - - 0 90": ox88.Outcome.NONE,
    "7k/8/6K1/8/8/8/8/R7 b - - 150 90": ox88.Outcome.SEVENTYFIVE_MOVES,
    "7k/8/6K1/8/8/8/8/R7 b - - 149 90": ox88.Outcome.FIFTY_MOVES,
    "7k/8/6K1/8/8/8/8/R7 b - - 100 90": ox88.Outcome.FIFTY_MOVES,
    "7k/8/6K1/8/8/8/8/R7 b - - 99 90": ox88.Outcome.NONE,
}


def test_pieces_are_counted() -> None:
    counts = positions().piece_counts()
    assert counts.dtype == np.uint8
    assert counts.shape == (len(positions()), 2, 6)
    for board, found in zip(boards(), counts.tolist(), strict=True):
        kinds = range(chess.PAWN, chess.KING + 1)
        assert found == [[len(board.pieces(kind, colour)) for kind in kinds] for colour in (chess.WHITE, chess.BLACK)]
    sides = counts @ [100, 300, 300, 500, 900, 0]
    assert np.array_equal(sides[:, 0] - sides[:, 1], positions().material)
    assert np.array_equal(positions()[[3] * 20_000].piece_counts(threads=2), counts[[3] * 20_000])
    assert ox88.Positions().piece_counts().shape == (0, 2, 6)


def test_checkers() -> None:
    assert positions().checkers().tolist() == [board.checkers_mask() for board in boards()]
    assert positions().is_check().tolist() == [board.is_check() for board in boards()]


def attacked(board: chess.Board, colour: chess.Color) -> int:
    return sum(chess.BB_SQUARES[square] for square in chess.SQUARES if board.is_attacked_by(colour, square))


def pinned(board: chess.Board, colour: chess.Color) -> int:
    own = chess.SquareSet(board.occupied_co[colour])
    return sum(chess.BB_SQUARES[square] for square in own if board.is_pinned(colour, square))


@pytest.mark.parametrize("twin", [attacked, pinned])
def test_squares_of_a_side(twin: Callable[[chess.Board, chess.Color], int]) -> None:
    """chess.WHITE is True, which equals 1, Ox88's Black."""
    some, of_some = positions()[::3], boards()[::3]
    method: Any = some.attacks if twin is attacked else some.pinned
    white, black = ([twin(board, colour) for board in of_some] for colour in chess.COLORS)
    assert min(sum(map(bool, white)), sum(map(bool, black))) > 5
    turns = [board.turn for board in of_some]
    movers = [twin(board, board.turn) for board in of_some]
    for expected, colours in (
        (white, (chess.WHITE, ox88.WHITE, np.int8(0))),
        (black, (chess.BLACK, ox88.BLACK, np.int8(1))),
        (movers, (None, some.turn, turns, tuple(turns), [int(not turn) for turn in turns])),
        ([twin(board, not board.turn) for board in of_some], (1 - some.turn,)),
    ):
        for colour in colours:
            assert method(colour).tolist() == expected


def test_turns_are_plain_and_white_to_move_is_compared() -> None:
    turn, white, turns = positions().turn, positions().white_to_move, [board.turn for board in boards()]
    assert [type(array).__name__ for array in (turn, white)] == ["ndarray", "ndarray"]
    assert [str(array.dtype) for array in (turn, white)] == ["uint8", "bool"]
    assert operator.eq(chess.WHITE, white).tolist() == (white == chess.WHITE).tolist() == white.tolist() == turns
    assert [colour in {chess.WHITE} for colour in white.tolist()] == turns
    assert positions()[white] == positions()[turn == ox88.WHITE]
    assert (turn.flags.writeable, white.flags.writeable) == (False, False)


AMBIGUOUS = r"ox88\.WHITE = 0, ox88\.BLACK = 1,? or"


@pytest.mark.parametrize(
    ("colours", "reason"),
    [
        *((colours, AMBIGUOUS) for colours in (np.array([True, False]), np.True_, [np.True_, np.False_], [True, 1])),
        *((colours, AMBIGUOUS) for colours in ((0, False), "w", 1.0)),
        *((colours, "0 for White and 1 for Black") for colours in (2, -1, [0, 2])),
        ([0, 1, 0], "colours of shape"),
    ],
)
def test_colours_that_are_refused(colours: Any, reason: str) -> None:
    for method in (positions()[:2].attacks, positions()[:2].pinned):
        with pytest.raises(TypeError if reason == AMBIGUOUS else ox88.Ox88Error, match=reason):
            method(colours)
    assert len(positions()[:0].attacks([])) == 0


def end_of(board: chess.Board, claim: bool) -> str:
    outcome = board.outcome()
    if outcome:
        return outcome.termination.name
    return "FIFTY_MOVES" if claim and board.is_fifty_moves() else "NONE"


def test_outcomes() -> None:
    everything = [*boards(), *map(chess.Board, ENDS)]
    tried = ox88.Positions.from_boards(everything)
    for claim in (False, True):
        found = tried.outcome(claim_draw=claim)
        assert [ox88.Outcome(code).name for code in found] == [end_of(board, claim) for board in everything]
    assert tried.outcome(claim_draw=True)[-len(ENDS) :].tolist() == list(ENDS.values())
    assert tried.is_checkmate().tolist() == [board.is_checkmate() for board in everything]
    assert tried.is_stalemate().tolist() == [board.is_stalemate() for board in everything]
    assert tried.is_checkmate().sum() == tried.is_stalemate().sum() == 1
