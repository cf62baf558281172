"""The move picker: every legal move once, in the order of the stages, with any killers and table move."""

import random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.engines.modern import history, picker
from ox88.engines.modern.picker import ALL_MOVES, CAPTURES_ONLY, GOOD_CAPTURES_ONLY
from ox88.engines.modern.thread import SearchThread
from ox88.types import NO_MOVE
from tests.bitboard import naive
from tests.engines.modern.roots import TABLES, frame_of, picked, set_root

BOARDS = st.integers(0, 2**32).map(lambda seed: random.Random(seed).choice(naive.positions()))
ANY = st.integers(0, 2**16 - 1)
(FROM_TABLE, GOOD_CAPTURE, KILLER, SECOND_KILLER, QUIET, BAD_CAPTURE) = range(6)


@pytest.fixture(scope="module")
def thread() -> SearchThread:
    """A thread with random histories."""
    made, choice, limit = SearchThread(), np.random.default_rng(88), int(history.HISTORY_LIMIT)
    for name in ("history", "capture_history", "continuation"):
        values = made.record[name]
        values[:] = choice.integers(-limit, limit, len(values), np.int16, endpoint=True)
    return made


class Node:
    """A board and its moves, by kind."""

    def __init__(self, thread: SearchThread, board: chess.Board, killers: tuple[int, int]) -> None:
        self.board = board
        self.record = set_root(thread, board)
        self.frame = frame_of(self.record)
        self.frame.killers[:] = killers
        moves = {naive.to_int(board, move): move for move in board.legal_moves}
        self.see = {number: naive.see(board, move) for number, move in moves.items()}
        self.quiet = {number for number, move in moves.items() if naive.is_quiet(board, move)}
        self.moves = set(moves)
        self.killers = killers

    def stage(self, move: int) -> int:
        """The stage of a move, if the side to move is not in check."""
        if move not in self.quiet:
            return GOOD_CAPTURE if self.see[move] >= 0 else BAD_CAPTURE
        return KILLER + self.killers.index(move) if move in self.killers else QUIET

    def score(self, move: int) -> int:
        if move in self.quiet:
            score = int(history.quiet_history(self.record, self.frame, np.int64(move)))
            if self.board.is_check():
                return score
            return score + 4000 * (self.danger(move & 63, move) - self.danger(move >> 6 & 63, move))
        position = self.record.position
        victim = TABLES.values[position.board[move >> 6 & 63] & 7] + TABLES.values[move >> 12 & 7]
        return int(64 * victim + self.record.capture_history[history.capture_index(position, np.int64(move))])

    def danger(self, square: int, move: int) -> int:
        """How bad it is for the piece that moves if a lesser piece attacks a square: 0 if none does, 3 for a queen."""
        order = {chess.PAWN: 0, chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 3}
        own = order.get(self.board.piece_type_at(move & 63) or chess.KING, 0)
        kinds = {self.board.piece_type_at(each) for each in self.board.attackers(not self.board.turn, square)}
        return own if any(order.get(kind or chess.KING, 9) < own for kind in kinds) else 0


def killers_of(data: st.DataObject, board: chess.Board) -> tuple[int, int]:
    """Two different killers: legal moves, or any 16 bits."""
    legal = st.sampled_from([*naive.legal_moves(board), NO_MOVE])
    killer = st.one_of(legal, legal, ANY)
    return data.draw(st.tuples(killer, killer).filter(lambda two: two[0] != two[1] or not two[0]))


def drawn_node(thread: SearchThread, data: st.DataObject, board: chess.Board) -> tuple[Node, int]:
    node = Node(thread, board, killers_of(data, board))
    return node, data.draw(st.sampled_from([NO_MOVE, *sorted(node.moves)]))


def assert_falls(numbers: list[int]) -> None:
    assert numbers == sorted(numbers, reverse=True)


@settings(max_examples=40)
@given(BOARDS, st.data())
def test_every_legal_move_once_and_stage_by_stage(
    thread: SearchThread, board: chess.Board, data: st.DataObject
) -> None:
    node, tt_move = drawn_node(thread, data, board)
    found = list(picked(node.record, tt_move, ALL_MOVES))
    assert sorted(found) == sorted(node.moves)
    if tt_move:
        assert found.pop(0) == tt_move
    if board.is_check():
        assert [move in node.quiet for move in found] == sorted(move in node.quiet for move in found)
        assert_falls([node.score(move) for move in found if move in node.quiet])
        assert_falls([node.score(move) for move in found if move not in node.quiet])
        return
    stages = [node.stage(move) for move in found]
    assert stages == sorted(stages)
    for stage in (GOOD_CAPTURE, QUIET, BAD_CAPTURE):
        assert_falls([node.score(move) for move in found if node.stage(move) == stage])


@settings(max_examples=40)
@given(BOARDS.filter(lambda board: not board.is_check()), st.data())
def test_captures_alone(thread: SearchThread, board: chess.Board, data: st.DataObject) -> None:
    node, _ = drawn_node(thread, data, board)
    captures = node.moves - node.quiet
    tt_move = data.draw(st.sampled_from([NO_MOVE, *sorted(captures)]))
    assert sorted(picked(node.record, tt_move, CAPTURES_ONLY)) == sorted(captures)
    good = {move for move in captures if node.see[move] >= 0 or move == tt_move}
    assert sorted(picked(node.record, tt_move, GOOD_CAPTURES_ONLY)) == sorted(good)


@settings(max_examples=40)
@given(BOARDS.filter(chess.Board.is_check), st.sampled_from([CAPTURES_ONLY, GOOD_CAPTURES_ONLY]))
def test_in_check_all_moves_whatever_is_wanted(thread: SearchThread, board: chess.Board, wanted: int) -> None:
    node = Node(thread, board, (0, 0))
    assert sorted(picked(node.record, NO_MOVE, wanted)) == sorted(node.moves)


@settings(max_examples=40)
@given(BOARDS.filter(lambda board: not board.is_check()), st.data(), st.integers(0, 40))
def test_quiet_moves_are_skipped_and_no_capture(
    thread: SearchThread, board: chess.Board, data: st.DataObject, after: int
) -> None:
    node, tt_move = drawn_node(thread, data, board)
    everything = list(picked(node.record, tt_move, ALL_MOVES))
    kept = [
        move for number, move in enumerate(everything) if number < max(after, bool(tt_move)) or move not in node.quiet
    ]
    assert list(picked(node.record, tt_move, ALL_MOVES, skip_after=after)) == kept


def test_losing_captures_are_known_in_check_and_out_of_it(thread: SearchThread) -> None:
    found = {True: 0, False: 0}
    for board in [chess.Board("4k3/8/8/8/1b6/2n5/3P4/3QK3 w - - 0 1"), *naive.positions()[::37]]:
        node = Node(thread, board, (0, 0))
        for move in picked(node.record, 0, ALL_MOVES):
            if move not in node.quiet:
                losing = bool(picker.is_losing_capture(node.record, TABLES, node.frame, np.int64(move)))
                assert losing == (node.see[move] < 0)
                found[losing] += 1
    assert min(found.values()) > 20
