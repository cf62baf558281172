"""What the searches of a game say of its moves and players."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from ox88.apps.analyse.accuracy import centipawn_loss, game_accuracy, move_accuracies
from ox88.apps.analyse.judgement import Judgement, judge
from ox88.apps.analyse.search import Searched


@dataclass(frozen=True, slots=True)
class Player:
    """A side's accuracy in percent and average centipawn loss, None without a move, and its bad moves by kind.

    The accuracy has two places: outputs that show fewer round the same number, and show the same.
    """

    accuracy: float | None
    centipawn_loss: int | None
    counts: Counter[Judgement]


@dataclass(frozen=True, slots=True)
class Verdict:
    """By move, the accuracy in percent and what to call it, if anything; and both players."""

    accuracies: tuple[float, ...]
    judgements: tuple[Judgement | None, ...]
    white: Player
    black: Player


def sum_up(searched: Sequence[Searched], moves: Sequence[chess.Move], white_begins: bool) -> Verdict:
    """searched: the position before the first move, and after each."""
    chances = [position.evaluation.win_percent for position in searched]
    ceiled = [position.evaluation.ceiled for position in searched]
    judgements = _judgements(searched, moves, white_begins)
    accuracy, loss = game_accuracy(chances, white_begins), centipawn_loss(ceiled, white_begins)
    players = [
        Player(_rounded(accuracy[side]), loss[side], Counter(filter(None, judgements[first::2])))
        for side, first in ((0, 0 if white_begins else 1), (1, 1 if white_begins else 0))
    ]
    return Verdict(tuple(move_accuracies(chances, white_begins)), judgements, *players)


def _rounded(accuracy: float | None) -> float | None:
    return None if accuracy is None else round(accuracy, 2)


def _judgements(
    searched: Sequence[Searched], moves: Sequence[chess.Move], white_begins: bool
) -> tuple[Judgement | None, ...]:
    """What the engine would have played itself is not called bad, whatever came of it."""
    return tuple(
        None if before.best == move else judge(before.evaluation, after.evaluation, (number % 2 == 0) == white_begins)
        for number, (before, after, move) in enumerate(zip(searched, searched[1:], moves, strict=False))
    )
