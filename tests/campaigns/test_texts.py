"""Texts that are nearly right: what is read is what python-chess reads, or refused for the same reason."""

import contextlib
import gzip
import logging
import re
from functools import cache
from typing import Any

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.epd.suite import parse_suite
from ox88.apps.web.positions import list_games, open_game
from ox88.convert import from_chess_move, to_chess_board
from ox88.errors import Ox88Error
from ox88.rules import MoveError, parse_move
from ox88.setup import parse_uci
from ox88.types import is_castling
from tests.batch.pgn import layout, naive, samples
from tests.batch.pgn.test_as_python_chess import read
from tests.batch.positions.test_fens import ODD, read_many, read_one
from tests.batch.positions.test_notation import ERRORS, parse_san
from tests.bitboard.naive import legal_moves, to_setup
from tests.campaigns.changing import BYTES, TEXTS, boards, changed, counted, fuzzing
from tests.conftest import DATA
from tests.positions import EN_PASSANT_FENS, FENS
from tests.test_fen import UNREACHABLE

pytestmark = pytest.mark.slow

# --- Positions --------------------------------------------------------------------------------------------------------

SOLVED = [f'{fen.rsplit(" ", 2)[0]} bm e4; am Nf3; id "x.{number}";' for number, fen in enumerate(FENS)]
POINTED = [f"{FENS[0].rsplit(' ', 2)[0]} {operations}" for operations in (
    'bm e4; id "STS.1"; c8 "10 5"; c9 "e2e4 d2d4";', 'bm Nf3; c0 "Nf3=10, d4=7, c4=4";', 'am a3; c8 "1"; c7 "a3";',
)]  # fmt: skip
EPDS = [*FENS, *EN_PASSANT_FENS, *ODD, *counted(), *SOLVED, *POINTED]
FEN_PIECES = [*"kKqQrRpPnNbB12345678/ -wbaehAH0", " bm e4;", ' id "x";', " 0 1", " - - ", *TEXTS]
STRICTER = re.compile("names one right twice|not a number from 0 to 9999")  # What python-chess lets pass.

epds = changed(EPDS, FEN_PIECES)


@fuzzing
@given(text=epds)
def test_positions(text: str) -> None:
    found = read_one(text)
    if "\n" not in text:
        assert read_many([text]) == [found]
    board = board_of(text)
    if board is not None and board.is_valid() and not (isinstance(found, str) and STRICTER.search(found)):
        assert found == to_setup(board)
    try:
        setup = ox88.parse_fen(text)
    except ox88.FenError:
        return
    written = chess.Board(ox88.format_fen(setup, shredder=True), chess960=True)
    assert (not written.status() & ~UNREACHABLE) == isinstance(found, ox88.Setup)
    for shredder in (False, True):
        assert ox88.parse_fen(ox88.format_fen(setup, shredder)) == setup
    if isinstance(found, ox88.Setup):
        check_position(ox88.Positions([found]))


def board_of(text: str) -> chess.Board | None:
    """What python-chess reads; None if it cannot. Python's own ways to write a number, such as +1, are left out."""
    if not text.isascii() or not all(clock.isdigit() for clock in text.split()[4:6]):
        return None
    try:
        return chess.Board(text, chess960=True)
    except (ValueError, IndexError):
        return None


def check_position(positions: ox88.Positions) -> None:
    """A position has the legal moves and the FEN that python-chess knows."""
    board = to_chess_board(positions[0])
    board.chess960, board.fullmove_number = True, positions[0].fullmove_number  # Which may be 0, but not in a FEN.
    assert sorted(positions.legal_moves()[0].tolist()) == legal_moves(board)
    fen = board.fen(shredder=True, en_passant="legal")
    assert positions.fens(shredder=True, en_passant="legal") == [fen]


@cache
def solved() -> list[str]:
    """Positions with a move that solves them."""
    pairs = [(board, next(iter(board.legal_moves), None)) for board in boards()[::3]]
    return [board.epd(bm=[move], id=f"x.{number}") for number, (board, move) in enumerate(pairs) if move]


@fuzzing
@given(lines=st.lists(st.deferred(lambda: changed([*solved(), *SOLVED, *POINTED], TEXTS)), min_size=1, max_size=5))
def test_suites(lines: list[str]) -> None:
    """Solutions are legal, and the ones that python-chess reads, if it can read the line."""
    lines = "\n".join(lines).splitlines()
    for case in parse_suite("suite", lines)[0]:
        legal = ox88.Positions([case.setup]).legal_moves()[0].tolist()
        assert {*case.best, *case.avoid, *case.points} <= {*legal}, case.fen
        board = chess.Board()
        try:
            operations = board.set_epd(lines[case.line - 1])
        except (ValueError, IndexError):
            continue
        if not all(map(str.isidentifier, operations)):  # python-chess takes "bm," for another opcode than bm.
            continue
        for moves, found in ((operations.get("bm", []), case.best), (operations.get("am", []), case.avoid)):
            if isinstance(moves, list):  # Else it is a text in quotes, which python-chess leaves as it is.
                assert {from_chess_move(move, board) for move in moves} == {*found}, lines[case.line - 1]


# --- Moves ------------------------------------------------------------------------------------------------------------

MOVE_PIECES = [*"NBRQKPOabcdefgh12345678x-=+#nbrqk0@Z", "O-O", "0-0-0", "--", "e.p.", "=Q", "!?", *TEXTS]


@fuzzing
@given(data=st.data())
def test_moves(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(boards()))
    moves = [[board.san(one), board.uci(one), board.lan(one), board.xboard(one)] for one in board.legal_moves]
    text = data.draw(changed(data.draw(st.sampled_from([["e2e4", "Nf3"], *moves])), MOVE_PIECES))
    positions, expected = ox88.Positions([to_setup(board)]), parse_san(board, text)
    found = answer(lambda: int(positions.parse_san([text])[0]))
    assert answer(lambda: ox88.parse_san(text, positions[0])) == found
    if isinstance(expected, str):
        assert isinstance(found, str)
        assert ERRORS[expected] in found
    else:
        assert found == expected
    check_uci(board, positions, text)
    with contextlib.suppress(MoveError):
        assert parse_move(text, board) in board.legal_moves


def answer(ask: Any) -> int | str:
    """What is read, or why it is refused."""
    try:
        return int(ask())
    except ox88.RowError as error:
        return error.reason
    except Ox88Error as error:
        return str(error)


def check_uci(board: chess.Board, positions: ox88.Positions, text: str) -> None:
    """UCI is read alike alone and in bulk; it is python-chess's move if it is legal there, else it is legal nowhere."""
    found = answer(lambda: positions.parse_uci([text])[0])
    assert answer(lambda: parse_uci(text, positions[0])) == found
    try:
        read = chess.Move.from_uci(text)
    except chess.InvalidMoveError:
        assert isinstance(found, str)
        return
    if read.drop or read.promotion in (chess.PAWN, chess.KING):  # Variants alone have it.
        assert isinstance(found, str)
    elif not read:
        assert found == 0
    else:
        assert isinstance(found, int)
        try:
            assert found == from_chess_move(board.parse_uci(text), board)
        except chess.IllegalMoveError:  # Castling written as b1g1 is read too, which python-chess knows from e1 only.
            assert found not in positions.legal_moves()[0] or is_castling(found)


# --- Games ------------------------------------------------------------------------------------------------------------

# Spaces and digits that Ox88 or python-chess may take for PGN's; glyphs with more digits than python-chess can read.
FOREIGN = re.compile(r"(?![\x00-\x7f])[\s\d]|\$[0-9]{4000}")
PGN_PIECES = [
    *samples.BREAKERS, *samples.BREAKERS, *BYTES,
    b"( 1. d4 " * 300, b"{" * 3000, b"{ x }" * 500, b"$1 " * 500, b"1. " * 500, b'[A "b"]\n' * 300, b"\n" * 300,
    b"1. Nf3 Nf6 2. Ng1 Ng8 " * 60, b"; x\n" * 300, b"%\n" * 300, b"[%clk 99999999:99:99]", b"[%eval #99999999999]",
    b'[FEN "' + b"8/" * 3000 + b'"]\n', b'[SetUp "1"]\n', b'[Result "1-0"]\n', b'[Event "' + b"\\" * 999 + b'"]\n',
]  # fmt: skip


@cache
def games() -> list[bytes]:
    """Games and files, odd ones among them."""
    odd = [path.read_bytes()[:4000] for path in sorted((DATA / "pgn" / "odd").glob("*[!t]"))]
    real = gzip.decompress((DATA.parents[1] / "examples" / "games.pgn.gz").read_bytes()).split(b"\n\n[Event ")[:60]
    written = [samples.random_games(range(seed, seed + 1)) for seed in range(30)]
    return [*samples.GAMES, *odd, *(b"[Event " + game for game in real[1:]), *written]


# A file begins with a line feed, so that it is not taken for a packed one.
pgn = st.deferred(lambda: changed(games(), PGN_PIECES).map(b"\n".__add__))


@pytest.fixture(autouse=True)
def quiet() -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # It tells of every broken game.


@fuzzing
@given(text=pgn)
def test_games(text: bytes) -> None:
    """The games, moves, tags, results, clocks, evaluations and errors are those of python-chess."""
    try:
        found = read(text)
    except Ox88Error as error:
        if "is not text" not in str(error):  # As with many control characters.
            raise
        return
    if not any(FOREIGN.search(text.decode(encoding, errors="replace")) for encoding in ("utf-8", "latin-1")):
        naive.check_same(found, naive.read_pgn(layout.as_python_chess_reads_it(text)))
    again = ox88.read_pgn_text(found.to_pgn() or "", threads=1)
    assert naive.moves_of(again) == naive.moves_of(found)


@fuzzing
@given(text=pgn.map(lambda text: text.decode(errors="replace")))
def test_game_trees(text: str) -> None:
    """The tree that the page draws can be played, and has the notation and FENs of python-chess."""
    board = parse_game(text).last_board()
    while board.move_stack:
        played = board.pop()
        assert board.is_legal(played), board.fen()
    try:
        list_games(text)
        nodes = open_game(text, OpeningNames({}))["nodes"]
    except Ox88Error:
        return
    start = chess.Board(nodes[0]["fen"], chess960=True)
    start.chess960 = start.has_chess960_castling_rights()
    boards = [start]
    for node in nodes[1:]:
        board = boards[node["parent"]].copy(stack=False)
        move = chess.Move.from_uci(node["uci"])
        assert not move or move in board.legal_moves, board.fen()  # A side may pass in a PGN.
        told = (node["san"], node["fen"], node.get("check", False))
        assert told == (board.san_and_push(move), board.fen(), board.is_check())
        boards.append(board)
