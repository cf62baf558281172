"""The ranker: two hidden layers that give each legal move a score, from which follow the chances that people play it.

    first  = bias of the rating + squares of all pieces + features of the move, at least 0
    second = bias of the rating + weights of the first layer, at least 0
    score  = neurons of both layers * outputs + scores of the features; outputs and scores are lines over the rating

The chance of a move is exp(score) over the sum for all moves. All numbers up to the score are whole, so the scores are
equal on every machine. The file also holds openings: how often people of three bands of ratings have played a move.
"""

import functools
from pathlib import Path
from typing import Any, Final

import numpy as np

from ox88.bitboard.attacks import occupied_squares
from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.bitboard.records import make_record
from ox88.engines.modern.human.features import BOOK, FEATURES, OFFSETS, SLOTS, class_of
from ox88.engines.modern.network.file import DAMAGED
from ox88.errors import Ox88Error, unreadable
from ox88.jit import kernel, lowest_bit
from ox88.types import BLACK

FILE: Final = Path(__file__).with_name("people.npz")
FIRST: Final = 32  # Neurons of the first layer.
SECOND: Final = 16  # Neurons of the second layer.
HIDDEN: Final = FIRST + SECOND
ANCHORS: Final = (600, 1000, 1400, 1800, 2200, 2600)  # Ratings with a bias of their own; between two, a mixture.
TEMPERATURE_RATINGS: Final = (400, 800, 1200, 1600, 2000, 2400)  # Between two, a mixture of their temperatures.
# The temperature in a position with a mate in one. With it levels find about as many of these mates as people do: see
# docs/levels.md.
MATE_TEMPERATURE: Final = 0.95
MOST_OPENINGS: Final = 1 << 12  # Positions.
MOST_OPENING_MOVES: Final = 1 << 15
BANDS: Final = 3

# What stands for 1.0.
NEURON_UNIT, SECOND_UNIT, OUTPUT_UNIT = np.int64(96), np.int64(256), np.int64(256)
FIRST_ANCHOR, ANCHOR_STEP, LAST_ANCHOR = np.int64(ANCHORS[0]), np.int64(400), np.int64(len(ANCHORS) - 1)
MIDDLE_RATING = np.int64(1600)  # Where the lines over the rating have their first number; the second is their slope.
SCORE_UNIT = float(NEURON_UNIT * OUTPUT_UNIT * ANCHOR_STEP)
BAND_BOUNDS = np.array([1400, 1800], np.int64)
SHARES = np.array([5, 20, 50, 100, 200, 300, 400, 500, 600, 750, 900], np.int64)  # In thousandths.
TRUST = np.int64(8)  # Games by which the share in a band is drawn to the share in all bands.
GROUP_COUNT, FIRST_FEATURE = np.int64(SLOTS), OFFSETS
ZERO, ONE = np.int64(0), np.int64(1)

RANKER = np.dtype(
    [
        ("neurons", np.int16, (FEATURES, FIRST)),
        ("second", np.int16, (FIRST, SECOND)),
        ("squares", np.int16, (768, FIRST)),  # By owner (0 for the side to move), kind and square, as it sees them.
        ("anchors", np.int16, (len(ANCHORS), HIDDEN)),
        ("outputs", np.int16, (2, HIDDEN)),
        ("scores", np.int16, (FEATURES, 2)),
        ("temperatures", np.int16, len(TEMPERATURE_RATINGS)),  # In thousandths, for play.
        ("openings", np.int64),  # Their number.
        ("opening_keys", np.uint64, MOST_OPENINGS),  # Ascending.
        ("opening_offsets", np.int64, MOST_OPENINGS + 1),
        ("opening_moves", np.uint16, MOST_OPENING_MOVES),
        ("opening_counts", np.int64, (MOST_OPENING_MOVES, BANDS)),
    ],
    align=True,
)


@functools.cache
def read_ranker() -> Any:
    """The RANKER that Ox88 comes with. Raises MissingFileError, FileError, Ox88Error."""
    ranker = make_record(RANKER)
    try:
        with FILE.open("rb") as data, np.load(data) as arrays:
            for name in ("neurons", "second", "squares", "anchors", "outputs", "scores", "temperatures"):
                ranker[name] = arrays[name]
            names = ("opening_keys", "opening_lengths", "opening_moves", "opening_counts")
            fill_openings(ranker, *(arrays[name] for name in names))
    except OSError as error:
        raise unreadable(str(FILE), error, hint=": install Ox88 again") from error
    except DAMAGED as error:
        raise Ox88Error(f"{FILE}: this file of Ox88's levels is damaged ({error}): install Ox88 again") from None
    return ranker


def fill_openings(ranker: Any, keys: Any, lengths: Any, moves: Any, counts: Any) -> None:
    """Set the openings. keys: uint64[n], ascending. lengths: how many moves each has. counts: [moves, BANDS]."""
    if int(lengths.sum()) != len(moves):
        raise ValueError(f"{lengths.sum()} moves of openings, not {len(moves)}")
    ranker.openings = len(keys)
    ranker.opening_keys[: len(keys)] = keys
    ranker.opening_offsets[1 : len(keys) + 1] = np.cumsum(lengths)
    ranker.opening_moves[: len(moves)] = moves
    ranker.opening_counts[: len(moves)] = counts


def temperature_of(rating: int, can_mate: bool = False) -> float:
    """What the scores are divided by in play, so that a level loses as much by its moves as people of the rating.

    can_mate: True where a move mates at once. People overlook it more often than a level would at a low temperature.
    """
    if can_mate:
        return MATE_TEMPERATURE
    return float(np.interp(rating, TEMPERATURE_RATINGS, read_ranker().temperatures / 1000))


@kernel
def find_opening(ranker, key):
    """The number of an opening, or -1."""
    low, high = ZERO, ranker.openings
    while low < high:
        middle = (low + high) >> 1
        if ranker.opening_keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < ranker.openings and ranker.opening_keys[low] == key else -ONE


@kernel
def share_class(all_games, band_games, all_played, band_played):
    """1 to 12, by the share of a move in a band of ratings; 0 if there are no games."""
    whole = all_games * (band_games + TRUST)
    if whole <= 0:
        return ZERO
    return 1 + class_of(1000 * (band_played * all_games + TRUST * all_played) // whole, SHARES)


@kernel
def count_games(ranker, opening, band, move):
    """Games of an opening, in all bands and in one; and those in which a move was played, likewise."""
    all_games, band_games, all_played, band_played = ZERO, ZERO, ZERO, ZERO
    for entry in range(ranker.opening_offsets[opening], ranker.opening_offsets[opening + 1]):
        games = ZERO
        for each in range(BANDS):
            games += ranker.opening_counts[entry, each]
        all_games += games
        band_games += ranker.opening_counts[entry, band]
        if ranker.opening_moves[entry] == move:
            all_played, band_played = games, ranker.opening_counts[entry, band]
    return all_games, band_games, all_played, band_played


@kernel
def fill_opening_classes(positions, rankers, offsets, moves, ratings, left_out, features):
    """Write the feature of openings.

    ratings: int64[n]. left_out: int64[n], the place of a move of whose games one is not counted, or -1: a position that
    the ranker is trained with must not be known by its own game. For the others see `fill_features`.
    """
    ranker = rankers[0]
    for row in range(len(positions)):
        opening = find_opening(ranker, positions[row].key)
        band = class_of(ratings[row], BAND_BOUNDS)
        one = ONE if left_out[row] >= 0 else ZERO
        for place in range(offsets[row], offsets[row + 1]):
            features[place, BOOK] = 0
            if opening >= 0:
                games = count_games(ranker, opening, band, moves[place])
                own = ONE if left_out[row] == place else ZERO
                features[place, BOOK] = share_class(games[0] - one, games[1] - one, games[2] - own, games[3] - own)


@kernel
def add(row, neurons):
    """Add a row of weights. (LLVM turns a loop into vectors if its length is not known beforehand.)"""
    for neuron in range(len(neurons)):
        neurons[neuron] = np.int32(neurons[neuron] + row[neuron])


@kernel
def add_squares(position, ranker, neurons):
    """Add the weights of all pieces."""
    flip = np.int64(56) if position.turn == BLACK else ZERO
    occupied = occupied_squares(position)
    while occupied != NO_SQUARES:
        square = lowest_bit(occupied)
        occupied = without_lowest(occupied)
        piece = np.int64(position.board[square])
        owner = (piece >> 3) ^ np.int64(position.turn)
        add(ranker.squares[(owner * 6 + (piece & 7) - 1) * 64 + (square ^ flip)], neurons)


@kernel
def set_bias(ranker, rating, neurons):
    """Set the neurons to the bias of a rating."""
    above = min(max(rating - FIRST_ANCHOR, ZERO), LAST_ANCHOR * ANCHOR_STEP)
    anchor = min(above // ANCHOR_STEP, LAST_ANCHOR - 1)
    share = above - anchor * ANCHOR_STEP
    for neuron in range(len(neurons)):
        low, high = np.int64(ranker.anchors[anchor, neuron]), np.int64(ranker.anchors[anchor + 1, neuron])
        neurons[neuron] = ((ANCHOR_STEP - share) * low + share * high) // ANCHOR_STEP


@kernel
def fill_second(ranker, first, second):
    """Activate the first layer, and fill the second one from it. second: its bias, before the call."""
    for number in range(len(second)):
        second[number] = second[number] * SECOND_UNIT + SECOND_UNIT // 2
    for neuron in range(len(first)):
        first[neuron] = max(first[neuron], np.int32(0))
        if first[neuron] != 0:
            for number in range(len(second)):
                second[number] = np.int32(second[number] + first[neuron] * ranker.second[neuron, number])
    for number in range(len(second)):
        second[number] = max(second[number] // SECOND_UNIT, ZERO)


@kernel
def fill_scores(positions, rankers, offsets, features, ratings, scratch, scores):
    """Write the score of every move. scratch: int32[2, HIDDEN]. scores: float64[m]. See `fill_features`."""
    ranker = rankers[0]
    bias, neurons = scratch[0], scratch[1]
    first, second = neurons[:FIRST], neurons[FIRST:]
    for row in range(len(positions)):
        slope = ratings[row] - MIDDLE_RATING
        set_bias(ranker, ratings[row], bias)
        add_squares(positions[row], ranker, bias[:FIRST])
        for place in range(offsets[row], offsets[row + 1]):
            direct = ZERO
            for neuron in range(len(neurons)):
                neurons[neuron] = bias[neuron]
            for slot in range(GROUP_COUNT):
                feature = FIRST_FEATURE[slot] + features[place, slot]
                add(ranker.neurons[feature], first)
                direct += ranker.scores[feature, 0] * ANCHOR_STEP + ranker.scores[feature, 1] * slope
            fill_second(ranker, first, second)
            score = NEURON_UNIT * direct
            for neuron in range(len(neurons)):
                weight = ranker.outputs[0, neuron] * ANCHOR_STEP + ranker.outputs[1, neuron] * slope
                score += neurons[neuron] * weight
            scores[place] = np.float64(score) / SCORE_UNIT


@kernel
def fill_chances(offsets, temperatures, chances):
    """Turn scores into probabilities, in place. temperatures: float64[n]; 1 for people's own chances."""
    for row in range(len(offsets) - 1):
        first, end = offsets[row], offsets[row + 1]
        highest = -np.inf
        for place in range(first, end):
            highest = max(highest, chances[place])
        whole = 0.0
        for place in range(first, end):
            chances[place] = np.exp((chances[place] - highest) / temperatures[row])
            whole += chances[place]
        for place in range(first, end):
            chances[place] /= whole
