"""How well the ranker foresees moves of people, and whether it errs as often and as much as they do."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

import ox88
from ox88.batch.positions.positions import Positions
from ox88.engines.modern.human.policy import temperatures_in_play
from ox88.engines.modern.human.values import SHALLOW
from ox88.engines.modern.records import MATE
from tools.humans.data import Samples, make_samples, plies_of
from tools.humans.writing import chances_of, fill_books

BANDS: Final = ((800, 1200), (1200, 1600), (1600, 2000), (2000, 3000))  # Of ratings.
OPENING: Final = 10  # Plies.
LAST_PLY: Final = 80
MOST_LOSS: Final = 1000  # Centipawns.
BLUNDER: Final = 200
PART: Final = 1000  # Positions at a time: all replies to all moves of all of them are held.
LEVELS: Final = tuple(range(700, 2201, 300))


def foreseen(samples: Samples, chances: NDArray[np.float64]) -> list[tuple[str, ...]]:
    """By band: positions, likeliest moves that were played, logarithmic loss; and of the first plies."""
    hits = chances[samples.played] >= np.maximum.reduceat(chances, samples.offsets[:-1])
    losses = -np.log(chances[samples.played])
    ratings, plies = samples.plies.ratings, samples.plies.plies
    table: list[tuple[str, ...]] = []
    for low, high in BANDS:
        band = (ratings >= low) & (ratings < high)
        later, opening = band & (plies >= OPENING) & (plies < LAST_PLY), band & (plies < OPENING)
        match, first = (f"{100 * hits[each].mean():.1f} %" if each.any() else "-" for each in (later, opening))
        loss = f"{losses[later].mean():.3f}" if later.any() else "-"
        table.append((f"{low}-{high}", f"{later.sum()}", match, loss, f"{opening.sum()}", first))
    return table


def lost(samples: Samples, chances: NDArray[np.float64], nodes: int, most: int, seed: int) -> list[tuple[str, ...]]:
    """By band, of people and of moves that levels draw: mean loss, share of blunders.

    nodes: of the searches before and after a move. most: positions of a band.
    """
    dice = np.random.default_rng(seed)
    ratings, plies = samples.plies.ratings, samples.plies.plies
    table: list[tuple[str, ...]] = []
    for low, high in BANDS:
        band = np.flatnonzero((ratings >= low) & (ratings < high) & (plies >= OPENING) & (plies < LAST_PLY))
        rows = np.sort(dice.permutation(band)[:most])
        some = samples.take(rows)
        own = chances[np.isin(samples.rows, rows)]
        sums = np.add.accumulate(in_play(some, own))
        ends, starts = sums[some.offsets[1:] - 1], np.append(0, sums)[some.offsets[:-1]]
        sampled = np.searchsorted(sums, starts + dice.random(len(rows)) * (ends - starts), side="right")
        positions = Positions._of(some.plies.records)
        best = positions.search(nodes=nodes, view="mover").scores.astype(np.int64)
        cells = []
        for places in (some.played, np.minimum(sampled, some.offsets[1:] - 1)):
            after = positions.push(some.moves[places])
            values = -after.search(nodes=nodes, view="mover").scores.astype(np.int64)
            loss = np.clip(best - values, 0, MOST_LOSS)
            cells.append((loss.mean(), 100 * (loss >= BLUNDER).mean()))
        pairs = zip(*cells, (0, 1), strict=True)
        texts = (f"{people:.{digits}f} / {level:.{digits}f}" for people, level, digits in pairs)
        table.append((f"{low}-{high}", f"{len(rows)}", *texts))
    return table


def in_play(samples: Samples, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[m]: the chance of each move at the temperatures of levels."""
    rows = samples.rows
    powers = chances ** (1 / temperatures_in_play(samples.plies.ratings, samples.offsets, samples.values))[rows]
    return np.asarray(powers / np.bincount(rows, powers)[rows])


def allows_mate(samples: Samples) -> NDArray[np.bool_]:
    """bool[m]: True for moves that can be answered by mate."""
    parts = [np.zeros(0, np.bool_)]
    for first in range(0, len(samples.plies), PART):
        some = samples.take(np.arange(first, min(first + PART, len(samples.plies))))
        after = Positions._of(some.plies.records)[some.rows].push(some.moves)
        replies = after.legal_moves()
        rows = np.repeat(np.arange(len(after)), replies.counts)
        mates = after[rows].push(replies.moves).is_checkmate()
        parts.append(np.bincount(rows, mates, len(after)) > 0)
    return np.concatenate(parts)


def mates_in_one(samples: Samples, chances: NDArray[np.float64]) -> list[tuple[str, ...]]:
    """By band: how often people and levels mate at once and let themselves be mated at once, where they can."""
    rows, ratings, drawn = samples.rows, samples.plies.ratings, in_play(samples, chances)
    both = samples.values[:, SHALLOW] == MATE - 1, allows_mate(samples)
    table: list[tuple[str, ...]] = []
    for low, high in BANDS:
        cells = []
        for chosen in both:
            band = (ratings >= low) & (ratings < high) & (np.bincount(rows, chosen) > 0)
            people, level = chosen[samples.played][band], np.bincount(rows, drawn * chosen)[band]
            shares = f"{100 * people.mean():.1f} / {100 * level.mean():.1f}" if band.any() else "-"
            cells += [f"{band.sum()}", shares]
        table.append((f"{low}-{high}", *cells))
    return table


def puzzles(path: Path, ranker: Any, count: int, seed: int) -> list[tuple[str, ...]]:
    """By level: the share of puzzles whose mistake is the likeliest move, that repeat it by chance, that are solved."""
    table = pyarrow.parquet.read_table(path, columns=["fen", "moves"])
    table = table.take(np.sort(np.random.default_rng(seed).permutation(len(table))[:count]))
    games = ox88.Games.from_moves(table["moves"], table["fen"])
    found: list[tuple[str, ...]] = []
    for level in LEVELS:
        plies = plies_of(games, np.full((2, len(games)), level))
        samples = make_samples(plies.take(np.flatnonzero((plies.plies == 0) | (plies.plies % 2 == 1))))
        fill_books(ranker, samples, left_out=False)
        chances = chances_of(ranker, samples)
        likeliest = np.maximum.reduceat(chances, samples.offsets[:-1])
        shares, is_mistake = in_play(samples, chances)[samples.played], samples.plies.plies == 0
        first, sampled = (chances[samples.played] >= likeliest)[is_mistake], shares[is_mistake]
        solved = np.multiply.reduceat(np.where(is_mistake, 1, shares), np.flatnonzero(is_mistake))
        texts = (f"{100 * each.mean():.1f} %" for each in (first, sampled))
        found.append((f"{level}", *texts, f"{solved.mean():.3f}"))
    return found
