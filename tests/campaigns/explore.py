"""Lets Atheris look for inputs that reach new code: python -m tests.campaigns.explore MODULE TEST [OPTION...].

Atheris makes the bytes that Hypothesis makes an input of, keeps those that reach new branches of Ox88's or
python-chess's code, and changes them further. Compiled kernels have no coverage; their results are checked. What fails
is kept in Hypothesis' database, from where `pytest TEST --rounds 2` takes it and makes it small.

TEST takes nothing but inputs. OPTION: one of libFuzzer's, such as -runs=1000 or -max_total_time=3600.
"""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import atheris

import ox88

SOURCE: Final = Path(ox88.__file__).parents[1]
_LIMITS: Final = ("-timeout=60", "-rss_limit_mb=4096", "-max_len=4096", "-len_control=0")  # Seconds, megabytes, bytes.
_COMPILED: Final = re.compile(r"^(from ox88\.jit|import numba|from numba)", re.MULTILINE)


def compiled_modules() -> list[str]:
    """The modules with kernels: Numba cannot compile the calls that Atheris adds to the code it watches."""
    return [
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((SOURCE / "ox88").rglob("*.py"))
        if _COMPILED.search(path.read_text(encoding="utf-8"))
    ]


def main() -> None:
    module, test, *options = sys.argv[1:]
    # Atheris changes functions that kernels call, so that this process can only load what another has compiled.
    subprocess.run([sys.executable, "-P", "-m", "ox88", "warmup"], check=True)
    with atheris.instrument_imports(include=["ox88", "chess"], exclude=["ox88.jit", *compiled_modules()]):
        found = getattr(importlib.import_module(module), test)
    atheris.Setup([sys.argv[0], *_LIMITS, *options], found.hypothesis.fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
