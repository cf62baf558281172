"""`ox88 warmup`: call every kernel once on small work, so that it is compiled and stored in the cache."""

import importlib
from typing import Final

import click

# A name of what is compiled, and the function that compiles it.
STEPS: Final = (
    ("bitboards", "ox88.bitboard.perft", "warm_up"),
    ("0x88 board", "ox88.mailbox.perft", "warm_up"),
    ("micro-Max", "ox88.apps.warmup", "warm_up_micromax"),
    ("Ox88, the engine", "ox88.apps.warmup", "warm_up_modern"),
    ("batches", "ox88.batch.warmup", "warm_up"),
    ("the PGN reader", "ox88.batch.warmup", "warm_up_pgn"),
    ("measurements", "ox88.apps.bench.network", "warm_up"),
)


@click.command()
def warmup() -> None:
    """Compile everything now, so that later starts are quick."""
    warm_up()


def warm_up() -> None:
    """Compile or load everything; progress goes to stderr."""
    for number, (name, module, function) in enumerate(STEPS, 1):
        click.echo(f"ox88: [{number}/{len(STEPS)}] {name}", err=True)
        getattr(importlib.import_module(module), function)()


def warm_up_micromax() -> None:
    from ox88.engines.micromax.machine import Machine
    from ox88.engines.micromax.watching import Watch
    from ox88.fen import STARTPOS
    from ox88.setup import parse_fen

    machine = Machine()
    machine.think(1)
    machine.clear_table()
    machine.make_move(12, 28)  # e2e4. It calls kernels that are compiled already, to show that they work.
    watch = Watch(parse_fen(STARTPOS))
    watch.from_node(1, 1)
    watch.from_node(1, 1)  # The second call clears the table.


def warm_up_modern() -> None:
    from ox88.engines.base import get_ready
    from ox88.engines.modern.driver import compile_levels
    from ox88.engines.registry import MODERN

    get_ready(MODERN.make())
    compile_levels()
