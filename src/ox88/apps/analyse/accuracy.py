"""How accurate moves and players are, from 0 to 100 percent, by Lichess's formulas.

They are explained at https://lichess.org/page/accuracy; the details follow lila's AccuracyPercent.scala and
AccuracyCP.scala (modules/analyse/src/main).
"""

import itertools
import math
import statistics
from collections.abc import Sequence
from typing import Final

_SCALE: Final = 103.1668100711649  # The exponential curve that Lichess fitted to what it wants of losses of chances.
_DECAY: Final = 0.04354415386753951
_OFFSET: Final = -3.166924740191411
_BONUS: Final = 1.0  # For an analysis that is not perfect either.
_LEAST_WINDOW, _LARGEST_WINDOW = 2, 8  # Positions that are looked at together; a tenth of the game between.
_LEAST_WEIGHT, _LARGEST_WEIGHT = 0.5, 12.0
_LEAST_HARMONIC: Final = 1.0  # An accuracy below counts as this in the harmonic mean, which has no place for 0.


def move_accuracy(before: float, after: float) -> float:
    """Of a move that changes the mover's chance to win, in percent."""
    if after >= before:
        return 100.0
    accuracy = _SCALE * math.exp(-_DECAY * (before - after)) + _OFFSET + _BONUS
    return min(max(accuracy, 0.0), 100.0)


def move_accuracies(chances: Sequence[float], white_begins: bool) -> list[float]:
    """Of each move. chances: White's, in percent, before the first move and after each."""
    return [
        move_accuracy(before, after) if (number % 2 == 0) == white_begins else move_accuracy(after, before)
        for number, (before, after) in enumerate(itertools.pairwise(chances))
    ]


def game_accuracy(chances: Sequence[float], white_begins: bool) -> tuple[float | None, float | None]:
    """Of White and of Black over a game; None without a move. chances: as above.

    The mean of two means of a player's moves: one weighs a move by how much the chances swing around it, and the
    harmonic one lets a single blunder tell.
    """
    moves = list(zip(move_accuracies(chances, white_begins), swings(chances), strict=True))
    first, second = _player_accuracy(moves[::2]), _player_accuracy(moves[1::2])
    return (first, second) if white_begins else (second, first)


def swings(chances: Sequence[float]) -> list[float]:
    """How much the chances vary around each move: the standard deviation in a window that ends soon after it."""
    count = len(chances) - 1
    size = min(max(count // 10, _LEAST_WINDOW), _LARGEST_WINDOW)
    ends = (max(number + 2, size) for number in range(count))
    return [min(max(statistics.pstdev(chances[end - size : end]), _LEAST_WEIGHT), _LARGEST_WEIGHT) for end in ends]


def _player_accuracy(moves: Sequence[tuple[float, float]]) -> float | None:
    """moves: accuracy and weight of each."""
    if not moves:
        return None
    weighted = sum(accuracy * weight for accuracy, weight in moves) / sum(weight for _, weight in moves)
    harmonic = len(moves) / sum(1 / max(accuracy, _LEAST_HARMONIC) for accuracy, _ in moves)
    return (weighted + harmonic) / 2


def centipawn_loss(ceiled: Sequence[int], white_begins: bool) -> tuple[int | None, int | None]:
    """The average loss a move of White and of Black; None without a move.

    ceiled: White's centipawns, within the ceiling, before the first move and after each.
    """
    sign = 1 if white_begins else -1
    rises = [sign * (after - before) for before, after in itertools.pairwise(ceiled)]  # For the side that begins.
    first = _rounded_mean([max(-rise, 0) for rise in rises[::2]])
    second = _rounded_mean([max(rise, 0) for rise in rises[1::2]])
    return (first, second) if white_begins else (second, first)


def _rounded_mean(numbers: Sequence[int]) -> int | None:
    return math.floor(sum(numbers) / len(numbers) + 0.5) if numbers else None
