"""The campaign guided: its random numbers come from bytes, and Atheris reaches code that chance does not."""

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import MUST_RUN
from tests.processes import PATIENCE, python
from tools.proof.campaign import Tally
from tools.proof.fuzz.fuzz import KINDS

if not MUST_RUN:
    pytest.importorskip("atheris", reason="no code is explored: Atheris is not installed")

from tools.proof.fuzz import guided
from tools.proof.fuzz.exploring import RandomFromBytes, compiled_modules
from tools.proof.fuzz.guided import INPUTS, Guided
from tools.proof.runs import ROOT

BYTES = st.binary(max_size=40)


@given(BYTES, st.lists(st.integers(1, 1 << 70), min_size=1))
def test_numbers_are_in_range_and_the_bytes_alone_decide(data: bytes, sizes: list[int]) -> None:
    dice, again = RandomFromBytes(data), RandomFromBytes(data)
    for size in sizes:
        number = dice.randrange(size)
        assert 0 <= number < size
        assert number == again.randrange(size)
    assert 0 <= dice.random() < 1
    assert sorted(dice.sample(range(9), 9)) == [*range(9)]


def test_the_first_bytes_are_the_first_numbers() -> None:
    dice = RandomFromBytes(bytes([3, 200, 255, 255]))
    assert (dice.getrandbits(8), dice.getrandbits(1), dice.getrandbits(16)) == (3, 1, 0xFFFF)
    assert RandomFromBytes(b"").random() == Random(0).getrandbits(53) / (1 << 53)


def test_no_kernel_is_watched() -> None:
    modules = compiled_modules()
    assert {"ox88.bitboard.moves", "ox88.engines.micromax.search"} <= {*modules}
    assert not {"ox88.fen", "ox88.rules", "ox88.protocols.uci"} & {*modules}


LOCKED = """
import atheris
from tools.proof.fuzz.exploring import explore

@atheris.instrument_func
def check(text, tally):
    if text[0] == 81:
        if text[1] == 120:
            if text[2] == 102:
                if text[3] == 55:
                    raise ValueError("the lock is open")

explore(lambda dice: bytes(dice.getrandbits(8) for _ in range(4)), check, 2_000_000, 1)
"""


@pytest.mark.slow
def test_it_finds_what_one_input_in_four_billion_shows(tmp_path: Path) -> None:
    with python("-c", LOCKED, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        said, told = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "the lock is open" in said
    assert repr(b"Qxf7") in told


def test_kernels_are_compiled_before_functions_are_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[bool] = []
    monkeypatch.setattr(guided, "warm_up", lambda: compiled.append(True))
    Guided()
    assert compiled


@pytest.mark.slow
def test_a_short_run_finds_nothing() -> None:
    tally = Tally()
    Guided().run(case := 0, 1, tally)
    assert tally.counts["inputs"] == INPUTS
    assert tally.counts[f"cases: {KINDS[case].name}"] == 1
    assert tally.most["branches of the code that a case has reached"] > 300
