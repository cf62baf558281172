"""`ox88 trace`: what micro-Max searches, for comparison with the listing in C."""

import functools
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from ox88.apps.options import NODES, Whole
from ox88.apps.streams import lenient
from ox88.errors import Ox88Error


@click.command()
@click.option("--nodes", type=NODES, default=10_000_000, show_default=True, help="The listing's node limit.")
@click.option("--plies", type=Whole(min=1), default=1, show_default=True, help="Moves to play from each FEN.")
@click.option("--eval", "evaluation", type=Whole(-20000, 20000), default=0, show_default=True, help="The listing's Q.")
@click.option(
    "--events",
    type=Whole(1, 5_000),
    help="Print this many events of the search instead, one a line, up to 5,000.",
)
@click.option("--node", type=Whole(1, 10_000_000), help="With --events: the node to begin at. Default: 1, the root.")
@click.option(
    "--without",
    type=click.Choice(["hash", "best move first", "recapture extension", "king-capture legality"]),
    multiple=True,
    help="With --events: search without this; repeatable.",
)
def trace(
    nodes: int, plies: int, evaluation: int, events: int | None, node: int | None, without: tuple[str, ...]
) -> None:
    """Print micro-Max's searches of FENs as JSON.

    The FENs are read from standard input, one a line. Each FEN gives one line of output. With --events, it gives a line
    that describes the start, and then a line for each event; docs/micro-max.md explains them.
    """
    from ox88.engines.micromax.machine import Machine
    from ox88.engines.micromax.machine import trace as trace_fen
    from ox88.threads import Background

    if events is None and (node is not None or without):
        raise click.UsageError("--node and --without are for --events only")
    if events is not None and plies != 1:
        raise click.UsageError("--plies cannot be used with --events")

    machine = Machine()
    failures = 0
    for number, line in enumerate(lenient(sys.stdin), 1):
        fen = line.strip()
        if not fen:
            continue
        try:
            if events is None:
                call = functools.partial(trace_fen, fen, nodes, plies, evaluation, machine)
                click.echo(json.dumps(Background(call, machine.stop).result()))
            else:
                for event in _events(fen, nodes, evaluation, node or 1, events, without):
                    click.echo(json.dumps(event))
        except Ox88Error as error:
            click.echo(f"ox88: line {number}: {error}", err=True)
            failures += 1
    if failures:
        raise click.exceptions.Exit(1)


def _events(
    fen: str, nodes: int, evaluation: int, node: int, count: int, without: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """A description of the start, and then the events."""
    from ox88.engines.micromax.watching import Watch
    from ox88.setup import parse_fen

    search = Watch(parse_fen(fen), nodes=nodes, without=without, evaluation=evaluation)
    recording = search.from_node(node, count)
    yield {
        "fen": fen,
        "first_event": recording.first_event,
        "nodes": recording.nodes,
        "filled": recording.filled,
        "board": recording.board,
        "line": [open_node._asdict() for open_node in recording.line],
        "is_end": recording.is_end,
    }
    yield from recording.named()
