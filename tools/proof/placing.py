"""Boards with men placed by chance."""

from random import Random

import chess


def place(men: str, random: Random) -> chess.Board:
    """A legal position with these men, as the letters of FEN; either side is to move, and no side may castle."""
    while True:
        board = chess.Board(None)
        for letter, square in zip(men, random.sample(chess.SQUARES, len(men)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = random.random() < 0.5
        if board.is_valid():
            return board


def place_near(men: str, distance: int, random: Random) -> chess.Board:
    """The same with Black's king on the edge and White's king at most so many steps from it."""
    while True:
        board = place(men, random)
        white, black = board.king(chess.WHITE), board.king(chess.BLACK)
        if white is None or black is None:
            continue
        is_edge = chess.BB_SQUARES[black] & (chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H)
        if is_edge and chess.square_distance(white, black) <= distance:
            return board


def either_colour(board: chess.Board, random: Random) -> chess.Board:
    """The board, or with the same chance the one with the colours changed."""
    return board if random.random() < 0.5 else board.mirror()
