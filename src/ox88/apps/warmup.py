"""Compiling ahead: every kernel is called once, on small work, by the way that its users take."""

from collections.abc import Callable
from typing import Final

import click

from ox88.batch import warmup as batch
from ox88.batch.pgn import warmup as pgn
from ox88.bitboard import warmup as bitboard
from ox88.engines.base import get_ready
from ox88.engines.micromax.machine import Machine
from ox88.engines.registry import MODERN
from ox88.mailbox import warmup as mailbox


def _micromax() -> None:
    machine = Machine()
    machine.think(1)
    machine.clear_table()
    machine.make_move(12, 28)  # e2e4: the same kernels, and the proof that they work.


def _modern() -> None:
    get_ready(MODERN.make())


STEPS: Final[tuple[tuple[str, Callable[[], None]], ...]] = (
    ("bitboards", bitboard.warm_up),
    ("0x88 board", mailbox.warm_up),
    ("micro-Max", _micromax),
    ("the strong engine", _modern),
    ("batches", batch.warm_up),
    ("the PGN reader", pgn.warm_up),
)


def warm_up() -> None:
    """Compile or load everything; progress goes to stderr."""
    for number, (name, step) in enumerate(STEPS, 1):
        click.echo(f"ox88: [{number}/{len(STEPS)}] {name}", err=True)
        step()
