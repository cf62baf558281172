"""The files of the viewer, and the pieces of its boards."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from ox88.apps.show.svg import piece_picture

FOLDER: Final = Path(str(files("ox88.apps.viewer"))) / "static"


def read_file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def piece_definitions() -> str:
    """python-chess's pictures of the pieces, for an SVG's `defs`. diagram.js draws them by their names."""
    return "".join(f'<g id="piece-{letter}">{piece_picture(letter)}</g>' for letter in "KQRBNPkqrbnp")


def piece_file() -> str:
    """The pieces as a file of their own."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{piece_definitions()}</defs></svg>'
