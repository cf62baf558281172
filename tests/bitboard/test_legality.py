"""Questions about one move, asked of all 65,536 integers that a move can be."""

from typing import Any

import numpy as np
import pytest

from ox88.bitboard.legality import gives_check, is_legal, pseudo_legal
from ox88.bitboard.position import make_position
from ox88.bitboard.records import MOVE_LIST, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from tests.bitboard import naive


@kernel
def _list_pseudo_legal(position, tables, moves):
    moves.length = 0
    for move in range(1 << 16):
        if pseudo_legal(position, tables, move):
            moves.moves[moves.length] = move
            moves.length += 1


@kernel
def _list_legal(position, tables, moves):
    moves.length = 0
    for move in range(1 << 16):
        if is_legal(position, tables, move):
            moves.moves[moves.length] = move
            moves.length += 1


def _listed(lister: Any, position: Any) -> list[int]:
    moves = make_record(MOVE_LIST)
    lister(position, board_tables(), moves)
    return naive.sorted_moves(moves)


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_of_all_integers_the_pseudo_legal_and_the_legal_moves_are_told(step: int) -> None:
    for board in naive.boards_to_try(step):
        position = make_position(naive.to_setup(board))
        assert _listed(_list_pseudo_legal, position) == naive.pseudo_legal_moves(board), board.fen()
        assert _listed(_list_legal, position) == naive.legal_moves(board), board.fen()


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_gives_check(step: int) -> None:
    tables = board_tables()
    checks = 0
    for board in naive.boards_to_try(step):
        position = make_position(naive.to_setup(board))
        for move in board.legal_moves:
            answer = gives_check(position, tables, np.int64(naive.to_int(board, move)))
            assert answer == board.gives_check(move), (board.fen(), board.uci(move))
            checks += answer
    assert checks > 900 // step
