"""Pruning and reductions: not where they are unsafe."""

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.modern import selectivity
from ox88.engines.modern.history import is_quiet
from ox88.engines.modern.nodes import make_null_move, unmake_null_move
from ox88.engines.modern.records import BEFORE_ROOT, MATE
from ox88.engines.modern.table import EXACT, LOWER, NO_ENTRY, UPPER
from ox88.engines.modern.thread import SearchThread
from ox88.types import NO_MOVE, format_uci
from tests.bitboard import naive
from tests.engines.modern.roots import TABLE, TABLES, entry_of, frame_of, play_on, set_root
from tests.positions import random_board

PIECES = "4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1"
PAWNS = "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1"
A2A3, B2B3, KING_STEP = 8 | 16 << 6, 9 | 17 << 6, 60 | 59 << 6
H1H7, H1H8 = 7 | 55 << 6, 7 | 63 << 6
A6A7 = 40 | 48 << 6
CHECK = 0 | 3 << 6  # The rook's, after the king's step to d8.
THREAD = SearchThread()


@pytest.fixture
def thread() -> SearchThread:
    return SearchThread()


def ask(kernel: Callable[..., Any], *arguments: Any) -> int:
    """Call a kernel with whole numbers as it takes them. Returns its answer, 0 if it has none."""
    return int(kernel(*(np.int64(each) if type(each) is int else each for each in arguments)) or 0)


def set_in_tree(thread: SearchThread, fen: str = PIECES) -> tuple[Any, Any]:
    """Two plies below the root: the record and its frame."""
    record = set_root(thread, chess.Board(fen))
    play_on(record, A2A3)
    play_on(record, KING_STEP)
    return record, frame_of(record)


# --- Decided games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "is_open"), [(0, True), (999, True), (-999, True), (1000, False), (-1000, False)])
def test_shallow_searches_are_not_trusted_in_decided_games(thread: SearchThread, value: int, is_open: bool) -> None:
    """Razoring, both kinds of ProbCut, and singular extensions need a value within decided_value."""
    record, _ = set_in_tree(thread)
    numbers = record.parameters
    record.root_depth = 20
    entry = entry_of(LOWER, depth=9)
    above = value + int(numbers.probcut_table_margin)
    answers = {
        ask(selectivity.can_razor, numbers, -20_000, value, 1),
        ask(selectivity.can_try_probcut, numbers, NO_ENTRY, 0, value, 9),
        ask(selectivity.can_probcut_by_table, numbers, entry, above, value, 9),
        ask(selectivity.can_be_singular, record, entry, value, 9),
    }
    assert answers == {is_open}
    thread.set_parameter("decided_value", 1001)
    assert ask(selectivity.can_try_probcut, numbers, NO_ENTRY, 0, value, 9)


# --- Null move, ProbCut, razoring, reverse futility -------------------------------------------------------------------


def may_pass(thread: SearchThread, node_eval: int = 500, beta: int = 100, depth: int = 8, cut_node: int = 1) -> bool:
    return bool(ask(selectivity.can_try_null_move, thread.record, node_eval, beta, depth, cut_node))


def test_passing_is_tried_with_pieces_and_a_lead(thread: SearchThread) -> None:
    record, frame = set_in_tree(thread)
    assert may_pass(thread)
    assert not may_pass(thread, node_eval=99)
    assert not may_pass(thread, depth=1)
    assert not may_pass(thread, cut_node=0)
    make_null_move(record, TABLES, TABLE, frame)
    assert not may_pass(thread)  # Twice in turn.
    unmake_null_move(record, frame)
    assert may_pass(thread)
    record.no_null_move_before = record.ply + 1
    assert not may_pass(thread)  # In a verification.
    record.no_null_move_before = 0
    thread.set_parameter("use_null_move", 0)
    assert not may_pass(thread)


def test_passing_is_never_tried_at_the_root_nor_in_pawn_endings(thread: SearchThread) -> None:
    set_root(thread, chess.Board(PIECES))
    assert not may_pass(thread)
    set_in_tree(thread, PAWNS)
    assert not may_pass(thread)


@pytest.mark.parametrize(
    ("pieces", "is_trusted"), [("R3K3", False), ("Q3K3", False), ("N3K3", False), ("RN2K3", True), ("BB2K3", True)]
)
def test_a_null_move_is_verified_where_one_piece_is_left(thread: SearchThread, pieces: str, is_trusted: bool) -> None:
    """Pawns and the opponent's pieces do not count; nothing is verified within a verification."""
    deep = int(thread.record.parameters.null_move_verification_depth)
    record = set_root(thread, chess.Board(f"rnbqk3/pp6/8/8/8/8/PP6/{pieces} w - - 0 1"))
    trusted = [ask(selectivity.can_trust_null_move, record, depth) for depth in (2, deep - 1, deep)]
    assert trusted == [is_trusted, is_trusted, False]
    record.no_null_move_before = 5
    assert ask(selectivity.can_trust_null_move, record, deep)


@given(st.integers(-1000, 30000), st.integers(1, 120))
def test_a_null_move_is_searched_less_deep(lead: int, depth: int) -> None:
    null_depth, deeper = (ask(selectivity.null_move_depth, THREAD.record, lead, 0, depth + more) for more in (0, 1))
    assert null_depth < depth or lead < 0
    assert deeper >= null_depth


# --- Pruning of single moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("alpha", "history", "pruned"), [(300, 0, False), (2000, 0, True), (2000, 16384, False)])
def test_a_capture_that_wins_too_little_is_pruned(thread: SearchThread, alpha: int, history: int, pruned: bool) -> None:
    """Far below alpha a capture of a pawn is pruned, unless its history is good, or it gives or escapes a check."""
    thread.set_parameter("capture_futility_history_divisor", 1)

    def is_pruned(fen: str, text: str) -> int:
        board = chess.Board(fen)
        record = set_root(thread, board)
        frame_of(record).static_eval = 0
        move = naive.to_int(board, chess.Move.from_uci(text))
        frame_of(record).stage = 0  # Before the captures that lose material.
        return ask(selectivity.can_prune_capture, record, TABLES, frame_of(record), move, history, alpha, 1, 1)

    assert is_pruned("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", "a1a7") == pruned
    assert not is_pruned("n3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    assert not is_pruned("4k3/8/8/8/8/8/3p4/R3K3 w - - 0 1", "e1d2")


def test_nothing_is_pruned_in_the_root_nor_in_pawn_endings(thread: SearchThread) -> None:
    thread.set_parameter("late_move_pruning_base", 0)

    def is_pruned(move: int) -> int:
        hopeless = -16000, 5000, 1, 60, 0
        frame = frame_of(thread.record)
        return ask(selectivity.can_prune_move, thread.record, TABLES, frame, move, True, *hopeless, False)

    set_root(thread, chess.Board(PIECES))
    assert not is_pruned(B2B3)
    set_in_tree(thread, PAWNS)
    assert not is_pruned(B2B3)
    set_in_tree(thread)
    assert is_pruned(B2B3)
    assert not is_pruned(CHECK)


def test_no_evasion_is_pruned_for_its_evaluation(thread: SearchThread) -> None:
    """A position in check has none of its own."""
    pruned = []
    for fen in ("4k3/8/8/8/8/8/4q3/R6K w - - 0 1", "4k3/8/8/8/8/8/7q/R6K w - - 0 1"):
        frame = frame_of(set_root(thread, chess.Board(fen)))
        frame.static_eval = 0
        pruned.append(ask(selectivity.can_prune_by_futility, thread.record.parameters, frame, 5000, 1))
    assert pruned == [True, False]


# --- Reductions -------------------------------------------------------------------------------------------------------


@given(
    st.integers(-49152, 49152), st.integers(0, 120), st.integers(0, 1 << 14), st.booleans(), st.booleans(),
    st.integers(0, 1),
)  # fmt: skip
def test_a_reduced_depth_lies_between_a_ply_and_the_full_depth(
    history: int, new_depth: int, reduction: int, improving: bool, pv_node: bool, cut_node: int
) -> None:
    record = set_root(THREAD, chess.Board())
    numbers = A2A3, history, new_depth, reduction
    depth = ask(selectivity.late_move_depth, record, frame_of(record), *numbers, improving, pv_node, cut_node)
    assert min(1, new_depth) <= depth <= new_depth


# --- Extensions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "is_extended"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", True),
        ("4k3/5n2/8/8/8/8/8/4K2R w - - 0 1", False),
        ("4k2r/8/8/8/8/8/8/4K2R w - - 0 1", True),  # It takes a rook.
        ("4k2r/5n2/8/8/8/8/8/4K2R w - - 0 1", True),  # A rook for a rook.
        ("4k2n/5n2/8/8/8/8/8/4K2R w - - 0 1", False),  # A rook for a knight.
    ],
)
def test_only_a_check_that_loses_nothing_extends(thread: SearchThread, fen: str, is_extended: bool) -> None:
    record = set_root(thread, chess.Board(fen))
    record.root_depth = 8
    ask(selectivity.note_check, record, TABLES, frame_of(record), H1H8)
    play_on(record, H1H8)
    assert selectivity.can_extend_check(record) == is_extended
    thread.set_parameter("use_check_extension", 0)
    assert not selectivity.can_extend_check(record)


def test_no_line_of_checks_is_extended_for_ever(thread: SearchThread) -> None:
    record, _ = set_in_tree(thread)
    extended = []
    for record.root_depth in (1, 2):
        extended.append(bool(selectivity.can_extend_check(record)))
    assert extended == [False, True]


def test_checks_are_known_before_they_are_played(thread: SearchThread) -> None:
    found = [0, 0, 0]
    for seed in range(60):
        board = random_board(seed, 10 + 3 * seed)
        record = set_root(thread, board)
        for number in naive.legal_moves(board):
            frame, move = frame_of(record), chess.Move.from_uci(format_uci(number))
            ask(selectivity.note_check, record, TABLES, frame, number)
            is_check = board.gives_check(move)
            is_losing = is_check and naive.see(board, move) < 0
            assert (frame.is_check, frame.is_losing_check) == (is_check, is_losing), (board.fen(), move)
            found[is_check + is_losing] += 1
    assert min(found) > 15


@pytest.mark.parametrize(
    ("fen", "move", "is_extended"),
    [
        ("4k2r/p7/8/8/8/8/P7/R3K2R w - - 0 1", H1H8, True),  # Two rooks are left, and pawns.
        ("4k2r/p7/8/8/8/8/P7/4K2R w - - 0 1", H1H8, True),
        ("r3k2r/p7/8/8/8/8/P7/R3K2R w - - 0 1", H1H8, False),  # Three pieces.
        ("4k3/p6p/8/8/8/8/P7/R3K2R w - - 0 1", H1H7, False),  # A pawn is taken.
        ("4k3/p7/8/8/8/8/P7/R3K2R w - - 0 1", H1H8, False),
        ("4k2r/p7/8/8/8/8/P7/4K2R w - - 0 1", NO_MOVE, False),  # A null move.
    ],
)
def test_an_exchange_that_leads_to_an_endgame_extends(
    thread: SearchThread, fen: str, move: int, is_extended: bool
) -> None:
    record = set_root(thread, chess.Board(fen))
    record.root_depth = 8
    assert not selectivity.can_extend_endgame(record)
    frame_of(record).undo.captured = chess.ROOK  # By a move that was tried before.
    if move == NO_MOVE:
        make_null_move(record, TABLES, TABLE, frame_of(record))
    else:
        play_on(record, move)
    assert selectivity.can_extend_endgame(record) == is_extended
    thread.set_parameter("use_endgame_extension", 0)
    assert not selectivity.can_extend_endgame(record)


def is_advanced_passed_pawn(board: chess.Board, move: chess.Move, is_first_killer: bool) -> bool:
    """True if a quiet move brings a passed pawn to the seventh rank, or to the sixth as the first killer."""
    if board.piece_type_at(move.from_square) != chess.PAWN or not naive.is_quiet(board, move):
        return False
    after = board.copy()
    after.push(move)
    after = after if board.turn else after.mirror()
    square = move.to_square if board.turn else chess.square_mirror(move.to_square)
    rank, file = chess.square_rank(square), chess.square_file(square)
    theirs = after.pieces(chess.PAWN, chess.BLACK)
    if any(chess.square_rank(each) > rank and abs(chess.square_file(each) - file) <= 1 for each in theirs):
        return False
    return rank == 6 or (rank == 5 and is_first_killer)


def test_advanced_passed_pawns_extend(thread: SearchThread) -> None:
    found = {(is_first_killer, is_extended): 0 for is_first_killer in (False, True) for is_extended in (False, True)}
    for seed in range(60):
        board = random_board(seed, 60 + 3 * seed)
        record, frame = set_root(thread, board), frame_of(thread.record)
        record.root_depth = 8
        for move in board.legal_moves:
            number = naive.to_int(board, move)
            for killer in (NO_MOVE, number):
                frame.killers[:] = (killer, NO_MOVE)
                expected = is_advanced_passed_pawn(board, move, killer == number)
                quiet = is_quiet(record.position, np.int64(number))
                is_extended = ask(selectivity.can_extend_passed_pawn, record, TABLES, frame, number, quiet)
                assert is_extended == expected, (board.fen(), move.uci(), killer)
                found[killer == number, expected] += 1
    assert min(found.values()) > 8
    assert found[True, True] > found[False, True]
    record, extended = set_root(thread, chess.Board("4k3/8/P7/8/8/8/8/4K3 w - - 0 1")), []
    for switch, record.root_depth in ((1, 8), (0, 8), (1, 0)):  # At last the line is too long.
        thread.set_parameter("use_passed_pawn_extension", switch)
        extended.append(ask(selectivity.can_extend_passed_pawn, record, TABLES, frame, A6A7, True))
    assert extended == [True, False, False]


@pytest.mark.parametrize(
    ("changed", "is_tested"),
    [
        ({}, True), ({"bound": EXACT}, True), ({"bound": UPPER}, False), ({"shallower": 3}, True),
        ({"shallower": 4}, False), ({"depth": -1}, False), ({"value": MATE - 10}, False), ({"value": 10 - MATE}, False),
        ({"value": 900}, True), ({"ply": 0}, False), ({"ply": 39}, True), ({"ply": 40}, False), ({"switch": 0}, False),
    ],
)  # fmt: skip
def test_when_a_move_is_tested_for_being_singular(
    thread: SearchThread, changed: dict[str, int], is_tested: bool
) -> None:
    """The table must have a lower bound, no mate, of nearly this depth; the line must be shorter than 40 plies.

    depth: plies above the least depth of the test. shallower: plies that the table's search was less deep. A line
    may become twice as long as the depth of the iteration, 20 plies.
    """
    of = {"bound": int(LOWER), "shallower": 0, "depth": 0, "value": 30, "ply": 2, "switch": 1} | changed
    record = thread.record
    thread.set_parameter("use_singular_extension", of["switch"])
    record.root_depth, record.ply = 20, of["ply"]
    depth = int(record.parameters.singular_depth) + of["depth"]
    entry = entry_of(np.int64(of["bound"]), depth=depth - of["shallower"])
    assert ask(selectivity.can_be_singular, record, entry, of["value"], depth) == is_tested
    assert not ask(selectivity.can_be_singular, record, NO_ENTRY, of["value"], depth)


def test_a_double_extension_counts_on_its_own_line_alone(thread: SearchThread) -> None:
    record, frame = set_in_tree(thread)
    record.frames[int(record.ply) + BEFORE_ROOT - 1].double_extensions = 3
    for extension, expected in ((2, 4), (0, 3), (1, 3), (2, 4)):
        ask(selectivity.count_double_extensions, record, frame, extension)
        assert frame.double_extensions == expected
    limit = int(record.parameters.double_extension_limit)
    for frame.double_extensions, extension in ((limit, 1), (limit - 1, 3)):
        assert ask(selectivity.singular_extension, record, frame, False, 1000) == extension
