"""Draws by repetition, the fifty-move rule, insufficient material and stalemate, compared with python-chess."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from ox88.bitboard.position import is_insufficient, make_position
from ox88.engines.modern.driver import PositionHistory
from ox88.engines.modern.nodes import (
    can_repeat,
    evaluate_node,
    is_draw,
    is_improving,
    is_repetition,
    is_stalemate,
    is_tt_cutoff,
    legal_tt_move,
    likely_key,
    node_key,
    note_pv,
    save,
    table_key,
)
from ox88.engines.modern.quiescence import quiesce
from ox88.engines.modern.records import INFINITY, MATE, MATE_BOUND, NO_VALUE
from ox88.engines.modern.table import EXACT, LOWER, NO_ENTRY, UPPER, entry_was_pv, make_table, probe
from ox88.engines.modern.thread import SearchThread
from ox88.types import make_move
from tests.bitboard import naive
from tests.engines.modern.roots import TABLES, entry_of, few_pieces, frame_of, play_on, set_root


@pytest.fixture(scope="module")
def thread() -> SearchThread:
    return SearchThread()


# --- Material ---------------------------------------------------------------------------------------------------------


def test_insufficient_material_is_python_chess_s() -> None:
    found = []
    for board in few_pieces(1500, 88):
        found.append(board.is_insufficient_material())
        assert bool(is_insufficient(make_position(naive.to_setup(board)))) == found[-1], board.fen()
    assert 100 < sum(found) < 1400


# --- Stalemate ------------------------------------------------------------------------------------------------------


def cornered(count: int, seed: int) -> Iterator[chess.Board]:
    """Positions without check: a king in a corner, some with pawns, which are often blocked, against queen and rook."""
    choice = random.Random(seed)
    while count:
        board = chess.Board(None)
        board.set_piece_at(choice.choice([chess.A1, chess.A8, chess.H1, chess.H8]), chess.Piece.from_symbol("k"))
        for symbol in ["K", "Q", *choice.choices("RRn", k=choice.randrange(3)), *"pp"[: choice.randrange(3)]]:
            empty = [square for square in chess.SQUARES if not board.piece_at(square)]
            blocked = [square for square in empty if square > chess.H1 and board.piece_at(square - 8)]
            board.set_piece_at(choice.choice((symbol == "p" and blocked) or empty), chess.Piece.from_symbol(symbol))
        board.turn = chess.BLACK
        if board.is_valid() and not board.is_check():
            count -= 1
            yield choice.choice([board, board.mirror()])


def test_a_stalemate_of_a_king_and_its_pawns(thread: SearchThread) -> None:
    found = []
    for board in cornered(700, 11):
        own = board.occupied_co[board.turn]
        pawns = chess.SquareSet(own & board.pawns)
        is_bare = own & ~board.pawns == own & board.kings
        are_blocked = all(board.piece_at(square + (8 if board.turn else -8)) for square in pawns)
        found.append((is_bare and are_blocked and board.is_stalemate(), bool(pawns)))
        assert bool(is_stalemate(set_root(thread, board), TABLES)) == found[-1][0], board.fen()
    assert min(found.count((True, True)), found.count((True, False))) > 4


@pytest.mark.parametrize(
    ("fen", "least", "most"),
    [
        ("8/8/8/8/2K5/8/k7/2Q5 b - - 0 1", 0, 0),  # Stalemate.
        ("8/8/8/8/2K5/2Q5/k7/2r5 w - - 0 1", 1, MATE_BOUND),  # Qxc1 would be this stalemate.
        ("8/8/8/8/8/1K6/1Q6/k7 b - - 0 1", -MATE, -MATE),  # Mate.
    ],
)
def test_quiescence_tells_stalemate_from_mate(thread: SearchThread, fen: str, least: int, most: int) -> None:
    record = set_root(thread, chess.Board(fen))
    value = quiesce(record, TABLES, make_table(1), np.int64(-INFINITY), np.int64(INFINITY))
    assert least <= value <= most


# --- The principal variation ------------------------------------------------------------------------------------------


def test_the_table_remembers_where_the_principal_variation_has_been(thread: SearchThread) -> None:
    table, record = make_table(1), set_root(thread, chess.Board())
    (line,) = thread.deepen(table, range(1, 9), naive.legal_moves(chess.Board()))
    entries = []
    for move in line.moves[:3]:
        entries.append(np.uint64(probe(table, np.uint64(table_key(record.position)))))
        play_on(record, move)
    assert all(entry_was_pv(entry) for entry in entries)
    data = table[1::2]
    assert 0 < np.count_nonzero(data >> np.uint64(63)) < np.count_nonzero(data) / 2
    frame = frame_of(record)
    found = []
    for entry, pv_node in ((entries[0], False), (np.uint64(NO_ENTRY), False), (np.uint64(NO_ENTRY), True)):
        note_pv(frame, entry, pv_node)
        found.append(int(frame.was_pv))
    assert found == [1, 0, 1]


def test_a_singular_search_has_entries_of_its_own(thread: SearchThread) -> None:
    record = set_root(thread, chess.Board())
    frame = frame_of(record)
    keys = []
    for excluded in (0, *naive.legal_moves(chess.Board())):
        frame.excluded_move = excluded
        keys.append(int(node_key(record, frame)))
    frame.excluded_move = 0
    assert keys[0] == int(table_key(record.position))
    assert len(set(keys)) == 21


def test_the_key_changes_while_pieces_go_to_and_fro(thread: SearchThread) -> None:
    fens = [f"8/8/8/8/4k3/8/1Q6/K7 w - - {clock} 80" for clock in range(101)]
    keys = [int(table_key(set_root(thread, chess.Board(fen)).position)) for fen in fens]
    assert len(set(keys)) == 1 + len(range(16, 101, 8))
    assert keys == [keys[0]] * 16 + [keys[clock // 8 * 8] for clock in range(16, 101)]


# --- The key before the move ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_likely_key_is_right_but_for_rare_moves(thread: SearchThread) -> None:
    right, wrong = 0, 0
    for seed in range(60):
        board, choice = naive.start_board(seed, random.Random(seed)), random.Random(seed)
        while not board.is_game_over() and len(board.move_stack) < 40:
            for move in board.legal_moves:
                record = set_root(thread, board)
                likely = likely_key(TABLES, record.position, np.int64(naive.to_int(board, move)))
                play_on(record, naive.to_int(board, move))
                is_right = int(likely) == int(record.position.key)
                assert is_right or is_rare(board, move), (board.fen(), move)
                right, wrong = right + is_right, wrong + (not is_right)
            board.push(choice.choice(list(board.legal_moves)))
    assert right > 9 * wrong > 0


def is_rare(board: chess.Board, move: chess.Move) -> bool:
    """True for castling, promotion, en passant and double steps, and where a right to castle ends."""
    after = board.copy(stack=False)
    after.push(move)
    is_double_step = (
        board.piece_type_at(move.from_square) == chess.PAWN and abs(move.from_square - move.to_square) == 16
    )
    ends_right = board.castling_rights != after.castling_rights
    return bool(ends_right or move.promotion or board.is_en_passant(move) or is_double_step)


# --- Repetition -------------------------------------------------------------------------------------------------------


def shuffled(seed: int) -> tuple[chess.Board, int]:
    """(a game with many repetitions and a few pawn moves, a random number of its plies)."""
    choice = random.Random(seed)
    board = chess.Board("1n2k3/p6p/8/8/8/8/P6P/1N2K3 w - - 0 1", chess960=True)
    length = choice.randrange(4, 40)
    while len(board.move_stack) < length:
        moves = list(board.legal_moves)
        calm = [
            move for move in moves if move.to_square in (chess.B1, chess.C3, chess.A3, chess.B8, chess.C6, chess.A6)
        ]
        board.push(choice.choice(moves if choice.random() < 0.08 or not calm else calm))
    return board, choice.randrange(length)


def follow(thread: SearchThread, board: chess.Board, past: int) -> None:
    """Play a board's game: its first moves before the root, the others in the tree."""
    game = PositionHistory()
    game.set_position(naive.to_setup(board.root()))
    moves = [make_move(move.from_square, move.to_square, move.promotion or 0) for move in board.move_stack]
    for move in moves[:past]:
        game.push(move)
    thread.prepare(game.position, game.keys, 1, None)
    for move in moves[past:]:
        play_on(thread.record, move)


def earlier(board: chess.Board) -> list[str]:
    """The positions before the last one."""
    replayed, positions = board.root(), []
    for move in board.move_stack:
        positions.append(replayed.epd())
        replayed.push(move)
    return positions


def is_repeated(board: chess.Board, past: int) -> bool:
    """True if the last position occurred after the root, or twice in all. past: plies before the root."""
    positions = earlier(board)
    return board.epd() in positions[past + 1 :] or positions.count(board.epd()) >= 2


def test_repetition_counts_once_in_the_tree_and_twice_before(thread: SearchThread) -> None:
    found = []
    for seed in range(120):
        board, past = shuffled(seed)
        follow(thread, board, past)
        found.append(is_repeated(board, past))
        assert bool(is_repetition(thread.record)) == found[-1], (board.root().fen(), board.move_stack, past)
    assert 30 < sum(found) < 90


def wandered(seed: int) -> tuple[chess.Board, int]:
    """(a game in which pieces often go back where they came from, how many of its plies are before the root)."""
    choice = random.Random(seed)
    fens = "6k1/5q1p/8/2b5/5B2/8/P1Q5/1K6 w - - 0 1", "r3k3/6p1/8/8/8/8/1P6/3K3R w q - 0 1"
    board = chess.Board(choice.choice(fens))
    length = choice.randrange(3, 16)
    while len(board.move_stack) < length and any(board.legal_moves):
        moves = [move for move in board.legal_moves if not board.is_castling(move)]
        back = [move for move in moves if (move.to_square, move.from_square) in own_moves(board)]
        board.push(choice.choice(back if back and choice.random() < 0.5 else moves))
    return board, choice.randrange(length)


def own_moves(board: chess.Board) -> list[tuple[int, int]]:
    """The last moves of the side to move."""
    return [(move.from_square, move.to_square) for move in board.move_stack[-2::-2][:3]]


def is_repeatable(board: chess.Board, past: int) -> bool:
    """True if a move leads to a position that occurred after the root. past: plies before the root."""
    since = set(earlier(board)[past + 1 :])
    after = board.copy()
    for move in board.legal_moves:
        after.push(move)
        if after.epd() in since:
            return True
        after.pop()
    return False


def test_upcoming_repetition(thread: SearchThread) -> None:
    found = []
    for seed in range(80):
        board, past = wandered(seed) if seed % 3 else shuffled(seed)
        follow(thread, board, past)
        found.append(is_repeatable(board, past))
        assert bool(can_repeat(thread.record, TABLES)) == found[-1], (board.root().fen(), board.move_stack, past)
    assert 12 < sum(found) < 56
    thread.set_parameter("use_upcoming_repetition", 0)
    assert not can_repeat(thread.record, TABLES)
    thread.set_parameter("use_upcoming_repetition", 1)


@pytest.mark.parametrize(
    ("piece", "moves"), [("R", "g1h1 e8d8 a1b1 d8d7 b1b3 d7e7 b3a3 e7e8"), ("Q", "g1h1 e8d8 a1b2 d8d7 b2a3 d7e8")]
)
@pytest.mark.parametrize("square", [chess.A2, chess.H2])
@pytest.mark.parametrize("symbol", "Pn")
def test_no_piece_jumps_over_another_to_repeat(
    thread: SearchThread, piece: str, moves: str, square: int, symbol: str
) -> None:
    """The piece went round a2, and goes back through it if a2 is empty."""
    board = chess.Board(f"4k3/8/8/8/8/8/8/{piece}5K1 w - - 0 1")
    board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board = chess.Board(board.fen())  # The piece belongs to the game's first position.
    for move in moves.split():
        board.push_uci(move)
    follow(thread, board, 0)
    assert bool(can_repeat(thread.record, TABLES)) == is_repeatable(board, 0) == (square == chess.H2)


# --- Fifty moves ------------------------------------------------------------------------------------------------------

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - {} 90"
CHECKED = "7k/8/6K1/8/8/8/8/7Q b - - {} 90"
QUIET = "6k1/8/8/8/8/8/8/K6Q w - - {} 90"


@pytest.mark.parametrize(
    ("fen", "clock", "drawn"),
    [(QUIET, 99, False), (QUIET, 100, True), (CHECKED, 99, False), (CHECKED, 100, True), (MATED, 100, False)],
)
def test_fifty_moves_are_a_draw_but_for_a_mate(thread: SearchThread, fen: str, clock: int, drawn: bool) -> None:
    record = set_root(thread, chess.Board(fen.format(clock)))
    assert bool(is_draw(record, TABLES)) == drawn


@pytest.mark.parametrize(
    ("bound", "value", "is_enough"),
    [(EXACT, 40, True), (EXACT, 0, True), (LOWER, 25, True), (LOWER, 24, False), (UPPER, 24, True), (UPPER, 25, False)],
)
@pytest.mark.parametrize(
    ("depth", "clock", "is_deep"), [(5, 0, False), (6, 0, True), (7, 0, True), (7, 89, True), (7, 90, False)]
)
def test_a_table_value_replaces_a_search_that_it_decides(
    thread: SearchThread, bound: np.int64, value: int, is_enough: bool, depth: int, clock: int, is_deep: bool
) -> None:
    """The search is 6 plies deep, in the window (24, 25). Near the fifty moves no table may hide a draw."""
    record = set_root(thread, chess.Board(QUIET.format(clock)))
    window = np.int64(value), np.int64(25), np.int64(6)
    found = is_tt_cutoff(record.position, entry_of(bound, value, depth), *window)
    assert found == (is_enough and is_deep)


def test_a_table_s_move_is_played_only_where_it_is_legal(thread: SearchThread) -> None:
    """It may be another position's: of another piece, or of one that is pinned or does not end a check."""
    found = []
    for board in random.Random(88).sample(naive.positions(), 30):
        record = set_root(thread, board)
        king = board.king(board.turn) or 0
        king_moves = [chess.Move(king, square) for square in chess.SQUARES if square != king]
        for move in [*board.pseudo_legal_moves, *king_moves]:
            number, is_legal = naive.to_int(board, move), board.is_legal(move)
            kept = int(legal_tt_move(record, TABLES, frame_of(record), entry_of(move=number)))
            assert kept == (number if is_legal else 0), (board.fen(), move)
            found.append(is_legal)
    assert 200 < sum(found) < len(found) - 200


@pytest.mark.parametrize(
    ("bound", "lead", "is_used"),
    [(EXACT, 50, True), (EXACT, -50, True), (LOWER, 50, True), (LOWER, -50, False), (UPPER, 50, False),
     (UPPER, -50, True), (EXACT, MATE, False), (LOWER, MATE, False), (EXACT, -MATE, False), (UPPER, -MATE, False)],
)  # fmt: skip
def test_a_table_value_is_a_better_estimate_but_for_mates(
    thread: SearchThread, bound: np.int64, lead: int, is_used: bool
) -> None:
    """lead: of the table's value over the evaluation; MATE is a mate in ten plies."""
    record = set_root(thread, chess.Board("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"))
    frame = frame_of(record)
    plain = int(evaluate_node(record, TABLES, frame, NO_ENTRY))
    value = plain + lead if abs(lead) < MATE else lead - 10 * (lead // MATE)
    entry = entry_of(bound, value, static_eval=NO_VALUE)
    assert int(evaluate_node(record, TABLES, frame, entry)) == (value if is_used else plain)
    assert int(frame.static_eval) == plain


@pytest.mark.parametrize(("ply", "count", "is_stored"), [(0, 0, True), (0, 3, False), (1, 3, True)])
def test_a_root_that_searched_some_moves_alone_is_not_stored(ply: int, count: int, is_stored: bool) -> None:
    record, table = set_root(SearchThread(), chess.Board()), make_table(1)
    record.ply, record.root_move_count = ply, count
    save(record, table, frame_of(record), *(np.int64(number) for number in (796, 20, 4, EXACT)))
    assert table.any() == is_stored


# --- The static evaluation of earlier plies ---------------------------------------------------------------------------

MOVES = [make_move(chess.E1, chess.D2), make_move(chess.E8, chess.F8)]


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "4k3/4r3/8/8/8/8/8/R3K2R w - - 0 1"])
def test_near_the_root_nothing_is_compared_with_empty_frames(thread: SearchThread, fen: str) -> None:
    """A lead of two rooks; and a lead of one, in check."""
    record = set_root(thread, chess.Board(fen))
    for ply in range(2):
        frame = frame_of(record)
        evaluate_node(record, TABLES, frame, NO_ENTRY)
        assert abs(frame.static_eval) > 300
        assert is_improving(record, frame) == (not frame.checkers)
        play_on(record, MOVES[ply])
    assert record.ply == 2
