"""Figures of matplotlib, which is not needed for anything else."""

from pathlib import Path
from typing import Any

from ox88.errors import Ox88Error


def make_figure(width: float = 6.4, height: float = 4.0) -> Any:
    """A figure of so many inches. Raises Ox88Error without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise Ox88Error("a plot needs matplotlib, which is not installed: pip install matplotlib") from None
    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Any, file: Path) -> None:
    """Write .svg, .png or another format; the same figure makes the same bytes. Raises Ox88Error."""
    from matplotlib import rc_context

    try:
        with rc_context({"svg.hashsalt": "ox88"}):
            figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        raise Ox88Error(f"{file} cannot be written: {error}") from None
