"""Find the weights that predict the targets best: logistic regression by Newton's method.

A value v means the expected result 1 / (1 + exp(-k v)), where a draw counts as half a win. The loss is the
cross-entropy between it and the target, 0 to 1. It is convex, so a few Newton steps reach its minimum.
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
_MIN_GAIN: Final = 1e-9  # Stop when a step reduces the loss by less.


def probability(values: NDArray[Any], slope: float) -> Vector:
    """Expected results of values in centipawns. slope: k."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * slope * values), np.float64)


def loss(values: NDArray[Any], targets: Vector, slope: float) -> float:
    """Mean cross-entropy between the expected results of values and the targets."""
    exponents = slope * np.asarray(values, np.float64)
    return float(np.mean(np.logaddexp(0.0, exponents) - targets * exponents))


def best_slope(values: NDArray[Any], targets: Vector) -> float:
    """The k with the least loss."""
    values = np.asarray(values, np.float64)
    slope = 0.0
    for _ in range(_STEPS):
        chances = probability(values, slope)
        slope -= float(np.sum(values * (chances - targets)) / max(np.sum(values**2 * chances * (1 - chances)), 1e-9))
    return slope


@dataclass(frozen=True, slots=True)
class Objective:
    """The loss as a function of a change of the weights, float64[weights].

    targets: float64[n]. slope: k. ridge: extra loss for changing a weight by its scale. scales: float64[weights].
    moved: float64[weights], by how much the weights of `linear` already differ from those that the ridge favours.
    """

    linear: Linear
    targets: Vector
    slope: float
    ridge: float
    scales: Vector
    moved: Vector

    def value(self, change: Vector) -> float:
        total = 0.0
        for rows, features in self._pieces():
            values = self.linear.values[rows] + features @ change.astype(np.float32)
            total += loss(values, self.targets[rows], self.slope) * len(values)
        return total / len(self.targets) + self.ridge * float(np.sum(((self.moved + change) / self.scales) ** 2))

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
        gradient += 2 * self.ridge * (self.moved + change) / self.scales**2
        hessian[np.diag_indices(count)] += 2 * self.ridge / self.scales**2
        return gradient, hessian

    def _pieces(self) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        for start in range(0, len(self.targets), _ROWS):
            rows = slice(start, start + _ROWS)
            yield rows, self.linear.features(rows)


def minimise(objective: Objective, change: Vector) -> Vector:
    """The change of the weights with the least objective, found from a first guess."""
    value = objective.value(change)
    for _ in range(_STEPS):
        gradient, hessian = objective.derivatives(change)
        following = change - np.linalg.solve(hessian, gradient)
        following_value = objective.value(following)
        if not following_value < value - _MIN_GAIN:
            break
        change, value = following, following_value
    return change
