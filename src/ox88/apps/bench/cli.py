"""`ox88 bench`: fixed work, measured."""

import contextlib
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from ox88.apps.options import (
    DEPTH,
    FILE,
    MEGABYTES,
    THREADS,
    Settings,
    engine_option,
    evaluation_settings,
    has_option,
    make_ready_engine,
    size_settings,
)
from ox88.engines import benchmark
from ox88.engines.base import EngineEntry
from ox88.engines.registry import ENGINES
from ox88.types import format_uci

_RUNS = 5
_DEFAULTS: Settings = {"Threads": 1, "Hash": 16}  # These options are set for the signature, if the engine has them.
_PARTS = ("batch", "env", "micromax", "network", "perft", "start", "tree")
_HELP = """Measure the speed of the engines and boards.

Without an argument, search fifty positions to a fixed depth. The sum of their nodes is a signature: two versions that
play alike have equal signatures. Others:

\b
batch     many positions at once, compared with python-chess, and three other libraries where installed
env       games in ox88.Env, compared with OpenSpiel, PettingZoo, pgx and spooky-chess where installed
micromax  micro-Max's search of the start position, at its full ten million nodes
network   the kernels of the network, compared with the same in C where gcc or cc is installed
perft     every board's move generator, compared with Stockfish's where it is installed
start     how long the commands take to start, with and without compiled kernels
tree      the search of ox88.TreeSearch, with a network that costs nothing and with a small one
"""


@click.command(help=_HELP)
@click.argument(
    "what", required=False, type=click.Choice(["batch", "env", "micromax", "network", "perft", "start", "tree"])
)
@engine_option(f"The engine to measure. Default: {ENGINES[0].name}.", None)
@click.option("--depth", type=DEPTH, help=f"Plies a position. Default: {benchmark.DEPTH}.")
@click.option("--threads", type=THREADS, help="Search threads. Default: 1. With more the nodes differ from run to run.")
@click.option("--hash", "hash_megabytes", type=MEGABYTES, help="Megabytes for the table. Default: 16.")
@click.option(
    "--evaluation", metavar="[handcrafted|network|FILE]", help="Of Ox88. Default: its network, if it comes with one."
)
@click.option("--pgn", type=FILE, help="For batch: the games to measure on.")
def bench(
    what: str | None,
    engine: EngineEntry | None,
    depth: int | None,
    threads: int | None,
    hash_megabytes: int | None,
    evaluation: str | None,
    pgn: Path | None,
) -> None:
    if pgn is not None and what != "batch":
        raise click.UsageError("--pgn is for bench batch only")
    if what is None:
        settings = size_settings(hash_megabytes, threads) | evaluation_settings(evaluation)
        if threads is not None and threads > 1:
            click.echo(f"{machine_text(threads, depth or benchmark.DEPTH)}\n")
        bench_signature(engine or ENGINES[0], settings, click.echo, depth)
    elif engine or depth or threads or hash_megabytes or evaluation:
        raise click.UsageError(f"bench {what} is fixed: only bench without an argument takes these options")
    else:
        bench_part(what, pgn)


def bench_part(what: str, pgn: Path | None) -> None:
    """Measure a part. Each imports only what it needs: the time before micro-Max's search is measured too."""
    match what:
        case "batch":
            from ox88.apps.bench.batch import bench_batch

            bench_batch(pgn, click.echo)
        case "env":
            from ox88.apps.bench.env import bench_env

            bench_env(click.echo)
        case "micromax":
            bench_micromax()
        case "network":
            from ox88.apps.bench.network import bench_network

            bench_network(click.echo)
        case "perft":
            from ox88.apps.bench.perft import bench_perft

            bench_perft()
        case "tree":
            from ox88.apps.bench.tree import bench_tree

            bench_tree(click.echo)
        case _:
            bench_start()


def bench_signature(
    entry: EngineEntry, settings: Settings, write: Callable[[str], object], depth: int | None = None
) -> None:
    """Search the benchmark's positions to a depth in plies; write a line for each, and the sum of their nodes.

    The last lines are as Stockfish prints them, so that tools for its bench can read them. Raises EngineError.
    """
    engine = make_ready_engine(
        entry, {**{name: value for name, value in _DEFAULTS.items() if has_option(entry, name)}, **settings}
    )
    nodes = 0
    started = time.perf_counter()
    for number, (fen, info) in enumerate(benchmark.run(engine, depth or benchmark.DEPTH), 1):
        nodes += info.nodes
        found = f"{format_uci(info.best_move):5} {info.score!s:>7}"
        write(f"{number:2d}/{len(benchmark.FENS)}  depth {info.depth:2d} {info.nodes:9d} nodes  {found}  {fen}")
    seconds = time.perf_counter() - started
    write("")
    write(f"Total time (ms) : {1000 * seconds:.0f}")
    write(f"Nodes searched  : {nodes}")
    write(f"Nodes/second    : {nodes / max(seconds, 1e-9):.0f}")


def machine_text(processes: int, depth: int) -> str:
    """The speed of one process, and how many times as much several do at once: the most that threads can reach.

    Two cores of a rented machine may be halves of one: then two processes are hardly faster than one.
    """
    alone, together = nodes_per_second(1, depth), nodes_per_second(processes, depth)
    return f"{cpu_name()}: one process {alone:.0f} nodes/s, {processes} at once {together / alone:.2f} times as many"


def nodes_per_second(processes: int, depth: int) -> float:
    """The sum of `Nodes/second` of several processes that run `ox88 bench` at the same time."""
    words = [sys.executable, "-P", "-m", "ox88", "bench", "--depth", str(depth)]
    with ThreadPoolExecutor(processes) as pool:
        running = [pool.submit(subprocess.check_output, words, text=True) for _ in range(processes)]
        return sum(float(process.result().split()[-1]) for process in running)


def cpu_name() -> str:
    """The processor's name, as far as the system tells."""
    with contextlib.suppress(OSError):
        found = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def bench_micromax() -> None:
    """Search the start position as micro-Max does for its first move, and print what the listing's trace prints."""
    from ox88.engines.micromax.driver import MachineSearch
    from ox88.engines.micromax.machine import Machine
    from ox88.fen import STARTPOS
    from ox88.setup import parse_fen

    machine = Machine()
    machine.think(1)  # Compiled, or loaded, before the clock starts.
    machine.set_position(parse_fen(STARTPOS))
    before, started = time.process_time(), time.perf_counter()
    search = MachineSearch(machine)
    for iteration in search.iterations():
        line = f"{iteration.depth:2d} ply, {iteration.nodes:9d} searched, {iteration.score:6d} by {iteration.move_text}"
        click.echo(line)
    searched, seconds = int(machine.record.nodes), time.perf_counter() - started
    click.echo(f"\n{searched} nodes, {seconds:.3f} s, {searched / seconds:.0f} nodes/s")
    click.echo(f"before the search, {before:.3f} s of processor time: Python starts, kernels are loaded")


def bench_start() -> None:
    """Print how long each command takes from process start to end, warm, and once with nothing compiled."""
    run_seconds("warmup")
    for arguments in (["--version"], ["--help"], ["play"], ["play", "--nodes", "1"]):
        text = "\n" if "--nodes" in arguments else ""
        seconds = statistics.median(run_seconds(*arguments, text=text) for _ in range(_RUNS))
        name = " ".join(["ox88", *arguments]) + (", one move" if text else "")
        click.echo(f"{seconds:6.2f} s  {name}")
    with tempfile.TemporaryDirectory() as folder:
        seconds = run_seconds("warmup", env={"NUMBA_CACHE_DIR": folder})
        click.echo(f"{seconds:6.2f} s  ox88 warmup, nothing compiled yet")


def run_seconds(*arguments: str, text: str = "", env: Mapping[str, str] | None = None) -> float:
    """The seconds that a command of Ox88 takes as a process of its own."""
    started = time.perf_counter()
    command = [sys.executable, "-P", "-m", "ox88", *arguments]
    subprocess.run(command, input=text, text=True, capture_output=True, env={**os.environ, **(env or {})}, check=True)  # noqa: S603 - It runs Ox88 itself.
    return time.perf_counter() - started
