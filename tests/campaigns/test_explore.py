"""Atheris looks for inputs that reach new code."""

import re

import pytest

from tests.conftest import RunPython, imported

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("test", ["test_positions", "test_game_trees"])
def test_a_short_run_finds_nothing(test: str, run_python: RunPython) -> None:
    imported("atheris")
    process = run_python("-m", "tests.campaigns.explore", "tests.campaigns.test_texts", test, "-runs=100", "-seed=1")
    assert process.returncode == 0, process.stderr[-3000:]
    done = re.search(r"DONE +cov: (\d+)", process.stderr)
    assert done
    assert int(done[1]) > 100
