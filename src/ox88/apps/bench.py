"""The benches: fixed work, measured."""

import click

from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine
from ox88.engines.micromax.thinking import Thinking


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
