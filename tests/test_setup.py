"""`Setup`: what its FEN says, the rules that it breaks, attacks and castling as python-chess sees them."""

import dataclasses
import pickle
from typing import Any

import chess
import chess.svg
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ox88 import types
from ox88.errors import IllegalPositionError, Ox88Error
from ox88.fen import STARTPOS, FenError
from ox88.setup import Setup, format_fen, parse_fen, parse_uci
from ox88.types import format_uci
from tests.positions import EN_PASSANT_FENS, FENS, boards


@pytest.mark.parametrize(
    ("fen", "uci", "chess960"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1h1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "e1a1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", "e8h8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "e8a8"),
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "f1g1"),
    ],
)
def test_castling_is_told_from_the_position(fen: str, uci: str, chess960: str) -> None:
    setup = parse_fen(fen)
    move = parse_uci(chess960, setup)
    assert types.is_castling(move)
    assert (format_uci(move), format_uci(move, chess960=True)) == (uci, chess960)
    assert parse_uci(uci, setup) == move


@pytest.mark.parametrize(
    "text", ["", "e2", "e2e9", "e7e8k", "e7e8qq", "0000x", "E2E4", "e2e4 ", "000", "--", "a1a1", "e2e2"]
)
def test_what_is_no_uci_move(text: str) -> None:
    with pytest.raises(Ox88Error, match="is not a "):
        parse_uci(text, parse_fen("startpos"))


@given(boards() | st.sampled_from(EN_PASSANT_FENS).map(chess.Board))
@example(chess.Board("4k3/8/8/p7/7P/8/8/4K3 b - h3 0 1"))  # a5 is the next number after h4, and not beside it.
def test_a_setup_is_what_python_chess_says(board: chess.Board) -> None:
    setup = parse_fen(board.fen(shredder=True, en_passant="fen"))
    assert setup.is_chess960() == board.has_chess960_castling_rights()
    assert setup.is_check() == board.is_check()
    for square in range(64):
        for colour in (types.WHITE, types.BLACK):
            assert setup.is_attacked(square, colour) == board.is_attacked_by(colour == types.WHITE, square)
    assert setup.has_pseudo_legal_en_passant() == board.has_pseudo_legal_en_passant()
    assert setup.has_legal_en_passant() == board.has_legal_en_passant()
    for move in board.legal_moves:
        text = board.uci(move, chess960=board.chess960)
        assert format_uci(parse_uci(text, setup), chess960=board.chess960) == text
    assert str(setup) == str(board)
    king = board.king(board.turn) if board.is_check() else None
    assert setup._repr_svg_() == chess.svg.board(board, check=king, size=360)


def test_a_setup_is_made_of_its_fen() -> None:
    for fen in FENS:
        setup = Setup(fen)
        assert setup == parse_fen(fen)
        assert setup.fen == format_fen(setup) == fen
        assert repr(setup) == f"Setup({fen!r})"
        assert eval(repr(setup), {"Setup": Setup}) == setup  # noqa: S307
        assert str(setup) == str(chess.Board(fen))
        assert pickle.loads(pickle.dumps(setup)) == setup  # noqa: S301
        assert dataclasses.replace(setup, halfmove_clock=7).fen.split()[4] == "7"
    assert Setup("startpos").fen == STARTPOS
    with pytest.raises(FenError, match="FEN '8/8': the board has 2 ranks"):
        Setup("8/8")
    with pytest.raises(TypeError, match="a Setup of a FEN and other fields"):
        Setup(STARTPOS, turn=types.BLACK)


def test_parts_of_a_setup_that_are_out_of_range() -> None:
    empty = (0,) * 64
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"board": 5}, TypeError, "a Setup of type int: a FEN, or the pieces on 64 squares, is expected"),
        ({"board": chess.Board()}, TypeError, "a Setup of type Board"),
        ({"board": empty[1:]}, Ox88Error, "a board of 63 squares: 64 are expected"),
        ({"board": (*empty[1:], 7)}, Ox88Error, "7 on the board is no piece: 0 for none, 1 to 6 or 9 to 14"),
        ({"board": (*empty[1:], "K")}, Ox88Error, "'K' on the board is no piece"),
        ({"turn": 2}, Ox88Error, r"the colour is 2: ox88\.WHITE = 0"),
        ({"turn": "w"}, TypeError, r"the colour is 'w': ox88\.WHITE = 0"),
        ({"castling": 7}, TypeError, "castling is 7: the squares of rooks are expected"),
        ({"castling": [64]}, Ox88Error, "a rook's square is 64: 0 to 63 is expected"),
        ({"en_passant": -1}, Ox88Error, "the en passant square is -1: 0 to 63 is expected"),
        ({"halfmove_clock": 1 << 16}, Ox88Error, "the halfmove clock is 65536: 0 to 65535 is expected"),
        ({"fullmove_number": 1.5}, TypeError, "the fullmove number is 1.5: a whole number is expected"),
    ]
    for fields, kind, reason in wrong:
        with pytest.raises(kind, match=reason):
            Setup(**{"board": empty} | fields)


def test_colours_of_python_chess() -> None:
    """chess.WHITE is True, which equals 1, Ox88's Black."""
    start = Setup(STARTPOS)
    for colour, same in ((types.WHITE, chess.WHITE), (types.BLACK, chess.BLACK)):
        assert types.as_colour(same) == types.as_colour(colour) == colour
        assert types.make_piece(types.KING, same) == types.make_piece(types.KING, colour)
        assert start.king_square(same) == start.king_square(colour) == (chess.E1, chess.E8)[colour]
        assert Setup(start.board, same) == Setup(start.board, colour)
        turned = dataclasses.replace(start, turn=same)
        assert (type(turned.turn), turned.turn) == (int, colour)
        assert turned.white_to_move is same
        assert start.is_attacked(chess.E3, same) == start.is_attacked(chess.E3, colour) == (colour == types.WHITE)
    ambiguous: Any
    for ambiguous in (np.True_, None, "white", 1.0):
        with pytest.raises(TypeError, match="or a colour of python-chess is expected"):
            types.as_colour(ambiguous)


@pytest.mark.parametrize("square", range(64))
def test_any_en_passant_square_is_judged(square: int) -> None:
    for turn in (types.WHITE, types.BLACK):
        setup = Setup((types.PAWN, types.BLACK_BIT | types.PAWN) * 32, turn, en_passant=square)
        assert setup.has_legal_en_passant() == setup.has_pseudo_legal_en_passant()
        assert setup.fen


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        ("8/8/8/8/8/8/8/4K3 w - -", ["Black has no king"]),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", ["White has 2 kings, not one"]),
        ("4k3/8/8/8/PPPPPPPP/P7/8/4K3 w - -", ["White has 9 pawns, more than 8"]),
        ("4k3/8/8/NNNNNNNN/PPPPPPPP/8/8/4K3 w - -", ["White has 17 pieces, more than 16"]),
        (
            "4k2P/8/8/8/8/8/8/p3K3 w - -",
            ["a pawn stands on a1, on a first or last rank", "a pawn stands on h8, on a first or last rank"],
        ),
        ("4k3/8/8/8/8/8/4r3/4K3 b - -", ["White is in check, but it is Black's move"]),
        (
            "8/8/8/8/8/8/8/8 w - -",
            ["White has no king", "Black has no king"],
        ),
    ],
)  # fmt: skip
def test_broken_rules_are_all_named(fen: str, rules: list[str]) -> None:
    setup = parse_fen(fen)
    assert list(setup.broken_rules()) == rules
    with pytest.raises(IllegalPositionError) as raised:
        setup.check()
    assert list(raised.value.rules) == rules
    assert all(rule in str(raised.value) for rule in rules)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/5P2/3N4/8/8/8/4R3/4K3 b - - 0 1",  # Three checkers.
        "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1",  # Two on one line.
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",  # Before the double step there was a check, too.
    ],
)
def test_checks_that_no_game_leads_to_are_legal(fen: str) -> None:
    assert not chess.Board(fen).is_valid()
    assert Setup(fen).check().fen == fen


@pytest.mark.parametrize(
    ("square", "rule"),
    [
        ("e6", "en passant on e6, but no pawn has just passed there"),
        ("d6", "en passant on d6, but no pawn has just passed there"),
        ("e3", "en passant on e3, but with White to move it is on rank 6"),
    ],
)
def test_impossible_en_passant_is_named(square: str, rule: str) -> None:
    board = parse_fen("4k3/4p3/8/4p3/8/8/8/4K3").board
    assert Setup(board, en_passant=types.parse_square(square)).broken_rules() == (rule,)


@pytest.mark.parametrize(
    ("fen", "square"),
    [
        ("1b1b4/8/b1P5/2kP4/8/2b4K/8/8 w", "c6"),
        ("5K2/8/2pp2Pp/2PP4/P5Pp/2pP1Ppp/P6p/7k b", "g3"),
        ("4k3/8/8/3P4/8/8/8/4K3 w", "e6"),
    ],
)
def test_no_pawn_captures_where_none_has_just_passed(fen: str, square: str) -> None:
    read = parse_fen(fen)
    setup = Setup(read.board, read.turn, en_passant=types.parse_square(square))
    assert (setup.has_pseudo_legal_en_passant(), setup.has_legal_en_passant()) == (False, False)
    assert {format_fen(setup, en_passant="xfen"), format_fen(setup, en_passant="legal")} == {read.fen}


@pytest.mark.parametrize(
    ("fen", "rooks", "rule"),
    [
        ("4k3/8/8/8/R7/8/8/4KR1R", {5, 7}, "White may castle with two rooks on one side"),
        ("4k3/8/8/8/R7/8/8/4KR1R", {24}, "castling with a rook on a4, but no rook there can castle"),
        ("4k3/8/8/8/R7/8/8/4KR1R", {3}, "castling with a rook on d1, but no rook there can castle"),
        ("4k3/8/8/8/8/8/4K3/7R", {7}, "White may castle, but its king has left the back rank"),
    ],
)
def test_impossible_castling_is_named(fen: str, rooks: set[int], rule: str) -> None:
    assert Setup(parse_fen(fen).board, castling=rooks).broken_rules() == (rule,)
