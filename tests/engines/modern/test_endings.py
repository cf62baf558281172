"""Endings that are won are played out, against a defender that thinks as long."""

import chess
import pytest
from chess.engine import Limit

import ox88
from ox88.rules import game_end

NODES = 30_000  # A move.

# Each is won; Syzygy tables say so, except of the five men.
ENDINGS = {
    "KBNK": ("8/8/8/8/3k4/8/8/KBN5 w - - 0 1", "2N5/8/k7/8/K7/8/5B2/8 w - - 0 1", "5b2/1K6/8/3n4/8/8/2k5/8 b - - 0 1"),
    "KQKR": ("8/8/2r5/3k4/8/8/1Q6/K7 w - - 0 1", "8/8/1Q6/8/1r6/k7/8/K7 w - - 0 1", "8/q7/8/8/8/2k4R/8/3K4 b - - 0 1"),
    "KQKP": ("8/2p1Q3/8/8/2k5/8/K7/8 w - - 0 1", "8/8/8/6k1/6p1/8/8/4Q2K w - - 0 1"),
    "KRKP": ("8/1p6/8/k7/3R4/8/8/4K3 w - - 0 1", "7R/2p5/8/2k3K1/8/8/8/8 w - - 0 1"),
    "KQKN": ("8/k1N5/5K2/8/8/8/4q3/8 b - - 0 1",),
    "KBBK": ("8/8/8/8/3k4/8/8/KBB5 w - - 0 1",),
    "KRK": ("8/8/8/8/3k4/8/8/K6R w - - 0 1",),
    "KPK": ("8/8/1k4P1/8/8/7K/8/8 w - - 1 2",),  # The queen that it becomes once went to and fro.
    "KQK": ("8/8/8/8/3k4/8/8/K6Q w - - 0 1",),
    "KBBNK": ("8/2b5/2k5/2n1b3/1K6/8/8/8 b - - 0 1",),
}


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_won_ending_ends_in_mate(ending: str) -> None:
    players = [ox88.Engine({"Hash": 16}) for _ in chess.COLORS]
    for fen in ENDINGS[ending]:
        board, game = chess.Board(fen), object()
        while (end := game_end(board)) is None:
            move = players[board.turn].play(board, Limit(nodes=NODES), game=game).move
            assert move is not None
            board.push(move)
        assert (end.reason, board.turn) == ("checkmate", not chess.Board(fen).turn), board.fen()
