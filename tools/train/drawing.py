"""Pictures of a training's losses, and of the strength of networks by the positions that they learnt from."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tools.figures import make_figure, save_figure

# A row of the table of docs/network.md: network | positions | Elo ± error | ...
_STRENGTH: Final = re.compile(r"^\| (.+?) \| ([\d.]+) million \| ([+-]\d+) ± (\d+) \|", re.MULTILINE)
# A point is a neighbour of another if it is at most so many times as far to the right or left, and level with it.
_NEAR: Final = 2
_LEVEL: Final = 25  # Elo.
_TICKS: Final = (1, 2, 5, 10, 20, 50, 100, 200)  # Million positions.


def draw_losses(losses: NDArray[np.float64], file: Path) -> None:
    """Draw the losses of the epochs, float64[epochs, 2]. Raises Ox88Error if the file cannot be written."""
    figure = make_figure()
    panel = figure.subplots()
    epochs = np.arange(1, len(losses) + 1)
    for column, label in zip(losses.T, ("in training", "held out"), strict=True):
        panel.plot(epochs, column, marker=".", label=label)
    panel.xaxis.get_major_locator().set_params(integer=True)
    panel.set_xlabel("epoch")
    panel.set_ylabel("loss")
    panel.legend()
    save_figure(figure, file)


def strengths(page: str) -> list[tuple[str, float, int, int]]:
    """From docs/network.md: a network's name, millions of positions, Elo against the handcrafted evaluation, error."""
    return [(name, float(millions), int(elo), int(error)) for name, millions, elo, error in _STRENGTH.findall(page)]


def draw_strengths(rows: Sequence[tuple[str, float, int, int]], file: Path) -> None:
    """Draw what `strengths` has read. Raises Ox88Error if the file cannot be written."""
    figure = make_figure()
    panel = figure.subplots()
    _, millions, elos, errors = zip(*rows, strict=True)
    panel.axhline(0, color="0.6", linewidth=1)
    panel.errorbar(millions, elos, errors, fmt="o", capsize=3)
    for name, x, y, error in rows:
        level = [other / x for _, other, elo, _ in rows if abs(elo - y) < _LEVEL]
        has_right, has_left = (any(1 < ratio < _NEAR for ratio in ratios) for ratios in (level, [1 / r for r in level]))
        # A name stands to the right of its point, or where there is no neighbour, or else under the error bar.
        point, place, side = (x, y), (7, 5), "left"
        if has_right and has_left:
            point, place, side = (x, y - error), (-5, -13), "left"
        elif has_right:
            place, side = (-7, 5), "right"
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # Error bars do not cross a name.
        panel.annotate(name, point, textcoords="offset points", xytext=place, horizontalalignment=side, bbox=paper)
    panel.set_xscale("log")
    panel.set_xlim(min(millions) / 1.4, 2.6 * max(millions))  # Room for the name beside the last point.
    panel.set_xticks(_TICKS, [str(number) for number in _TICKS])
    panel.set_xticks([], minor=True)
    panel.set_xlabel("million positions")
    panel.set_ylabel("Elo against the handcrafted evaluation")
    save_figure(figure, file)
