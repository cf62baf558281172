"""Build the engines that Ox88 is measured against, for this machine's processor.

    git clone https://github.com/AndyGrant/Ethereal
    python -m tools.opponents ethereal Ethereal

Packages of a distribution are built for old processors and search fewer nodes a second, so a score against them says
less. The checkout stays as it is; its tag is built in a folder of its own.
"""

import re
import shutil
import subprocess
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

import click

from ox88.types import Ox88Error
from tools.command import Command

_SHOWN: Final = 2000  # Characters of what a command has said.


class Opponent(NamedTuple):
    """An engine. builds: by a feature of the processor, the best first, what make is told. nodes: of its `bench`."""

    tag: str
    repository: str
    builds: tuple[tuple[str, tuple[str, ...]], ...]
    program: str
    nodes: int


# Features as gcc names them when it compiles for this machine; "" is any.
OPPONENTS: Final = {
    "ethereal": Opponent(
        "V12.00",
        "https://github.com/AndyGrant/Ethereal",
        (("__BMI2__", ("pext",)), ("__POPCNT__", ("popcnt",)), ("", ("nopopcnt",))),
        "Ethereal",
        5_132_900,
    ),
    "stockfish": Opponent(
        "sf_11",
        "https://github.com/official-stockfish/Stockfish",
        (
            ("__BMI2__", ("build", "ARCH=x86-64-bmi2")),
            ("__POPCNT__", ("build", "ARCH=x86-64-modern")),
            ("__x86_64__", ("build", "ARCH=x86-64")),
            ("__aarch64__", ("build", "ARCH=armv8")),
        ),
        "stockfish",
        5_156_767,
    ),
}


@click.command(cls=Command)
@click.argument("name", type=click.Choice(sorted(OPPONENTS)))
@click.argument("checkout", type=click.Path(path_type=Path))
@click.option("--output", "-o", type=click.Path(path_type=Path), help="The program. Default: its name, in this folder.")
def main(name: str, checkout: Path, output: Path | None) -> None:
    """Build an engine from a checkout of its source, and check by its bench that it is the right one."""
    opponent = OPPONENTS[name]
    output = output or Path(f"{name}-{opponent.tag}")
    with tempfile.TemporaryDirectory(prefix="ox88-opponent-") as folder:
        program = build(opponent, checkout, Path(folder))
        check_bench(opponent, program)
        try:
            shutil.copy2(program, output)
        except OSError as error:
            raise Ox88Error(f"{output} cannot be written: {error.strerror}") from None
    click.echo(f"{output.resolve()}")


def build(opponent: Opponent, checkout: Path, folder: Path) -> Path:
    """Build the tag of a checkout in a folder. Returns the program. Raises Ox88Error."""
    archive = run("git", "-C", str(checkout), "archive", opponent.tag, why=f"git clone {opponent.repository}")
    with tarfile.open(fileobj=BytesIO(archive)) as source:
        # Python 3.11.3 and older have no filters, and take no argument for one.
        source.extraction_filter = getattr(tarfile, "data_filter", None)
        source.extractall(folder)  # noqa: S202 - The archive is git's own.
    run("make", "-C", str(folder / "src"), *target(opponent, processor_features()))
    return folder / "src" / opponent.program


def target(opponent: Opponent, features: frozenset[str]) -> tuple[str, ...]:
    """What make is told on a processor with some features. Raises Ox88Error if it cannot be built there."""
    for feature, words in opponent.builds:
        if not feature or feature in features:
            return words
    raise Ox88Error(f"{opponent.program} cannot be built for this processor")


def processor_features() -> frozenset[str]:
    """What gcc defines when it compiles for this machine, such as __BMI2__."""
    defined = run("gcc", "-march=native", "-dM", "-E", "-x", "c", "/dev/null").decode()
    return frozenset(re.findall(r"^#define (\w+)", defined, re.MULTILINE))


def check_bench(opponent: Opponent, program: Path) -> None:
    """Raise Ox88Error unless a program's bench searches the nodes that it should."""
    said = run(str(program), "bench").decode(errors="replace")
    found = re.findall(r"(?i)^nodes(?: searched)?\s*:\s*(\d+)", said, re.MULTILINE)
    if found != [str(opponent.nodes)]:
        raise Ox88Error(f"{program.name} searches {', '.join(found) or 'no'} nodes in its bench, not {opponent.nodes}")


def run(*words: str, why: str = "") -> bytes:
    """The output of a command, of both streams for `bench`. Raises Ox88Error. why: what to do where it fails."""
    is_bench = words[-1] == "bench"
    errors = subprocess.STDOUT if is_bench else subprocess.PIPE
    try:
        process = subprocess.run(words, stdout=subprocess.PIPE, stderr=errors, check=False)  # noqa: S603 - The user's.
    except OSError as error:
        raise Ox88Error(f"{words[0]} cannot be started: {error.strerror}") from None
    if process.returncode:
        told = (process.stderr or process.stdout).decode(errors="replace")[-_SHOWN:].strip()
        raise Ox88Error(f"{' '.join(words)} fails:\n{told}" + f"\n{why} gets a checkout" * bool(why))
    return process.stdout


if __name__ == "__main__":
    main()
