"""The operations of EPD lines as columns, as python-chess reads them."""

import re

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88

EPD = "4k3/8/8/8/8/8/8/4K2R w K -"
OPERATIONS = {"id": '"a b"', "c0": '"x; y"', "acd": "12", "ce": "-30", "Vx_1": '""', "noop": ""}


@given(st.lists(st.lists(st.sampled_from(sorted(OPERATIONS)), unique=True), max_size=5))
def test_as_python_chess(rows: list[list[str]]) -> None:
    lines = [" ".join([EPD, *(f"{name} {OPERATIONS[name]}".strip() + ";" for name in names)]) for names in rows]
    columns = ox88.epd_operations(lines)
    assert set(columns) == {name for names in rows for name in names}
    for row, line in enumerate(lines):
        expected = chess.Board().set_epd(line)
        found = {name: column[row] for name, column in columns.items() if column[row]}
        assert found == {name: str(value) for name, value in expected.items() if value not in ("", None)}
    assert ox88.Positions.from_fens(lines).fens() == [chess.Board(f"{EPD} 0 1").fen()] * len(lines)


def test_what_is_refused() -> None:
    with pytest.raises(ox88.RowError, match=re.escape("row 1: '!!' is not an EPD operation")):
        ox88.epd_operations([EPD, f"{EPD} !!"])
    with pytest.raises(ox88.RowError, match="row 0: FEN '8/8 w'"):
        ox88.epd_operations(["8/8 w"])
    with pytest.raises(TypeError, match="lines is a text"):
        ox88.epd_operations(EPD)
    with pytest.raises(TypeError, match="row 0 is of type int: an EPD line is expected"):
        ox88.epd_operations([3])  # type: ignore[list-item]
    assert ox88.epd_operations([]) == {}
