"""How good moves are: chances to win, accuracy, inaccuracies, mistakes and blunders, by the rules of Lichess.

Sources: https://lichess.org/page/accuracy; WinPercent in scalachess (core/src/main/scala/eval.scala); in lila
AccuracyPercent and AccuracyCP (modules/analyse/src/main), and Advice (modules/tree/src/main).
"""

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from ox88.apps.analyse.records import PlayerRecord
from ox88.engines.base import Score

CEILING: Final = 1000  # Centipawns. A larger advantage, or a forced mate, counts as this.
_STEEPNESS: Final = 0.00368208  # Lichess fitted the curve to rapid games between players rated 2300.
_SCALE: Final = 103.1668100711649  # Lichess's curve from the loss of winning chances to accuracy.
_DECAY: Final = 0.04354415386753951
_OFFSET: Final = -3.166924740191411
_BONUS: Final = 1.0  # Added to each accuracy, because the engine's analysis is not perfect either.
_MIN_WINDOW, _MAX_WINDOW = 2, 8  # Positions: a tenth of the game, within these bounds.
_MIN_WEIGHT, _MAX_WEIGHT = 0.5, 12.0
_MIN_HARMONIC: Final = 1.0  # A lower accuracy counts as this in the harmonic mean, which is not defined at 0.

Judgement = Literal["inaccuracy", "mistake", "blunder"]
_MIN_LOSSES: Final[tuple[tuple[float, Judgement], ...]] = ((0.3, "blunder"), (0.2, "mistake"), (0.1, "inaccuracy"))
# If the game is decided by more centipawns than this anyway, allowing or missing a mate is a smaller error.
_DECIDED: Final[tuple[tuple[int, Judgement], ...]] = ((999, "inaccuracy"), (700, "mistake"))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of a position from White's view.

    centipawns: CEILING or -CEILING if a mate is forced. mate: moves to mate, negative if White is mated, 0 if the
    position is checkmate; None if no mate is forced.
    """

    centipawns: int
    mate: int | None = None

    @classmethod
    def from_score(cls, score: Score, white_to_move: bool) -> "Evaluation":
        """Convert an engine's score, which is from the view of the side to move."""
        sign = 1 if white_to_move else -1
        if score.mate is not None:
            return cls(sign * (CEILING if score.mate > 0 else -CEILING), sign * score.mate)
        return cls(sign * (score.centipawns or 0))

    @property
    def clamped(self) -> int:
        """Centipawns between -CEILING and CEILING."""
        return min(max(self.centipawns, -CEILING), CEILING)

    @property
    def win_percent(self) -> float:
        """White's expected score in percent."""
        return 50 + 50 * winning_chances(self.clamped)

    def relative(self, white: bool) -> "Evaluation":
        """The evaluation from the view of one player."""
        return self if white else Evaluation(-self.centipawns, None if self.mate is None else -self.mate)


def winning_chances(centipawns: int) -> float:
    """From -1 (certainly lost) to 1 (certainly won)."""
    return 2 / (1 + math.exp(-_STEEPNESS * centipawns)) - 1


class Assessment(NamedTuple):
    """What a game's evaluations say: the accuracy of each move in percent, which moves are errors, and both players."""

    accuracies: list[float]
    judgements: list[Judgement | None]
    white: PlayerRecord
    black: PlayerRecord


def assess(evaluations: Sequence[Evaluation], played_best: Sequence[bool], white_begins: bool) -> Assessment:
    """Assess the moves of a game. The engine's own choice is never an error, whatever a deeper look shows.

    evaluations: of the position before the first move and of the position after each move. played_best: for each move,
    True if it is the engine's choice.
    """
    steps = [
        (before.relative(white), after.relative(white))  # From the mover's view.
        for (before, after), white in zip(
            itertools.pairwise(evaluations), itertools.cycle((white_begins, not white_begins)), strict=False
        )
    ]
    accuracies = [move_accuracy(before.win_percent, after.win_percent) for before, after in steps]
    weights = swings([evaluation.win_percent for evaluation in evaluations])
    losses = [max(before.clamped - after.clamped, 0) for before, after in steps]
    judgements = [None if is_best else judge(*step) for step, is_best in zip(steps, played_best, strict=True)]

    def player(first: int) -> PlayerRecord:
        errors = judgements[first::2]
        return {
            "accuracy": _player_accuracy(accuracies[first::2], weights[first::2]),
            "acpl": math.floor(statistics.fmean(losses[first::2]) + 0.5) if losses[first::2] else None,
            "inaccuracies": errors.count("inaccuracy"),
            "mistakes": errors.count("mistake"),
            "blunders": errors.count("blunder"),
        }

    return Assessment(accuracies, judgements, player(0 if white_begins else 1), player(1 if white_begins else 0))


def judge(before: Evaluation, after: Evaluation) -> Judgement | None:
    """The kind of error that a move between two positions is, or None. Evaluations are from the mover's view."""
    if before.mate is None and after.mate is None:
        loss = winning_chances(before.centipawns) - winning_chances(after.centipawns)
        return next((judgement for minimum, judgement in _MIN_LOSSES if loss >= minimum), None)
    if before.mate is None and after.mate is not None and after.mate < 0:  # The move allows a mate.
        return _judge_mate(-before.centipawns)
    if before.mate is not None and before.mate > 0 and (after.mate is None or after.mate < 0):  # It misses a mate.
        return _judge_mate(after.centipawns if after.mate is None else 0)
    return None


def _judge_mate(centipawns: int) -> Judgement:
    """The kind of an error with a mate. centipawns: how clearly the game is decided without the mate."""
    return next((judgement for bound, judgement in _DECIDED if centipawns > bound), "blunder")


def move_accuracy(before: float, after: float) -> float:
    """The accuracy in percent of a move that changes the mover's winning chances, which are in percent too."""
    if after >= before:
        return 100.0
    accuracy = _SCALE * math.exp(-_DECAY * (before - after)) + _OFFSET + _BONUS
    return min(max(accuracy, 0.0), 100.0)


def swings(chances: Sequence[float]) -> list[float]:
    """How much White's chances vary around each move: the standard deviation in a window that ends soon after it."""
    count = len(chances) - 1
    size = min(max(count // 10, _MIN_WINDOW), _MAX_WINDOW)
    ends = (max(number + 2, size) for number in range(count))
    return [min(max(statistics.pstdev(chances[end - size : end]), _MIN_WEIGHT), _MAX_WEIGHT) for end in ends]


def _player_accuracy(accuracies: Sequence[float], weights: Sequence[float]) -> float | None:
    """The average of a mean weighted by the swing around each move, and the harmonic mean, which stresses blunders.

    It has two decimal places, so that all outputs, which show fewer, round one number.
    """
    if not accuracies:
        return None
    weighted = sum(map(lambda accuracy, weight: accuracy * weight, accuracies, weights)) / sum(weights)
    harmonic = len(accuracies) / sum(1 / max(accuracy, _MIN_HARMONIC) for accuracy in accuracies)
    return round((weighted + harmonic) / 2, 2)
