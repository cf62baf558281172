"""Checks, attacks and outcomes in bulk, compared with python-chess."""

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


@pytest.mark.parametrize("threads", [1, 2])
def test_checkers(threads: int) -> None:
    found = positions().checkers(threads=threads)
    assert found.dtype == np.uint64
    assert found.tolist() == [board.checkers_mask() for board in boards()]
    assert positions().in_check(threads=threads).tolist() == [board.is_check() for board in boards()]


def attacked(board: chess.Board, colour: chess.Color) -> int:
    return sum(chess.BB_SQUARES[square] for square in chess.SQUARES if board.is_attacked_by(colour, square))


@pytest.mark.parametrize("threads", [1, 2])
def test_attacks(threads: int) -> None:
    some = boards()[::3]
    white, black = ([attacked(board, colour) for board in some] for colour in chess.COLORS)
    assert positions()[::3].attacks(0, threads=threads).tolist() == white
    assert positions()[::3].attacks(1, threads=threads).tolist() == black
    movers = [pair[not board.turn] for *pair, board in zip(white, black, some, strict=True)]
    assert positions()[::3].attacks(threads=threads).tolist() == movers
    turned = 1 - positions()[::3].turn
    others = [pair[board.turn] for *pair, board in zip(white, black, some, strict=True)]
    assert positions()[::3].attacks(turned, threads=threads).tolist() == others


def test_attacks_of_no_colour() -> None:
    for wrong in (2, -1, [0] * (len(positions()) - 1) + [2]):
        with pytest.raises(ox88.Ox88Error, match="0 for White and 1 for Black"):
            positions().attacks(wrong)
    with pytest.raises(ox88.Ox88Error, match="colours of shape"):
        positions().attacks([0, 1])
    with pytest.raises(TypeError, match="colours of"):
        positions().attacks("white")


def end_of(board: chess.Board, claim: bool) -> str:
    outcome = board.outcome()
    if outcome:
        return outcome.termination.name
    return "FIFTY_MOVES" if claim and board.is_fifty_moves() else "NONE"


@pytest.mark.parametrize("threads", [1, 2])
def test_outcomes(threads: int) -> None:
    everything = [*boards(), *(chess.Board(fen) for fen in ENDS)]
    tried = ox88.Positions.from_boards(everything)
    for claim in (False, True):
        found = tried.outcome(claim_draw=claim, threads=threads)
        assert found.dtype == np.int8
        assert [ox88.Outcome(code).name for code in found] == [end_of(board, claim) for board in everything]


def test_named_ends() -> None:
    ends = ox88.Positions.from_fens(ENDS)
    assert ends.outcome(claim_draw=True).tolist() == list(ENDS.values())
    plain = [ox88.Outcome.NONE if end == ox88.Outcome.FIFTY_MOVES else end for end in ENDS.values()]
    assert ends.outcome().tolist() == plain
