"""Positions as a container: rows, fields, keys, conversions."""

import itertools
import pickle
from typing import Any
from xml.etree import ElementTree

import chess
import chess.polyglot
import chess.variant
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88
from ox88.bitboard.position import make_position
from ox88.convert import to_chess_board
from tests.batch.samples import boards, positions
from tests.bitboard import naive


def test_rows_are_taken_as_from_an_array() -> None:
    setups = [naive.to_setup(board) for board in boards()]
    rows = np.arange(len(setups))
    assert len(positions()) == len(setups)
    assert list(positions()) == setups
    assert positions()[3] == setups[3]
    assert positions()[np.int64(-1)] == setups[-1]
    for some in (slice(2, 9), slice(None, None, -3), slice(5, 2), rows % 3 == 0, rows[::-2], [4, 4, -1], []):
        chosen = positions()[some]
        assert isinstance(chosen, ox88.Positions)
        assert list(chosen) == [setups[row] for row in rows[some]]


def test_rows_that_are_not_there() -> None:
    outside: tuple[Any, ...] = (len(positions()), -len(positions()) - 1, [0, len(positions())], np.ones(3, np.bool_))
    for rows in outside:
        with pytest.raises(IndexError):
            positions()[rows]
    wrong: tuple[Any, ...] = ("turn", 1.0, [0.5], None, [1, 2.5], True, object())
    for rows in wrong:
        with pytest.raises((TypeError, ox88.Ox88Error), match="rows of"):
            positions()[rows]


def test_indices_of_several_axes() -> None:
    indices: tuple[Any, ...] = ((0, 1), (0,), (), (slice(3), 0), (1, 2.5))
    of_one_axis: tuple[Any, ...] = positions(), positions().legal_moves(), ox88.read_pgn_text("1. e4\n1. d4\n")
    for index, some in itertools.product(indices, of_one_axis):
        with pytest.raises(IndexError, match=rf"^{len(index)} indices for one axis: a list of rows, such as \[0, 1\]"):
            some[index]


COUNT = 9  # Rows of a property test. The rows that replace them come after these.
NUMBERS = st.integers(-COUNT - 2, COUNT + 1)
INDEXES = st.one_of(
    NUMBERS,
    st.lists(NUMBERS),
    st.lists(NUMBERS).map(lambda rows: np.array(rows, np.int8)),
    st.lists(st.booleans(), min_size=COUNT - 1, max_size=COUNT).map(lambda rows: np.array(rows, np.bool_)),
    st.slices(COUNT),
    st.sampled_from([[0.5], 1.0, "turn", None, True, np.zeros(0), np.zeros((1, 1), int), [1, "2"]]),
)


@given(rows=INDEXES, count=st.integers(0, 6))
def test_rows_are_taken_and_replaced_as_those_of_an_array(rows: Any, count: int) -> None:
    """The twin is an array of numbers; a wrong index, or a wrong number of rows, changes nothing."""
    pool, twin, new = positions(), np.arange(COUNT), np.arange(COUNT, COUNT + count)
    some = pool[:COUNT].copy()
    try:
        chosen = np.atleast_1d(twin[[] if isinstance(rows, list) and not rows else rows])
        is_index = not isinstance(rows, (float, str, bool, tuple, type(None))) and chosen.ndim == 1
    except IndexError:
        is_index = False
    if not is_index:
        for act in (lambda: some[rows], lambda: some.take(rows), lambda: some.__setitem__(rows, pool[new])):
            with pytest.raises((IndexError, TypeError, ox88.Ox88Error)):
                act()
    else:
        assert some.take(rows) == pool[chosen]
        if len(new) in (1, len(chosen)):
            some[rows] = pool[new]
            twin[chosen] = new
        else:
            with pytest.raises(ox88.Ox88Error, match=f"^{len(chosen)} rows replaced by {count} positions: "):
                some[rows] = pool[new]
    assert some == pool[twin]


def test_rows_are_replaced_in_the_memory_that_a_slice_shares() -> None:
    some, setups = positions()[:6].copy(), list(positions()[:12])
    some[2:4][1] = setups[9]
    some[-1] = positions()[8]
    some[1:3] = positions()[7:8]
    assert list(some) == [setups[row] for row in (0, 7, 7, 9, 4, 8)]
    some[1:] = some[:-1]
    assert list(some) == [setups[row] for row in (0, 0, 7, 7, 9, 4)]
    some[::2][0] = setups[5]  # A copy, as the docstring says.
    assert some[0] == setups[0]


def test_what_cannot_replace_rows() -> None:
    some = positions()[:6].copy()
    wrong: tuple[Any, ...] = ("startpos", 5, list(some), np.asarray(some), some[0].fen, None)
    for other in wrong:
        with pytest.raises(
            TypeError, match=r"^rows replaced by a \w+: ox88\.Positions, or an ox88\.Setup, are expected"
        ):
            some[0] = other
    with pytest.raises(ox88.Ox88Error, match="illegal position: Black has no king"):
        some[0] = ox88.parse_fen("8/8/8/8/8/8/8/K7 w - - 0 1")
    assert some == positions()[:6]


def test_equal_joined_copied() -> None:
    first, rest = positions()[:7], positions()[7:]
    assert first + rest == positions()
    assert ox88.Positions.concatenate([first, rest[:0], rest]) == positions()
    assert sum([first, rest[:0], rest]) == positions()
    assert ox88.Positions.concatenate([]) == ox88.Positions() == positions()[:0]
    assert first != rest
    assert first != positions()[1:8]
    assert first != list(first)
    assert first.copy() == first
    assert not np.shares_memory(first.copy().records, positions().records)
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301
    with pytest.raises(TypeError):
        first + list(first)  # type: ignore[operator]
    with pytest.raises(TypeError):
        sum([first], start=1)
    with pytest.raises(TypeError, match=r"part 1 is of type Setup: ox88\.Positions are expected"):
        ox88.Positions.concatenate([first, first[0]])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="unhashable"):
        hash(first)


def test_shown_by_its_first_positions() -> None:
    assert repr(ox88.Positions()) == "<Positions: none>"
    assert repr(positions()[:3]) == f"<Positions: {', '.join(positions()[:3].fens())}>"
    assert repr(positions()).endswith(f", ... {len(positions()):,} in all>")


def test_what_numpy_asks_of_an_array() -> None:
    some = positions()[:5]
    assert some.shape == (5,)
    assert ox88.Positions().shape == (0,)
    records = np.asarray(some)
    assert records.dtype == some.records.dtype
    assert np.array_equal(records, some.records)
    assert np.shares_memory(records, some.records)
    assert not records.flags.writeable
    assert not np.shares_memory(np.array(some, copy=True), some.records)
    assert np.array_equal(np.asarray(some)["turn"], some.turn)


def test_the_first_boards_in_a_notebook() -> None:
    shown = positions()[:3]._repr_html_()
    page = ElementTree.fromstring(f"<html>{shown}</html>")  # noqa: S314 - Our own.
    assert "".join(page.itertext()).startswith("3 positions")
    spans = list(page.iter("span"))
    assert [span.get("title") for span in spans] == positions()[:3].fens()
    drawn = [ElementTree.fromstring(setup._repr_svg_(180)) for setup in positions()[:3]]  # noqa: S314 - Our own.
    assert [*map(ElementTree.tostring, drawn)] == [ElementTree.tostring(span[0]) for span in spans]
    many = positions()._repr_html_()
    assert many.startswith(f"<div>{len(positions()):,} positions, the first 4</div>")
    assert (many.count("<span"), ox88.Positions()._repr_html_().count("<span")) == (4, 0)


def test_fields_are_those_of_single_records() -> None:
    for row, board in enumerate(boards()):
        record = make_position(naive.to_setup(board))
        assert positions().records[row].tobytes() == record.tobytes(), board.fen()
    for name in positions().records.dtype.names or ():
        field = getattr(positions(), "castling_rights" if name == "castling" else name)
        assert len(field) == len(positions())
        assert np.array_equal(field, positions().records[name])
        with pytest.raises(ValueError, match="read-only"):
            field[0] = 0


def test_setups_in_and_out() -> None:
    setups = [naive.to_setup(board) for board in boards()[:50]]
    assert ox88.Positions(setups) == positions()[:50]
    broken = ox88.parse_fen("8/8/8/8/8/8/8/K7 w - - 0 1")
    with pytest.raises(ox88.RowError, match="row 1: illegal position: Black has no king") as caught:
        ox88.Positions([setups[0], broken])
    assert caught.value.row == 1
    with pytest.raises(TypeError, match=r"row 0 is of type str: an ox88\.Setup"):
        ox88.Positions(["startpos"])  # type: ignore[list-item]
    for single in (setups[0], 5):
        with pytest.raises(TypeError, match=r"Positions of a \w+: a list of Setups is expected"):
            ox88.Positions(single)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
def test_boards_in_and_out(threads: int) -> None:
    assert ox88.Positions.from_boards(boards(), threads=threads) == positions()
    assert ox88.Positions.from_boards([]) == ox88.Positions()
    for board, setup in zip(positions().boards(), positions(), strict=True):
        expected = to_chess_board(setup)
        assert board == expected
        assert board.chess960 == expected.chess960
        assert board.fen(en_passant="fen") == expected.fen(en_passant="fen")
        assert board.status() == expected.status()


def test_boards_that_are_no_positions() -> None:
    for variant in chess.variant.VARIANTS[1:]:
        with pytest.raises(ox88.RowError, match=f"row 1: a board of {variant.uci_variant}: one of chess or Chess960"):
            ox88.Positions.from_boards([chess.Board(), variant()])
    with pytest.raises(ox88.RowError, match="row 1: illegal position: White has no king"):
        ox88.Positions.from_boards([chess.Board(), chess.Board(None)])
    with pytest.raises(TypeError, match="row 0 is of type str"):
        ox88.Positions.from_boards(["startpos"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"boards of type Board: a list of chess\.Boards is expected"):
        ox88.Positions.from_boards(chess.Board())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["halfmove_clock", "fullmove_number"])
def test_clocks_of_boards_have_two_bytes(name: str) -> None:
    late = chess.Board()
    for clock in (0, 65_535):
        setattr(late, name, clock)
        assert getattr(ox88.Positions.from_boards([late]), name).tolist() == [clock]
    for clock in (-1, 65_536):
        setattr(late, name, clock)
        with pytest.raises(ox88.RowError, match=f"row 0: the {name.replace('_', ' ')} is {clock}, not 0 to 65535"):
            ox88.Positions.from_boards([late])


def test_a_board_with_rights_that_it_lost() -> None:
    board = chess.Board()
    board.remove_piece_at(chess.H1)
    assert ox88.Positions.from_boards([board])[0] == naive.to_setup(board)


def test_polyglot_keys() -> None:
    """As python-chess computes them, and as the format's own page has them for two positions."""
    assert positions().polyglot_key().tolist() == [chess.polyglot.zobrist_hash(board) for board in boards()]
    two = ox88.Positions.from_fens(["startpos", "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3"])
    assert two.polyglot_key().tolist() == [0x463B96181691FC9C, 0x3C8123EA7B067637]
