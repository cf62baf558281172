"""The chances that people play each legal move, from positions to probabilities."""

import threading
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.human.features import SLOTS, fill_features
from ox88.engines.modern.human.ranker import (
    HIDDEN,
    fill_chances,
    fill_opening_classes,
    fill_scores,
    read_ranker,
    temperature_of,
)
from ox88.engines.modern.human.values import (
    COLUMNS,
    DEEP,
    DEEPER,
    SHALLOW,
    STRONG,
    TABLE_WORDS,
    UNSEARCHED,
    fill_value_classes,
    fill_values,
    make_judge,
)
from ox88.engines.modern.records import MATE
from ox88.types import NO_MOVE

LEAST_RATING: Final = 400
MOST_RATING: Final = 2800
_LOCAL: Final = threading.local()


@dataclass(frozen=True, slots=True)
class Past:
    """The moves before n positions: the opponent's last move, that of the side to move before it; 0 for none.

    last_moves, own_moves: uint16[n].  last_captures: bool[n], the opponent's last move has captured.
    """

    last_moves: NDArray[np.uint16]
    own_moves: NDArray[np.uint16]
    last_captures: NDArray[np.bool_]

    @classmethod
    def of(cls, last_move: int | None, own_move: int | None, has_captured: bool) -> "Past":
        """The moves before one position."""
        moves = np.array([last_move or NO_MOVE]), np.array([own_move or NO_MOVE])
        return cls(moves[0].astype(np.uint16), moves[1].astype(np.uint16), np.array([has_captured]))

    @classmethod
    def unknown(cls, count: int) -> "Past":
        return cls(np.zeros(count, np.uint16), np.zeros(count, np.uint16), np.zeros(count, np.bool_))


def features_and_values(
    positions: Any,
    offsets: NDArray[np.int64],
    moves: NDArray[np.uint16],
    ratings: NDArray[np.int64],
    past: Past,
) -> tuple[NDArray[np.uint16], NDArray[np.int16]]:
    """uint16[m, SLOTS] and int16[m, COLUMNS]: the features of all legal moves but openings, and their values.

    For the arguments see `chances_and_values`.
    """
    if not hasattr(_LOCAL, "judge"):
        _LOCAL.judge, _LOCAL.table = make_judge(), np.zeros(TABLE_WORDS, np.uint64)
    tables = as_array(board_tables())
    features = np.zeros((len(moves), SLOTS), np.uint16)
    values = np.zeros((len(moves), COLUMNS), np.int16)
    history = past.last_moves, past.own_moves, past.last_captures
    fill_features(positions, tables, offsets, moves, *history, features)
    judge, table = as_array(_LOCAL.judge.record), _LOCAL.table
    fill_values(positions, judge, tables, table, offsets, moves, ratings >= STRONG, values)
    fill_value_classes(offsets, values, features)
    return features, values


def chances_and_values(
    positions: Any,
    offsets: NDArray[np.int64],
    moves: NDArray[np.uint16],
    ratings: NDArray[np.int64],
    past: Past,
    *,
    in_play: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.int16]]:
    """float64[m], int16[m]: the chance of each legal move, and what it is worth in centipawns for the side to move.

    positions: POSITION[n]. offsets, moves: int64[n + 1], uint16[m], the legal moves. ratings: int64[n], on the scale of
    Lichess. past: the moves before. in_play: at the temperatures of levels, not at 1, people's own chances.
    """
    features, values = features_and_values(positions, offsets, moves, ratings, past)
    ranker, none = read_ranker(), np.full(len(positions), -1)
    fill_opening_classes(positions, as_array(ranker), offsets, moves, ratings, none, features)
    temperatures = temperatures_in_play(ratings, offsets, values) if in_play else np.ones(len(positions))
    return ranked(ranker, positions, offsets, features, ratings, temperatures), values_of(values)


def ranked(
    ranker: Any,
    positions: Any,
    offsets: NDArray[np.int64],
    features: NDArray[np.uint16],
    ratings: NDArray[np.int64],
    temperatures: NDArray[np.float64],
) -> NDArray[np.float64]:
    """float64[m]: the chance of each legal move by its features. temperatures: float64[n]."""
    chances = np.zeros(len(features))
    fill_scores(positions, as_array(ranker), offsets, features, ratings, np.zeros((2, HIDDEN), np.int32), chances)
    fill_chances(offsets, temperatures, chances)
    return chances


def temperatures_in_play(
    ratings: NDArray[np.int64], offsets: NDArray[np.int64], values: NDArray[np.int16]
) -> NDArray[np.float64]:
    """float64[n]: the temperatures of levels. values: int16[m, COLUMNS], of all moves of positions that have some."""
    can_mate = np.logical_or.reduceat(values[:, SHALLOW] == MATE - 1, offsets[:-1])
    pairs = zip(ratings.tolist(), can_mate.tolist(), strict=True)
    return np.array([temperature_of(rating, is_near) for rating, is_near in pairs])


def nodes_of_values() -> int:
    """How many nodes the values of the last position took that this thread has judged."""
    return int(_LOCAL.judge.record["nodes"])


def values_of(values: NDArray[np.int16]) -> NDArray[np.int16]:
    """int16[m]: of the values of the searches of each move, the deepest."""
    found = values[:, SHALLOW]
    for column in (DEEP, DEEPER):
        found = np.where(values[:, column] == UNSEARCHED, found, values[:, column])
    return found
