import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88 import types
from ox88.fen import parse_fen
from ox88.types import Ox88Error, Setup, from_uci, to_uci
from tests.positions import boards

SQUARES = range(64)


def test_squares_have_their_names() -> None:
    assert [types.square_name(square) for square in SQUARES] == chess.SQUARE_NAMES
    assert [types.parse_square(name) for name in chess.SQUARE_NAMES] == list(SQUARES)


@pytest.mark.parametrize("text", ["", "e", "e9", "i1", "E4", "e44", "44", "é4", "e²"])
def test_what_is_no_square(text: str) -> None:
    with pytest.raises(Ox88Error, match="is not a square"):
        types.parse_square(text)


def test_square_numberings() -> None:
    for square in SQUARES:
        file, rank = types.square_file(square), types.square_rank(square)
        assert types.make_square(file, rank) == square
        assert types.to_0x88(square) == 16 * rank + file
        assert types.from_0x88(16 * rank + file) == square
        assert types.to_listing(square) == 16 * (7 - rank) + file
        assert types.from_listing(types.to_listing(square)) == square


def test_pieces() -> None:
    for kind in range(types.PAWN, types.KING + 1):
        for colour in (types.WHITE, types.BLACK):
            piece = types.make_piece(kind, colour)
            assert (types.piece_kind(piece), types.piece_colour(piece)) == (kind, colour)
            assert types.PIECE_SYMBOLS[piece] == chess.Piece(kind, colour == types.WHITE).symbol()


@given(st.integers(0, 63), st.integers(0, 63), st.sampled_from([0, 2, 3, 4, 5]))
def test_move_parts(from_square: int, to_square: int, promotion: int) -> None:
    move = types.make_move(from_square, to_square, promotion)
    assert 0 <= move < 1 << 16
    assert (types.move_from(move), types.move_to(move), types.move_promotion(move)) == (
        from_square,
        to_square,
        promotion,
    )
    assert not types.is_castling(move)


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
    move = from_uci(chess960, setup)
    assert types.is_castling(move)
    assert (to_uci(move), to_uci(move, chess960=True)) == (uci, chess960)
    assert from_uci(uci, setup) == move


@given(boards())
def test_chess960_is_told_from_the_castling_rights(board: chess.Board) -> None:
    setup = parse_fen(board.fen(shredder=True, en_passant="fen"))
    assert setup.is_chess960() == board.has_chess960_castling_rights()


@pytest.mark.parametrize("text", ["", "e2", "e2e9", "e7e8k", "e7e8qq", "0000x", "E2E4", "e2e4 "])
def test_what_is_no_uci_move(text: str) -> None:
    with pytest.raises(Ox88Error, match="is not a "):
        from_uci(text, parse_fen("startpos"))


@given(boards())
def test_uci_text_and_back(board: chess.Board) -> None:
    setup = parse_fen(board.fen(shredder=True, en_passant="fen"))
    for move in board.legal_moves:
        text = board.uci(move, chess960=board.chess960)
        assert to_uci(from_uci(text, setup), chess960=board.chess960) == text


@given(boards())
def test_attacks_agree_with_python_chess(board: chess.Board) -> None:
    setup = parse_fen(board.fen(shredder=True, en_passant="fen"))
    assert setup.is_check() == board.is_check()
    for square in SQUARES:
        for colour in (types.WHITE, types.BLACK):
            assert setup.is_attacked(square, colour) == board.is_attacked_by(colour == types.WHITE, square)


@pytest.mark.parametrize(
    ("fen", "rules"),
    [
        ("8/8/8/8/8/8/8/4K3 w - -", ["Black has no king, not one"]),
        ("4k3/8/8/8/8/8/8/3KK3 w - -", ["White has 2 kings, not one"]),
        ("4k3/8/8/8/PPPPPPPP/P7/8/4K3 w - -", ["White has 9 pawns, more than 8"]),
        ("4k3/8/8/NNNNNNNN/PPPPPPPP/8/8/4K3 w - -", ["White has 17 pieces, more than 16"]),
        (
            "4k2P/8/8/8/8/8/8/p3K3 w - -",
            ["a pawn stands on a1, on a first or last rank", "a pawn stands on h8, on a first or last rank"],
        ),
        ("4k3/8/8/8/8/8/4r3/4K3 b - -", ["White is in check, but it is Black's move"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e6", ["en passant on e6, but no pawn has just passed there"]),
        ("4k3/8/8/8/8/8/8/4K3 w - e3", ["en passant on e3, but with White to move it is on rank 6"]),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6", ["en passant on e6, but no pawn has just passed there"]),
        (
            "8/8/8/8/8/8/8/8 w - -",
            ["White has no king, not one", "Black has no king, not one"],
        ),
    ],
)  # fmt: skip
def test_broken_rules_are_all_named(fen: str, rules: list[str]) -> None:
    setup = parse_fen(fen)
    assert list(setup.broken_rules()) == rules
    with pytest.raises(types.IllegalPositionError) as raised:
        setup.check()
    assert list(raised.value.rules) == rules
    assert all(rule in str(raised.value) for rule in rules)


def test_impossible_castling_is_named() -> None:
    rook, king = types.make_piece(types.ROOK, types.WHITE), types.make_piece(types.KING, types.WHITE)
    board = [0] * 64
    board[4], board[5], board[7], board[24] = king, rook, rook, rook
    board[60] = types.make_piece(types.KING, types.BLACK)
    both = Setup(tuple(board), castling=frozenset({5, 7}))
    assert both.broken_rules() == ("White may castle with two rooks on one side",)
    assert Setup(tuple(board), castling=frozenset({24})).broken_rules() == (
        "castling with a rook on a4, but no rook there can castle",
    )
    assert Setup(tuple(board), castling=frozenset({3})).broken_rules() == (
        "castling with a rook on d1, but no rook there can castle",
    )
    board[4], board[12] = 0, king
    assert Setup(tuple(board), castling=frozenset({7})).broken_rules() == (
        "White may castle, but its king has left the back rank",
    )
