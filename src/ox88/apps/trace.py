"""`ox88 trace`: what micro-Max searches, for comparison with the listing in C."""

import functools
import json
import sys

import click

from ox88.apps.options import NODES
from ox88.apps.streams import lenient
from ox88.types import Ox88Error


@click.command()
@click.option("--nodes", type=NODES, default=10_000_000, show_default=True, help="The listing's node limit.")
@click.option("--plies", type=click.IntRange(min=1), default=1, show_default=True, help="Moves to play from each FEN.")
@click.option(
    "--eval", "evaluation", type=click.IntRange(-20000, 20000), default=0, show_default=True, help="The listing's Q."
)
def trace(nodes: int, plies: int, evaluation: int) -> None:
    """Print micro-Max's searches of FENs as JSON.

    The FENs are read from standard input, one a line. Each gives one line of output.
    """
    from ox88.engines.micromax.machine import Machine
    from ox88.engines.micromax.machine import trace as trace_fen
    from ox88.threads import Background

    machine = Machine()
    failures = 0
    for number, line in enumerate(lenient(sys.stdin), 1):
        fen = line.strip()
        if not fen:
            continue
        call = functools.partial(trace_fen, fen, nodes, plies, evaluation, machine)
        try:
            tracing = Background(call, machine.stop)
            click.echo(json.dumps(tracing.result()))
        except Ox88Error as error:
            click.echo(f"ox88: line {number}: {error}", err=True)
            failures += 1
    if failures:
        raise click.exceptions.Exit(1)
