"""Null moves, what a move changes, and rotated boards. test_boards.py has moves along games."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ox88.bitboard.moves import do_move, do_null_move, list_changes, undo_move, undo_null_move
from ox88.bitboard.position import make_position, set_position
from ox88.bitboard.records import CHANGES, NOWHERE, UNDO, make_record
from ox88.bitboard.rotated import ROTATED, fill_rotated, rotated_tables, update_rotated
from ox88.bitboard.tables import board_tables
from ox88.fen import STARTPOS
from ox88.setup import parse_fen
from tests.bitboard import naive


def test_setting_a_position_leaves_nothing_of_the_last() -> None:
    record = make_position(naive.to_setup(naive.positions()[33]))
    start = parse_fen(STARTPOS)
    set_position(record, start)
    assert naive.contents(record) == naive.contents(make_position(start))


@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.slow)])
def test_changes_tell_the_new_board(step: int) -> None:
    """What a neural network is updated from: removing and adding the listed pieces turns the old board into the new."""
    undo = make_record(UNDO)
    most = 0
    for board in naive.positions()[::step]:
        position = make_position(naive.to_setup(board))
        for move in board.legal_moves:
            pieces = {(int(piece), square) for square, piece in enumerate(position.board) if piece}
            do_move(position, board_tables(), undo, np.int64(naive.to_int(board, move)))
            after = {(int(piece), square) for square, piece in enumerate(position.board) if piece}
            changes = _changes(undo)
            removed = {(piece, square) for piece, square, _ in changes if square != NOWHERE}
            added = {(piece, square) for piece, _, square in changes if square != NOWHERE}
            assert removed <= pieces
            assert pieces - removed | added == after
            undo_move(position, undo)
            most = max(most, len(changes))
    assert most == 3


def _changes(undo: Any) -> list[tuple[int, int, int]]:
    changes = make_record(CHANGES)
    list_changes(undo, changes)
    listed = changes.list[: int(changes.count)]
    return [(int(change.piece), int(change.from_square), int(change.to_square)) for change in listed]


def test_a_null_move_passes_the_turn() -> None:
    undo = make_record(UNDO)
    tables = board_tables()
    for board in naive.positions()[::7]:
        if board.is_check():
            continue
        setup = naive.to_setup(board)
        position = make_position(setup)
        before = naive.contents(position)
        do_null_move(position, tables, undo)
        passed = replace(
            setup,
            turn=1 - setup.turn,
            en_passant=None,
            halfmove_clock=setup.halfmove_clock + 1,
            fullmove_number=setup.fullmove_number + setup.turn,
        )
        assert naive.contents(position) == naive.contents(make_position(passed))
        assert _changes(undo) == []
        undo_null_move(position, undo)
        assert naive.contents(position) == before


@pytest.mark.parametrize("seed", range(0, naive.GAMES, 8))
def test_rotated_boards_follow_moves(seed: int) -> None:
    tables, turned = board_tables(), rotated_tables()
    undo, boards, scratch = make_record(UNDO), make_record(ROTATED), make_record(ROTATED)
    for board, _ in naive.random_game(seed):
        position = make_position(naive.to_setup(board))
        fill_rotated(boards, turned, position)
        before = _three_boards(boards)
        for move in board.legal_moves:
            do_move(position, tables, undo, np.int64(naive.to_int(board, move)))
            update_rotated(boards, turned, undo)
            fill_rotated(scratch, turned, position)
            assert _three_boards(boards) == _three_boards(scratch)
            undo_move(position, undo)
            update_rotated(boards, turned, undo)
            assert _three_boards(boards) == before


def _three_boards(boards: Any) -> tuple[int, int, int]:
    return int(boards.rotated90), int(boards.rotated45), int(boards.rotated315)
