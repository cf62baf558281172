"""Rows of a data set: classes of time controls, duplicates, random numbers."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88
from ox88.apps.dataset.duplicates import find_first, open_first
from ox88.apps.dataset.rows import all_rows, mix
from ox88.apps.time_control import is_time_filter, time_class


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("15+0", "ultrabullet"),
        ("0+1", "bullet"),
        ("60", "bullet"),
        ("179+0", "bullet"),
        ("180+0", "blitz"),
        ("300+4", "blitz"),
        ("300+5", "rapid"),
        ("1499+0", "rapid"),
        ("1500", "classical"),
        ("40/7200:20/3600:900+30", "classical"),
        ("10+0.1", "ultrabullet"),
        ("60.0+0.6", "bullet"),
        ("120+1.5", "blitz"),
        ("1/86400", "correspondence"),
        ("-", "correspondence"),
        ("?", None),
        ("", None),
        ("*60", None),
        ("10+.1", None),
        ("10+0.1s", None),
        ("²+0", None),
    ],
)
def test_classes_of_time_controls(tag: str, name: str | None) -> None:
    assert time_class(tag) == name
    assert is_time_filter(tag) == (name is not None or tag == "?")


@given(st.text())
def test_any_text_is_a_time_control_or_none(text: str) -> None:
    assert time_class(text) is None or is_time_filter(text)


@given(st.lists(st.lists(st.sampled_from([0, 1, 2**56, 2**57 + 1, 2**64 - 1, 7, 8]), max_size=8), max_size=5))
def test_first_of_each_key(tmp_path_factory: pytest.TempPathFactory, parts: list[list[int]]) -> None:
    folder: Path = tmp_path_factory.mktemp("keys")
    find_first((np.array(part, np.uint64) for part in parts), folder / "parts", folder / "first")
    keys = [key for part in parts for key in part]
    assert open_first(folder / "first").tolist() == [key not in keys[:row] for row, key in enumerate(keys)]
    assert [path.name for path in folder.iterdir()] == ["first"]


def test_games_read_without_packed_positions() -> None:
    rows = all_rows(ox88.read_pgn(io.BytesIO(b"1. e4 e5 *")), 0)
    with pytest.raises(ValueError, match="no packed positions"):
        rows.packed()


def test_random_numbers() -> None:
    """All differ, and each bit is set in about half of them."""
    numbers = mix(np.arange(10_000))
    assert len(np.unique(numbers)) == 10_000
    bits = np.unpackbits(numbers.view(np.uint8)).reshape(-1, 64).mean(axis=0)
    assert abs(bits - 0.5).max() < 0.03
