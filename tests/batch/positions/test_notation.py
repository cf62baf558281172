"""Moves as texts, in bulk and one by one, compared with python-chess and with the functions for single moves."""

from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ox88
from ox88 import types
from ox88.setup import parse_uci
from tests.batch.samples import boards, positions
from tests.bitboard import naive
from tests.positions import FENS

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


MANY_PIECES = (
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # A digit is enough where no letter tells queens apart.
    "4k3/8/Q2Q4/8/8/Q2Q4/8/Q3K2Q w - - 0 1",
    "2k5/8/8/Q6Q/2n5/8/1R3R2/Q4K2 w - - 0 1",
    "8/8/8/8/8/8/8/R1K1k3 w A - 0 1",  # Castling with the other king on e1.
)


def test_every_legal_move_there_and_back() -> None:
    some = positions() + ox88.Positions.from_fens(MANY_PIECES)
    legal = some.legal_moves()
    every = some[legal.rows]
    ucis, sans = some.format_uci(legal), some.format_san(legal)
    assert (every.format_uci(legal.moves), every.format_san(legal.moves)) == (ucis, sans)
    as_python_chess = {
        (row, board.uci(move), board.san(move)) for row, board in enumerate(some.boards()) for move in board.legal_moves
    }
    assert set(zip(legal.rows.tolist(), ucis, sans, strict=True)) == as_python_chess
    for found in (every.parse_uci(ucis), every.parse_san(ucis), every.parse_san(sans)):
        assert np.array_equal(found, legal.moves)
    with pytest.raises(ox88.Ox88Error, match=r"^0000 \(move 0\) is not legal"):
        ox88.format_san(0, some[0])


# --- Any text ---------------------------------------------------------------------------------------------------------

LETTERS = st.text(st.sampled_from("NBRQKPOabcdefgh12345678x-=+#nbrqk0@Z é\n\0"), max_size=8)


@st.composite
def texts(draw: st.DrawFn) -> tuple[chess.Board, str]:
    """A position, and a move of it in some notation, perhaps changed."""
    board = draw(st.sampled_from([*map(chess.Board, FENS), *(board for board in boards() if not board.chess960)]))
    moves = list(board.legal_moves)
    if not moves or draw(st.integers(0, 3)) == 0:
        return board, draw(LETTERS)
    move = draw(st.sampled_from(moves))
    text = draw(st.sampled_from([board.san(move), board.uci(move), board.lan(move), board.xboard(move)]))
    place = draw(st.integers(0, len(text)))
    return board, draw(st.sampled_from([text, text[:place] + draw(LETTERS) + text[place + draw(st.integers(0, 1)) :]]))


def parse_san(board: chess.Board, text: str) -> int | str:
    """The number of the move that python-chess reads, or its error."""
    try:
        move = board.parse_san(text)
    except ValueError as error:
        return type(error).__name__
    setup = naive.to_setup(board)
    return parse_uci(board.uci(move, chess960=True), setup) if move else 0


ERRORS = {
    "IllegalMoveError": "is not legal in",
    "InvalidMoveError": "is not a move: SAN such as",
    "AmbiguousMoveError": "fits more than one legal move in",
}


@settings(max_examples=100)
@given(texts())
@example((chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), "--"))
@example((chess.Board("6k1/8/8/8/8/2N5/8/2N3K1 w - - 0 1"), "Ne2"))
@example((chess.Board("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1"), "bxa1=Q"))
@example((chess.Board(KIWIPETE), "Nxd7=Q"))
@example((chess.Board(KIWIPETE), "e1g1q"))
@example((chess.Board(KIWIPETE), "e1h1"))
@example((chess.Board(KIWIPETE), "O-O-O#"))
@example((chess.Board(), "--+"))
@example((chess.Board(), ""))
def test_any_text_as_python_chess_reads_it(sample: tuple[chess.Board, str]) -> None:
    board, text = sample
    expected = parse_san(board, text)
    setup = naive.to_setup(board)
    tried = ox88.Positions([setup])
    if isinstance(expected, int):
        assert tried.parse_san([text]).tolist() == [ox88.parse_san(text, setup)] == [expected]
        return
    with pytest.raises(ox88.RowError, match="row 0: ") as caught:
        tried.parse_san([text])
    assert ERRORS[expected] in caught.value.reason
    assert caught.value.reason.startswith(repr(text))
    assert isinstance(caught.value, ox88.IllegalMoveError) == (expected == "IllegalMoveError")
    with pytest.raises(ox88.Ox88Error) as single:
        ox88.parse_san(text, setup)
    assert str(single.value) == caught.value.reason


@settings(max_examples=150)
@given(texts())
@example((chess.Board(), "0000"))
@example((chess.Board(), "a1a1"))
@example((chess.Board(), "e7e7q"))
@example((chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), "e1c1"))
@example((chess.Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), "e1a1"))
@example((chess.Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), "e1c1"))
@example((chess.Board("4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"), "e1g1q"))
@example((chess.Board("4k2r/8/8/8/8/8/8/4K3 w k - 0 1"), "e1g1"))  # The right is the other side's.
def test_any_text_as_the_single_reader_of_uci_reads_it(sample: tuple[chess.Board, str]) -> None:
    board, text = sample
    setup = naive.to_setup(board)
    tried = ox88.Positions([setup])
    try:
        expected: int | str = parse_uci(text, setup)
    except ox88.Ox88Error as error:
        expected = str(error)
    try:
        found: int | str = int(tried.parse_uci([text])[0])
    except ox88.RowError as error:
        found = error.reason
    assert found == expected


# --- The functions of the package -------------------------------------------------------------------------------------


def test_functions_for_one_and_for_many() -> None:
    setup = ox88.Setup(KIWIPETE)
    two = ox88.Positions([setup, setup])
    castles, takes = ox88.parse_uci("e1g1", setup), ox88.parse_san("Nxd7", setup)
    assert (
        [castles, takes]
        == ox88.parse_uci(["e1g1", "e5d7"], two).tolist()
        == ox88.parse_san(["O-O", "e5d7"], two).tolist()
    )
    assert ox88.format_uci(castles) == ox88.format_uci(np.uint16(castles)) == "e1g1"
    assert ox88.format_uci(castles, chess960=True) == "e1h1"
    numbers = np.array([castles, takes, 0], np.uint16)
    for many in (numbers, numbers.tolist(), numbers.astype(np.int64)):
        assert ox88.format_uci(many) == ["e1g1", "e5d7", "0000"]
    assert ox88.format_uci(numbers, chess960=True) == ["e1h1", "e5d7", "0000"]
    assert ox88.format_uci(two.legal_moves()) == two.format_uci(two.legal_moves())
    assert ox88.format_uci([]) == []
    assert ox88.format_san(castles, setup) == ox88.format_san("e1g1", setup) == "O-O"
    assert ox88.format_san(numbers[:2], two) == ["O-O", "Nxd7"]


def test_any_number_as_the_single_writer_of_uci_writes_it() -> None:
    numbers = np.arange(1 << 16)
    for chess960 in (False, True):
        assert ox88.format_uci(numbers, chess960) == [types.format_uci(number, chess960) for number in range(1 << 16)]


def test_wrong_types_are_named() -> None:
    setup, two = positions()[0], positions()[:2]
    wrong: Any
    for wrong in ("startpos", chess.Board(), None):
        functions: tuple[Any, ...] = (ox88.parse_uci, ox88.format_san, ox88.parse_san)
        for function in functions:
            with pytest.raises(TypeError, match=r"the position is of type \w+: an ox88\.Setup is expected"):
                function("e2e4", wrong)
    for wrong in (5, None, ["e2e4"], chess.Move.null()):
        for read in (ox88.parse_uci, ox88.parse_san):
            with pytest.raises(TypeError, match=r"the move is .*: a text is expected, such as"):
                read(wrong, setup)
    for wrong in ("e2e4", None, 1.5, True, chess.Move.null()):
        with pytest.raises(TypeError, match=r"the move is .*: a number is expected, as parse_uci"):
            ox88.format_uci(wrong)
    for wrong in (-1, 1 << 16):
        with pytest.raises(ox88.Ox88Error, match=f"move is {wrong}: 0 to 65535 is expected"):
            ox88.format_uci(wrong)
    for method in (two.parse_uci, two.parse_san):
        for wrong in ("e2e4", 5, None):
            with pytest.raises(TypeError, match="a list with one text for each position is expected"):
                method(wrong)
        with pytest.raises(TypeError, match="moves with int in row 1: texts such as 'e2e4' are expected"):
            method(["e2e4", 5])  # type: ignore[arg-type]
        with pytest.raises(ox88.Ox88Error, match="3 moves for 2 positions: one for each is expected"):
            method(["e2e4"] * 3)
