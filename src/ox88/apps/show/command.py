"""What `ox88 show` does: a picture to the terminal, a pipe or a file."""

import sys
from pathlib import Path

from ox88.apps.show.picture import Picture
from ox88.apps.show.svg import to_svg
from ox88.apps.show.text import coloured_text, plain_text
from ox88.apps.show.views import draw
from ox88.apps.streams import lenient
from ox88.fen import parse_fen
from ox88.types import Ox88Error

_ENOUGH_COLOURS = ("256", "truecolor")  # Sixteen do not tell white pieces from light squares.


def show(fen: str, view: str | None, square: str | None, bits: str | None, svg: str | None) -> None:
    """Show a view of a position; svg is a file to write, or - for standard output. Raises Ox88Error."""
    picture = draw(parse_fen(fen or "startpos"), view, square, bits)
    if svg is None:
        print_picture(picture)
    elif svg == "-":
        write(to_svg(picture))
    else:
        write_svg(picture, svg)


def write(text: str) -> None:
    """To standard output and through, so that a reader who has left is noticed here."""
    output = lenient(sys.stdout)
    output.write(text)
    output.flush()


def print_picture(picture: Picture) -> None:
    """Coloured on a terminal that has the colours, else plain."""
    if not sys.stdout.isatty():
        write(plain_text(picture) + "\n")
        return
    from rich.console import Console

    console = Console(highlight=False)
    if console.color_system not in _ENOUGH_COLOURS:
        write(plain_text(picture, console.width) + "\n")
    else:
        figures = console.encoding.lower().startswith("utf")
        console.print(coloured_text(picture, console.width, figures), soft_wrap=True)


def write_svg(picture: Picture, file: str) -> None:
    """Write an SVG file. Raises Ox88Error where that cannot be."""
    try:
        Path(file).write_text(to_svg(picture), encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Ox88Error(
            f"cannot write the picture to {file!r}: {reason}; a file that may be written is expected"
        ) from None
