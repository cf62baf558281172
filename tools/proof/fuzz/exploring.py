"""A process in which Atheris runs the inputs of one kind: python -m tools.proof.fuzz.exploring KIND INPUTS SEED.

An input that fails its check is written to stderr. The process then ends with an exit code other than 0.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import atheris
import click

import ox88.jit
from tools.proof.campaign import Tally

SOURCE: Final = Path(ox88.jit.__file__).parents[2]
LONGEST: Final = 512  # Bytes that Atheris makes for an input. Later random numbers have a fixed seed.
_COMPILED: Final = re.compile(r"^(from ox88\.jit|import numba|from numba)", re.MULTILINE)
# An input may take 60 seconds, also on a busy machine, and the process 4 GB.
_LIMITS: Final = ("-timeout=60", "-rss_limit_mb=4096", f"-max_len={LONGEST}")


class RandomFromBytes(Random):
    """Random numbers that are read from bytes. When these are used up, a generator with a fixed seed goes on."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data = data

    def getrandbits(self, count: int, /) -> int:
        size = (count + 7) // 8
        if len(self._data) < size:
            return super().getrandbits(count)
        taken, self._data = self._data[:size], self._data[size:]
        return int.from_bytes(taken, "big") >> (8 * size - count)

    def random(self) -> float:
        return self.getrandbits(53) / (1 << 53)


def compiled_modules() -> list[str]:
    """The modules with kernels: Numba cannot compile the calls that Atheris adds to the code it watches."""
    return [
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((SOURCE / "ox88").rglob("*.py"))
        if _COMPILED.search(path.read_text(encoding="utf-8"))
    ]


def explore(make: Callable[[Random], Any], check: Callable[[Any, Tally], None], inputs: int, seed: int) -> None:
    """Make and check so many inputs. The process ends with it."""

    def run(data: bytes) -> None:
        made = make(RandomFromBytes(data))
        try:
            check(made, Tally())
        except Exception:
            click.echo(f"{made!r:.30000}", err=True)
            raise

    atheris.Setup([sys.argv[0], f"-runs={inputs}", f"-seed={seed}", *_LIMITS], run)
    atheris.Fuzz()


def main() -> None:
    name, inputs, seed = sys.argv[1:]
    with atheris.instrument_imports(include=["ox88", "chess"], exclude=["ox88.jit", *compiled_modules()]):
        from tools.proof.fuzz.fuzz import KINDS, Fuzz  # Here, since modules are changed while they are imported.
    Fuzz()  # Loads everything, which the campaign has compiled.
    kind = next(kind for kind in KINDS if kind.name == name)
    explore(kind.make, kind.check, int(inputs), int(seed))


if __name__ == "__main__":
    main()
