"""From trained weights to the ranker's record and file: openings, whole numbers, temperatures."""

import dataclasses
import io
import json
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions.positions import Positions
from ox88.bitboard.records import as_array, make_record
from ox88.engines.modern.human.policy import ranked
from ox88.engines.modern.human.ranker import (
    BAND_BOUNDS,
    BANDS,
    MOST_OPENINGS,
    NEURON_UNIT,
    OUTPUT_UNIT,
    RANKER,
    SECOND_UNIT,
    TEMPERATURE_RATINGS,
    fill_opening_classes,
    fill_openings,
)
from tools.humans.data import Plies, Samples, make_samples
from tools.humans.trainer import Weights

LEAST_GAMES: Final = 15  # An opening has been reached in so many.
MOST_LOSS: Final = 1000  # Centipawns; who loses more loses no more.
# How much higher the temperatures of 400 and 800 are than that of 1200, in thousandths. Few people have these ratings.
# So the numbers are chosen by games: a level scores against the next lower one as much as further up (docs/levels.md).
BELOW_PEOPLE: Final = np.array([300, 150])
TEMPERATURES: Final = np.arange(0.1, 2.01, 0.025)
JUDGED: Final = 3000  # Positions, for each temperature.
JUDGE_NODES: Final = 1_000  # For each move.
UNITS: Final = {
    "neurons": NEURON_UNIT,
    "squares": NEURON_UNIT,
    "second": SECOND_UNIT,
    "anchors": NEURON_UNIT,
    "outputs": OUTPUT_UNIT,
    "scores": OUTPUT_UNIT,
}


def make_openings(plies: Plies) -> dict[str, NDArray[Any]]:
    """Positions that many games have reached, and how often people of each band have played each move."""
    keys, numbers = np.unique(plies.records.key, return_inverse=True)
    many = np.bincount(numbers) >= LEAST_GAMES
    many[np.argsort(-np.bincount(numbers), kind="stable")[MOST_OPENINGS:]] = False
    rows = many[numbers]
    bands = np.digitize(plies.ratings[rows], BAND_BOUNDS)
    pairs, entries = np.unique(numbers[rows] << 16 | plies.moves[rows], return_inverse=True)
    counts = np.zeros((len(pairs), BANDS), np.uint16)
    np.add.at(counts, (entries, bands), 1)
    return {
        "opening_keys": keys[many],
        "opening_lengths": np.unique(pairs >> 16, return_counts=True)[1].astype(np.uint16),
        "opening_moves": (pairs & 0xFFFF).astype(np.uint16),
        "opening_counts": counts,
    }


def empty_ranker(openings: dict[str, NDArray[Any]]) -> Any:
    """A RANKER with openings, without weights, and with temperatures of 1."""
    ranker = make_record(RANKER)
    ranker.temperatures[:] = 1000
    fill_openings(ranker, *openings.values())
    return ranker


def fill_books(ranker: Any, samples: Samples, *, left_out: bool) -> None:
    """Write the feature of openings. left_out: True if the ranker's openings count the games of the samples. Then no
    position is told of the move that was played in its own game.
    """
    plies = samples.plies
    own = samples.played if left_out else np.full(len(plies), -1)
    record = as_array(ranker)
    fill_opening_classes(plies.records, record, samples.offsets, samples.moves, plies.ratings, own, samples.features)


def quantise(weights: Weights, ranker: Any) -> None:
    """Set the weights of a ranker, in whole numbers."""
    for name, unit in UNITS.items():
        most = np.iinfo(np.int8 if name == "neurons" else np.int16).max
        ranker[name] = np.clip(np.rint(weights[name] * unit), -most, most)


def chances_of(ranker: Any, samples: Samples) -> NDArray[np.float64]:
    """float64[m]: the chance that people play each legal move."""
    plies = samples.plies
    return ranked(ranker, plies.records, samples.offsets, samples.features, plies.ratings, np.ones(len(plies)))


def judged_losses(samples: Samples, nodes: int) -> NDArray[np.float64]:
    """float64[m]: what each move loses against the best one in centipawns, at most MOST_LOSS, by searches after it."""
    after = Positions._of(samples.plies.records)[samples.rows].push(samples.moves)
    values = -after.search(nodes=nodes, view="mover").scores.astype(np.float64)
    best = np.maximum.reduceat(values, samples.offsets[:-1])
    return np.minimum(best[samples.rows] - values, MOST_LOSS)


def fit_temperatures(ranker: Any, plies: Plies, seed: int) -> None:
    """Set the temperature of each rating, so that the ranker loses as much by a move as people of the rating do.

    Few people have the two lowest ratings, which are no part of the fit.
    """
    plies = plies.take(np.random.default_rng(seed).permutation(len(plies)))
    for number, rating in enumerate(TEMPERATURE_RATINGS[2:], 2):
        near = np.argsort(abs(plies.ratings - rating), kind="stable")[:JUDGED]
        part = make_samples(dataclasses.replace(plies.take(near), ratings=np.full(len(near), rating)))
        fill_books(ranker, part, left_out=True)
        losses = judged_losses(part, JUDGE_NODES)
        chances = chances_of(ranker, part)
        lost = np.array([mean_loss(part, chances, losses, each) for each in TEMPERATURES])
        best = np.argmin(abs(np.log(lost / losses[part.played].mean())))
        ranker.temperatures[number] = np.rint(1000 * TEMPERATURES[best])
    ranker.temperatures[:2] = ranker.temperatures[2] + BELOW_PEOPLE


def mean_loss(samples: Samples, chances: NDArray[np.float64], losses: NDArray[np.float64], temperature: float) -> float:
    powers = chances ** (1 / temperature)
    return float((powers * losses / np.bincount(samples.rows, powers)[samples.rows]).sum() / len(samples.plies))


def write_ranker(path: Path, ranker: Any, openings: dict[str, NDArray[Any]], about: dict[str, Any]) -> None:
    """Write the file; equal weights make equal bytes."""
    arrays: dict[str, Any] = {name: ranker[name] for name in (*UNITS, "temperatures")}
    arrays["neurons"] = ranker.neurons.astype(np.int8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **cast(Any, {**arrays, **openings}), about=np.array(json.dumps(about)))
    path.write_bytes(buffer.getvalue())
