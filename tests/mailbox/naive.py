"""Random games and positions of python-chess, to compare the 0x88 board with."""

import random
from collections.abc import Iterator
from typing import Any

import chess
import pytest

from ox88.convert import from_chess_move
from ox88.types import to_0x88

SPECIAL_SHARE = 0.3  # How often castling, en passant or a promotion is chosen if there is one.

few_or_many_games = pytest.mark.parametrize("games", [10, pytest.param(60, marks=pytest.mark.slow)])
few_or_many_positions = pytest.mark.parametrize("positions", [500, pytest.param(6000, marks=pytest.mark.slow)])


def chess960_board(fen: str) -> chess.Board:
    """A python-chess board that writes castling as the king capturing its rook, as Ox88 does."""
    return chess.Board(fen, chess960=True)


def legal_moves_of(board: chess.Board) -> dict[int, chess.Move]:
    return {from_chess_move(move, board): move for move in board.legal_moves}


def kind_of_move(board: chess.Board, move: chess.Move) -> str:
    if board.is_castling(move):
        return "castling"
    if board.is_en_passant(move):
        return "en passant"
    return "promotion" if move.promotion else "other"


def choose(board: chess.Board, generator: random.Random) -> chess.Move:
    """A random legal move; rare kinds are preferred."""
    moves = list(board.legal_moves)
    special = [move for move in moves if kind_of_move(board, move) != "other"]
    return generator.choice(special if special and generator.random() < SPECIAL_SHARE else moves)


def random_game(board: chess.Board, seed: int, plies: int) -> Iterator[chess.Move]:
    """Moves of a random game; each is pushed onto the board after it was yielded."""
    generator = random.Random(seed)
    for _ in range(plies):
        if not any(board.legal_moves):
            return
        move = choose(board, generator)
        yield move
        board.push(move)


def starts(count: int) -> list[chess.Board]:
    """Start positions: ordinary chess and Chess960 in turn."""
    ordinary = chess960_board(chess.STARTING_FEN)
    return [ordinary.copy() if i % 2 else chess.Board.from_chess960_pos(37 * i % 960) for i in range(count)]


def random_position(seed: int) -> chess.Board:
    """Kings and up to 15 other pieces a side on any squares; not always legal."""
    generator = random.Random(seed)
    board = chess.Board(None)
    squares = generator.sample(range(64), 32)
    for colour in chess.COLORS:
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        for _ in range(generator.randrange(15)):
            square = squares.pop()
            kinds = range(1 + (chess.square_rank(square) in (0, 7)), 6)
            board.set_piece_at(square, chess.Piece(generator.choice(kinds), colour))
    board.turn = generator.choice(chess.COLORS)
    return board


def contents(record: Any) -> bytes:
    """All bytes of a record's fields, without the padding between them."""
    return b"".join(record[name].tobytes() for name in record.dtype.names)


def mailbox_squares(squares: Any) -> set[int]:
    return {to_0x88(square) for square in squares}
