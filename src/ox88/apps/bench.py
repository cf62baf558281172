"""The benches: fixed work, measured."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

import click

from ox88.engines.micromax.background import BackgroundSearch
from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine

RUNS = 5


def bench_micromax(nodes: int = NODE_LIMIT) -> None:
    """Search the start position as micro-Max does for its first move, and print what the listing's trace prints."""
    machine = Machine()
    machine.think(1)  # Compiled, or loaded, before the clock starts.
    machine.set_start()
    thinking = BackgroundSearch(machine, nodes, DEPTH_LIMIT)
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
