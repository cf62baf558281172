"""From trained weights to the ranker's record and file: openings, whole numbers, temperatures."""

import io
import json
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.records import as_array, make_record
from ox88.engines.modern.human.policy import values_of
from ox88.engines.modern.human.ranker import (
    ANCHORS,
    BAND_BOUNDS,
    BANDS,
    HIDDEN,
    MOST_OPENINGS,
    NEURON_UNIT,
    OUTPUT_UNIT,
    RANKER,
    fill_chances,
    fill_opening_classes,
    fill_openings,
    fill_scores,
)
from tools.humans.data import Plies, Samples
from tools.humans.trainer import Weights

LEAST_GAMES: Final = 15  # An opening has been reached in so many.
MOST_LOSS: Final = 1000  # Centipawns; who loses more loses no more.
TEMPERATURES: Final = np.arange(0.3, 1.51, 0.05)
NEAR: Final = 200  # A rating's temperature is found by players whose rating differs by at most so much.
UNITS: Final = {
    "neurons": NEURON_UNIT,
    "squares": NEURON_UNIT,
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
    """A RANKER with openings, and without weights."""
    ranker = make_record(RANKER)
    fill_openings(ranker, *openings.values())
    return ranker


def fill_books(ranker: Any, samples: Samples, left_out: NDArray[np.bool_]) -> None:
    """Write the feature of openings. left_out: bool[n], True for rows whose own game the openings have counted."""
    plies = samples.plies
    own = np.where(left_out, samples.played, -1)
    record = as_array(ranker)
    fill_opening_classes(plies.records, record, samples.offsets, samples.moves, plies.ratings, own, samples.features)


def quantise(weights: Weights, ranker: Any) -> None:
    """Set the weights of a ranker, in whole numbers."""
    for name, unit in UNITS.items():
        most = np.iinfo(np.int8 if unit == NEURON_UNIT else np.int16).max
        whole = np.clip(np.rint(weights[name] * unit), -most, most)
        ranker[name] = whole[: len(ranker[name])]


def chances_of(
    ranker: Any, samples: Samples, ratings: NDArray[np.int64], temperature: float = 1.0
) -> NDArray[np.float64]:
    """float64[m]: the chance of each legal move."""
    scratch = np.zeros((2, HIDDEN), np.int64)
    chances = np.zeros(len(samples.moves))
    plies = samples.plies
    fill_scores(plies.records, as_array(ranker), samples.offsets, samples.features, ratings, scratch, chances)
    fill_chances(samples.offsets, np.full(len(plies), temperature), chances)
    return chances


def losses_of(samples: Samples) -> NDArray[np.float64]:
    """float64[m]: what each move loses against the best one, in centipawns, at most MOST_LOSS."""
    values = values_of(samples.values)
    best = np.maximum.reduceat(values, samples.offsets[:-1])
    return np.minimum(np.repeat(best, np.diff(samples.offsets)) - values, MOST_LOSS).astype(np.float64)


def fit_temperatures(ranker: Any, samples: Samples) -> None:
    """Set the temperatures with which the ranker loses as much by a move as people of each rating."""
    losses = losses_of(samples)
    chances = chances_of(ranker, samples, samples.plies.ratings)
    for number, rating in enumerate(ANCHORS):
        near = abs(samples.plies.ratings - rating) <= NEAR
        if not near.any():
            near = abs(samples.plies.ratings - rating) == abs(samples.plies.ratings - rating).min()
        lost = losses[samples.played[near]].mean()
        places = np.repeat(near, np.diff(samples.offsets))
        some, rows = losses[places], np.repeat(np.arange(near.sum()), np.diff(samples.offsets)[near])
        errors = []
        for temperature in TEMPERATURES:
            powers = chances[places] ** (1 / temperature)
            shares = powers / np.bincount(rows, powers)[rows]
            errors.append(abs((shares * some).sum() / near.sum() - lost))
        ranker.temperatures[number] = np.rint(1000 * TEMPERATURES[np.argmin(errors)])


def write_ranker(path: Path, ranker: Any, openings: dict[str, NDArray[Any]], about: dict[str, Any]) -> None:
    """Write the file; equal weights make equal bytes."""
    arrays: dict[str, Any] = {name: ranker[name] for name in (*UNITS, "temperatures")}
    arrays |= {name: arrays[name].astype(np.int8) for name, unit in UNITS.items() if unit == NEURON_UNIT}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **cast(Any, {**arrays, **openings}), about=np.array(json.dumps(about)))
    path.write_bytes(buffer.getvalue())
