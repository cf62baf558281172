"""Random games and positions of python-chess, to compare the 0x88 board with."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from ox88.fen import parse_fen
from ox88.types import Setup, make_castling, make_move, to_0x88

PERFT_FOLDER = Path(__file__).parent.parent / "data" / "perft"
SPECIAL_SHARE = 0.3  # How often castling, en passant or a promotion is chosen if there is one.

few_or_many_games = pytest.mark.parametrize("games", [10, pytest.param(60, marks=pytest.mark.slow)])
few_or_many_positions = pytest.mark.parametrize("positions", [500, pytest.param(6000, marks=pytest.mark.slow)])


def judge(fen: str) -> chess.Board:
    """A python-chess board that writes castling as the king capturing its rook, as Ox88 does."""
    return chess.Board(fen, chess960=True)


def setup_of(board: chess.Board) -> Setup:
    return parse_fen(board.shredder_fen(en_passant="fen"))


def move_of(board: chess.Board, move: chess.Move) -> int:
    if board.is_castling(move):
        return make_castling(move.from_square, move.to_square)
    return make_move(move.from_square, move.to_square, move.promotion or 0)


def legal_moves_of(board: chess.Board) -> dict[int, chess.Move]:
    return {move_of(board, move): move for move in board.legal_moves}


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
    return [judge(chess.STARTING_FEN) if i % 2 else chess.Board.from_chess960_pos(37 * i % 960) for i in range(count)]


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


def perft_lines(name: str) -> list[tuple[str, dict[int, int]]]:
    """(FEN, depth to count) of each line of a file of the perft folder."""
    lines = []
    for line in (PERFT_FOLDER / f"{name}.epd").read_text().splitlines():
        fen, *counts = line.split(";")
        pairs = (count.split() for count in counts)
        lines.append((fen.strip(), {int(depth[1:]): int(number) for depth, number in pairs}))
    return lines


def contents(record: Any) -> bytes:
    """All bytes of a record's fields, without the padding between them."""
    return b"".join(record[name].tobytes() for name in record.dtype.names)


def mailbox_squares(squares: Any) -> set[int]:
    return {to_0x88(square) for square in squares}
