"""Positions as a container, and their legal moves, against python-chess."""

import chess
import numpy as np

import ox88
from ox88.fen import format_fen, parse_fen
from tests.bitboard import naive
from tests.positions import FENS


def test_rows_slices_and_masks() -> None:
    positions = ox88.Positions.from_fens(FENS)
    assert len(positions) == len(FENS)
    assert positions.fens() == [format_fen(parse_fen(fen)) for fen in FENS]
    assert positions[1:3].fens() == positions.fens()[1:3]
    assert positions[positions.records["turn"] == 0] == positions
    assert positions[2] == parse_fen(FENS[2])
    assert positions[:2] + positions[2:] == positions


def test_legal_moves() -> None:
    for threads in (1, 2):
        moves, offsets = ox88.Positions.from_fens(FENS).legal_moves(threads=threads)
        assert moves.dtype == np.uint16
        for row, fen in enumerate(FENS):
            found = sorted(int(move) for move in moves[offsets[row] : offsets[row + 1]])
            assert found == naive.legal_moves(chess.Board(fen, chess960=True))
