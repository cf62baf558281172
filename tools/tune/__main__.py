"""Tune the weights of the evaluation with positions from tools.datagen; see docs/tuning.md."""

import functools
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
from tools.games import read_positions
from tools.packing import Packed, unpack
from tools.tune.fit import Objective, best_slope, loss, minimise, probability
from tools.tune.linear import Linear, evaluate_all, linearise
from tools.tune.source import GROUPS, Number, read_numbers, rewrite, with_commands, with_values

SOURCE: Final = Path(weights.__file__)
TERMS: Final = tuple(group for group in GROUPS if group != "material")
RIDGES: Final = (1e-6, 3e-7, 1e-7, 3e-8, 1e-8)
HELD_OUT: Final = 10  # One job in this many is held out of the fit, and used to compare weights.
_UNIT_SCALE: Final = 20  # For the ridge, 1/20 of a danger weight counts like one centipawn of another weight.


@click.command(cls=Command)
@click.argument("paths", metavar="FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--terms", "groups", multiple=True, type=click.Choice(GROUPS), help="Groups to tune. Default: all but material."
)
@click.option(
    "--results",
    type=click.FloatRange(0, 1),
    default=0.3,
    show_default=True,
    help="Share of the game results in the targets; the rest is the search scores.",
)
@click.option(
    "--ridge",
    type=click.FloatRange(0, min_open=True),
    help="Extra loss for changing a weight by one. Default: the best of several.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=2,
    show_default=True,
    help="Repetitions, for the parts that are not linear.",
)
@click.option("--write", is_flag=True, help="Write the weights into weights.py.")
def main(
    paths: Sequence[Path], groups: Sequence[str], results: float, ridge: float | None, rounds: int, write: bool
) -> None:
    """Fit the weights of the evaluation to the positions of some folders.

    Without --ridge several values are tried; the one with the least loss on the positions held out is taken.
    """
    text = SOURCE.read_text(encoding="utf-8")
    numbers = [number for number in read_numbers(text) if number.group in (groups or TERMS)]
    commands, fitted, held_out = _read(paths)
    click.echo(f"{len(numbers)} weights, {len(fitted):,} positions, {len(held_out):,} held out", err=True)
    tuner = Tuner(numbers, fitted, held_out, results)
    _tell(tuner, "before")
    ridge = ridge or _best_ridge(tuner)
    for number in range(1, rounds + 1):
        tuner.tune(ridge)
        _tell(tuner, f"after round {number} with --ridge {ridge:g}")
    if write:
        options = [*(f"--terms {group}" for group in groups), f"--results {results:g}", f"--ridge {ridge:g}"]
        files = shlex.join(path.name for path in paths)
        commands.append(f"python -m tools.tune {' '.join(options)} --rounds {rounds} --write {files}")
        SOURCE.write_text(with_commands(rewrite(text, numbers, tuner.values), commands), encoding="utf-8")


def _best_ridge(tuner: "Tuner") -> float:
    """The ridge with the least loss on the positions held out."""
    losses: dict[float, float] = {}
    for ridge in RIDGES:
        tuner.tune(ridge)
        losses[ridge] = _tell(tuner, f"with --ridge {ridge:g}")
        tuner.reset()
    return min(losses, key=lambda ridge: losses[ridge])


def _tell(tuner: "Tuner", when: str) -> float:
    found = tuner.loss()
    click.echo(f"held out: loss {found:.6f} {when}")
    return found


def _read(paths: Sequence[Path]) -> tuple[list[str], Packed, Packed]:
    """(the commands that made the files, the positions to fit to, the positions held out)."""
    commands: list[str] = []
    fitted: list[Packed] = []
    held_out: list[Packed] = []
    for path in paths:
        positions = read_positions(path)
        commands.append(datagen_command(positions.settings, positions.jobs, path))
        is_held_out = positions.job % HELD_OUT == 0
        fitted.append(positions.records[~is_held_out])
        held_out.append(positions.records[is_held_out])
    if not sum(map(len, fitted)) or not sum(map(len, held_out)):
        raise Ox88Error(
            f"too few positions in {', '.join(map(str, paths))}: {HELD_OUT + 1} jobs of tools.datagen are the minimum"
        )
    return commands, np.concatenate(fitted), np.concatenate(held_out)


class Tuner:
    """Weights, the positions to fit them to, and those held out. values: of the weights, so far."""

    def __init__(self, numbers: Sequence[Number], fitted: Packed, held_out: Packed, results: float) -> None:
        self._numbers = numbers
        self._results = results
        self._before = np.array([number.value for number in numbers])
        self.reset()
        self._score_slope = best_slope(fitted["score"], fitted["result"] / 2)
        self._fitted, self._held_out = unpack(fitted), unpack(held_out)
        self._fitted_targets, self._held_out_targets = self._targets(fitted), self._targets(held_out)
        self._slope = best_slope(evaluate_all(self._fitted, vars(weights))[0], self._fitted_targets)
        self._linear = functools.lru_cache(maxsize=1)(self._linear_at)

    def _targets(self, records: Packed) -> NDArray[np.float64]:
        """White's target result in each position, 0 to 1: a blend of the search's score and the game's result."""
        by_score = probability(records["score"], self._score_slope)
        return (1 - self._results) * by_score + self._results * records["result"] / 2

    def reset(self) -> None:
        self.values = [int(value) for value in self._before]

    def tune(self, ridge: float) -> None:
        """Move to the weights of least loss, by the linear approximation at the present ones."""
        scales = np.array([max(1, abs(n.value) / _UNIT_SCALE) if n.is_unit else 1.0 for n in self._numbers])
        linear = self._linear(tuple(self.values))
        objective = Objective(linear, self._fitted_targets, self._slope, ridge, scales, self.values - self._before)
        change = minimise(objective, np.zeros(len(scales)))
        self.values = [round(value) for value in self.values + change]

    def _linear_at(self, values: tuple[int, ...]) -> Linear:
        return linearise(self._fitted, self._tables(values), self._numbers)

    def _tables(self, values: Sequence[int]) -> dict[str, Any]:
        return with_values(self._numbers, values, vars(weights))

    def loss(self) -> float:
        """The loss of the present weights on the positions held out, by the evaluation itself."""
        values, _ = evaluate_all(self._held_out, self._tables(self.values))
        return loss(values, self._held_out_targets, self._slope)


if __name__ == "__main__":
    main()
