"""`ox88 analyse` in the tests' own process."""

import pytest

from tests.apps.inline import InlineWorkers, Run, runner
from tests.conftest import RunPython


@pytest.fixture
def run(workers: InlineWorkers, call_ox88: RunPython) -> Run:
    del workers
    return runner(call_ox88, "analyse")
