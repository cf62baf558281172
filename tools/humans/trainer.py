"""Training of the ranker by AdamW: with a seed, the same weights on any number of cores.

The loss is the cross-entropy of the moves that people played. A batch is cut into `PARTS`, and the gradients of the
parts are added in their order.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.engines.modern.human.features import FEATURES
from ox88.engines.modern.human.ranker import ANCHORS, FIRST, HIDDEN, MIDDLE_RATING, SECOND
from tools.humans.data import Samples
from tools.humans.kernels import NO_PIECE, add_gradients

PARTS: Final = 2
BATCH: Final = 512
LEARNING_RATE: Final = 3e-3
LAST_RATE: Final = 0.02  # Of the learning rate.
DECAY: Final = 0.25  # Of each weight, times the learning rate.
MOST_MOVES: Final = 512
SLOPE_UNIT: Final = 400
SHAPES: Final = {
    "neurons": (FEATURES, FIRST),
    "squares": (int(NO_PIECE), FIRST),
    "second": (FIRST, SECOND),
    "scores": (FEATURES, 2),
    "outputs": (2, HIDDEN),
    "anchors": (len(ANCHORS), HIDDEN),
}
Weights = dict[str, NDArray[np.float32]]


def mixture(ratings: NDArray[Any]) -> NDArray[np.float32]:
    """float32[n, anchors]: the shares of the anchors at some ratings."""
    places = np.clip((ratings - ANCHORS[0]) / (ANCHORS[1] - ANCHORS[0]), 0, len(ANCHORS) - 1)
    return np.maximum(0, 1 - abs(places[:, None] - np.arange(len(ANCHORS)))).astype(np.float32)


def piece_inputs(records: Any) -> NDArray[np.uint16]:
    """uint16[n, 32]: the rows of `squares` for all pieces, then NO_PIECE."""
    boards, turns = records.board.astype(np.int64), records.turn.astype(np.int64)[:, None]
    seen = np.arange(64) ^ np.where(turns == 1, 56, 0)
    inputs = np.where(boards & 7, (((boards >> 3) ^ turns) * 6 + (boards & 7) - 1) * 64 + seen, NO_PIECE)
    return np.sort(inputs, axis=1)[:, :32].astype(np.uint16)


class Trainer:
    """Weights, the samples that they are trained with, and AdamW's averages."""

    def __init__(self, samples: Samples, seed: int) -> None:
        self._samples = samples
        self._dice = np.random.default_rng(seed)
        self.weights: Weights = {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
        self.weights["neurons"][:] = self._dice.normal(0, 0.15, SHAPES["neurons"])
        self.weights["second"][:] = self._dice.normal(0, 0.25, SHAPES["second"])
        self.weights["outputs"][0] = self._dice.normal(0, 0.2, HIDDEN)
        self._averages = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self._squares = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self._parts = [{name: np.zeros_like(each) for name, each in self.weights.items()} for _ in range(PARTS)]
        self._scratch = [
            (np.zeros((MOST_MOVES + 1, HIDDEN), np.float32), np.zeros(MOST_MOVES, np.float32)) for _ in range(PARTS)
        ]
        ratings = samples.plies.ratings
        self._slopes = ((ratings - MIDDLE_RATING) / SLOPE_UNIT).astype(np.float32)
        self._shares = mixture(ratings)
        self._pieces = piece_inputs(samples.plies.records)

    def train(self, rows: NDArray[np.int64], epochs: int, report: Callable[[int, int, float], None]) -> None:
        """Train with some rows. report: called with the steps done, all steps, and the loss of the last step."""
        batches = len(rows) // BATCH
        with ThreadPoolExecutor(PARTS) as pool:
            for epoch in range(epochs):
                order = self._dice.permutation(rows)
                for batch in range(batches):
                    chosen = np.split(order[batch * BATCH : (batch + 1) * BATCH], PARTS)
                    loss = sum(pool.map(self._gradient, range(PARTS), chosen)) / BATCH
                    done = epoch * batches + batch + 1
                    self._step(done, 0.5 + 0.5 * np.cos(np.pi * done / (epochs * batches)))
                    report(done, epochs * batches, loss)

    def _gradient(self, number: int, rows: NDArray[np.int64]) -> float:
        weights, changes, samples = self.weights, self._parts[number], self._samples
        for each in changes.values():
            each.fill(0)
        shares = self._shares[rows]
        bias = shares @ weights["anchors"]
        bias_changes = np.zeros_like(bias)
        names = ("neurons", "squares", "second", "scores", "outputs")
        loss = add_gradients(
            rows, samples.features, samples.offsets, samples.played, self._pieces, self._slopes, bias,
            tuple(weights[name] for name in names), tuple(changes[name] for name in names), bias_changes,
            *self._scratch[number],
        )  # fmt: skip
        changes["anchors"] += shares.T @ bias_changes
        return float(loss)

    def _step(self, number: int, progress: float) -> None:
        """One step of AdamW. (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019.)"""
        rate = LEARNING_RATE * (LAST_RATE + (1 - LAST_RATE) * progress)
        for name, each in self.weights.items():
            gradient = sum(changes[name] for changes in self._parts) / np.float32(BATCH)
            average, square = self._averages[name], self._squares[name]
            average += np.float32(0.1) * (gradient - average)
            square += np.float32(0.001) * (gradient**2 - square)
            spread = np.sqrt(square / np.float32(1 - 0.999**number)) + np.float32(1e-8)
            each *= np.float32(1 - rate * DECAY)
            each -= np.float32(rate / (1 - 0.9**number)) * average / spread
