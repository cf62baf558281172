"""Moves of a special kind: promotions, far advanced pawns, en passant and castling."""

from collections.abc import Callable
from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif, Step


def _any_move(theme: str, is_such: Callable[[Step], bool]) -> Finder:
    """The finder of the first move of the solver that is of this kind."""

    def find(line: Line) -> Motif | None:
        step = next((step for step in line.own_steps if is_such(step)), None)
        return step and Motif(theme, step.number, (step.move.to_square,))

    return find


def _advances_pawn(step: Step) -> bool:
    """Whether a pawn comes to its last rank or the one before."""
    return step.piece == chess.PAWN and chess.square_rank(step.move.to_square) in ((1, 0), (6, 7))[step.before.turn]


_KINDS: Final[dict[str, Callable[[Step], bool]]] = {
    "promotion": lambda step: step.move.promotion is not None,
    "underPromotion": lambda step: step.move.promotion not in (None, chess.QUEEN),
    "advancedPawn": _advances_pawn,
    "enPassant": lambda step: step.before.is_en_passant(step.move),
    "castling": lambda step: step.before.is_castling(step.move),
}
FINDERS: Final[dict[str, Finder]] = {theme: _any_move(theme, is_such) for theme, is_such in _KINDS.items()}
