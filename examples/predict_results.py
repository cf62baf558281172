"""Predict results from material and mobility: PGN -> arrays -> a model -> a picture.

    python examples/predict_results.py examples/games.pgn.gz results.svg

A logistic regression predicts White's points from every position. The positions are in arrays, where python-chess makes
an object of each, so a million games are read and turned into features in about a minute.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import ox88

FIRST_PLY = 16  # Earlier positions say little about the result.
FEATURES = ("material", "mobility", "turn")
Array = NDArray[np.float64]


def main(pgn: str, picture: str) -> None:
    games = ox88.read_pgn(pgn)
    features, points, game = load(games)
    is_test = game % 5 == 0  # Whole games, because neighbouring positions are too similar for a fair test.
    weights = fit(features[~is_test], points[~is_test])
    for name, weight in zip((*FEATURES, "constant"), weights, strict=True):
        print(f"{name:10} {weight:+.3f}")
    expected, happened = predict(features[is_test], weights), points[is_test]
    guess = np.full(len(happened), points[~is_test].mean())
    print(f"log loss   {log_loss(expected, happened):.3f}, without any features {log_loss(guess, happened):.3f}")
    print(f"the winner is the one expected in {accuracy(expected, happened):.1%} of {len(happened):,} positions")
    draw(features[is_test], happened, weights, picture)


def load(games: ox88.Games) -> tuple[Array, Array, NDArray[np.int64]]:
    """Features, White's points and the number of the game, for positions without check in games that have a result."""
    games = games[~np.isnan(games.results)]
    game = np.repeat(np.arange(len(games)), games.lengths)
    ply = np.arange(len(game)) - games.offsets[game]
    positions = games.positions(final=False)
    chosen = (ply >= FIRST_PLY) & ~positions.is_check()
    positions, game = positions[chosen], game[chosen]
    columns = (
        positions.material / 100.0,  # Pawns.
        (reach(positions, ox88.WHITE) - reach(positions, ox88.BLACK)) / 10.0,  # Tens of squares.
        1.0 - 2.0 * positions.turn,
    )
    return np.column_stack(columns).astype(float), games.results[game].astype(float), game


def reach(positions: ox88.Positions, colour: int) -> Array:
    """The number of squares that a side attacks, without those of its own pieces."""
    squares = positions.attacks(colour) & ~positions.colours[:, colour]
    counts: Array = np.unpackbits(squares.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=float)
    return counts


# --- The model --------------------------------------------------------------------------------------------------------


def fit(features: Array, points: Array, steps: int = 20) -> Array:
    """Fit a logistic regression by Newton's method. The constant is the last weight; a draw is half a win."""
    inputs = with_constant(features)
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        expected = predict(features, weights)
        gradient = inputs.T @ (points - expected)
        curvature = (inputs.T * (expected * (1 - expected))) @ inputs
        weights += np.linalg.solve(curvature + 1e-6 * np.eye(len(weights)), gradient)
    return weights


def predict(features: Array, weights: Array) -> Array:
    """The points that White can expect."""
    return 1 / (1 + np.exp(-(with_constant(features) @ weights)))


def with_constant(features: Array) -> Array:
    return np.column_stack((features, np.ones(len(features))))


def log_loss(expected: Array, points: Array) -> float:
    return float(-np.mean(points * np.log(expected) + (1 - points) * np.log(1 - expected)))


def accuracy(expected: Array, points: Array) -> float:
    decided = points != 0.5
    return float(np.mean((expected > 0.5)[decided] == (points > 0.5)[decided]))


# --- The picture ------------------------------------------------------------------------------------------------------


def draw(features: Array, points: Array, weights: Array, picture: str) -> None:
    """Plot White's points against material: the real ones, and the prediction for three differences of mobility."""
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "ox88"})  # Text stays text, and ids stay the same.
    material = np.linspace(-9, 9, 181)
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for mobility, style, words in ((2, "--", "20 squares more"), (0, "-", "as many"), (-2, ":", "20 squares less")):
        inputs = np.column_stack((material, np.full_like(material, mobility), np.zeros_like(material)))
        axes.plot(material, predict(inputs, weights), style, color="C0", label=f"expected with {words}")
    pawns = np.clip(np.round(features[:, 0]), -9, 9).astype(int)
    kinds, sizes = np.unique(pawns, return_counts=True)
    means = [points[pawns == kind].mean() for kind in kinds]
    axes.scatter(kinds, means, 200 * sizes / sizes.max() + 4, color="C1", label="games the model has not seen")
    axes.set(xlabel="material, White's less Black's, in pawns", ylabel="White's points", ylim=(-0.03, 1.03))
    axes.legend(loc="upper left")
    figure.savefig(Path(picture), metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/predict_results.py GAMES.pgn PICTURE.svg")
    main(*sys.argv[1:])
