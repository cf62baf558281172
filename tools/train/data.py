"""The positions of some folders of games, with some games held out."""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.errors import Ox88Error
from tools.datagen.__main__ import command as datagen_command
from tools.games import Positions, read_positions

HELD_OUT: Final = 50  # One job in this many is held out of the training; its positions show how the network learns.
_SAMPLE: Final = 1_000_000  # Positions that are enough to find the scale.
_MOST_SCALE: Final = 10_000
_STEPS: Final = 20  # Of Newton's method, which needs fewer.

Rows = NDArray[np.uint32]


class Data(NamedTuple):
    """records: PACKED[n]. games: int32[n], which game each record is of, all folders taken together.

    fitted, held_out: the numbers of the records to train on, and of those held out.
    scale: the k of sigmoid(score / k), which predicts the results. about: where the positions come from, as JSON.
    """

    records: Any
    games: NDArray[np.int32]
    fitted: Rows
    held_out: Rows
    scale: int
    about: dict[str, Any]


def read_data(paths: Sequence[Path]) -> Data:
    """Raises Ox88Error if there are no positions, or too few."""
    parts = [read_positions(path) for path in paths]
    records = np.concatenate([part.records for part in parts]).view(np.recarray)
    is_held_out = np.concatenate([part.job for part in parts]) % HELD_OUT == 0
    fitted, held_out = (np.flatnonzero(rows).astype(np.uint32) for rows in (~is_held_out, is_held_out))
    if not len(fitted) or not len(held_out):
        raise Ox88Error(
            f"too few positions in {', '.join(map(str, paths))}: those of two jobs of tools.datagen at least"
        )
    about = {
        "data": [datagen_command(part.settings, part.jobs, path) for path, part in zip(paths, parts, strict=True)],
        "positions": len(fitted),
        "held_out": len(held_out),
        "checksum": zlib.crc32(records.data),
    }
    sample = records[fitted[:: len(fitted) // _SAMPLE + 1]]
    return Data(records, _games_of(parts), fitted, held_out, _scale(sample), about)


def _games_of(parts: Sequence[Positions]) -> NDArray[np.int32]:
    """The numbers of the games, on from folder to folder."""
    counts = [int(part.game.max(initial=-1)) + 1 for part in parts]
    before = np.cumsum([0, *counts[:-1]])
    return np.concatenate([part.game + first for part, first in zip(parts, before, strict=True)]).astype(np.int32)


def _scale(records: Any) -> int:
    """The k of sigmoid(score / k) that predicts the results best."""
    slope = best_slope(records["score"], records["result"] / 2)
    if not 1 / _MOST_SCALE < slope < 1:
        raise Ox88Error("the scores do not predict the results: expected positions of tools.datagen, from more games")
    return round(1 / slope)


def best_slope(scores: NDArray[np.int16], results: NDArray[np.float64]) -> float:
    """The s with which sigmoid(s * score) predicts the results, 0 to 1, best (logistic regression, Newton's method)."""
    values = scores.astype(np.float64)
    slope = 0.0
    for _ in range(_STEPS):
        chances = 0.5 + 0.5 * np.tanh(0.5 * slope * values)
        slope -= float(np.sum(values * (chances - results)) / max(np.sum(values**2 * chances * (1 - chances)), 1e-9))
    return slope
