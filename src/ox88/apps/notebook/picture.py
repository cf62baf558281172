"""A picture as a notebook shows it."""

import os
from pathlib import Path

from ox88.apps.files import explained


class Picture:
    """An SVG. A notebook draws it; `save` writes it to a file, `str` is its text."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return self._svg

    def __repr__(self) -> str:
        return f"<Picture: SVG, {len(self._svg)} bytes>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Raises Ox88Error where the file cannot be written."""
        with explained(Path(path)):
            Path(path).write_text(self._svg, encoding="utf-8")
