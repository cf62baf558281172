"""Every odd PGN file reads as python-chess reads it. Where they come from tests/data/pgn/README.md says."""

from pathlib import Path

import numpy as np
import pytest

import ox88
from tests.batch.pgn import naive
from tests.conftest import DATA

FILES = sorted((DATA / "pgn" / "odd").glob("*[!t]"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_as_python_chess(path: Path) -> None:
    games, twins = ox88.read_pgn(path), naive.read_pgn(path.read_bytes())
    naive.check_same(games, twins)
    assert [error.number for error in games.errors] == [row for row, twin in enumerate(twins) if twin.errors]


def test_there_are_files() -> None:
    assert len(FILES) == 26


def test_an_illegal_move_is_reported_with_its_line() -> None:
    games = ox88.read_pgn(DATA / "pgn" / "odd" / "black2move.pgn")
    assert [str(error) for error in games.errors] == ["game 0, line 4: '0-0-0' is not a legal move"]
    assert np.array_equal(games.offsets, [0, 0])
