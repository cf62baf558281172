import chess
import pytest

from ox88.mailbox import difference, records
from ox88.mailbox.attacks import could_reach, step_between
from ox88.mailbox.steps import move_step, steps_of
from ox88.types import BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, from_0x88, make_move, make_piece, to_0x88

TABLES = records.tables()
PIECES = [make_piece(kind, colour) for colour in (WHITE, BLACK) for kind in range(PAWN, KING + 1)]
SQUARES = [to_0x88(square) for square in range(64)]


def naive_could_reach(piece: int, from_square: int, to_square: int) -> bool:
    """By python-chess, on a board with nothing but the piece."""
    board = chess.Board(None)
    board.set_piece_at(from_0x88(from_square), chess.Piece(piece & 7, piece >> 3 == WHITE))
    return from_0x88(to_square) in board.attacks(from_0x88(from_square))


@pytest.mark.parametrize("piece", PIECES)
def test_could_reach_is_what_a_lone_piece_attacks(piece: int) -> None:
    for from_square in SQUARES:
        for to_square in SQUARES:
            expected = naive_could_reach(piece, from_square, to_square)
            assert could_reach(TABLES, piece, from_square, to_square) == expected, (from_square, to_square)


def test_step_leads_from_square_to_square() -> None:
    for from_square in SQUARES:
        for to_square in SQUARES:
            step = step_between(TABLES, from_square, to_square)
            way = [from_square + count * step for count in range(1, 8)]
            reaches = any(naive_could_reach(piece, from_square, to_square) for piece in (KNIGHT, QUEEN))
            assert (step != 0 and to_square in way) == reaches == (step != 0)


def test_entries_that_the_page_names() -> None:
    pieces, _ = difference.build()
    assert len(pieces) == 257
    black = 8
    straight = {QUEEN, KING, ROOK, QUEEN | black, KING | black, ROOK | black}
    assert pieces_of(int(pieces[128 + 1])) == straight
    assert PAWN in pieces_of(int(pieces[128 + 17]))
    assert PAWN | black not in pieces_of(int(pieces[128 + 17]))
    assert PAWN | black in pieces_of(int(pieces[128 - 17]))
    assert pieces_of(int(pieces[128])) == set()


def pieces_of(bits: int) -> set[int]:
    return {piece for piece in range(16) if bits >> piece & 1}


def test_a_step_adds_the_same_to_every_move() -> None:
    for piece in PIECES:
        for step in steps_of(piece):
            for square in SQUARES:
                if not (square + step) & 0x88:
                    start = make_move(from_0x88(square), from_0x88(square))
                    assert start + move_step(step) == make_move(from_0x88(square), from_0x88(square + step))
