"""The puzzles in the package."""

from collections import Counter

import numpy as np

from ox88 import Puzzles
from ox88.apps.puzzles import open_set
from tests.conftest import RunPython


def test_the_open_set_is_even() -> None:
    puzzles = open_set.load()
    assert open_set.FILE.stat().st_size <= 500_000
    assert len(set(puzzles.column("id"))) == len(puzzles) == 10_000
    hundreds = Counter((puzzles.column("rating") // 100).tolist())
    assert all(400 < hundreds[hundred] < 430 for hundred in range(4, 28))
    themes = Counter(theme for found in puzzles.column("themes") for theme in found.split())
    assert all(themes[theme] > 250 for theme in ("fork", "zugzwang", "trappedPiece", "xRayAttack", "smotheredMate"))


def test_all_moves_of_the_open_set_are_legal() -> None:
    puzzles = open_set.load()
    some = puzzles[np.arange(0, len(puzzles), 20)]
    assert list(Puzzles(some)) == list(some)


def test_it_is_loaded_without_the_compiler(run_python: RunPython) -> None:
    code = "import sys; from ox88.apps.puzzles.open_set import load; load()[0].board(); print('numba' in sys.modules)"
    assert run_python("-c", code).stdout == "False\n"
