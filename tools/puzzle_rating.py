"""Fits the rating of a puzzle to Lichess's: python -m tools.puzzle_rating puzzles.parquet

The weights are fitted by ridge regression on the seen half. The rank correlation is that of the unseen half.
"""

from collections import Counter
from pathlib import Path

import click
import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

from ox88.apps.puzzles.rating import CONSTANT, WEIGHTS, features
from ox88.motifs.find import find_motifs
from tools.motif_table import read_puzzles

RIDGE = 30.0
LEAST = 20  # Puzzles that a feature needs to have a weight.

Array = NDArray[np.float64]
Features = list[dict[str, float]]


def read(path: Path, unseen: bool, limit: int) -> tuple[Features, Array]:
    """The features of puzzles, and Lichess's ratings."""
    ratings = dict(zip(*pyarrow.parquet.read_table(path, columns=["id", "rating"]).to_pydict().values(), strict=True))
    found, known = [], []
    for puzzle_id, line, _ in read_puzzles(path, unseen, limit):
        found.append(features(line, {motif.theme for motif in find_motifs(line)}))
        known.append(ratings[puzzle_id])
    return found, np.array(known, float)


def table(found: Features, names: list[str]) -> Array:
    return np.array([[one.get(name, 0.0) for name in names] for one in found])


def fit(found: Features, ratings: Array) -> dict[str, float]:
    """The weights. Features are scaled to the same spread, so that the ridge is as hard for each."""
    counts = Counter(name for one in found for name in one)
    names = sorted(name for name, count in counts.items() if count >= LEAST and name != CONSTANT)
    values = table(found, names)
    means, spreads = values.mean(axis=0), values.std(axis=0)
    names = [name for name, spread in zip(names, spreads, strict=True) if spread > 0]
    values = (values - means)[:, spreads > 0] / spreads[spreads > 0]
    product = values.T @ values + RIDGE * np.eye(len(names))
    weights = np.linalg.solve(product, values.T @ (ratings - ratings.mean())) / spreads[spreads > 0]
    constant = ratings.mean() - weights @ means[spreads > 0]
    return {
        name: round(float(weight), 1) for name, weight in zip([CONSTANT, *names], [constant, *weights], strict=True)
    }


def rank_correlation(first: Array, second: Array) -> float:
    """Spearman's, where equal values share their rank."""
    return float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])


def _ranks(values: Array) -> Array:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Array = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("--limit", type=int, default=20_000, show_default=True, help="Puzzles of each half.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=WEIGHTS, show_default=True)
def main(path: Path, limit: int, output: Path) -> None:
    weights = fit(*read(path, False, limit))
    output.write_text("feature,weight\n" + "".join(f"{name},{weight}\n" for name, weight in sorted(weights.items())))
    found, ratings = read(path, True, limit)
    names = list(weights)
    predicted = table(found, names) @ np.array([weights[name] for name in names])
    error = np.abs(predicted - ratings)
    click.echo(
        f"{output}: {len(weights)} weights; of {len(ratings)} unseen puzzles: rank correlation "
        f"{rank_correlation(predicted, ratings):.3f}, half of the errors under {np.median(error):.0f} points"
    )


if __name__ == "__main__":
    main()
