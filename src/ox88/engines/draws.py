"""When an engine accepts a draw that is offered."""

from collections.abc import Sequence
from typing import Final

from ox88.engines.base import Score

DRAWN_MOVES: Final = 3  # In this many moves on end the engine must have seen no more than a draw.


def accepts_draw(scores: Sequence[Score]) -> bool:
    """True if an engine accepts. scores: what it saw at each of its moves in the game, the last at the end."""
    last = scores[-DRAWN_MOVES:]
    return len(last) == DRAWN_MOVES and not any(map(_is_better_than_draw, last))


def _is_better_than_draw(score: Score) -> bool:
    return ((score.centipawns if score.mate is None else score.mate) or 0) > 0
