"""Rows of a data set: duplicates, random numbers."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.apps.dataset.pipeline import find_first, open_first
from ox88.apps.dataset.rows import mix


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from([0, 1, 2**56, 2**57 + 1, 2**64 - 1, 7, 8]), max_size=8), max_size=5))
def test_first_of_each_key(tmp_path_factory: pytest.TempPathFactory, parts: list[list[int]]) -> None:
    folder: Path = tmp_path_factory.mktemp("keys")
    find_first((np.array(part, np.uint64) for part in parts), folder / "parts", folder / "first")
    keys = [key for part in parts for key in part]
    assert open_first(folder / "first").tolist() == [key not in keys[:row] for row, key in enumerate(keys)]
    assert [path.name for path in folder.iterdir()] == ["first"]


def test_random_numbers() -> None:
    """All differ, and each bit is set in about half of them."""
    numbers = mix(np.arange(10_000))
    assert len(np.unique(numbers)) == 10_000
    bits = np.unpackbits(numbers.view(np.uint8)).reshape(-1, 64).mean(axis=0)
    assert abs(bits - 0.5).max() < 0.03
