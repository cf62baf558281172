"""The boards against each other: what the FEN reader accepts, they accept, and then they agree in everything."""

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import example, given, settings

from ox88 import zobrist
from ox88.bitboard import attacks as bitboard_attacks
from ox88.bitboard import moves as bitboard_moves
from ox88.bitboard import position as bitboard
from ox88.bitboard.records import UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.convert import from_chess_board, from_chess_move
from ox88.errors import IllegalPositionError
from ox88.fen import FenError
from ox88.mailbox import attacks as mailbox_attacks
from ox88.mailbox import position as mailbox
from ox88.mailbox.records import UNDO as MAILBOX_UNDO
from ox88.mailbox.records import tables as mailbox_tables
from ox88.perft import BOARDS, Perft
from ox88.setup import Setup, format_fen, parse_fen
from tests.positions import boards, mutated_fens

MAKERS: tuple[Callable[[Setup], Any], ...] = (bitboard.make_position, mailbox.make_position)
READERS: tuple[Callable[[Any], Setup], ...] = (bitboard.to_setup, mailbox.to_setup)


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


@settings(max_examples=300)
@given(boards())
def test_the_boards_and_python_chess_agree(board: chess.Board) -> None:
    setup = from_chess_board(board)
    legal = {from_chess_move(move, board) for move in board.legal_moves}
    assert [set(Perft(setup, name).divide(1)) for name in BOARDS] == [legal] * len(BOARDS)
    on_bitboards, on_mailbox = (make(setup) for make in MAKERS)
    assert on_bitboards.key == on_mailbox.key
    checkers = int(bitboard_attacks.checkers(on_bitboards, board_tables()))
    assert checkers == int(board.checkers())
    assert bool(mailbox_attacks.is_check(on_mailbox, mailbox_tables())) == board.is_check()


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
    for made, tables, undo, do in (
        (bitboard.make_position(before), board_tables(), make_record(UNDO), bitboard_moves.do_move),
        (mailbox.make_position(before), mailbox_tables(), make_record(MAILBOX_UNDO), mailbox.do_move),
    ):
        do(made, tables, undo, number)
        assert int(made.key) == zobrist.key_of(setup)
        reply = np.int64(from_chess_move(next(iter(board.legal_moves)), board))
        do(made, tables, undo, reply)
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
