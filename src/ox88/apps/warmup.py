"""Compiling ahead: every kernel is called once, on small work, by the way that its users take."""

from collections.abc import Callable
from typing import Final

import click

from ox88.engines.micromax.machine import Machine


def _micromax() -> None:
    machine = Machine()
    machine.think(1)
    machine.clear_table()
    machine.make_move(12, 28)  # e2e4: the same kernels, and the proof that they work.


STEPS: Final[tuple[tuple[str, Callable[[], None]], ...]] = (("micro-Max", _micromax),)


def warm_up() -> None:
    """Compile or load everything; progress goes to stderr."""
    for number, (name, step) in enumerate(STEPS, 1):
        click.echo(f"ox88: [{number}/{len(STEPS)}] {name}", err=True)
        step()
