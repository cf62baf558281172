"""`ox88 bench network`: what it compares; never how fast."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from ox88.apps.bench import batch
from ox88.apps.bench import network as bench
from ox88.bitboard.records import NOWHERE
from ox88.errors import Ox88Error
from tests.conftest import RunPython

needs_compiler = pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("cc")), reason="there is no C compiler")


@pytest.fixture(autouse=True)
def _little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "RUNS", 1)
    monkeypatch.setattr(bench, "TIMES", 1000)


def lines_of_bench() -> list[str]:
    lines: list[str] = []
    bench.bench_network(lines.append)
    return lines


@needs_compiler
def test_both_kernels_beside_c() -> None:
    _, *lines = lines_of_bench()
    assert [line.split("  ")[0] for line in lines] == ["forward pass", "update"]
    for line in lines:
        *_, theirs, unit, ratio, times, compiler = line.split()
        assert (unit, times) == ("ns", "x")
        assert compiler in ("gcc", "cc")
        assert float(theirs) > 0
        assert float(ratio) > 0


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    _, forward, update, last = lines_of_bench()
    assert forward.endswith(" ns")
    assert update.endswith(" ns")
    assert last == "no C compiler is installed: no ratio to it"


@needs_compiler
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("? ACTIVATION_UNIT :", "the forward pass in C gives other numbers"),
        ("+ added[1][i]", "the update in C gives other numbers"),
        ("typedef", "cannot compile"),
    ],
)
def test_a_c_program_that_computes_something_else(
    wrong: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "network.c"
    changed = "? 100 :" if wrong.startswith("?") else ""
    source.write_text(bench.SOURCE.read_text(encoding="utf-8").replace(wrong, changed), encoding="utf-8")
    monkeypatch.setattr(bench, "SOURCE", source)
    with pytest.raises(Ox88Error, match=reason):
        lines_of_bench()


def test_the_moves_are_of_all_sorts() -> None:
    moves = bench.make_work().moves
    shapes = {(int(one["count"]), int((one["list"]["to_square"][: one["count"]] == NOWHERE).sum())) for one in moves}
    assert shapes == {(1, 0), (2, 1), (2, 0)}, "quiet; capture or promotion; castling"
    assert len(moves) > 1000


def test_the_accumulators_hold_neurons_of_all_sizes() -> None:
    neurons = bench.make_work().accumulators["neurons"]
    assert (neurons < 0).any()
    assert (neurons > 255).any()
    assert ((neurons > 0) & (neurons < 255)).any()
    assert np.abs(neurons.astype(np.int32)).max() < 1 << 14


def test_the_command(call_ox88: RunPython) -> None:
    process = call_ox88("bench", "network", "--depth", "3")
    assert process.returncode == 2
    assert "bench network is fixed" in process.stderr
