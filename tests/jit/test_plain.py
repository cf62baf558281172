"""Numba's own compiler in place of ours: on request, and where ours may not work."""

from pathlib import Path

import pytest

from tests.conftest import RunPython
from tests.jit.test_jit import CALL, CALLEE, call, package, python_path

__all__ = ["package"]  # The fixture.


def test_it_compiles_once_and_sees_edits(package: Path, run_python: RunPython) -> None:
    said = f"from ox88 import jit\n{CALL}; print(len(jit.progress._said))"
    assert call(run_python, package, said, OX88_PLAIN_JIT="1") == [20, 1]
    assert call(run_python, package, said, OX88_PLAIN_JIT="1") == [20, 0]
    (package / "callee.py").write_text(CALLEE.format(number=2))
    assert call(run_python, package, said, OX88_PLAIN_JIT="1") == [30, 1]
    assert len(list((package / "cache" / "ox88").glob("demo.caller-*/plain"))) == 2


def test_it_compiles_ahead_in_one_process(package: Path, run_python: RunPython) -> None:
    code = (
        "import subprocess\n"
        "from ox88.jit import prepare, prepare_entry, sharing_the_work\n"
        "from demo.caller import callee, caller\n"
        "subprocess.Popen = None\n"
        "with sharing_the_work([caller], []) as is_kept:\n"
        "    prepare(callee, 1)\n"
        "    prepare_entry(caller, 1)\n"
        "print(int(is_kept), len(caller.signatures), caller(1))"
    )
    assert call(run_python, package, code, OX88_PLAIN_JIT="1") == [0, 1, 20]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("import numba; numba.__version__ = '9.9.9'", "Ox88 has not been tested with Numba 9.9.9"),
        (
            "from numba.core import typed_passes; del typed_passes.PreLowerStripPhis",
            "has changed inside: cannot import",
        ),
    ],
)
def test_it_takes_over_where_numba_has_changed(
    package: Path,
    run_python: RunPython,
    change: str,
    reason: str,
) -> None:
    env = {"PYTHONPATH": python_path(package), "NUMBA_CACHE_DIR": str(package / "cache")}
    process = run_python("-c", f"import numba.core.compiler\n{change}\n{CALL}", env=env)
    assert process.stdout == "20\n", process.stderr
    assert process.stderr.startswith("ox88: compiling once, slowly, with Numba's own compiler (")
    assert reason in process.stderr
    assert process.stderr.count("\n") == 1
