"""`ox88 show`: a picture to a terminal, a pipe or a file."""

import sys
from pathlib import Path
from typing import Any

import click

from ox88.apps.files import text_written_at_once
from ox88.apps.show.picture import Picture
from ox88.apps.show.text import coloured_text, plain_text
from ox88.apps.show.views import VIEWS, draw
from ox88.apps.streams import lenient
from ox88.setup import parse_fen

_ENOUGH_COLOURS = ("256", "truecolor")  # With sixteen, white pieces and light squares look alike.

_HELP = "\n".join(
    [
        "Show how the boards represent a position.\n",
        "FEN is a position, by default startpos. Views:\n",
        "\b",
        *(f"{name:11} {view.help}" for name, view in VIEWS.items()),
    ]
)


@click.command(help=_HELP)
@click.argument("fen", nargs=-1)
@click.option(
    "--view",
    type=click.Choice(list(VIEWS)),
    metavar="VIEW",
    help="What to show. Default: the board; with --bits bitboard.",
)
@click.option("--square", help="A square such as e4, for the views that name it.")
@click.option("--depth", type=int, help="Plies of micro-Max's search, 1 to 5. Default: 3.")
@click.option("--bits", help="A bitboard, or some with the operators & | ^ ~, such as 'white & rooks_queens'.")
@click.option("--network", metavar="FILE", help="For network and weights. Default: the one that comes with Ox88.")
@click.option("--neuron", type=int, help="A neuron of the network, for weights. Default: 0.")
@click.option("--svg", metavar="FILE", help="Write the picture as SVG; - is stdout.")
def show(fen: tuple[str, ...], view: str | None, svg: str | None, **options: Any) -> None:
    picture = draw(parse_fen(" ".join(fen) or "startpos"), view, **options)
    if svg is None:
        _print_picture(picture)
    else:
        _save(picture, svg)


def _write(text: str) -> None:
    """Write to standard output and flush, so that a reader who has left is noticed here."""
    output = lenient(sys.stdout)
    output.write(text)
    output.flush()


def _print_picture(picture: Picture) -> None:
    """Print with colours if standard output is a terminal that has enough of them."""
    if not sys.stdout.isatty():
        _write(plain_text(picture) + "\n")
        return
    from rich.console import Console

    console = Console(highlight=False)
    if console.color_system not in _ENOUGH_COLOURS:
        _write(plain_text(picture, console.width) + "\n")
    else:
        figures = console.encoding.lower().startswith("utf")
        console.print(coloured_text(picture, console.width, figures), soft_wrap=True)


def _save(picture: Picture, name: str) -> None:
    """Write a picture as SVG to a file, or to standard output if the name is -."""
    from ox88.apps.show.svg import to_svg  # python-chess, which draws the pieces, is loaded when it is needed.

    with text_written_at_once(Path(name)) as stream:
        stream.write(to_svg(picture))
        stream.flush()
