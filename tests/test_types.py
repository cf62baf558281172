import chess
import chess.svg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88 import types
from ox88.errors import Ox88Error

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
