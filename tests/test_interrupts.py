"""Tests that send Ctrl-C work where a shell ignores it, as it does for background jobs: `nohup scripts/test &`."""

import pytest

from tests.conftest import RunPython


@pytest.mark.posix("signals")
def test_ctrl_c_reaches_tests_that_run_in_the_background(run_python: RunPython) -> None:
    code = (
        "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN);"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'tests/test_threads.py']))"
    )
    process = run_python("-c", code)
    assert process.returncode == 0, process.stdout
