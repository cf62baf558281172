"""Histories: within their bounds, and moved in the right direction; each correction blind to all but its feature."""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.engines.modern import history
from ox88.engines.modern.history import GRAIN, HISTORY_LIMIT, LIMIT, corrected_eval, gravity, update_correction
from ox88.engines.modern.nodes import find_attacked
from ox88.engines.modern.records import BEFORE_ROOT, CORRECTIONS, INFINITY, MAX_TRIED, PIECE_TO
from ox88.engines.modern.table import EXACT, LOWER, UPPER
from ox88.engines.modern.thread import SearchThread
from tests.bitboard import naive
from tests.engines.modern.roots import TABLES, Number, frame_of, play_on, set_root

BONUS = st.integers(-int(HISTORY_LIMIT), int(HISTORY_LIMIT))


@pytest.fixture(scope="module")
def thread() -> SearchThread:
    return SearchThread()


def sample(count: int, seed: int) -> Iterator[chess.Board]:
    yield from random.Random(seed).sample(naive.positions(), count)


@given(BONUS, BONUS)
def test_gravity_keeps_values_within_the_limit(value: int, bonus: int) -> None:
    pulled = int(gravity(np.int64(value), np.int64(bonus)))
    assert abs(pulled) <= HISTORY_LIMIT
    assert (pulled - value) * bonus >= 0


def test_the_nearer_the_end_the_weaker_the_pull() -> None:
    steps = [int(gravity(np.int64(value), np.int64(1000))) - value for value in (-16000, -8000, 0, 8000, 16000)]
    assert steps == sorted(steps, reverse=True)
    assert (steps[2], int(gravity(HISTORY_LIMIT, HISTORY_LIMIT))) == (1000, int(HISTORY_LIMIT))


def test_quiet_moves_are_python_chess_s_and_indices_lie_inside(thread: SearchThread) -> None:
    for board in sample(150, 1):
        record = set_root(thread, board)
        frame = frame_of(record)
        find_attacked(record, TABLES, frame)
        for move in board.legal_moves:
            number = np.int64(naive.to_int(board, move))
            assert bool(history.is_quiet(record.position, number)) == naive.is_quiet(board, move)
            assert 0 < history.piece_to(record.position, number) < PIECE_TO
            assert 0 <= history.quiet_index(record.position, frame, number) < len(record.history)
            assert 0 <= history.capture_index(record.position, number) < len(record.capture_history)


def test_the_butterfly_history_tells_attacked_squares_apart(thread: SearchThread) -> None:
    """Moves with the same squares share an entry if the opponent attacks the same of them, and only then."""
    seen: dict[tuple[object, ...], int] = {}
    for board in sample(150, 3):
        record = set_root(thread, board)
        frame = frame_of(record)
        find_attacked(record, TABLES, frame)
        for move in board.legal_moves:
            attacked = [board.is_attacked_by(not board.turn, square) for square in (move.from_square, move.to_square)]
            key = (board.turn, move.from_square, move.to_square, *attacked)
            index = int(history.quiet_index(record.position, frame, np.int64(naive.to_int(board, move))))
            assert seen.setdefault(key, index) == index
    assert len(set(seen.values())) == len(seen)
    thread.set_parameter("use_threat_history", 0)
    find_attacked(record, TABLES, frame)
    assert frame.attacked == 0
    thread.set_parameter("use_threat_history", 1)


# --- After a cut-off --------------------------------------------------------------------------------------------------


def cut_off(thread: SearchThread, best: str, tried: list[str]) -> chess.Board:
    """Update the histories as for a cutoff in KIWIPETE by one move, after others were tried."""
    board = chess.Board(KIWIPETE, chess960=True)
    record = set_root(thread, board)
    frame = frame_of(record)
    frame.quiets_tried = frame.captures_tried = 0
    for text in tried:
        move = chess.Move.from_uci(text)
        history.note_tried_move(frame, np.int64(naive.to_int(board, move)), naive.is_quiet(board, move))
    history.update_histories(record, frame, np.int64(number(board, best)), np.int64(5))
    return board


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def number(board: chess.Board, text: str) -> int:
    return naive.to_int(board, chess.Move.from_uci(text))


def quiet_history(thread: SearchThread, board: chess.Board, text: str) -> int:
    return int(history.quiet_history(thread.record, frame_of(thread.record), np.int64(number(board, text))))


def capture_history(thread: SearchThread, board: chess.Board, text: str) -> int:
    index = history.capture_index(thread.record.position, np.int64(number(board, text)))
    return int(thread.record.capture_history[index])


def test_the_best_move_gains_and_the_others_lose() -> None:
    thread = SearchThread()
    board = cut_off(thread, "a2a3", ["e5g6", "a1b1", "f3f6"])
    assert quiet_history(thread, board, "a2a3") > 0 > quiet_history(thread, board, "a1b1")
    assert quiet_history(thread, board, "b2b3") == 0
    assert capture_history(thread, board, "e5g6") < 0 > capture_history(thread, board, "f3f6")
    assert list(frame_of(thread.record).killers) == [number(board, "a2a3"), 0]
    cut_off(thread, "a2a4", [])
    cut_off(thread, "a2a4", [])
    assert list(frame_of(thread.record).killers) == [number(board, "a2a4"), number(board, "a2a3")]


@pytest.mark.parametrize(("back", "counts"), [(1, True), (2, True), (3, False), (4, True)])
def test_a_move_is_remembered_with_those_before_it(back: int, counts: bool) -> None:
    """A cutoff is noted for the moves one, two and four plies before. Then all of these but one are changed."""
    thread = SearchThread()
    thread.record.frames["piece_to"][:BEFORE_ROOT] = [101, 102, 103, 104]
    board = cut_off(thread, "a2a3", [])
    thread.record.history.fill(0)
    before = int(thread.record.frames[BEFORE_ROOT - back].piece_to)
    thread.record.frames["piece_to"][:BEFORE_ROOT] = 200
    assert quiet_history(thread, board, "a2a3") == 0
    thread.record.frames[BEFORE_ROOT - back].piece_to = before
    assert (quiet_history(thread, board, "a2a3") > 0) == counts


def play(thread: SearchThread, *texts: str) -> None:
    """Play moves from KIWIPETE, at the root and the plies after it. Empties the histories."""
    thread.forget()
    board = chess.Board(KIWIPETE, chess960=True)
    record = set_root(thread, board)
    for text in texts:
        find_attacked(record, TABLES, frame_of(record))
        play_on(record, number(board, text))
        board.push_uci(text)


def learnt(thread: SearchThread, name: str) -> dict[int, int]:
    """The entries of a history that are not 0."""
    return {int(index): int(thread.record[name][index]) for index in np.flatnonzero(thread.record[name])}


def test_the_opponent_s_last_move_is_rewarded() -> None:
    """In the butterfly history as the mover saw it, and with the moves one and two plies before it."""
    thread = SearchThread()
    thread.set_parameter("last_move_bonus_factor", 100)
    play(thread, "a2a3", "c7c5")
    before = thread.record.frames[BEFORE_ROOT + 1]
    a2a3, c7c5 = (int(thread.record.frames[BEFORE_ROOT + ply].piece_to) for ply in (0, 1))
    thread.record.frames[BEFORE_ROOT - 1].piece_to = 77
    history.reward_last_move(thread.record, np.int64(5))
    board = chess.Board(KIWIPETE, chess960=True)
    board.push_uci("a2a3")
    set_root(thread, board)
    assert learnt(thread, "history") == {
        int(history.quiet_index(thread.record.position, before, np.int64(number(board, "c7c5")))): 500
    }
    assert learnt(thread, "continuation") == {a2a3 * PIECE_TO + c7c5: 500, 77 * PIECE_TO + c7c5: 500}


@pytest.mark.parametrize(
    ("own", "theirs", "bonus"), [(10, 20, -300), (-10, -20, 300), (-300, 0, 1000), (400, 0, -1000)]
)
def test_the_last_move_is_judged_by_what_it_changed(own: int, theirs: int, bonus: int) -> None:
    thread = SearchThread()
    thread.set_parameter("eval_bonus_factor", 10)
    thread.set_parameter("eval_bonus_limit", 1000)
    play(thread, "a2a3")
    thread.record.frames[BEFORE_ROOT].static_eval = theirs
    frame = frame_of(thread.record)
    frame.static_eval = own
    history.judge_last_move(thread.record, frame)
    assert list(learnt(thread, "history").values()) == [bonus]
    assert learnt(thread, "continuation") == {}


@pytest.mark.parametrize(
    ("moves", "switch", "is_one"),
    [
        (["a2a3"], 1, True),
        (["a2a3"], 0, False),
        ([], 1, False),  # At the root the last move belongs to the game.
        (["e5g6"], 1, False),  # A capture.
        (["e1g1"], 1, False),
        (["a2a4", "b4a3"], 1, False),  # En passant.
        (["a2a3", "b4a3", "e5g6"], 1, False),
    ],
)
def test_only_a_quiet_last_move_is_learnt_from(moves: list[str], switch: int, is_one: bool) -> None:
    thread = SearchThread()
    thread.set_parameter("use_history", switch)
    play(thread, *(move.replace("e1g1", "e1h1") for move in moves))
    frame = frame_of(thread.record)
    frame.static_eval = 100
    history.reward_last_move(thread.record, np.int64(5))
    assert bool(learnt(thread, "history")) == is_one
    thread.forget()
    history.judge_last_move(thread.record, frame)
    assert bool(learnt(thread, "history")) == is_one


def test_a_capture_that_cuts_off_is_no_killer() -> None:
    thread = SearchThread()
    board = cut_off(thread, "e5g6", ["f3f6", "a2a3"])
    assert capture_history(thread, board, "e5g6") > 0 > capture_history(thread, board, "f3f6")
    assert quiet_history(thread, board, "a2a3") == 0
    assert not frame_of(thread.record).killers.any()


def test_more_moves_than_can_be_remembered_do_no_harm(thread: SearchThread) -> None:
    frame = frame_of(set_root(thread, chess.Board()))
    frame.quiets_tried = frame.captures_tried = 0
    for move in range(1, 3 * MAX_TRIED):
        history.note_tried_move(frame, np.int64(move), True)
        history.note_tried_move(frame, np.int64(move), False)
    assert (int(frame.quiets_tried), int(frame.captures_tried)) == (MAX_TRIED, MAX_TRIED)
    assert list(frame.quiets) == list(frame.captures) == list(range(1, MAX_TRIED + 1))


# --- Correction history -----------------------------------------------------------------------------------------------

CORRECTED = ("pawn", "non_pawn", "continuation")
VALUES = st.integers(-INFINITY, INFINITY)
UPDATES = st.tuples(VALUES, st.integers(-20000, 20000), st.sampled_from([UPPER, LOWER, EXACT]), st.integers(0, 120))


@pytest.fixture
def fresh() -> SearchThread:
    return SearchThread()


def correct(fresh: SearchThread, value: int, static_eval: int, bound: Number = EXACT, depth: int = 9) -> int:
    """Update the correction by a search's value. Returns what an evaluation of 0 becomes by it."""
    update_correction(fresh.record, np.int64(static_eval), np.int64(value), np.int64(bound), np.int64(depth))
    return correction_now(fresh)


def correction_now(fresh: SearchThread) -> int:
    return int(corrected_eval(fresh.record, np.int64(0)))


def averages(record: Any) -> list[np.ndarray[Any, np.dtype[np.int16]]]:
    return [record[f"{name}_correction"] for name in CORRECTED]


@settings(max_examples=40)
@given(updates=st.lists(UPDATES, max_size=40), weight=st.integers(1, 128))
def test_averages_stay_bounded(updates: list[tuple[int, int, int, int]], weight: int) -> None:
    record = set_root(THREAD, chess.Board())
    THREAD.forget()
    record.parameters.correction_weight_limit = weight
    for value, static_eval, bound, depth in updates:
        correct(THREAD, value, static_eval, bound, depth)
    assert all(np.abs(average.astype(int)).max() <= LIMIT for average in averages(record))


THREAD = SearchThread()


def test_it_moves_towards_what_was_missed_and_is_forgotten(fresh: SearchThread) -> None:
    set_root(fresh, chess.Board())
    found = [correct(fresh, 140, 100) for _ in range(100)]
    assert found == sorted(found)
    assert all(30 * GRAIN < average.max() <= 40 * GRAIN for average in averages(fresh.record))
    assert correct(fresh, 60, 100) < found[-1]
    fresh.forget()
    assert correction_now(fresh) == 0


def test_the_correction_is_the_weighted_sum(fresh: SearchThread) -> None:
    record = set_root(fresh, chess.Board())
    for average, centipawns in zip(averages(record), (10, 20, 40), strict=True):
        average.fill(centipawns * int(GRAIN))
    weights = [int(record.parameters[f"{name}_correction_weight"]) for name in CORRECTED]
    assert correction_now(fresh) == sum(map(int.__mul__, weights, (10, 40, 40))) // 128


@pytest.mark.parametrize(("value", "bound"), [(50, LOWER), (150, UPPER), (INFINITY - 1, EXACT), (1 - INFINITY, EXACT)])
def test_what_says_nothing_corrects_nothing(fresh: SearchThread, value: int, bound: int) -> None:
    set_root(fresh, chess.Board())
    assert correct(fresh, value, 100, bound, 20) == 0
    assert correct(fresh, 200 - value if abs(value) < 1000 else 0, 100, bound, 20) != 0


# --- Indices ----------------------------------------------------------------------------------------------------------

Features = Callable[[chess.Board], object]


def pieces(board: chess.Board, kinds: str, colours: tuple[bool, ...] = (True, False)) -> object:
    wanted = {chess.PIECE_SYMBOLS.index(kind) for kind in kinds}
    found = {square: piece for square, piece in board.piece_map().items() if piece.piece_type in wanted}
    return board.turn, tuple(sorted((square, str(piece)) for square, piece in found.items() if piece.color in colours))


INDICES: dict[str, tuple[Callable[[Any], int], Features]] = {
    "pawns": (history.pawn_index, lambda board: pieces(board, "p")),
    "white": (lambda position: history.non_pawn_index(position, 0), lambda board: pieces(board, "nbrqk", (True,))),
    "black": (lambda position: history.non_pawn_index(position, 1), lambda board: pieces(board, "nbrqk", (False,))),
}


@pytest.mark.parametrize("name", INDICES)
def test_an_index_tells_its_pieces_and_the_side_to_move_and_nothing_else(fresh: SearchThread, name: str) -> None:
    """Positions from games, and what remains of them when other pieces are taken away."""
    index, feature = INDICES[name]
    found: dict[object, set[int]] = {}
    for board in sample_with_fewer_pieces():
        found.setdefault(feature(board), set()).add(int(index(set_root(fresh, board).position)))
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


def test_the_continuation_s_index_tells_the_last_two_moves(fresh: SearchThread) -> None:
    record = set_root(fresh, chess.Board())
    found: dict[tuple[int, ...], int] = {}
    for pair in itertools.product([0, *random.Random(7).sample(range(1, PIECE_TO), 60)], repeat=2):
        record.frames["piece_to"][BEFORE_ROOT - 2 : BEFORE_ROOT] = pair
        found[pair] = int(history.continuation_index(record))
        assert 0 <= found[pair] < 2 * CORRECTIONS
    assert len(set(found.values())) > 0.9 * len(found)  # Some collide.
