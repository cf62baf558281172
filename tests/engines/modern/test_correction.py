"""Correction history: bounded, moved in the right direction, and each table blind to all but its feature."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.modern import history as correction
from ox88.engines.modern.history import GRAIN, LIMIT, corrected_eval, update_correction
from ox88.engines.modern.records import BEFORE_ROOT, CORRECTIONS, INFINITY, PIECE_TO
from ox88.engines.modern.table import EXACT, LOWER, UPPER
from ox88.engines.modern.thread import SearchThread
from tests.bitboard import naive
from tests.engines.modern.roots import Number, set_root

TABLES = ("pawn", "non_pawn", "continuation")
VALUES = st.integers(-INFINITY, INFINITY)
UPDATES = st.tuples(VALUES, st.integers(-20000, 20000), st.sampled_from([UPPER, LOWER, EXACT]), st.integers(0, 120))


@pytest.fixture
def thread() -> SearchThread:
    return SearchThread()


def correct(thread: SearchThread, value: int, static_eval: int, bound: Number = EXACT, depth: int = 9) -> int:
    """Update the correction by a search's value. Returns how an evaluation of 0 is corrected then."""
    update_correction(thread.record, np.int64(static_eval), np.int64(value), np.int64(bound), np.int64(depth))
    return correction_now(thread)


def correction_now(thread: SearchThread) -> int:
    return int(corrected_eval(thread.record, np.int64(0)))


def averages(record: Any) -> list[np.ndarray[Any, np.dtype[np.int16]]]:
    return [record[f"{name}_correction"] for name in TABLES]


@given(updates=st.lists(UPDATES, max_size=40), weight=st.integers(1, 128))
def test_averages_stay_bounded(updates: list[tuple[int, int, int, int]], weight: int) -> None:
    record = set_root(THREAD, chess.Board())
    THREAD.forget()
    record.parameters.correction_weight_limit = weight
    for value, static_eval, bound, depth in updates:
        correct(THREAD, value, static_eval, bound, depth)
        assert all(np.abs(average.astype(int)).max() <= LIMIT for average in averages(record))


THREAD = SearchThread()


def test_it_moves_towards_what_was_missed_and_is_forgotten(thread: SearchThread) -> None:
    set_root(thread, chess.Board())
    found = [correct(thread, 140, 100) for _ in range(100)]
    assert found == sorted(found)
    assert all(30 * GRAIN < average.max() <= 40 * GRAIN for average in averages(thread.record))
    assert correct(thread, 60, 100) < found[-1]
    thread.forget()
    assert correction_now(thread) == 0


def test_the_correction_is_the_weighted_sum(thread: SearchThread) -> None:
    record = set_root(thread, chess.Board())
    for average, centipawns in zip(averages(record), (10, 20, 40), strict=True):
        average.fill(centipawns * int(GRAIN))
    weights = [int(record.parameters[f"{name}_correction_weight"]) for name in TABLES]
    assert correction_now(thread) == sum(map(int.__mul__, weights, (10, 40, 40))) // 128


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_weight_zero_does_not_count(thread: SearchThread, name: str) -> None:
    set_root(thread, chess.Board())
    for other in TABLES:
        thread.set_parameter(f"{other}_correction_weight", 0)
    assert correct(thread, 200, 100) == 0
    thread.set_parameter(f"{name}_correction_weight", 128)
    assert correction_now(thread) > 0


@pytest.mark.parametrize(("value", "bound"), [(50, LOWER), (150, UPPER), (INFINITY - 1, EXACT), (1 - INFINITY, EXACT)])
def test_what_says_nothing_corrects_nothing(thread: SearchThread, value: int, bound: int) -> None:
    set_root(thread, chess.Board())
    assert correct(thread, value, 100, bound, 20) == 0
    assert correct(thread, 200 - value if abs(value) < 1000 else 0, 100, bound, 20) != 0


def test_without_its_switch_nothing_is_learnt_or_corrected(thread: SearchThread) -> None:
    set_root(thread, chess.Board())
    learnt = correct(thread, 160, 100)
    thread.set_parameter("use_correction", 0)
    assert correct(thread, 160, 100) == 0
    thread.set_parameter("use_correction", 1)
    assert correction_now(thread) == learnt > 0


# --- Indices ----------------------------------------------------------------------------------------------------------

Features = Callable[[chess.Board], object]


def pieces(board: chess.Board, kinds: str, colours: tuple[bool, ...] = (True, False)) -> object:
    wanted = {chess.PIECE_SYMBOLS.index(kind) for kind in kinds}
    found = {square: piece for square, piece in board.piece_map().items() if piece.piece_type in wanted}
    return board.turn, tuple(sorted((square, str(piece)) for square, piece in found.items() if piece.color in colours))


INDICES: dict[str, tuple[Callable[[Any], int], Features]] = {
    "pawns": (correction.pawn_index, lambda board: pieces(board, "p")),
    "white": (lambda position: correction.non_pawn_index(position, 0), lambda board: pieces(board, "nbrqk", (True,))),
    "black": (lambda position: correction.non_pawn_index(position, 1), lambda board: pieces(board, "nbrqk", (False,))),
}


@pytest.mark.parametrize("name", INDICES)
def test_an_index_tells_its_pieces_and_the_side_to_move_and_nothing_else(thread: SearchThread, name: str) -> None:
    """Positions from games, and what remains of them when other pieces are taken away."""
    index, feature = INDICES[name]
    found: dict[object, set[int]] = {}
    for board in sample_with_fewer_pieces():
        found.setdefault(feature(board), set()).add(int(index(set_root(thread, board).position)))
    assert all(len(indices) == 1 for indices in found.values())
    assert all(0 <= number < 4 * CORRECTIONS for indices in found.values() for number in indices)
    different = {number for indices in found.values() for number in indices}
    assert len(different) > 0.95 * len(found)  # A few collide.


def sample_with_fewer_pieces() -> list[chess.Board]:
    choice = random.Random(5)
    boards = choice.sample(naive.positions(), 100)
    for board in list(boards):
        fewer = board.copy(stack=False)
        for square, piece in board.piece_map().items():
            if piece.piece_type != chess.KING and choice.random() < 0.2:
                fewer.remove_piece_at(square)
        if fewer.is_valid():
            boards.append(fewer)
    return boards


def test_the_continuation_s_index_tells_the_last_two_moves(thread: SearchThread) -> None:
    record = set_root(thread, chess.Board())
    found: dict[tuple[int, ...], int] = {}
    for pair in itertools.product([0, *random.Random(7).sample(range(1, PIECE_TO), 60)], repeat=2):
        record.frames["piece_to"][BEFORE_ROOT - 2 : BEFORE_ROOT] = pair
        found[pair] = int(correction.continuation_index(record))
        assert 0 <= found[pair] < 2 * CORRECTIONS
    assert len(set(found.values())) > 0.9 * len(found)  # Some collide.
