"""The boards against each other and python-chess: what the FEN reader accepts, they accept, and then all agree."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import pytest
from hypothesis import example, given, settings

from ox88 import zobrist
from ox88.bitboard import attacks as bitboard_attacks
from ox88.bitboard import moves as bitboard_moves
from ox88.bitboard import position as bitboard
from ox88.bitboard import rotated
from ox88.bitboard.counting import count_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.records import MOVE_LIST, POSITION, UNDO, make_record
from ox88.bitboard.tables import PIECE_VALUES, board_tables
from ox88.convert import from_chess_board, from_chess_move
from ox88.errors import IllegalPositionError
from ox88.fen import FenError
from ox88.mailbox import attacks as mailbox_attacks
from ox88.mailbox import position as mailbox
from ox88.mailbox import records as mailbox_records
from ox88.mailbox.movegen import legal_moves
from ox88.perft import BOARDS, Perft
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import piece_colour, piece_kind, to_0x88
from tests.bitboard import naive
from tests.positions import boards, mutated_fens

MAKERS: Final = (bitboard.make_position, mailbox.make_position)
READERS: Final = (bitboard.to_setup, mailbox.to_setup)


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """Seeds of games: some for each run, more for a slow one."""
    return pytest.mark.parametrize(
        "seed", [*range(few), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(few, many))]
    )


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_legal_moves_listed_and_counted(step: int) -> None:
    """Along random games, Chess960 and double Chess960 among them, and of any men on any squares."""
    tables, rotated_tables, found = board_tables(), rotated.rotated_tables(), make_record(MOVE_LIST)
    turned, row = make_record(rotated.ROTATED), np.zeros(mailbox_records.MAX_MOVES, np.uint16)
    tried = [*naive.boards_to_try(step), *naive.random_positions(6000 // step)]
    assert {len(board.checkers()) for board in tried} >= {0, 1, 2}
    for board in tried:
        setup, expected = naive.to_setup(board), naive.legal_moves(board)
        position, on_mailbox = (make(setup) for make in MAKERS)
        assert generate_legal(position, tables, found) == count_legal(position, tables) == len(expected), board.fen()
        assert naive.sorted_moves(found) == expected, board.fen()
        rotated.fill_rotated(turned, rotated_tables, position)
        rotated.generate_legal(position, tables, turned, rotated_tables, found)
        assert naive.sorted_moves(found) == expected, board.fen()
        count = legal_moves(on_mailbox, mailbox_records.tables(), row)
        assert sorted(row[:count].tolist()) == expected, board.fen()
        check_attacks(on_mailbox, board)


def check_attacks(position: Any, board: chess.Board) -> None:
    """Attacks, checkers and pins on the 0x88 board are python-chess's; tests/bitboard has those of bitboards."""
    tables = mailbox_records.tables()
    for square in range(board.king(board.turn) or 0, 64, 5):
        for colour in range(2):
            found = mailbox_attacks.is_attacked(position, tables, to_0x88(square), colour)
            assert found == board.is_attacked_by(colour == 0, square), (board.fen(), square, colour)
    count, checker, pinned = mailbox_attacks.checkers_and_pins(position, tables)
    checkers = {to_0x88(square) for square in board.checkers()}
    assert (count, {checker} if count == 1 else checkers) == (len(checkers), checkers), board.fen()
    own = chess.scan_forward(board.occupied_co[board.turn])
    pins = {to_0x88(square) for square in own if board.is_pinned(board.turn, square)}
    assert {position.squares[slot] for slot in range(32) if pinned >> slot & 1} == pins, board.fen()
    assert mailbox_attacks.is_check(position, tables) == board.is_check(), board.fen()


def check_bitboards(position: Any, setup: Setup) -> None:
    """It is the record made from scratch."""
    assert naive.contents(position) == naive.contents(bitboard.make_position(setup))
    assert int(bitboard.key_of(position, board_tables())) == zobrist.key_of(setup)
    values = ((1 - 2 * piece_colour(piece)) * PIECE_VALUES[piece_kind(piece)] for piece in setup.board)
    assert int(position.material) == sum(values)


def check_piece_list(position: Any, setup: Setup) -> None:
    """Every piece has one slot, the king the first; the other slots are empty."""
    men = {to_0x88(square): piece_kind(setup.board[square]) for square in setup.occupied()}
    listed = {int(square): slot for slot, square in enumerate(position.squares) if square != 0x88}
    assert listed.keys() == men.keys()
    for square, slot in listed.items():
        assert position.board[square | 8] == slot
        is_pawn = men[square] == chess.PAWN
        assert (15 - (slot & 15) if is_pawn else slot & 15) < position.counts[2 * (slot >> 4) + is_pawn]
        assert (slot & 15 == 0) == (men[square] == chess.KING)
    off_board = [square for square in range(128) if square & 8 and square ^ 8 not in men]
    assert not position.board[off_board].any()


class Moving(NamedTuple):
    """What plays moves on a board, and what holds for its record after each."""

    make: Callable[[Setup], Any]
    read: Callable[[Any], Setup]
    do: Callable[..., None]
    undo: Callable[..., None]
    tables: Callable[[], Any]
    undo_record: np.dtype[Any]
    check: Callable[[Any, Setup], None]


MOVING: Final = {
    "bitboard": Moving(
        bitboard.make_position, bitboard.to_setup, bitboard_moves.do_move, bitboard_moves.undo_move, board_tables, UNDO,
        check_bitboards,
    ),
    "mailbox": Moving(
        mailbox.make_position, mailbox.to_setup, mailbox.do_move, mailbox.undo_move, mailbox_records.tables,
        mailbox_records.UNDO, check_piece_list,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVING)
@few_or_many(5, 40)
def test_moves_along_a_game(name: str, seed: int) -> None:
    """Setup and key are python-chess's after every move; taken back, the record is the old one to the byte."""
    on, game = MOVING[name], list(naive.random_game(seed))
    position, undo, undos = on.make(naive.to_setup(game[0][0])), make_record(on.undo_record), []
    for board, played in game:
        before = naive.contents(position)
        for move in board.legal_moves:
            on.do(position, on.tables(), undo, np.int64(naive.to_int(board, move)))
            on.undo(position, undo)
            assert naive.contents(position) == before, (board.fen(), move)
        undos.append((make_record(on.undo_record), before))
        on.do(position, on.tables(), undos[-1][0], np.int64(naive.to_int(board, played)))
        board.push(played)
        setup = naive.to_setup(board)
        assert on.read(position) == on.read(on.make(setup)) == setup, board.fen()
        assert int(position.key) == zobrist.key_of(setup), board.fen()
        on.check(position, setup)
    for last, before in reversed(undos):
        on.undo(position, last)
        assert naive.contents(position) == before


def test_records_are_small() -> None:
    assert max(POSITION.itemsize, mailbox_records.POSITION.itemsize) < 200


@pytest.mark.slow
@settings(max_examples=2000)
@given(mutated_fens())
@example("8/8/8/8/8/8/8/K1k5 w - - 9999 9999")
@example("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
def test_what_the_reader_accepts_both_boards_accept_or_refuse(text: str) -> None:
    try:
        setup = parse_fen(text)
    except FenError:
        return
    if setup.broken_rules():
        for make in MAKERS:
            with pytest.raises(IllegalPositionError):
                make(setup)
        return
    for make, read in zip(MAKERS, READERS, strict=True):
        position = make(setup)
        assert read(position) == setup
        assert parse_fen(format_fen(read(position))) == setup
        assert int(position.key) == zobrist.key_of(setup)


@settings(max_examples=120)
@given(boards())
def test_the_boards_and_python_chess_agree(board: chess.Board) -> None:
    setup = from_chess_board(board)
    legal = {from_chess_move(move, board) for move in board.legal_moves}
    assert [set(Perft(setup, name).divide(1)) for name in BOARDS] == [legal] * len(BOARDS)
    on_bitboards, on_mailbox = (make(setup) for make in MAKERS)
    assert on_bitboards.key == on_mailbox.key
    checkers = int(bitboard_attacks.checkers(on_bitboards, board_tables()))
    assert checkers == int(board.checkers())
    assert bool(mailbox_attacks.is_check(on_mailbox, mailbox_records.tables())) == board.is_check()


@pytest.mark.parametrize(
    ("fen", "move", "may_capture"),
    [
        ("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1", "h7h5", False),  # The pawn is pinned.
        ("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R6K/8/8 b - - 0 1", "h7h5", True),
        ("4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1", "c7c5", False),  # Both pawns would leave the rank.
        ("4k3/2p5/8/KP1P3r/8/8/8/8 b - - 0 1", "c7c5", True),  # One of two may capture.
        ("4k3/8/8/8/3p4/8/4P3/2K4B w - - 0 1", "e2e4", True),
        ("8/8/8/8/k2p3R/8/4P3/2K5 w - - 0 1", "e2e4", False),
    ],
)
def test_en_passant_counts_only_if_it_is_legal(fen: str, move: str, may_capture: bool) -> None:
    """As it does in a repetition by FIDE's rules, and as python-chess has it."""
    board = chess.Board(fen)
    before = from_chess_board(board)
    number = np.int64(from_chess_move(chess.Move.from_uci(move), board))
    board.push_uci(move)
    assert board.has_legal_en_passant() == may_capture
    assert board.has_pseudo_legal_en_passant()
    without = board.copy(stack=False)
    without.ep_square = None
    setup, other = from_chess_board(board), from_chess_board(without)
    assert (zobrist.key_of(setup) != zobrist.key_of(other)) == may_capture
    for on in MOVING.values():
        made, undo = on.make(before), make_record(on.undo_record)
        on.do(made, on.tables(), undo, number)
        assert int(made.key) == zobrist.key_of(setup)
        reply = np.int64(from_chess_move(next(iter(board.legal_moves)), board))
        on.do(made, on.tables(), undo, reply)
        after = board.copy()
        after.push(next(iter(board.legal_moves)))
        assert int(made.key) == zobrist.key_of(from_chess_board(after))


@pytest.mark.parametrize(
    ("fen", "may_capture"),
    [
        ("4k3/8/8/1Pp5/3K4/8/8/8 w - c6 0 1", True),  # The pawn gives check, and is captured.
        ("4k3/8/4n3/1Pp5/3K4/8/8/8 w - c6 0 1", False),  # A knight gives check too.
        ("4k3/8/8/1Pp1p3/3K4/8/8/8 w - c6 0 1", False),  # So does another pawn.
    ],
)
def test_en_passant_in_check(fen: str, may_capture: bool) -> None:
    setup, without = parse_fen(fen), parse_fen(fen.replace("c6", "-"))
    assert chess.Board(fen).has_legal_en_passant() == may_capture
    for make in MAKERS:
        assert int(make(setup).key) == zobrist.key_of(setup)
        assert (make(setup).key != make(without).key) == may_capture
    board = chess.Board(fen)
    move = next(iter(board.legal_moves))
    number = np.int64(from_chess_move(move, board))
    board.push(move)
    for on in MOVING.values():
        made = on.make(setup)
        on.do(made, on.tables(), make_record(on.undo_record), number)
        assert int(made.key) == zobrist.key_of(from_chess_board(board))


def test_a_key_tells_every_part_of_a_position() -> None:
    fens = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq - 0 1",
    ]
    assert len({zobrist.key_of(parse_fen(fen)) for fen in fens}) == len(fens)
    # A passed square where nothing can capture is no part of it.
    assert zobrist.key_of(parse_fen("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")) == zobrist.key_of(
        parse_fen("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")
    )
    assert np.unique(zobrist.PIECE_KEYS).size == zobrist.PIECE_KEYS.size
