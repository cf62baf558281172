"""Numba's own compiler in place of ours: on request, and where ours may not work."""

from pathlib import Path

import pytest
from numba import config
from numba.core.cpu import CPUContext

from ox88.jit.plain import make_kernel, reason_for_plain
from tests.conftest import RunPython
from tests.jit.test_jit import CALL, package, run

__all__ = ["package"]  # The fixture.


CHANGED = "from numba.core import typed_passes; del typed_passes.PreLowerStripPhis"


def test_it_takes_over_where_numba_has_changed(package: Path, run_python: RunPython) -> None:
    process = run(run_python, package, f"import numba.core.compiler\n{CHANGED}\n{CALL}")
    assert process.stdout == "20\n"
    assert process.stderr.startswith("ox88: compiling once, slowly, with Numba's own compiler (")
    assert "has changed inside: cannot import" in process.stderr
    assert process.stderr.count("\n") == 1


def add_one(x: int) -> int:
    return x + 1


def test_other_functions_keep_their_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.jit.plain.cache_folder", lambda *_: tmp_path)
    before = config.CACHE_DIR
    assert make_kernel(add_one)(1) == 2
    assert str(config.CACHE_DIR) == before
    assert list((tmp_path / "plain").rglob("*add_one*.nbi"))


def test_a_method_that_is_missing_and_another_version_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OX88_PLAIN_JIT", raising=False)
    assert reason_for_plain() is None
    monkeypatch.delattr(CPUContext, "create_cpython_wrapper")
    assert "has changed inside: type object 'CPUContext' has no attribute" in str(reason_for_plain())
    monkeypatch.setattr("numba.__version__", "9.9.9")
    assert reason_for_plain() == "Ox88 has not been tested with Numba 9.9.9"
