"""Which moves are inaccuracies, mistakes and blunders: those that lose much of the chance to win, or a forced mate.

The rules are Lichess's, from lila's Advice.scala (modules/tree/src/main).
"""

from enum import Enum
from typing import Final

import chess.pgn

from ox88.apps.analyse.evaluation import Evaluation, winning_chances


class Judgement(Enum):
    """What to call a bad move."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def nag(self) -> int:
        """The numeric annotation glyph of PGN: ?!, ? and ??."""
        return _NAGS[self]


_NAGS: Final = {
    Judgement.INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE,
    Judgement.MISTAKE: chess.pgn.NAG_MISTAKE,
    Judgement.BLUNDER: chess.pgn.NAG_BLUNDER,
}
_LOSSES: Final = ((0.3, Judgement.BLUNDER), (0.2, Judgement.MISTAKE), (0.1, Judgement.INACCURACY))  # From -1 to 1.
_HOPELESS: Final = ((999, Judgement.INACCURACY), (700, Judgement.MISTAKE))  # Centipawns beyond which a mate ...
# ... that comes, or is missed, changes less.


def judge(before: Evaluation, after: Evaluation, white: bool) -> Judgement | None:
    """What to call the move of a player between two positions, if it deserves a name."""
    before, after = before.seen_by(white), after.seen_by(white)
    if before.mate is None and after.mate is None:
        return _judge_loss(winning_chances(before.centipawns) - winning_chances(after.centipawns))
    if before.mate is None and after.mate is not None and after.mate < 0:  # A mate is allowed.
        return _judge_mate(-before.centipawns)
    if before.mate is not None and before.mate > 0 and (after.mate is None or after.mate < 0):  # A mate is missed.
        return _judge_mate(after.centipawns if after.mate is None else 0)
    return None


def _judge_loss(loss: float) -> Judgement | None:
    return next((judgement for least, judgement in _LOSSES if loss >= least), None)


def _judge_mate(centipawns: int) -> Judgement:
    """centipawns: how clearly the game is decided without the mate."""
    return next((judgement for bound, judgement in _HOPELESS if centipawns > bound), Judgement.BLUNDER)
