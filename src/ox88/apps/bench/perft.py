"""`ox88 bench perft`: every board and mode of counting, in turn with Stockfish's `go perft` if it is installed."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from typing import IO, Final, cast

import click

from ox88.apps.bench.batch import Measure, measure
from ox88.fen import STARTPOS, parse_fen
from ox88.perft import Perft

KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS: Final = (("start position", STARTPOS, 6), ("Kiwipete", KIWIPETE, 5))
COUNTS: Final = (  # Board, mode, threads.
    ("bitboard", "listed", 1),
    ("bitboard", "listed", 2),
    ("bitboard", "bulk", 1),
    ("bitboard", "made", 1),
    ("rotated", "listed", 1),
    ("mailbox", "listed", 1),
    ("mailbox", "made", 1),
)
DEBIAN_GAMES: Final = "/usr/games"  # Often not on the PATH.


def bench_perft() -> None:
    """Print millions of nodes a second, the median of a few runs in turn, and the ratio to Stockfish's."""
    stockfish = shutil.which("stockfish", path=os.pathsep.join((os.environ.get("PATH", ""), DEBIAN_GAMES)))
    for title, fen, depth in POSITIONS:
        click.echo(f"{title}, depth {depth}, Mnps")
        counters = dict(_counter(fen, depth, *count) for count in COUNTS)
        with contextlib.ExitStack() as stack:
            if stockfish is not None:
                counters["stockfish"] = stack.enter_context(_stockfish_counter(stockfish, fen, depth))
            _print_speeds(measure({name: (count, time.perf_counter) for name, count in counters.items()}))
    if stockfish is None:
        click.echo("stockfish is not installed: no ratio to it")


def _print_speeds(speeds: dict[str, float]) -> None:
    reference = speeds.get("stockfish")
    for name, speed in speeds.items():
        ratio = f"{speed / reference:6.2f} x stockfish" if reference else ""
        click.echo(f"  {name:28} {speed:7.1f} {ratio}")


def _counter(fen: str, depth: int, board: str, mode: str, threads: int) -> tuple[str, Measure]:
    """A name for the table, and a function that counts."""
    perft = Perft(parse_fen(fen), board, threads)
    perft.count(3, mode)  # Compiled, or loaded, before the clock starts.
    name = f"{board}, {mode}" + (f", {threads} threads" if threads > 1 else "")
    return name, lambda: perft.count(depth, mode)


@contextlib.contextmanager
def _stockfish_counter(command: str, fen: str, depth: int) -> Iterator[Measure]:
    """A function that counts by Stockfish. It has started before, so that only its counting is timed."""
    pipe = subprocess.PIPE
    with subprocess.Popen([command], stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603  # Found by shutil.which.
        commands, answers = cast(IO[str], process.stdin), cast(IO[str], process.stdout)

        def count() -> int:
            commands.write(f"position fen {fen}\ngo perft {depth}\n")
            commands.flush()
            return next(int(line.split(":")[1]) for line in answers if line.startswith("Nodes searched"))

        yield count
        commands.write("quit\n")
