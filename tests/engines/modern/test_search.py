"""The search: equal to minimax with every heuristic off; finds mates, draws and tactics with them on."""

import functools
import itertools
import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from ox88.bitboard.position import make_position
from ox88.convert import from_chess_board
from ox88.engines.base import Info, Limit, get_ready
from ox88.engines.benchmark import ENDGAMES, MIDDLEGAMES
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.nodes import make_null_move, table_key, unmake_null_move
from ox88.engines.modern.options import SWITCHES
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, MATE, MATE_BOUND
from ox88.engines.modern.search import search
from ox88.engines.modern.static_eval import evaluate_position
from ox88.engines.modern.table import UPPER, make_table, store
from ox88.engines.modern.thread import DEEPEST, Line, SearchThread
from ox88.fen import STARTPOS
from ox88.setup import parse_fen, parse_uci
from ox88.types import format_uci
from tests.engines.modern import naive
from tests.engines.modern.roots import TABLES, ZERO, few_pieces, play_on, set_root
from tests.positions import random_board

HARMLESS = ("aspiration", "mate_distance", "killers", "history")  # They change no value, only the order.


@pytest.fixture(scope="module")
def plain() -> SearchThread:
    """A search with every heuristic off."""
    thread = SearchThread()
    for switch in SWITCHES:
        thread.set_parameter(switch.name, 0)
    return thread


def value(thread: SearchThread, board: chess.Board, depth: int) -> int:
    position = make_position(from_chess_board(board))
    thread.prepare(position, [], 1, None)
    moves = naive.legal_moves(position)
    return thread.deepen(make_table(1), range(depth, depth + 1), moves, 1, lambda _line: None)[0].value


def positions(count: int, seed: int, most_pieces: int = 32) -> Iterator[chess.Board]:
    """Positions with a legal move: from random games, or with few pieces if most_pieces is small."""
    choice = random.Random(seed)
    boards = few_pieces(1000, seed, most_pieces) if most_pieces < 15 else random_boards(choice)
    yield from itertools.islice((board for board in boards if any(board.legal_moves)), count)


def random_boards(choice: random.Random) -> Iterator[chess.Board]:
    while True:
        yield random_board(choice.randrange(1 << 30), choice.randrange(200), choice.choice([None, 3, 518, 700]))


@pytest.mark.slow
@pytest.mark.parametrize(("count", "depth", "pieces"), [(150, 1, 32), (60, 2, 32), (30, 3, 8), (8, 4, 5)])
def test_without_heuristics_it_is_minimax(plain: SearchThread, count: int, depth: int, pieces: int) -> None:
    for board in positions(count, depth, pieces):
        position = make_position(from_chess_board(board))
        assert value(plain, board, depth) == naive.minimax(position, depth, []), board.fen()


@functools.cache
def searched_by_twin() -> list[tuple[chess.Board, int]]:
    """Positions with few pieces, and their values by minimax at depth 2."""
    boards = positions(40, 88, 14)
    return [(board, naive.minimax(make_position(from_chess_board(board)), 2, [])) for board in boards]


@pytest.mark.parametrize("switch", HARMLESS)
def test_what_changes_the_order_changes_no_value(switch: str) -> None:
    thread = SearchThread()
    for other in SWITCHES:
        thread.set_parameter(other.name, int(other.name == f"use_{switch}"))
    for board, expected in searched_by_twin():
        assert value(thread, board, 2) == expected, board.fen()


@pytest.mark.parametrize("count", [10, pytest.param(60, marks=pytest.mark.slow)])
def test_quiescence_is_minimax_over_captures(count: int, plain: SearchThread) -> None:
    plain.set_parameter("use_quiescence", 1)
    try:
        for board in positions(count, 5, 6):
            position = make_position(from_chess_board(board))
            assert value(plain, board, 2) == naive.minimax(position, 2, [], quiescence=True), board.fen()
    finally:
        plain.set_parameter("use_quiescence", 0)


# --- With every heuristic ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine() -> Modern:
    return get_ready(Modern())


def think(engine: Modern, fen: str, limit: Limit) -> Info:
    engine.new_game()
    engine.set_position(parse_fen(fen))
    return list(engine.search(limit))[-1]


MATES = (
    (1, "2k5/5Q2/5K2/8/8/R7/8/8 w - - 0 1"),
    (1, "8/8/8/N4Q1p/8/6K1/8/6k1 w - - 0 1"),
    (2, "RK6/8/8/8/8/8/R7/3k4 w - - 0 1"),
    (2, "8/7Q/8/k7/8/4R3/1K6/8 w - - 0 1"),
    (3, "8/5k2/8/5K2/8/2Q5/8/8 w - - 0 1"),
    (3, "5R2/8/3K4/1k6/8/4R3/8/8 w - - 0 1"),
    (4, "8/8/8/1N6/7K/2p5/3Q4/k7 w - - 0 1"),
    (4, "3k4/8/8/1N3p2/4QK2/8/8/8 w - - 0 1"),
    (4, "8/8/8/4p3/2K5/8/3N2k1/4Q3 w - - 0 1"),
    (5, "N7/8/1n1p4/8/7B/8/4R3/1k5K w - - 0 1"),
    (5, "8/7p/8/kN6/8/8/8/2QK4 w - - 0 1"),
)  # Stockfish counts the same.


@pytest.mark.parametrize(("mate", "fen"), MATES)
def test_mates_are_found_and_counted_by_both_sides(engine: Modern, mate: int, fen: str) -> None:
    last = think(engine, fen, Limit(mate=mate, nodes=2_000_000))
    assert last.score.mate == mate
    assert ends_in_mate(fen, last)
    engine.push(last.best_move)
    engine.new_game()
    suffering = list(engine.search(Limit(depth=2 * mate + 8)))[-1]
    assert suffering.score.mate is not None
    assert suffering.score.mate <= 1 - mate


@pytest.mark.parametrize(("mate", "fen"), MATES)
def test_every_mate_is_shown_to_its_end(engine: Modern, mate: int, fen: str) -> None:
    """At every depth, a longer mate than the shortest too: no value of the table cuts the line short.

    After a second bounds are reported too, and they have no whole lines.
    """
    engine.new_game()
    engine.set_position(parse_fen(fen))
    infos = engine.search(Limit(depth=2 * mate + 8))
    mates = [info for info in infos if info.score.mate and info.bound == "exact"]
    assert mates
    assert all(ends_in_mate(fen, info) for info in mates)


def ends_in_mate(fen: str, info: Info) -> bool:
    """True if the line has as many moves as the mate takes, and mates."""
    board = chess.Board(fen)
    for move in info.line:
        board.push_uci(format_uci(move))
    return board.is_checkmate() and len(info.line) == 2 * (info.score.mate or 0) - 1


@pytest.mark.parametrize(("mate", "fen"), MATES)
def test_a_mate_that_has_just_failed_high_is_a_bound(mate: int, fen: str) -> None:
    """The search is stopped there, before it knows the moves that mate."""
    thread = SearchThread()
    stopped_by: list[Line] = []

    def report(line: Line) -> None:
        if line.bound == "lower" and line.mate > 0:
            stopped_by.append(line)
            thread.stop()

    for depth in range(1, 2 * mate + 8):
        thread.forget()
        moves = naive.legal_moves(set_root(thread, chess.Board(fen)).position)
        best = thread.deepen(make_table(1), range(depth, depth + 2), moves, 1, report)[0]
        if stopped_by:
            assert (best.bound, best.mate, best.moves) == ("lower", stopped_by[0].mate, stopped_by[0].moves)
            stopped_by.clear()


@pytest.mark.parametrize("nodes", range(28_000, 32_000, 250))
def test_a_mate_without_its_line_is_a_bound(engine: Modern, nodes: int) -> None:
    fen = "8/8/1P5p/8/8/2R1r2k/4K3/8 w - - 90 1"
    last = think(engine, fen, Limit(nodes=nodes))
    assert last.score.mate is None or last.bound == "lower" or ends_in_mate(fen, last)


@pytest.mark.parametrize(("depth", "mate"), [(6, MATE - 9), (11, MATE_BOUND + 1), (6, MATE_BOUND), (6, 5000)])
def test_a_mate_after_a_pass_is_not_claimed(depth: int, mate: int) -> None:
    """The table says that a pass mates. That is enough for a cutoff, but the value is beta."""
    thread, table = SearchThread(), make_table(1)
    thread.set_parameter("use_reverse_futility", 0)
    record = set_root(thread, chess.Board(MIDDLEGAMES[2]))
    frame, before = record.frames[BEFORE_ROOT], record.frames[BEFORE_ROOT - 1]
    make_null_move(record, TABLES, table, frame)
    key, depth_of_entry = table_key(record.position), np.int64(60)
    store(table, key, ZERO, record.ply, ZERO, np.int64(-mate), ZERO, depth_of_entry, UPPER, ZERO)
    unmake_null_move(record, frame)
    before.piece_to = 1  # No null move came before the root.
    beta = np.int64(evaluate_position(record, TABLES))
    value = search(record, TABLES, table, beta - 1, beta, np.int64(depth), np.int64(1))
    assert value == (mate if mate < MATE_BOUND else beta)


MATE_IN_TWO = "8/7Q/8/k7/8/4R3/1K6/8 w - - 0 1"


def nodes_of_searches(engine: Modern) -> list[int]:
    """The nodes of three searches. Each heuristic is at work in one: in a won ending, a mate in two, an even game."""
    searches = (ENDGAMES[0], 11), (MATE_IN_TWO, 8), (MIDDLEGAMES[2], 9)
    return [think(engine, fen, Limit(depth=depth)).nodes for fen, depth in searches]


@pytest.mark.parametrize("switch", [switch.name for switch in SWITCHES])
def test_each_heuristic_can_be_done_without_and_is_done_with(engine: Modern, switch: str) -> None:
    nodes = nodes_of_searches(engine)
    engine.set_option(switch, 0)
    try:
        assert nodes_of_searches(engine) != nodes
        assert think(engine, MATE_IN_TWO, Limit(mate=2, nodes=1_000_000)).score.mate == 2
        hanging = think(engine, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", Limit(depth=4))
        assert format_uci(hanging.best_move) == "e4d5"
        even = think(engine, STARTPOS, Limit(depth=4))
        assert -150 < (even.score.centipawns or 0) < 150
    finally:
        engine.set_option(switch, 1)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("8/8/4Rp2/2k5/8/8/2q5/K7 w - - 0 1", "e6c6"),  # The rook gives itself up: whoever takes it stalemates.
        ("R7/P3k3/8/8/8/1q6/8/K7 w - - 0 1", "a8e8"),
        ("7K/5q2/8/8/2p5/8/5k2/R7 w - - 0 1", "a1f1"),
        ("5k2/5P2/4K3/8/8/8/8/8 w - - 0 1", ""),  # Any move: the side that would win sees the stalemate.
        ("7k/7P/5K2/8/8/8/8/8 w - - 0 1", ""),
    ],
)
def test_stalemate_saves_what_is_lost(engine: Modern, fen: str, move: str) -> None:
    last = think(engine, fen, Limit(depth=10))
    assert last.score.centipawns == 0
    assert format_uci(last.best_move) == move or not move


@pytest.mark.parametrize("turn", ["w", "b"])
def test_who_has_to_move_loses(engine: Modern, turn: str) -> None:
    """Mutual zugzwang: whoever has to move loses a pawn, so passing would be best."""
    last = think(engine, f"8/8/8/3Kp3/4Pk2/8/8/8 {turn} - - 0 1", Limit(depth=18))
    assert last.score.mate is not None or (last.score.centipawns or 0) < -150
    assert (last.score.mate or -1) < 0


@pytest.mark.parametrize("verifies", [True, False])
@pytest.mark.parametrize("fen", ["8/8/3k4/8/8/1p6/1P1r4/B1K5 b - - 0 1", "8/2k5/8/8/7r/1p6/1P6/B1K5 b - - 0 1"])
def test_a_pass_is_verified_where_one_piece_is_left(fen: str, verifies: bool) -> None:
    """White's bishop cannot move, so after Rd4 the king has to step to b1, where Rd1 mates. Passing would be best.

    Without a verification the search misses that: otherwise these positions would say nothing of it.
    """
    thread = SearchThread()
    record = set_root(thread, chess.Board(fen))
    record.no_null_move_before = 0 if verifies else -1  # As within a verification, in which nothing else is verified.
    best = thread.deepen(make_table(1), range(1, 12), naive.legal_moves(record.position))[0]
    assert (best.mate == 2) is verifies


def test_a_verification_that_fails_leaves_no_move_that_it_has_tried() -> None:
    """White has one move, which loses; to pass would be best."""
    thread = SearchThread()
    record = set_root(thread, chess.Board("8/8/3k4/8/3r4/1p6/1P6/B1K5 w - - 0 1"))
    record.frames[BEFORE_ROOT - 1].piece_to = 1  # No null move came before the root.
    beta = np.int64(evaluate_position(record, TABLES) - 50)
    assert search(record, TABLES, make_table(1), beta - 1, beta, np.int64(10), np.int64(1)) < -MATE_BOUND
    frame = record.frames[BEFORE_ROOT]
    assert frame.quiets[: frame.quiets_tried].tolist() == [chess.C1 | chess.B1 << 6]


def test_no_shorter_mate_is_searched_for_than_there_can_be() -> None:
    """A ply behind the root, the next move mates at the earliest."""
    record = set_root(SearchThread(), chess.Board())
    play_on(record, chess.E2 | chess.E4 << 6)
    for alpha, is_searched in ((MATE - 3, True), (MATE - 2, False)):
        record.nodes = 0
        search(record, TABLES, make_table(1), np.int64(alpha), np.int64(alpha + 1), np.int64(3), ZERO)
        assert (record.nodes > 1) == is_searched


def test_the_root_s_value_is_noted() -> None:
    record = set_root(SearchThread(), chess.Board(MIDDLEGAMES[0]))
    record.root_value = INFINITY
    window = np.int64(-INFINITY), np.int64(INFINITY)
    assert search(record, TABLES, make_table(1), *window, np.int64(3), ZERO) == record.root_value


@pytest.mark.parametrize(("use_probcut", "depth", "lead"), [(1, 8, -150), (0, 8, -150), (0, 0, 50)])
def test_nothing_is_learnt_from_a_search_that_is_stopped(use_probcut: int, depth: int, lead: int) -> None:
    """At the first node behind Rxh5: in ProbCut, where the move is searched, and in quiescence."""
    thread, table = SearchThread(), make_table(1)
    settings = {"use_reverse_futility": 0, "use_null_move": 0, "use_probcut": use_probcut, "probcut_margin": 150}
    for name, number in settings.items():
        thread.set_parameter(name, number)
    record = set_root(thread, chess.Board("q3k3/8/8/7p/8/8/8/4K2R w - - 0 1"))
    beta = np.int64(evaluate_position(record, TABLES) + lead)
    for nodes in (1, 1000):
        record.node_limit = nodes
        search(record, TABLES, table, beta - 1, beta, np.int64(depth), np.int64(1))
        assert table.any() == (nodes > 1)
        record.stop = 0


# --- Fifty moves ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mate", "clock", "found"), [(2, 0, 2), (2, 96, 2), (2, 97, 2), (2, 98, None), (2, 99, None), (1, 99, 1)]
)
def test_a_mate_must_come_before_the_fifty_moves_are_over(
    engine: Modern, mate: int, clock: int, found: int | None
) -> None:
    """A mate in two takes three plies. Mate on the hundredth ply counts."""
    fen = ("2k5/5Q2/5K2/8/8/R7/8/8", "8/7Q/8/k7/8/4R3/1K6/8")[mate - 1]
    score = think(engine, f"{fen} w - - {clock} 90", Limit(mate=mate, depth=14)).score
    assert (score.mate, score.centipawns) == (found, None if found else 0)


def test_a_pawn_s_move_begins_to_count_anew(engine: Modern) -> None:
    last = think(engine, "8/8/4k3/8/8/8/P2Q4/4K3 w - - 99 90", Limit(depth=6))
    assert format_uci(last.best_move)[:2] == "a2"
    assert (last.score.centipawns or 0) > 500


def test_a_repetition_is_taken_by_the_weaker_and_shunned_by_the_stronger(engine: Modern) -> None:
    """The position has occurred twice; the third time is a draw."""
    setup = parse_fen("6k1/8/8/8/8/8/8/Q5K1 w - - 0 1")
    engine.new_game()
    engine.set_position(setup)
    for text in ("g1g2", "g8f7", "g2g1", "f7g8", "g1g2", "g8f7", "g2g1"):
        engine.push(parse_uci(text, setup))
    weaker = list(engine.search(Limit(depth=8)))[-1]
    assert (format_uci(weaker.best_move), weaker.score.centipawns) == ("f7g8", 0)
    engine.pop()
    stronger = list(engine.search(Limit(depth=8)))[-1]
    assert format_uci(stronger.best_move) != "g2g1"
    assert (stronger.score.centipawns or 1000) > 500


# --- A repeated search ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 2, 100, 12_345])
def test_one_thread_searches_exactly_as_many_nodes_as_allowed(engine: Modern, nodes: int) -> None:
    for board in positions(5, nodes):
        engine.new_game()
        engine.set_position(from_chess_board(board))
        last = list(engine.search(Limit(nodes=nodes)))[-1]
        assert last.nodes == nodes or (last.nodes < nodes and last.depth == DEEPEST)  # As after a mate.
