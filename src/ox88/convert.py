"""Conversions between Ox88's integers and python-chess's objects."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import chess

from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import format_uci, make_castling, make_move

if TYPE_CHECKING:
    import chess.pgn  # It imports asyncio, which a start need not wait for.


def to_chess_board(setup: Setup) -> chess.Board:
    """A python-chess board of the setup, in Chess960 mode if a castling right needs it."""
    board = chess.Board(format_fen(setup, shredder=True), chess960=True)
    board.chess960 = board.has_chess960_castling_rights()
    return board


def from_chess_board(board: chess.Board) -> Setup:
    """The setup of a board, without impossible castling rights and en passant squares."""
    return parse_fen(board.fen(shredder=True, en_passant="fen"))


def clean_fen_tag(headers: "chess.pgn.Headers") -> None:
    """Rewrite the FEN tag of a game of chess, so that python-chess makes the board that Ox88 makes.

    Raises FenError, IllegalPositionError.
    """
    try:
        is_chess = headers.variant() is chess.Board
    except ValueError:  # An unknown variant, about which python-chess complains.
        return
    if is_chess and "FEN" in headers:
        headers["FEN"] = format_fen(parse_fen(headers["FEN"]).check())


def to_chess_move(move: int, board: chess.Board) -> chess.Move:
    """A move as a python-chess board writes it: castling as e1g1, in Chess960 mode as e1h1."""
    return chess.Move.from_uci(format_uci(move, chess960=board.chess960))


def from_chess_move(move: chess.Move, board: chess.Board) -> int:
    if board.is_castling(move):
        rook = _castling_rook(move, board)
        if rook is not None:
            return make_castling(move.from_square, rook)
    return make_move(move.from_square, move.to_square, move.promotion or 0)


def legal_line(moves: Sequence[int], board: chess.Board) -> list[chess.Move]:
    """The moves of a line that begins at a board, up to the first illegal one. The board stays as it is."""
    ahead = board.copy(stack=False)
    line = []
    for number in moves:
        move = to_chess_move(number, ahead)
        if not ahead.is_legal(move):
            break
        ahead.push(move)
        line.append(move)
    return line


def _castling_rook(move: chess.Move, board: chess.Board) -> int | None:
    """The rook's square; None where the right to castle is gone, so that the move is illegal."""
    king_side = chess.square_file(move.to_square) > chess.square_file(move.from_square)
    rooks = board.castling_rights & chess.BB_RANKS[chess.square_rank(move.from_square)]
    return next((rook for rook in chess.scan_forward(rooks) if (rook > move.from_square) == king_side), None)
