"""A picture of how the numbers moved while they were tuned."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from tools.figures import make_figure, save_figure
from tools.spsa.spsa import Number

COLUMNS: Final = 5
PANEL: Final = (3.2, 2.0)  # Inches.


def draw_paths(numbers: Sequence[Number], path: Sequence[Sequence[float]], games: int, file: Path) -> None:
    """Draw a panel for each number: its value by games, and its start as a line. games: of an iteration.

    Raises Ox88Error without matplotlib, or if the file cannot be written.
    """
    columns = min(COLUMNS, len(numbers))
    rows = math.ceil(len(numbers) / columns)
    figure = make_figure(PANEL[0] * columns, PANEL[1] * rows)
    values = np.array([[number.start for number in numbers], *path])
    played = np.arange(len(values)) * games
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for number, panel, column in zip(numbers, panels, values.T, strict=False):
        panel.axhline(number.start, color="0.7", linewidth=0.8)
        panel.plot(played, column, linewidth=1)
        panel.set_title(number.name, fontsize=8)
        panel.tick_params(labelsize=7)
        middle, reach = number.start, max(2 * number.step, 1.1 * float(np.abs(column - number.start).max()))
        panel.set_ylim(middle - reach, middle + reach)
    for panel in list(panels)[len(numbers) :]:
        panel.set_axis_off()
    save_figure(figure, file)
