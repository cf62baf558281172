"""The ranker against its words in plain Python, and files that are damaged or missing."""

import functools
import random
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ox88
from ox88.bitboard.records import as_array, make_record
from ox88.engines.modern.human import ranker as module
from ox88.engines.modern.human.features import BOOK, GROUPS, OFFSETS
from ox88.engines.modern.human.ranker import (
    ANCHORS,
    FIRST,
    HIDDEN,
    RANKER,
    fill_chances,
    fill_opening_classes,
    fill_openings,
    fill_scores,
    read_ranker,
)
from tests.batch.samples import positions

BOUNDS = (5, 20, 50, 100, 200, 300, 400, 500, 600, 750, 900)  # Thousandths.


@functools.cache
def any_ranker() -> Any:
    """A RANKER of random weights."""
    ranker, dice = make_record(RANKER), np.random.default_rng(1)
    for name in ("neurons", "second", "squares", "anchors", "outputs", "scores"):
        ranker[name] = dice.integers(-127, 128, ranker[name].shape)
    return ranker


def naive_score(ranker: Any, setup: ox88.Setup, row: list[int], rating: int) -> float:
    """In units of a 96th of a neuron, a 256th of an output and a 400th of a rating."""
    rating_inside = min(max(rating, ANCHORS[0]), ANCHORS[-1])
    low = max(anchor for anchor in ANCHORS[:-1] if anchor <= rating_inside)
    anchor, share = ANCHORS.index(low), rating_inside - low
    features = [int(offset) + each for offset, each in zip(OFFSETS, row, strict=True)]
    slope = rating - 1600
    total = 96 * sum(400 * int(ranker.scores[each, 0]) + slope * int(ranker.scores[each, 1]) for each in features)
    neurons: list[int] = []
    for neuron in range(HIDDEN):
        around = int(ranker.anchors[anchor, neuron]), int(ranker.anchors[anchor + 1, neuron])
        value = ((400 - share) * around[0] + share * around[1]) // 400
        if neuron < FIRST:
            for square, piece in enumerate(setup.board):
                if piece:
                    is_theirs = piece // 8 != setup.turn
                    seen = square if setup.turn == ox88.WHITE else 8 * (7 - square // 8) + square % 8
                    value += int(ranker.squares[384 * is_theirs + 64 * (piece % 8 - 1) + seen, neuron])
            value += sum(int(ranker.neurons[each, neuron]) for each in features)
        else:
            pairs = zip(ranker.second[:, neuron - FIRST].tolist(), neurons[:FIRST], strict=True)
            value += (sum(weight * each for weight, each in pairs) + 128) // 256
        neurons.append(max(value, 0))
        total += neurons[-1] * (400 * int(ranker.outputs[0, neuron]) + slope * int(ranker.outputs[1, neuron]))
    return total / (96 * 256 * 400)


def test_scores() -> None:
    dice, ranker = random.Random(1), any_ranker()
    some = positions()[:: len(positions()) // 12]
    ratings = np.array([dice.choice([400, 599, 600, 601, 1000, 1599, 1777, 2600, 2601, 2800]) for _ in some])
    offsets = np.arange(0, 2 * len(some) + 1, 2)  # Two moves each.
    rows = np.array([[dice.randrange(size) for _, size in GROUPS] for _ in range(offsets[-1])], np.uint16)
    scores, scratch = np.zeros(len(rows)), np.zeros((2, HIDDEN), np.int32)
    records: Any = some.records.view(np.recarray)
    fill_scores(records, as_array(ranker), offsets, rows, ratings, scratch, scores)
    numbers = range(len(rows))
    expected = [naive_score(ranker, some[each // 2], rows[each].tolist(), int(ratings[each // 2])) for each in numbers]
    assert scores.tolist() == expected


def naive_share(games: list[list[int]], entry: int, band: int, own: int | None) -> int:
    """games: of each move of the opening, by band. own: the entry whose game is not counted; None for no game."""
    left = 0 if own is None else 1
    everything, in_band = sum(map(sum, games)) - left, sum(each[band] for each in games) - left
    played, band_played = (0, 0) if entry < 0 else (sum(games[entry]), games[entry][band])
    if own is not None and own == entry:
        played, band_played = played - 1, band_played - 1
    if everything <= 0:
        return 0
    share = 1000 * (band_played * everything + 8 * played) // (everything * (in_band + 8))
    return 1 + sum(share >= bound for bound in BOUNDS)


@pytest.mark.parametrize("leaves_out", [False, True])
def test_openings(leaves_out: bool) -> None:
    dice = random.Random(2)
    some = ox88.Positions.from_fens([ox88.STARTPOS]).push(["e4"]) + positions()[5:40:5]
    some = some[np.unique(some.key, return_index=True)[1]]  # Ascending.
    legal = some.legal_moves()
    known = list(range(0, len(some), 2))
    lists = [legal[row][: dice.randrange(1, 6)].tolist() for row in known]
    counts = [[[dice.choice([1, 3, 40]) for _ in range(3)] for _ in each] for each in lists]
    ranker = make_record(RANKER)
    lengths, flat = np.array([len(each) for each in lists]), np.array([*chain(*lists)], np.uint16)
    fill_openings(ranker, some.key[known], lengths, flat, np.array([*chain(*counts)]))
    ratings = np.array([dice.choice([1399, 1400, 1799, 1800]) for _ in some])
    bands = [(rating >= 1400) + (rating >= 1800) for rating in ratings.tolist()]
    own = np.array([dice.randrange(int(count)) if leaves_out else -1 for count in legal.counts])
    left_out = np.where(own >= 0, legal.offsets[:-1] + own, -1)
    features = np.full((len(legal.moves), len(GROUPS)), 99, np.uint16)
    records: Any = some.records.view(np.recarray)
    fill_opening_classes(records, as_array(ranker), legal.offsets.copy(), legal.moves, ratings, left_out, features)
    expected = []
    for row, moves in enumerate(legal):
        for place, move in enumerate(moves.tolist()):
            games, entries = (counts[known.index(row)], lists[known.index(row)]) if row in known else ([], [])
            entry = entries.index(move) if move in entries else -1
            without = None if own[row] < 0 else entry if own[row] == place else -2
            expected.append(naive_share(games, entry, bands[row], without) if row in known else 0)
    assert features[:, BOOK].tolist() == expected


def test_chances() -> None:
    scores = np.array([700.0, 699.0, -5.0, 3.0])
    fill_chances(np.array([0, 2, 2, 4]), np.array([2.0, 1.0, 1.0]), scores)
    assert scores[:2].sum() == pytest.approx(1)
    assert scores[0] / scores[1] == pytest.approx(np.exp(0.5))
    assert scores[3] / scores[2] == pytest.approx(np.exp(8))


def test_a_file_that_is_missing_or_damaged_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.npz"
    data = module.FILE.read_bytes()
    with np.load(module.FILE) as file:
        arrays = dict(file)
    monkeypatch.setattr(module, "FILE", path)
    with pytest.raises(ox88.MissingFileError, match=r"people\.npz"):
        read_ranker.__wrapped__()
    fewer = {**arrays, "neurons": arrays["neurons"][:-1]}
    longer = {**arrays, "opening_lengths": arrays["opening_lengths"] + 1}
    for damaged in (b"", b"abc", data[: len(data) // 2], {}, fewer, longer):
        if isinstance(damaged, bytes):
            path.write_bytes(damaged)
        else:
            np.savez(path, **damaged)
        with pytest.raises(ox88.Ox88Error, match=r"people\.npz"):
            read_ranker.__wrapped__()
