"""Histories: within their bounds, and moved in the right direction."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.modern import history
from ox88.engines.modern.history import HISTORY_LIMIT, gravity
from ox88.engines.modern.nodes import find_attacked
from ox88.engines.modern.records import BEFORE_ROOT, MAX_TRIED, PIECE_TO
from ox88.engines.modern.thread import SearchThread
from tests.bitboard import naive
from tests.engines.modern.roots import TABLES, frame_of, play_on, set_root

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


def test_bonus_and_malus_have_numbers_of_their_own() -> None:
    """At depth 5, in empty histories: the butterfly history and three continuation histories, one of them by half."""
    thread = SearchThread()
    for name, number in (("bonus_factor", 100), ("bonus_limit", 400), ("malus_factor", 7), ("malus_limit", 1000)):
        thread.set_parameter(f"history_{name}", number)
    thread.record.frames["piece_to"][:BEFORE_ROOT] = [101, 102, 103, 104]
    board = cut_off(thread, "a2a3", ["a1b1", "e5g6"])
    assert quiet_history(thread, board, "a2a3") == 400 * 7 // 2
    assert quiet_history(thread, board, "a1b1") == -35 * 3 + -35 // 2
    assert capture_history(thread, board, "e5g6") == -35


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


def test_a_null_move_and_a_check_teach_nothing() -> None:
    thread = SearchThread()
    play(thread, "a2a3", "b4a3", "e2a6")  # A capture, and its frames are there to be changed.
    frame = frame_of(thread.record)
    before = thread.record.frames[int(thread.record.ply) + BEFORE_ROOT - 1]
    before.undo.captured, frame.static_eval = 0, 100
    for checkers, checkers_before, move, expected in (
        (0, 0, 12, True),
        (1, 0, 12, False),
        (0, 1, 12, False),
        (0, 0, 0, False),
    ):
        thread.forget()
        frame.checkers, before.checkers, before.move = checkers, checkers_before, move
        history.judge_last_move(thread.record, frame)
        assert bool(learnt(thread, "history")) == expected


def test_a_capture_that_cuts_off_is_no_killer() -> None:
    thread = SearchThread()
    board = cut_off(thread, "e5g6", ["f3f6", "a2a3"])
    assert capture_history(thread, board, "e5g6") > 0 > capture_history(thread, board, "f3f6")
    assert quiet_history(thread, board, "a2a3") == 0
    assert not frame_of(thread.record).killers.any()


@pytest.mark.parametrize(("switch", "fields"), [
    ("use_killers", {"killers"}), ("use_history", {"history", "continuation"})
])  # fmt: skip
def test_a_switch_keeps_its_history_empty(switch: str, fields: set[str]) -> None:
    thread = SearchThread()
    thread.set_parameter(switch, 0)
    cut_off(thread, "a2a3", ["a1b1", "e5g6"])
    learnt = {name for name in ("history", "continuation") if thread.record[name].any()}
    learnt |= {"killers"} if frame_of(thread.record).killers.any() else set()
    assert learnt == {"history", "continuation", "killers"} - fields


def test_more_moves_than_can_be_remembered_do_no_harm(thread: SearchThread) -> None:
    frame = frame_of(set_root(thread, chess.Board()))
    frame.quiets_tried = frame.captures_tried = 0
    for move in range(1, 3 * MAX_TRIED):
        history.note_tried_move(frame, np.int64(move), True)
        history.note_tried_move(frame, np.int64(move), False)
    assert (int(frame.quiets_tried), int(frame.captures_tried)) == (MAX_TRIED, MAX_TRIED)
    assert list(frame.quiets) == list(frame.captures) == list(range(1, MAX_TRIED + 1))
