"""One thread of a search: its root, its lines, and the meaning of their values."""

from dataclasses import replace
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.convert import from_chess_move
from ox88.engines.base import MOST_CENTIPAWNS, Score
from ox88.engines.modern.nodes import take_nodes
from ox88.engines.modern.records import BEFORE_ROOT, HISTORIES, INFINITY, MATE, MATE_BOUND, MAX_GAME, make_searcher
from ox88.engines.modern.search import search
from ox88.engines.modern.table import make_table
from ox88.engines.modern.thread import (
    ENDLESS,
    MOST_AT_ONCE,
    Line,
    NodePool,
    SearchThread,
    continued,
    mates_first,
    merge_lines,
)
from tests.bitboard import naive
from tests.engines.modern.roots import TABLES, frame_of, set_root

TABLE = make_table(1)
VALUES = st.integers(-MATE, MATE)
Numbers = list[tuple[int, int, int]]  # Move, value and depth of lines.


@pytest.fixture(scope="module")
def thread() -> SearchThread:
    return SearchThread()


def line(move: int, value: int, depth: int) -> Line:
    return Line(depth, value, (move,))


@pytest.mark.parametrize(
    ("found", "before", "ranks", "merged"),
    [
        ([(1, 20, 5), (2, 50, 5), (3, -10, 5)], [], {}, [(2, 50, 5), (1, 20, 5), (3, -10, 5)]),
        ([(7, 0, 3), (5, 0, 3), (6, 0, 3)], [], {}, [(7, 0, 3), (5, 0, 3), (6, 0, 3)]),
        ([], [(1, 40, 4), (2, 30, 4)], {}, [(1, 40, 4), (2, 30, 4)]),
        ([(2, 25, 5)], [(1, 40, 4), (2, 30, 4), (3, 20, 4)], {}, [(2, 25, 5), (1, 40, 4), (3, 20, 4)]),
        ([(1, 20, 5), (2, 50, 5), (3, -10, 5)], [(4, 90, 4)], {2: 1, 4: 1}, [(1, 20, 5), (3, -10, 5), (2, 50, 5)]),
    ],
    ids=["sorted", "equal", "nothing new", "a broken depth", "ranks"],
)
def test_lines_are_sorted_by_ranks_and_values_those_of_the_depth_before_at_the_end(
    found: Numbers, before: Numbers, ranks: dict[int, int], merged: Numbers
) -> None:
    lines = merge_lines([line(*each) for each in found], [line(*each) for each in before], ranks)
    assert lines == [replace(line(*each), number=number) for number, each in enumerate(merged, 1)]


def test_being_mated_does_not_stand_first() -> None:
    mated = [Line(5, 5 - MATE, (1,), number=1), Line(5, -300, (2,), number=2)]
    assert mates_first(mated, {2: 1}) == mated


@pytest.mark.parametrize("nodes", [None, 900])
def test_a_proven_mate_stands_before_all_ranks(nodes: int | None, thread: SearchThread) -> None:
    """Other ranks are those of endgame tables, in which a move that wins later may make more progress."""
    board = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    moves = [from_chess_move(chess.Move.from_uci(text), board) for text in ("a1a7", "a1b1", "a1a8")]
    told: list[Line] = []
    thread.forget()
    set_root(thread, board).node_limit = nodes or ENDLESS
    ranks = {move: rank for rank, move in enumerate(moves)}
    lines = thread.deepen(make_table(1), range(1, 5 if nodes is None else 60), moves, 3, told.append, ranks)
    assert [(each.number, each.moves[0]) for each in lines] == [(1, moves[2]), (2, moves[0]), (3, moves[1])]
    assert lines[0].mate == 1
    assert {each.moves[0] for each in told if each.number == 1 and each.bound == "exact"} == {moves[2]}


def test_the_beginning_of_a_line_is_continued() -> None:
    before = [Line(7, 30, (1, 2, 3)), Line(7, 20, (4, 5))]
    assert continued(Line(8, 60, (1,)), before) == Line(8, 60, (1, 2, 3))
    assert continued(Line(8, 60, (4, 5)), before) == Line(8, 60, (4, 5))
    for known in (Line(8, 60, (1, 4)), Line(8, 60, (6,)), Line(8, MATE - 5, (1,)), Line(8, 5 - MATE, (1,))):
        assert continued(known, before) == known
    assert continued(Line(1, 60, (1,)), []) == Line(1, 60, (1,))


def test_only_what_can_be_repeated_is_remembered(thread: SearchThread) -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 5 40")
    assert set_root(thread, board, list(range(100, 120))).game_length == 5
    assert list(thread.record.keys[:5]) == [115, 116, 117, 118, 119]
    assert set_root(thread, board, [1, 2]).game_length == 2
    assert set_root(thread, chess.Board(), [1, 2]).game_length == 0
    board.halfmove_clock = 1000
    assert set_root(thread, board, list(range(1, 500))).game_length == MAX_GAME
    assert list(thread.record.keys[:MAX_GAME]) == list(range(500 - MAX_GAME, 500))


def test_a_stopped_thread_does_not_search(thread: SearchThread) -> None:
    record = set_root(thread, chess.Board())
    thread.stop()
    search(record, TABLES, TABLE, np.int64(-INFINITY), np.int64(INFINITY), np.int64(30), np.int64(0))
    assert (record.nodes, thread.is_stopped) == (0, True)
    assert set_root(thread, chess.Board()).stop == 0


def test_a_stopped_search_leaves_the_position_alone(thread: SearchThread) -> None:
    for board in naive.positions()[::211]:
        record = set_root(thread, board)
        before = record.position.tobytes()
        record.node_limit = 300
        search(record, TABLES, TABLE, np.int64(-INFINITY), np.int64(INFINITY), np.int64(30), np.int64(0))
        assert (record.position.tobytes(), int(record.ply)) == (before, 0)
        assert frame_of(record).excluded_move == 0


def test_what_was_learnt_is_forgotten(thread: SearchThread) -> None:
    set_root(thread, chess.Board())
    moves = naive.legal_moves(chess.Board())
    thread.deepen(TABLE, range(1, 9), moves)
    assert all(thread.record[name].any() for name in HISTORIES)
    thread.forget()
    assert not any(thread.record[name].any() for name in HISTORIES)
    assert not thread.record.frames["killers"].any()


@pytest.mark.parametrize("is_new", [False, True])
def test_a_search_that_is_stopped_where_a_move_fails_high(is_new: bool, thread: SearchThread) -> None:
    """A new best move is played. Of the old one it is known what may follow."""
    stopped = 0
    for board in naive.positions()[::61]:
        exact: list[Line] = []
        failed_high: list[Line] = []

        def report(line: Line, exact: list[Line] = exact, failed_high: list[Line] = failed_high) -> None:
            if line.bound == "exact":
                exact.append(line)
            elif line.bound == "lower" and exact and (line.moves[0] != exact[-1].moves[0]) == is_new:
                failed_high.append(line)
                thread.stop()

        thread.forget()
        set_root(thread, board)
        (best,) = thread.deepen(make_table(1), range(1, 10), naive.legal_moves(board), report=report)
        if failed_high and abs(best.value) <= MATE_BOUND:
            stopped += 1
            assert best.value == failed_high[0].value
            assert best.moves == (failed_high[0].moves if is_new else exact[-1].moves)
    assert stopped > 5


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("8/8/8/8/8/8/8/Q3K2k b - - 0 1", 4),
        ("8/8/8/8/2K5/7R/1k6/8 b - - 0 1", 6),
        ("8/8/8/8/1K6/6Q1/2k5/8 b - - 0 1", 5),
    ],
)
def test_being_mated_is_not_claimed_before_all_moves_are_searched(fen: str, moves: int, thread: SearchThread) -> None:
    """moves: to the mate, as solved endings have it. Searches are stopped in the middle of a depth."""
    board = chess.Board(fen)
    for limit in range(500, 15_000, 500):
        thread.forget()
        set_root(thread, board).node_limit = limit
        (best,) = thread.deepen(make_table(1), range(1, 60), naive.legal_moves(board))
        assert best.mate == 0 or best.mate <= -moves


def test_being_mated_is_told_if_nothing_else_is_known(thread: SearchThread, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = naive.legal_moves(chess.Board())

    def aspire(*_: object) -> Line:
        thread.stop()
        return line(moves[-1], 2 - MATE, 1)

    set_root(thread, chess.Board())
    monkeypatch.setattr(thread, "_aspire", aspire)
    assert thread.deepen(TABLE, range(1, 9), moves) == [line(moves[-1], 2 - MATE, 1)]


@pytest.mark.parametrize(
    ("depth", "value", "bound"), [(1, MATE - 3, "exact"), (20, MATE - 3, "lower"), (20, 5000, "exact")]
)
def test_a_stopped_search_s_mate_is_exact_within_its_window(
    depth: int, value: int, bound: str, thread: SearchThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At depth 20 the window is narrow."""

    def search(*_: object) -> int:
        thread.stop()
        thread.record.root_value, thread.record.frames[BEFORE_ROOT].pv_length = value, 1
        return 0

    set_root(thread, chess.Board())
    monkeypatch.setattr(thread, "_search", search)
    stopped = thread._aspire(TABLE, depth, 0, 1, lambda _: None)
    assert stopped is not None
    assert (stopped.value, stopped.bound) == (value, bound)


def test_each_line_is_guessed_to_have_its_value_of_the_depth_before(
    thread: SearchThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And its move is the first to be searched."""
    asked = []

    def aspire(_: object, depth: int, guess: int, number: int, __: object) -> Line:
        asked.append((guess, int(thread.record.root_first_move)))
        return line(number, 50 * depth - 70 * number, depth)

    set_root(thread, chess.Board())
    monkeypatch.setattr(thread, "_aspire", aspire)
    thread.deepen(TABLE, range(1, 3), [1, 2, 3], 2)
    assert asked == [(0, 0), (0, 0), (-20, 1), (-90, 2)]


def test_reductions_grow_with_depth_and_number() -> None:
    reductions = make_searcher().reductions[1:, 1:]
    assert (np.diff(reductions, axis=0) >= 0).all()
    assert (np.diff(reductions, axis=1) >= 0).all()
    assert 0 <= reductions[0, 0] < reductions[-1, -1] < 20 * 1024


# --- What a line's value means ----------------------------------------------------------------------------------------


def valued(value: int) -> Line:
    return Line(1, value, ())


@pytest.mark.parametrize(
    ("value", "mate"),
    [
        (MATE - 1, 1),  # I mate with my next move.
        (MATE - 3, 2),
        (MATE - 2, 1),  # A bound says so.
        (MATE_BOUND + 1, 128),
        (-MATE, 0),  # I am mated.
        (-MATE + 2, -1),
        (-MATE + 4, -2),
        (-MATE_BOUND - 1, -128),
    ],
)
def test_mates_are_counted_in_moves(value: int, mate: int) -> None:
    assert (valued(value).score, valued(value).shown_value, valued(value).mate) == (Score(mate=mate), value, mate)


@given(st.integers(-MATE_BOUND, MATE_BOUND))
def test_anything_else_is_in_centipawns_below_ten_thousand(value: int) -> None:
    """A null move may have shown that there is a mate, but not how long it takes."""
    shown = min(max(value, -MOST_CENTIPAWNS), MOST_CENTIPAWNS)
    assert (valued(value).score, valued(value).shown_value, valued(value).mate) == (Score(centipawns=shown), shown, 0)


@given(VALUES)
def test_outcomes_add_up_and_both_sides_agree(value: int) -> None:
    win, draw, loss = valued(value).outcomes
    assert win + draw + loss == 1000
    assert min(win, draw, loss) >= 0
    assert valued(-value).outcomes == (loss, draw, win)


@given(VALUES, VALUES)
def test_the_better_the_value_the_likelier_a_win(value: int, other: int) -> None:
    wins, other_wins = valued(value).outcomes[0], valued(other).outcomes[0]
    assert (value <= other) == (wins <= other_wins) or wins == other_wins


def test_outcomes_that_are_sure() -> None:
    assert valued(MATE - 5).outcomes == (1000, 0, 0)
    assert valued(MATE - 4 - 2 * MATE).outcomes == (0, 0, 1000)
    assert valued(0).outcomes[1] > 500


# --- The pool of nodes ------------------------------------------------------------------------------------------------


def searcher_of(pool: NodePool) -> Any:
    searcher = make_searcher()
    searcher.node_pool, searcher.nodes_at_once = pool.address, pool.at_once
    return searcher


@pytest.mark.parametrize(("nodes", "threads"), [(1, 8), (7, 2), (8, 8), (1000, 3), (100_000, 2), (10_000_000, 4)])
def test_no_node_is_taken_twice_and_none_is_left(nodes: int, threads: int) -> None:
    pool = NodePool(nodes, threads)
    assert pool.own * threads >= nodes > (pool.own - 1) * threads
    assert 1 <= pool.at_once <= MOST_AT_ONCE
    searchers = [searcher_of(pool) for _ in range(threads)]
    taking = searchers.copy()
    while taking:
        taking = [searcher for searcher in taking if take_nodes(searcher)]
    taken = [int(searcher.node_limit) for searcher in searchers]
    assert sum(taken) == nodes - pool.own
    assert max(taken) - min(taken) <= pool.at_once
    assert pool.left <= 0


def test_without_a_pool_there_is_nothing_to_take() -> None:
    searcher = make_searcher()
    searcher.node_limit = 5
    assert not take_nodes(searcher)
    assert searcher.node_limit == 5
