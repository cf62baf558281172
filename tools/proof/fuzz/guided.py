"""Fuzzing guided by coverage: the inputs of fuzz, with random numbers that Atheris chooses.

Atheris makes bytes, and the makers of fuzz take their random numbers from them. Bytes whose input reaches new branches
of Ox88 or python-chess are kept and changed further. The makers turn any random numbers into an input that is nearly
right, so Atheris need not find out what a FEN looks like. Compiled kernels have no coverage; their results are checked.
"""

import importlib.util
import re
import tempfile
from pathlib import Path
from typing import ClassVar, Final

from ox88.apps.warmup import warm_up
from ox88.errors import Ox88Error
from tools.proof.campaign import Campaign, FailureError, Tally
from tools.proof.fuzz.fuzz import KINDS
from tools.proof.runs import run_to_end

INPUTS: Final = 1000  # Of a case.
# The last line of libFuzzer, the C library behind Atheris: branches of the code, and inputs that have reached new ones.
_DONE: Final = re.compile(r"DONE +cov: (\d+) .*corp: (\d+)/")


class Guided(Campaign):
    """A case is a thousand inputs of one kind, and begins without any that are known to reach new code."""

    goal: ClassVar = 3 * len(KINDS)
    block: ClassVar = 1

    def __init__(self) -> None:
        if importlib.util.find_spec("atheris") is None:
            raise Ox88Error("the campaign guided needs Atheris: pip install atheris")
        warm_up()  # Atheris changes functions that kernels call, so the processes of the cases can only load kernels.

    def run(self, case: int, seed: int, tally: Tally) -> None:
        kind = KINDS[case % len(KINDS)]
        number = seed << 16 | case + 1  # libFuzzer takes 0 for a random one.
        words = ["-m", "tools.proof.fuzz.exploring", kind.name, str(INPUTS), str(number)]
        with tempfile.TemporaryDirectory() as folder:
            ended = run_to_end(words, Path(folder), {"TMPDIR": folder})
        done = _DONE.search(ended.errors)
        if ended.code or done is None:
            raise FailureError(str(ended))
        tally.counts["inputs"] += INPUTS
        tally.counts["inputs that have reached new code"] += int(done[2])
        tally.counts[f"cases: {kind.name}"] += 1
        tally.measure("branches of the code that a case has reached", float(done[1]))
