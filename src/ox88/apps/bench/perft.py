"""`ox88 bench perft`: every board and mode of counting, in turn with Stockfish's `go perft` if it is installed."""

import subprocess
import time
from functools import partial
from typing import IO, Final, cast

import click

from ox88.apps.bench.batch import Measure, measure
from ox88.apps.match.participant import find_program
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.perft import Perft
from ox88.setup import parse_fen

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


def bench_perft() -> None:
    """Print millions of nodes a second, the median of a few runs in turn, and the ratio to Stockfish's."""
    command = find_program("stockfish")
    stockfish = StockfishPerft(command) if command is not None else None
    for title, fen, depth in POSITIONS:
        click.echo(f"{title}, depth {depth}, Mnps")
        counters: dict[str, Measure] = {}
        for board, mode, threads in COUNTS:
            perft = Perft(parse_fen(fen), board, threads)
            perft.count(3, mode)  # Compiled, or loaded, before the clock starts.
            name = f"{board}, {mode}" + (f", {threads} threads" if threads > 1 else "")
            counters[name] = partial(perft.count, depth, mode)
        if stockfish is not None:
            counters["stockfish"] = partial(stockfish.count, fen, depth)
        speeds = measure({name: (count, time.perf_counter) for name, count in counters.items()})
        for name, speed in speeds.items():
            ratio = f"{speed / speeds['stockfish']:6.2f} x stockfish" if "stockfish" in speeds else ""
            click.echo(f"  {name:28} {speed:7.1f} {ratio}")
    if stockfish is None:
        click.echo("stockfish is not installed: no ratio to it")
    else:
        stockfish.close()


class StockfishPerft:
    """Stockfish's count, in a process that ends with `close`, or with this process."""

    def __init__(self, command: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([command], stdin=pipe, stdout=pipe, text=True, bufsize=1)  # noqa: S603 - It runs Stockfish.
        self._commands, self._answers = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        self._commands.write("setoption name UCI_Chess960 value true\n")

    def divide(self, fen: str, depth: int) -> dict[str, int]:
        """The sequences of `depth` moves, by their first move in UCI's notation for Chess960. Raises Ox88Error."""
        self._commands.write(f"position fen {fen}\ngo perft {depth}\n")
        counts: dict[str, int] = {}
        for line in self._answers:
            move, colon, count = line.partition(":")
            if move == "Nodes searched":
                return counts
            if colon and count.strip().isdecimal():
                counts[move] = int(count)
        raise Ox88Error(f"Stockfish has ended while it counted from {fen}")

    def count(self, fen: str, depth: int) -> int:
        return sum(self.divide(fen, depth).values())

    def close(self) -> None:
        self._commands.write("quit\n")
        self._process.communicate()
