"""`ox88.human_moves`: the moves that people of a rating play in one position."""

import chess

from ox88.batch.positions.positions import Positions
from ox88.convert import from_chess_board, from_chess_move, to_chess_move
from ox88.errors import Ox88Error


def human_moves(board: chess.Board, rating: int = 1500) -> list[tuple[chess.Move, float]]:
    """The legal moves with the probability that a person of a rating plays them, the likeliest first.

    The last two moves of the board's stack count: a piece that has just captured is often taken back.

    Args:
        board: a board of chess or Chess960.
        rating: on Lichess's scale, from 400 to 2800.

    Raises:
        Ox88Error: the position is illegal, or the rating is out of range.
        TypeError: the board is no chess.Board, or the rating is not a whole number.
    """
    if not isinstance(board, chess.Board):
        raise TypeError(f"the board is {board!r}: a chess.Board is expected")
    if board.uci_variant != "chess":
        raise Ox88Error(f"a board of {board.uci_variant}: one of chess or Chess960 is expected")
    position = Positions([from_chess_board(board).check()])
    legal, policy = position.legal_moves()[0], position.human_policy(rating, before=[_last_moves(board)])[0]
    moves = [(to_chess_move(int(move), board), float(share)) for move, share in zip(legal, policy, strict=True)]
    return sorted(moves, key=lambda each: -each[1])


def _last_moves(board: chess.Board) -> list[int]:
    """The last move and the one before it, 0 where there is none."""
    earlier, found = board.copy(stack=2), []
    for _ in range(2):
        move = earlier.pop() if earlier.move_stack else chess.Move.null()
        found.append(from_chess_move(move, earlier))
    return found
