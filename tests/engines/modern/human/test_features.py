"""The features of moves against their twin."""

import functools
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from ox88.bitboard.position import make_position
from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.human.features import GROUPS, SLOTS, fill_features
from tests.bitboard.naive import TRICKY, legal_moves, random_game, random_positions, to_int, to_setup
from tests.engines.modern.human import naive
from tests.engines.modern.human.naive import BY_SEARCH, Before

GAMES, RANDOM = 40, 400
RARE = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1"  # A pawn of the a-file promotes.
IMPOSSIBLE = {
    "origin": {*range(8), *range(56, 64)},  # Pawns on the first and the last rank.
    "target": {*range(16)},
    "near_origin": {0},  # The opponent's piece stands there.
    "flight": {3, 7, *range(4, 48, 8), *range(41, 48)},  # Less than a pawn; by a piece that does not attack; a king.
    "landing": {27, 28, 29},  # A king on an attacked square.
    "threat": {8},  # A queen that is not attacked, though it attacks a queen.
    "king_zone": {7, 11},  # Three squares, by a knight or a bishop.
    "mobility": {0, 1},  # A pawn attacks two squares.
    "direction": {0, 1, 2, 3, 8, 9, 14, 15},  # Pawns back and sideways; knights and bishops sideways.
    "centre": {0, 1, 6, 7, 13, 35, 36, 40, 41},  # Steps of pawns, knights and kings are short.
    "length": {1, 9, 17},  # No steps.
    "kind": {20},  # A queen, where there is less than a queen.
}


@functools.cache
def samples() -> tuple[tuple[chess.Board, Before], ...]:
    """Positions of random games with the moves before, the same without, and positions that no game reaches."""
    played = [each for seed in range(GAMES) for each in game(seed)]
    tricky = [chess.Board(fen, chess960=True) for fen in (*TRICKY, RARE)]
    others = [*random_positions(RANDOM), *tricky, *(board.mirror() for board in tricky)]
    return (*played, *((board, Before()) for board, _ in played[::5]), *((board, Before()) for board in others))


def game(seed: int) -> Iterator[tuple[chess.Board, Before]]:
    last, own, has_captured = 0, 0, False
    for board, move in random_game(seed):
        yield board, Before(last, own, has_captured)
        has_captured = board.is_capture(move) and not board.is_castling(move)
        last, own = to_int(board, move), last


def features_of(board: chess.Board, moves: list[int], before: Before) -> NDArray[np.uint16]:
    found = np.full((len(moves), SLOTS), 0xFFFF, np.uint16)
    history = (np.array([each], np.uint16) for each in (before.last, before.own))
    position: Any = np.array([make_position(to_setup(board))]).view(np.recarray)
    ends, numbers = np.array([0, len(moves)]), np.array(moves, np.uint16)
    fill_features(position, as_array(board_tables()), ends, numbers, *history, np.array([before.has_captured]), found)
    return found[:, :BY_SEARCH]


def check(step: int) -> None:
    for board, before in samples()[::step]:
        moves = legal_moves(board)
        rows = naive.rows(board, moves, before)
        for move, found, row in zip(moves, features_of(board, moves, before), rows, strict=True):
            names = [name for (name, _), one, other in zip(GROUPS, found, row, strict=False) if one != other]
            assert not names, (names, board.fen(), board.uci(chess.Move(move & 63, move >> 6 & 63)), before, found, row)


def test_twin() -> None:
    check(97)


@pytest.mark.slow
def test_twin_everywhere() -> None:
    check(3)


@pytest.mark.slow
def test_every_class_occurs() -> None:
    """Every class that a legal move can have is met, and no class is beyond its group."""
    tables = [features_of(board, legal_moves(board), before) for board, before in samples()]
    for (name, size), column in zip(GROUPS, np.concatenate(tables).T, strict=False):
        assert {*range(size)} - IMPOSSIBLE.get(name, set()) == {*column.tolist()}, name
