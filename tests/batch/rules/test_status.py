"""Checks, attacks and outcomes in bulk, compared with python-chess."""

import operator
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


@pytest.mark.parametrize("threads", [1, 2])
def test_checkers(threads: int) -> None:
    found = positions().checkers(threads=threads)
    assert found.dtype == np.uint64
    assert found.tolist() == [board.checkers_mask() for board in boards()]
    assert positions().is_check(threads=threads).tolist() == [board.is_check() for board in boards()]


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


def test_colours_of_python_chess() -> None:
    """chess.WHITE is True, which equals 1, Ox88's Black."""
    some, of_some = positions()[::9], boards()[::9]
    turns = [board.turn for board in of_some]
    for method, twin in ((some.attacks, attacked), (some.pinned, pinned)):
        white, black = ([twin(board, colour) for board in of_some] for colour in chess.COLORS)
        assert white != black
        assert method(chess.WHITE).tolist() == method(ox88.WHITE).tolist() == method(np.int8(0)).tolist() == white
        assert method(chess.BLACK).tolist() == method(ox88.BLACK).tolist() == method(np.int8(1)).tolist() == black
        movers = [twin(board, board.turn) for board in of_some]
        assert method().tolist() == method(turns).tolist() == method(tuple(turns)).tolist() == movers
        assert method([int(not turn) for turn in turns]).tolist() == movers


def test_turns_are_plain_and_white_to_move_is_compared() -> None:
    turn, white, turns = positions().turn, positions().white_to_move, [board.turn for board in boards()]
    assert [type(array).__name__ for array in (turn, white)] == ["ndarray", "ndarray"]
    assert [str(array.dtype) for array in (turn, white)] == ["uint8", "bool"]
    assert operator.eq(chess.WHITE, white).tolist() == (white == chess.WHITE).tolist() == white.tolist() == turns
    assert [colour in {chess.WHITE} for colour in white.tolist()] == turns
    assert positions()[white] == positions()[turn == ox88.WHITE]
    assert (turn.flags.writeable, white.flags.writeable) == (False, False)


def test_ambiguous_colours_are_refused() -> None:
    some = positions()[:2]
    ambiguous: tuple[Any, ...] = (
        np.array([True, False]),
        np.True_,
        [np.True_, np.False_],
        [True, 1],
        (0, False),
        "w",
        1.0,
    )
    for colours in ambiguous:
        for method in (some.attacks, some.pinned):
            with pytest.raises(TypeError, match=r"ox88\.WHITE = 0, ox88\.BLACK = 1,? or"):
                method(colours)
    assert len(some[:0].attacks([])) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_pinned(threads: int) -> None:
    for colour in chess.COLORS:
        expected = [pinned(board, colour) for board in boards()]
        assert sum(map(bool, expected)) > 9
        assert positions().pinned(colour, threads=threads).tolist() == expected


def pinned(board: chess.Board, colour: chess.Color) -> int:
    own = chess.SquareSet(board.occupied_co[colour])
    return sum(chess.BB_SQUARES[square] for square in own if board.is_pinned(colour, square))


def test_attacks_of_no_colour() -> None:
    for wrong in (2, -1, [0] * (len(positions()) - 1) + [2]):
        with pytest.raises(ox88.Ox88Error, match="0 for White and 1 for Black"):
            positions().attacks(wrong)
    with pytest.raises(ox88.Ox88Error, match="colours of shape"):
        positions().attacks([0, 1])
    with pytest.raises(TypeError, match="colours of"):
        positions().attacks("white")  # type: ignore[arg-type]


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


@pytest.mark.parametrize("threads", [1, 2])
def test_checkmate_and_stalemate(threads: int) -> None:
    everything = [*boards(), *(chess.Board(fen) for fen in ENDS)]
    tried = ox88.Positions.from_boards(everything)
    mates = [board.is_checkmate() for board in everything]
    assert True in mates
    assert tried.is_checkmate(threads=threads).tolist() == mates
    assert tried.is_checkmate().dtype == np.bool_
    assert tried.is_stalemate(threads=threads).tolist() == [board.is_stalemate() for board in everything]
    assert tried.is_stalemate().sum() == 1


def test_named_ends() -> None:
    ends = ox88.Positions.from_fens(ENDS)
    assert ends.outcome(claim_draw=True).tolist() == list(ENDS.values())
    plain = [ox88.Outcome.NONE if end == ox88.Outcome.FIFTY_MOVES else end for end in ENDS.values()]
    assert ends.outcome().tolist() == plain
