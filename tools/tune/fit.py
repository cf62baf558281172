"""Weights whose values agree best with what came of positions: logistic loss, made least by Newton's method.

A value v means the probability 1 / (1 + exp(-k v)) of winning, draws counted as half. The loss is the cross-entropy
between it and a target in the same range. It is convex, and Newton's steps lead to its bottom in a few passes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tools.tune.linear import Linear

Vector = NDArray[np.float64]

_ROWS: Final = 1 << 13  # Positions at a time.
_STEPS: Final = 20
_ENOUGH: Final = 1e-9  # Loss that a step must save for another one.


def probability(values: NDArray[Any], slope: float) -> Vector:
    """Of winning, by values in centipawns."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * slope * values), np.float64)


def loss(values: NDArray[Any], targets: Vector, slope: float) -> float:
    """Mean cross-entropy of positions."""
    exponents = slope * np.asarray(values, np.float64)
    return float(np.mean(np.logaddexp(0.0, exponents) - targets * exponents))


def best_slope(values: NDArray[Any], targets: Vector) -> float:
    """The k that makes the loss least."""
    values = np.asarray(values, np.float64)
    slope = 0.0
    for _ in range(_STEPS):
        chances = probability(values, slope)
        slope -= float(np.sum(values * (chances - targets)) / max(np.sum(values**2 * chances * (1 - chances)), 1e-9))
    return slope


@dataclass(frozen=True, slots=True)
class Objective:
    """The loss as a function of changes of the weights: float64[weights].

    targets: float64[n]. slope: k. ridge: loss that a change by its scale costs. scales: float64[weights].
    """

    linear: Linear
    targets: Vector
    slope: float
    ridge: float
    scales: Vector

    def value(self, change: Vector) -> float:
        total = 0.0
        for rows, features in self._pieces():
            values = self.linear.values[rows] + features @ change.astype(np.float32)
            total += loss(values, self.targets[rows], self.slope) * len(values)
        return total / len(self.targets) + self.ridge * float(np.sum((change / self.scales) ** 2))

    def derivatives(self, change: Vector) -> tuple[Vector, NDArray[np.float64]]:
        """Gradient and Hessian: float64[weights] and float64[weights, weights]."""
        count = len(change)
        gradient, hessian = np.zeros(count), np.zeros((count, count))
        for rows, features in self._pieces():
            chances = probability(self.linear.values[rows] + features @ change.astype(np.float32), self.slope)
            gradient += features.T @ (chances - self.targets[rows]).astype(np.float32)
            weighted = features * np.sqrt(chances * (1 - chances)).astype(np.float32)[:, None]
            hessian += weighted.T @ weighted
        gradient *= self.slope / len(self.targets)
        hessian *= self.slope**2 / len(self.targets)
        gradient += 2 * self.ridge * change / self.scales**2
        hessian[np.diag_indices(count)] += 2 * self.ridge / self.scales**2
        return gradient, hessian

    def _pieces(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        for start in range(0, len(self.targets), _ROWS):
            rows = slice(start, start + _ROWS)
            yield rows, self.linear.features(rows)


def minimise(objective: Objective, change: Vector) -> Vector:
    """The change of the weights that makes the objective least, from a first one on."""
    value = objective.value(change)
    for _ in range(_STEPS):
        gradient, hessian = objective.derivatives(change)
        following = change - np.linalg.solve(hessian, gradient)
        following_value = objective.value(following)
        if not following_value < value - _ENOUGH:
            break
        change, value = following, following_value
    return change
