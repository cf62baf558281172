"""What conftest.py does for every test: time limits, which also end the processes of a test, and Ctrl-C."""

import os
from pathlib import Path

import pytest

from tests.conftest import RunPython
from tests.processes import PATIENCE, SLOW_TEST_LIMIT, TEST_LIMIT

pytest.importorskip("pytest_timeout")

HANGING = """
import subprocess, sys, pytest

@pytest.mark.timeout(1)
def test_hangs():
    code = "import time; print('started', flush=True); time.sleep(3600)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as child:
        print(child.stdout.readline(), child.pid)
        child.stdout.read()

def test_goes_on():
    pass
"""


def test_each_test_has_a_limit_beyond_that_of_its_children(request: pytest.FixtureRequest) -> None:
    assert request.config.getoption("timeout") == TEST_LIMIT > PATIENCE
    slow = [item for item in request.session.items if item.get_closest_marker("slow")]
    assert all(item.get_closest_marker("timeout").args == (SLOW_TEST_LIMIT,) for item in slow)  # type: ignore[union-attr]


@pytest.mark.posix("signals")
def test_the_children_of_a_test_that_hangs_end_with_it(run_python: RunPython, tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING)
    root = Path(__file__).parents[1]
    paths = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    options = ("-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "-c", os.devnull)
    process = run_python("-m", "pytest", *options, str(tmp_path), env={"PYTHONPATH": paths}, cwd=tmp_path)
    assert "1 failed, 1 passed" in process.stdout, process.stdout + process.stderr
    assert "Timeout (>1.0s) from pytest-timeout" in process.stdout


@pytest.mark.posix("signals")
def test_ctrl_c_reaches_tests_that_run_in_the_background(run_python: RunPython) -> None:
    """A shell lets background jobs ignore it: `nohup scripts/test &`."""
    code = (
        "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN);"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'tests/test_threads.py', '-k', 'ctrl_c']))"
    )
    process = run_python("-c", code, cwd=Path(__file__).parents[1])
    assert process.returncode == 0, process.stdout
