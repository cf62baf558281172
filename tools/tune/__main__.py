"""Tune the weights of the evaluation by positions that tools.datagen has made; docs/tuning.md tells how."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray

from ox88.engines.modern.evaluation import weights
from ox88.types import Ox88Error
from tools.command import Command
from tools.datagen.__main__ import command as datagen_command
from tools.packing import Packed, unpack
from tools.position_file import read_positions
from tools.tune.fit import Objective, best_slope, loss, minimise, probability
from tools.tune.linear import evaluate_all, linearise
from tools.tune.source import GROUPS, Number, read_numbers, rewrite, with_commands, with_values

SOURCE: Final = Path(weights.__file__)
TERMS: Final = tuple(group for group in GROUPS if group != "material")
RIDGES: Final = (1e-5, 3e-6, 1e-6, 3e-7, 1e-7)
HELD_OUT: Final = 10  # One job of so many tells how good the weights are; they are not fitted to it.
_UNIT_SCALE: Final = 20  # A unit of danger may change by this part of it as easily as another weight by one.


@click.command(cls=Command)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--terms", default=",".join(TERMS), show_default=True, help="Groups of weights to tune.")
@click.option("--blend", type=click.FloatRange(0, 1), default=0.7, show_default=True, help="Share of the scores.")
@click.option("--ridge", type=click.FloatRange(0, min_open=True), help="What holds the weights where they are.")
@click.option("--write", is_flag=True, help="Write the weights into weights.py.")
def main(paths: Sequence[Path], terms: str, blend: float, ridge: float | None, write: bool) -> None:
    """Fit the weights of the evaluation to the positions of FILEs.

    Without --ridge it tries several, and takes the one whose weights are best for positions that were held out.
    """
    text = SOURCE.read_text(encoding="utf-8")
    numbers = _chosen(read_numbers(text), terms.split(","))
    commands, fitted, held_out = _read(paths)
    click.echo(f"{len(numbers)} weights, {len(fitted):,} positions, {len(held_out):,} held out", err=True)
    tuner = Tuner(numbers, fitted, held_out, blend)
    tries = {each: tuner.tune(each) for each in ([ridge] if ridge else RIDGES)}
    click.echo(f"held out: loss {tuner.loss(tuner.before):.6f} before")
    for each, values in tries.items():
        click.echo(f"held out: loss {tuner.loss(values):.6f} with --ridge {each}")
    best = min(tries, key=lambda each: tuner.loss(tries[each]))
    if write:
        files = shlex.join(path.name for path in paths)
        commands.append(f"python -m tools.tune --terms {terms} --blend {blend:g} --ridge {best:g} --write {files}")
        SOURCE.write_text(with_commands(rewrite(text, numbers, tries[best]), commands), encoding="utf-8")


def _chosen(numbers: Sequence[Number], groups: Sequence[str]) -> list[Number]:
    if unknown := set(groups) - set(GROUPS):
        raise Ox88Error(f"there are no terms {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    return [number for number in numbers if number.group in groups]


def _read(paths: Sequence[Path]) -> tuple[list[str], Packed, Packed]:
    """The commands that made some files, their positions to fit weights to, and those held out."""
    commands: list[str] = []
    fitted: list[Packed] = []
    held_out: list[Packed] = []
    for path in paths:
        settings, chunks = read_positions(path)
        commands.append(datagen_command(settings, len(chunks), path))
        for chunk in chunks:
            (fitted if chunk.job % HELD_OUT else held_out).append(chunk.records)
    if not fitted or not held_out or not sum(map(len, fitted)) or not sum(map(len, held_out)):
        raise Ox88Error(f"there are too few positions in {', '.join(map(str, paths))}: none can be held out")
    return commands, np.concatenate(fitted), np.concatenate(held_out)


class Tuner:
    """Weights, the positions to fit them to, and those that tell how good they are. before: the weights as they are."""

    def __init__(self, numbers: Sequence[Number], fitted: Packed, held_out: Packed, blend: float) -> None:
        self.before = [number.value for number in numbers]
        self._numbers = numbers
        self._blend = blend
        self._score_slope = best_slope(fitted["score"], fitted["result"] / 2)
        self._positions = unpack(held_out)
        self._targets = self._target(held_out)
        self._linear = linearise(unpack(fitted), vars(weights), numbers)
        self._fitted_targets = self._target(fitted)
        self._slope = best_slope(self._linear.values, self._fitted_targets)
        self._change = np.zeros(len(numbers))

    def _target(self, records: Packed) -> NDArray[np.float64]:
        """What White can expect of each position: a blend of what the search and the game said."""
        expected = probability(records["score"], self._score_slope)
        return self._blend * expected + (1 - self._blend) * records["result"] / 2

    def tune(self, ridge: float) -> list[int]:
        """The weights that are best for the positions to fit."""
        scales = np.array([max(1, abs(n.value) / _UNIT_SCALE) if n.is_unit else 1.0 for n in self._numbers])
        objective = Objective(self._linear, self._fitted_targets, self._slope, ridge, scales)
        self._change = minimise(objective, self._change)
        return [round(value) for value in self.before + self._change]

    def loss(self, values: Sequence[int]) -> float:
        """What these weights lose on the positions held out, by the evaluation itself."""
        tables: dict[str, Any] = with_values(self._numbers, values, vars(weights))
        return loss(evaluate_all(self._positions, tables)[0], self._targets, self._slope)


if __name__ == "__main__":
    main()
