"""Choosing a move as people of a rating do."""

import random
import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ox88.bitboard.bits import NO_SQUARES, without_lowest
from ox88.engines.base import Info
from ox88.engines.modern.human.policy import Past, chances_and_values, nodes_of_values
from ox88.engines.modern.human.values import SEARCHES, STRONG
from ox88.engines.modern.thread import Line

ALL_BY_SEARCH: Final = 1500  # From this rating on, a lone king is always mated by search, ...
NONE_BY_SEARCH: Final = 700  # ... and up to this one never.


def make_dice(seed: int, key: int) -> random.Random:
    """Random numbers for a position, equal on every machine; for the seed 0 others each time."""
    return random.Random(f"{seed} {key}" if seed else None)  # noqa: S311 - a game needs no secrets.


def plays_by_search(position: Any, rating: int, dice: random.Random) -> bool:
    """True where one side has only its king, more often the higher the rating: people learn to mate by rule."""
    has_lone_king = any(without_lowest(colour) == NO_SQUARES for colour in position.colours)
    share = (rating - NONE_BY_SEARCH) / (ALL_BY_SEARCH - NONE_BY_SEARCH)
    return bool(has_lone_king) and dice.random() < share


def likeliest(position: Any, moves: Sequence[int], past: Past, rating: int) -> list[tuple[int, float]]:
    """All legal moves with the share of people of a rating who play them, the likeliest first."""
    chances, _ = _judge(position, moves, past, rating)
    return sorted(zip(moves, chances.tolist(), strict=True), key=lambda each: -each[1])


def _judge(position: Any, moves: Sequence[int], past: Past, rating: int, *, in_play: bool = False) -> tuple[Any, Any]:
    places, some = np.array([0, len(moves)]), np.array(moves, np.uint16)
    array = np.array([position]).view(np.recarray)
    return chances_and_values(array, places, some, np.array([rating]), past, in_play=in_play)


def choose(
    position: Any, moves: Sequence[int], past: Past, rating: int, dice: random.Random
) -> list[tuple[Line, float]]:
    """A move by chance, then the others, the likeliest first: each a line with its value, and its chance.

    position: a POSITION record. moves: those to choose from, all legal.
    """
    chances, values = _judge(position, moves, past, rating, in_play=True)
    depth = 1 + int(SEARCHES[int(rating >= STRONG), -1, 0])
    first = dice.choices(range(len(moves)), chances.tolist())[0]
    others = sorted((place for place in range(len(moves)) if place != first), key=lambda place: -chances[place])
    return [(Line(depth, int(values[place]), (moves[place],)), float(chances[place])) for place in (first, *others)]


def infos_of(lines: list[tuple[Line, float]], started: float) -> list[Info]:
    """What the engine says of the choice that it has just made, the move to play last."""
    elapsed, nodes = time.perf_counter() - started, nodes_of_values()
    found = [
        Info(line.depth, line.score, nodes, elapsed, line.moves, multipv=number, outcomes=line.outcomes)
        for number, (line, _) in enumerate(lines, 1)
    ]
    return [*found[1:], found[0]]
