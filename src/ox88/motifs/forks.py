"""Forks: one piece attacks two or more at once."""

from typing import Final

import chess

from ox88.motifs.exchanges import is_in_danger, is_protected, takers, value_at
from ox88.motifs.line import Finder, Line, Motif, Step, scan


def fork(line: Line) -> Motif | None:
    """A move, not the last, after which the piece that moved can win each of two pieces, and cannot be taken itself.

    It wins the king, pieces of more worth than its own, and unprotected ones that do not attack it in turn.
    """
    for step in line.own_steps[:-1]:
        targets = _targets(step)
        if len(targets) > 1 and not is_in_danger(step.after, step.move.to_square):
            return Motif("fork", step.number, (step.move.to_square, *targets))
    return None


def _targets(step: Step) -> list[chess.Square]:
    board, square = step.after, step.move.to_square
    if board.kings & chess.BB_SQUARES[square]:
        return []
    worth = value_at(board, square)
    attacked = board.attacks_mask(square) & board.occupied_co[board.turn] & ~board.pawns
    if attacked.bit_count() < 2:
        return []
    return [
        target
        for target in scan(attacked)
        if value_at(board, target) > worth
        or not (is_protected(board, target) or takers(board, square) & chess.BB_SQUARES[target])
    ]


FINDERS: Final[dict[str, Finder]] = {"fork": fork}
