"""`Puzzle`: its board and its solution."""

import chess

from ox88.apps.puzzles.puzzle import Puzzle

FORK = Puzzle("e9DiH", "r1bqr1k1/2p2ppp/p7/1pbpP3/3N2n1/8/PPB2PPP/RNBQR1K1 w - - 1 13", ("d1d3", "d8h4"), 1747, ())


def test_the_board_is_the_position_to_be_solved() -> None:
    board = FORK.board()
    assert board.turn == chess.BLACK
    assert board.peek() == chess.Move.from_uci("d1d3")
    assert FORK.solution == (chess.Move.from_uci("d8h4"),)
    assert all(move in board.legal_moves for move in FORK.solution)
