"""Pruning and reductions: not where they are unsafe."""

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.engines.modern import selectivity
from ox88.engines.modern.history import is_quiet
from ox88.engines.modern.nodes import make_null_move, unmake_null_move
from ox88.engines.modern.records import BEFORE_ROOT, MATE
from ox88.engines.modern.table import EXACT, LOWER, NO_ENTRY, UPPER, make_table, probe, store
from ox88.engines.modern.thread import SearchThread
from ox88.types import NO_MOVE, format_uci
from tests.bitboard import naive
from tests.engines.modern.roots import TABLE, TABLES, frame_of, play_on, set_root
from tests.positions import random_board

PIECES = "4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1"
PAWNS = "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1"
A2A3, B2B3, KING_STEP = 8 | 16 << 6, 9 | 17 << 6, 60 | 59 << 6
H1H7, H1H8 = 7 | 55 << 6, 7 | 63 << 6
A6A7 = 40 | 48 << 6
CHECK = 0 | 3 << 6  # The rook's, after the king's step to d8.
NUMBER = st.integers(-2000, 2000)


@pytest.fixture
def thread() -> SearchThread:
    return SearchThread()


def may_pass(thread: SearchThread, node_eval: int = 500, beta: int = 100, depth: int = 8, cut_node: int = 1) -> bool:
    numbers = (np.int64(number) for number in (node_eval, beta, depth, cut_node))
    return bool(selectivity.can_try_null_move(thread.record, *numbers))


def set_in_tree(thread: SearchThread, fen: str) -> None:
    """Two plies below the root."""
    record = set_root(thread, chess.Board(fen))
    play_on(record, A2A3)
    play_on(record, KING_STEP)


def test_passing_is_tried_with_pieces_and_a_lead(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    assert may_pass(thread)
    assert not may_pass(thread, node_eval=99)
    assert not may_pass(thread, depth=1)
    assert not may_pass(thread, cut_node=0)


def test_passing_is_never_tried_in_pawn_endings(thread: SearchThread) -> None:
    set_in_tree(thread, PAWNS)
    assert not may_pass(thread)


def test_a_table_value_far_above_beta_is_enough_if_it_is_deep() -> None:
    p = THREAD.record.parameters

    def is_enough(value: int = 400, depth: int = 4, bound: np.int64 = LOWER) -> bool:
        entry = stored(depth, bound)
        return bool(selectivity.can_probcut_by_table(p, entry, np.int64(value), np.int64(100), np.int64(8)))

    assert is_enough()
    assert is_enough(depth=20)
    assert not is_enough(value=399)
    assert not is_enough(depth=3)
    assert not is_enough(bound=UPPER)
    assert not is_enough(value=MATE - 10)
    assert not selectivity.can_probcut_by_table(p, NO_ENTRY, np.int64(400), np.int64(100), np.int64(8))


def stored(depth: int, bound: np.int64 = LOWER) -> np.uint64:
    """A table's entry."""
    bucket, key = make_table(1)[:8], np.uint64(88)
    numbers = (1, 0, 0, 0, 0, depth, int(bound), 0)
    store(bucket, key, *(np.int64(number) for number in numbers))
    return np.uint64(probe(bucket, key))


def test_nobody_passes_in_the_root_nor_twice_in_turn(thread: SearchThread) -> None:
    record = set_root(thread, chess.Board(PIECES))
    assert not may_pass(thread)
    set_in_tree(thread, PIECES)
    frame = frame_of(record)
    make_null_move(record, TABLES, TABLE, frame)
    assert not may_pass(thread)
    unmake_null_move(record, frame)
    assert may_pass(thread)


@pytest.mark.parametrize(
    ("pieces", "is_trusted"),
    [("R3K3", False), ("Q3K3", False), ("N3K3", False), ("RN2K3", True), ("BB2K3", True)],
)
def test_a_null_move_is_verified_where_one_piece_is_left(thread: SearchThread, pieces: str, is_trusted: bool) -> None:
    """Pawns and the opponent's pieces do not count; nothing is verified within a verification."""
    deep = int(thread.record.parameters.null_move_verification_depth)
    record = set_root(thread, chess.Board(f"rnbqk3/pp6/8/8/8/8/PP6/{pieces} w - - 0 1"))
    trusted = [bool(selectivity.can_trust_null_move(record, np.int64(depth))) for depth in (2, deep - 1, deep)]
    assert trusted == [is_trusted, is_trusted, False]
    record.no_null_move_before = 5
    assert selectivity.can_trust_null_move(record, np.int64(deep))
    record.no_null_move_before = 0


def test_passing_can_be_switched_off_and_is_off_in_a_verification(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    thread.record.no_null_move_before = thread.record.ply + 1
    assert not may_pass(thread)
    thread.record.no_null_move_before = 0
    thread.set_parameter("use_null_move", 0)
    assert not may_pass(thread)


@given(st.integers(-1000, 30000), st.integers(1, 120))
def test_a_null_move_is_searched_less_deep(lead: int, depth: int) -> None:
    record = THREAD.record
    null_depth = selectivity.null_move_depth(record, np.int64(lead), np.int64(0), np.int64(depth))
    assert null_depth < depth or lead < 0
    deeper = selectivity.null_move_depth(record, np.int64(lead), np.int64(0), np.int64(depth + 1))
    assert deeper >= null_depth


THREAD = SearchThread()


@given(
    st.integers(-49152, 49152),
    st.integers(0, 120),
    st.integers(0, 1 << 14),
    st.booleans(),
    st.booleans(),
    st.integers(0, 1),
)
def test_a_reduced_depth_lies_between_a_ply_and_the_full_depth(
    history: int, new_depth: int, reduction: int, improving: bool, pv_node: bool, cut_node: int
) -> None:
    record = set_root(THREAD, chess.Board())
    depth = selectivity.late_move_depth(
        record, frame_of(record), np.int64(A2A3), np.int64(history), np.int64(new_depth), np.int64(reduction),
        improving, pv_node, np.int64(cut_node),
    )  # fmt: skip
    assert min(1, new_depth) <= depth <= new_depth


def test_moves_are_reduced_less_where_the_principal_variation_has_been(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    frame = frame_of(thread.record)
    thread.set_parameter("reduction_was_pv", 2048)
    depths = []
    for was_pv in (0, 1):
        frame.was_pv = was_pv
        numbers = (np.int64(number) for number in (A2A3, 0, 12, 5 << 10))
        depths.append(selectivity.late_move_depth(thread.record, frame, *numbers, True, False, np.int64(0)))
    assert depths[1] == depths[0] + 2


def test_a_move_that_is_hardly_better_is_searched_again_a_ply_less_deep(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    thread.set_parameter("shallower_margin", 10)

    def depth(value: int) -> int:
        return int(selectivity.research_depth(thread.record, np.int64(7), np.int64(value), np.int64(50)))

    assert [depth(value) for value in (51, 59, 60, 500)] == [6, 6, 7, 7]
    set_root(thread, chess.Board(PIECES))
    assert depth(51) == 7


@given(NUMBER, NUMBER, st.integers(1, 12), st.booleans())
def test_a_position_is_not_both_hopeless_and_far_ahead(node_eval: int, beta: int, depth: int, improving: bool) -> None:
    p = THREAD.record.parameters
    hopeless = selectivity.can_razor(p, np.int64(node_eval), np.int64(beta - 1), np.int64(depth))
    ahead = selectivity.can_prune_by_reverse_futility(
        p, np.int64(node_eval), np.int64(beta), np.int64(depth), improving
    )
    assert not (hopeless and ahead)
    assert not hopeless or node_eval < beta
    assert not ahead or node_eval >= beta


def test_more_moves_are_late_near_the_horizon() -> None:
    p = THREAD.record.parameters
    limits = [
        sum(not selectivity.can_prune_late_move(p, np.int64(depth), np.int64(number), True) for number in range(200))
        for depth in range(1, 9)
    ]
    assert limits == sorted(limits)
    assert limits[0] > 1


@pytest.mark.parametrize(("alpha", "history", "pruned"), [(300, 0, False), (2000, 0, True), (2000, 16384, False)])
def test_a_capture_that_wins_too_little_is_pruned(thread: SearchThread, alpha: int, history: int, pruned: bool) -> None:
    """A capture of a pawn is pruned far below alpha, but not if its history is good, if it gives check, or in check."""
    thread.set_parameter("capture_futility_history_divisor", 1)

    def is_pruned(fen: str, text: str) -> bool:
        board = chess.Board(fen)
        record = set_root(thread, board)
        frame_of(record).static_eval = 0
        move = np.int64(naive.to_int(board, chess.Move.from_uci(text)))
        numbers = (np.int64(number) for number in (history, alpha, 1))
        return bool(selectivity.can_prune_capture_by_futility(record, TABLES, frame_of(record), move, *numbers))

    assert is_pruned("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", "a1a7") == pruned
    assert not is_pruned("n3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    assert not is_pruned("4k3/8/8/8/8/8/3p4/R3K3 w - - 0 1", "e1d2")


def test_nothing_is_pruned_in_the_root_nor_in_pawn_endings(thread: SearchThread) -> None:
    thread.set_parameter("late_move_pruning_base", 0)

    def is_pruned(move: int) -> bool:
        record = thread.record
        hopeless = np.int64(-16000), np.int64(5000), np.int64(1), np.int64(60), np.int64(0)
        args = (record, TABLES, frame_of(record), np.int64(move), True, *hopeless, False)
        return bool(selectivity.can_prune_move(*args))

    set_root(thread, chess.Board(PIECES))
    assert not is_pruned(B2B3)
    set_in_tree(thread, PAWNS)
    assert not is_pruned(B2B3)
    set_in_tree(thread, PIECES)
    assert is_pruned(B2B3)
    assert not is_pruned(CHECK)


def test_a_check_is_reduced_less(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    record, frame = thread.record, frame_of(thread.record)
    thread.set_parameter("reduction_check", 2048)
    depths = []
    for move in (B2B3, CHECK):
        selectivity.note_check(record, TABLES, frame, np.int64(move))
        numbers = (np.int64(number) for number in (move, 0, 12, 5 << 10))
        depths.append(selectivity.late_move_depth(record, frame, *numbers, True, False, np.int64(0)))
    assert depths[1] == depths[0] + 2


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
    selectivity.note_check(record, TABLES, frame_of(record), np.int64(H1H8))
    play_on(record, H1H8)
    assert bool(selectivity.can_extend_check(record)) == is_extended
    thread.set_parameter("use_check_extension", 0)
    assert not selectivity.can_extend_check(record)


def test_no_line_of_checks_is_extended_for_ever(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    record = thread.record
    extended = []
    for depth in (1, 2):
        record.root_depth = depth
        extended.append(bool(selectivity.can_extend_check(record)))
    assert extended == [False, True]


def test_checks_are_known_before_they_are_played(thread: SearchThread) -> None:
    found = [0, 0, 0]
    for seed in range(150):
        board = random_board(seed, 10 + seed)
        record = set_root(thread, board)
        for move in naive.legal_moves(board):
            frame = frame_of(record)
            selectivity.note_check(record, TABLES, frame, np.int64(move))
            is_check = board.gives_check(chess.Move.from_uci(format_uci(move)))
            is_losing = is_check and naive.see(board, chess.Move.from_uci(format_uci(move))) < 0
            assert (frame.is_check, frame.is_losing_check) == (is_check, is_losing), (board.fen(), format_uci(move))
            found[is_check + is_losing] += 1
    assert min(found) > 50


@pytest.mark.parametrize(
    ("fen", "move", "is_extended"),
    [
        ("4k2r/p7/8/8/8/8/P7/R3K2R w - - 0 1", H1H8, True),  # Two rooks are left, and pawns.
        ("4k2r/p7/8/8/8/8/P7/4K2R w - - 0 1", H1H8, True),
        ("r3k2r/p7/8/8/8/8/P7/R3K2R w - - 0 1", H1H8, False),  # Three pieces.
        ("4k3/p6p/8/8/8/8/P7/R3K2R w - - 0 1", H1H7, False),  # A pawn is taken.
        ("4k3/p7/8/8/8/8/P7/R3K2R w - - 0 1", H1H8, False),
    ],
)
def test_an_exchange_that_leads_to_an_endgame_extends(
    thread: SearchThread, fen: str, move: int, is_extended: bool
) -> None:
    record = set_root(thread, chess.Board(fen))
    record.root_depth = 8
    assert not selectivity.can_extend_endgame(record)
    play_on(record, move)
    assert bool(selectivity.can_extend_endgame(record)) == is_extended
    thread.set_parameter("use_endgame_extension", 0)
    assert not selectivity.can_extend_endgame(record)


def test_nothing_is_extended_after_a_null_move(thread: SearchThread) -> None:
    record = set_root(thread, chess.Board(PIECES))
    record.root_depth = 8
    frame_of(record).undo.captured = chess.ROOK  # By a move that was tried before.
    make_null_move(record, TABLES, TABLE, frame_of(record))
    assert not selectivity.can_extend_endgame(record)


def is_advanced_passed_pawn(board: chess.Board, move: chess.Move, is_first_killer: bool) -> bool:
    """True if a quiet move brings a passed pawn to the seventh rank, or to the sixth as the first killer."""
    if board.piece_type_at(move.from_square) != chess.PAWN or not naive.is_quiet(board, move):
        return False
    board = board.copy()
    white = board.turn
    board.push(move)
    board = board if white else board.mirror()
    square = move.to_square if white else chess.square_mirror(move.to_square)
    rank, file = chess.square_rank(square), chess.square_file(square)
    theirs = board.pieces(chess.PAWN, chess.BLACK)
    if any(chess.square_rank(each) > rank and abs(chess.square_file(each) - file) <= 1 for each in theirs):
        return False
    return rank == 6 or (rank == 5 and is_first_killer)


def test_advanced_passed_pawns_extend(thread: SearchThread) -> None:
    found = {(is_first_killer, is_extended): 0 for is_first_killer in (False, True) for is_extended in (False, True)}
    for seed in range(100):
        board = random_board(seed, 60 + 2 * seed)
        record, frame = set_root(thread, board), frame_of(thread.record)
        record.root_depth = 8
        for move in board.legal_moves:
            number = naive.to_int(board, move)
            for killer in (NO_MOVE, number):
                frame.killers[:] = (killer, NO_MOVE)
                expected = is_advanced_passed_pawn(board, move, killer == number)
                quiet = is_quiet(record.position, np.int64(number))
                is_extended = selectivity.can_extend_passed_pawn(record, TABLES, frame, np.int64(number), quiet)
                assert is_extended == expected, (board.fen(), move.uci(), killer)
                found[killer == number, expected] += 1
    assert min(found.values()) > 15
    assert found[True, True] > 2 * found[False, True]
    thread.set_parameter("use_passed_pawn_extension", 0)
    set_root(thread, chess.Board("4k3/8/P7/8/8/8/8/4K3 w - - 0 1"))
    assert not selectivity.can_extend_passed_pawn(record, TABLES, frame, np.int64(A6A7), True)
    thread.set_parameter("use_passed_pawn_extension", 1)
    assert selectivity.can_extend_passed_pawn(record, TABLES, frame, np.int64(A6A7), True)
    record.root_depth = 0  # So the line is too long.
    assert not selectivity.can_extend_passed_pawn(record, TABLES, frame, np.int64(A6A7), True)


@pytest.mark.parametrize(
    ("changed", "is_tested"),
    [
        ({}, True),
        ({"bound": EXACT}, True),
        ({"bound": UPPER}, False),
        ({"shallower": 3}, True),
        ({"shallower": 4}, False),
        ({"depth": -1}, False),
        ({"value": MATE - 10}, False),
        ({"value": 10 - MATE}, False),
        ({"value": 2000}, True),
        ({"ply": 0}, False),
        ({"ply": 39}, True),
        ({"ply": 40}, False),
        ({"is_switched_on": 0}, False),
    ],
)
def test_when_a_move_is_tested_for_being_singular(
    thread: SearchThread, changed: dict[str, int], is_tested: bool
) -> None:
    """The table must know a lower bound, from nearly the same depth, that is no mate; and no line grows for ever.

    depth: beyond the least one. shallower: plies that the table's search was less deep. The iteration is 20 plies deep.
    """
    of = {"bound": int(LOWER), "shallower": 0, "depth": 0, "value": 30, "ply": 2, "is_switched_on": 1} | changed
    record = thread.record
    thread.set_parameter("use_singular_extension", of["is_switched_on"])
    record.root_depth, record.ply = 20, of["ply"]
    depth = int(record.parameters.singular_depth) + of["depth"]
    entry = stored(depth - of["shallower"], np.int64(of["bound"]))
    assert selectivity.can_be_singular(record, entry, np.int64(of["value"]), np.int64(depth)) == is_tested
    assert not selectivity.can_be_singular(record, NO_ENTRY, np.int64(of["value"]), np.int64(depth))
    record.ply = 0


def test_no_evasion_is_pruned_for_its_evaluation(thread: SearchThread) -> None:
    """A position in check has none of its own."""
    pruned = []
    for fen in ("4k3/8/8/8/8/8/4q3/R6K w - - 0 1", "4k3/8/8/8/8/8/7q/R6K w - - 0 1"):
        frame = frame_of(set_root(thread, chess.Board(fen)))
        frame.static_eval = 0
        p = thread.record.parameters
        pruned.append(bool(selectivity.can_prune_by_futility(p, frame, np.int64(5000), np.int64(1))))
    assert pruned == [True, False]


def test_when_a_probcut_is_tried(thread: SearchThread) -> None:
    """Not where the table already says that no capture is good enough."""
    p = thread.record.parameters
    depth, entry = np.int64(p.probcut_depth), stored(1)
    tried = [
        bool(selectivity.can_try_probcut(p, some, np.int64(value), np.int64(100), np.int64(plies)))
        for some, value, plies in (
            (NO_ENTRY, 0, depth), (entry, 99, depth), (entry, 100, depth), (entry, 100, depth - 1)
        )
    ]  # fmt: skip
    assert tried == [True, False, True, False]


def test_a_double_extension_counts_on_its_own_line_alone(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    record, frame = thread.record, frame_of(thread.record)
    parent = record.frames[int(record.ply) + BEFORE_ROOT - 1]
    parent.double_extensions = 3
    for extension, expected in ((2, 4), (0, 3), (1, 3), (2, 4)):
        selectivity.count_double_extensions(record, frame, np.int64(extension))
        assert frame.double_extensions == expected
    frame.double_extensions = limit = int(record.parameters.double_extension_limit)
    assert selectivity.singular_extension(record, frame, False, np.int64(1000)) == 1
    frame.double_extensions = limit - 1
    assert selectivity.singular_extension(record, frame, False, np.int64(1000)) == 3
    assert frame.double_extensions == limit - 1


def test_the_better_the_singular_move_the_longer_the_extension(thread: SearchThread) -> None:
    set_in_tree(thread, PIECES)
    thread.set_parameter("double_extension_margin", 20)
    thread.set_parameter("triple_extension_margin", 80)
    record, frame = thread.record, frame_of(thread.record)
    for margin, extension in ((1, 1), (20, 1), (21, 2), (80, 2), (81, 3), (5000, 3)):
        assert selectivity.singular_extension(record, frame, False, np.int64(margin)) == extension
        assert selectivity.singular_extension(record, frame, True, np.int64(margin)) == 1
