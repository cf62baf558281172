"""The benches: fixed work, measured."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

import click

from ox88.apps.engines import Settings, has_option, make_engine
from ox88.engines import benchmark
from ox88.engines.base import EngineEntry, Info, Limit
from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine
from ox88.engines.micromax.thinking import Thinking
from ox88.types import to_uci

RUNS = 5
BENCH_SETTINGS: Settings = {"Threads": 1, "Hash": 16}  # Where the engine has them.


def bench_signature(entry: EngineEntry, depth: int, settings: Settings) -> None:
    """Search the benchmark's positions, and print the sum of their nodes: the signature of how the engine plays.

    The last lines are Stockfish's, so that the tools which read those can read these. Raises EngineError.
    """
    usual = {name: value for name, value in BENCH_SETTINGS.items() if has_option(entry, name)}
    engine = make_engine(entry, {**usual, **settings})
    for _ in engine.search(Limit(depth=1)):  # Compiled, or loaded, before the clock starts.
        pass
    nodes = 0
    started = time.perf_counter()
    for number, (fen, info) in enumerate(benchmark.run(engine, depth), 1):
        nodes += info.nodes
        click.echo(position_line(number, fen, info))
    seconds = time.perf_counter() - started
    click.echo(f"\nTotal time (ms) : {1000 * seconds:.0f}\nNodes searched  : {nodes}")
    click.echo(f"Nodes/second    : {nodes / max(seconds, 1e-9):.0f}")


def position_line(number: int, fen: str, info: Info) -> str:
    """What came of a position of the benchmark."""
    found = f"{to_uci(info.best_move):5} {info.score!s:>7}"
    return f"{number:2d}/{len(benchmark.FENS)}  depth {info.depth:2d} {info.nodes:9d} nodes  {found}  {fen}"


def bench_micromax(nodes: int = NODE_LIMIT) -> None:
    """Search the start position as micro-Max does for its first move, and print what the listing's trace prints."""
    machine = Machine()
    machine.think(1)  # Compiled, or loaded, before the clock starts.
    machine.set_start()
    thinking = Thinking(machine, nodes, DEPTH_LIMIT)
    for iteration in thinking.iterations():
        click.echo(iteration_line(iteration))
    searched, seconds = int(machine.record.nodes), thinking.elapsed
    click.echo(f"\n{searched} nodes, {seconds:.3f} s, {searched / seconds:.0f} nodes/s")


def iteration_line(iteration: Iteration) -> str:
    """A finished iteration, in the words of the listing's trace."""
    return f"{iteration.depth:2d} ply, {iteration.nodes:9d} searched, {iteration.score:6d} by {iteration.move_text}"


def bench_start() -> None:
    """How long each command takes from process start to end, warm, and once with nothing compiled."""
    run_seconds("warmup")
    for arguments in (["--version"], ["--help"], ["play"], ["play", "--nodes", "1"]):
        text = "\n" if "--nodes" in arguments else ""
        seconds = statistics.median(run_seconds(*arguments, text=text) for _ in range(RUNS))
        name = " ".join(["ox88", *arguments]) + (", one move" if text else "")
        click.echo(f"{seconds:6.2f} s  {name}")
    with tempfile.TemporaryDirectory() as folder:
        seconds = run_seconds("warmup", env={"NUMBA_CACHE_DIR": folder})
        click.echo(f"{seconds:6.2f} s  ox88 warmup, nothing compiled yet")


def run_seconds(*arguments: str, text: str = "", env: Mapping[str, str] | None = None) -> float:
    """Seconds that a command of Ox88's takes as a process of its own."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "ox88", *arguments]
    subprocess.run(command, input=text, text=True, capture_output=True, env={**os.environ, **(env or {})}, check=True)  # noqa: S603  # Ourselves.
    return time.perf_counter() - started
