"""Pieces that are lost where they stand: hanging ones, and trapped ones."""

from typing import Final

import chess

from ox88.motifs.exchanges import is_protected, is_trapped, value_at
from ox88.motifs.line import VALUES, Finder, Line, Motif


def hanging_piece(line: Line) -> Motif | None:
    """The first move takes an unprotected piece and keeps what it takes. To retake is no such gain."""
    first, previous = line.steps[0], line.previous
    square = first.move.to_square
    worth = value_at(first.before, square)
    if worth <= VALUES[chess.PAWN] or is_protected(first.before, square):
        return None
    if previous and previous.move.to_square == square and value_at(previous.before, square) >= worth:
        return None
    kept = len(line.steps) < 3 or line.balances[3] >= line.balances[1]
    return Motif("hangingPiece", 0, (square,)) if kept else None


def trapped_piece(line: Line) -> Motif | None:
    """The solver takes a piece that was in danger before the reply, whichever way it could have gone."""
    for _, reply, then in line.rounds:
        taken = then.move.to_square
        if value_at(then.before, taken) > VALUES[chess.PAWN]:
            square = reply.move.from_square if reply.move.to_square == taken else taken
            if is_trapped(reply.before, square):
                return Motif("trappedPiece", reply.number - 1, (square,))
    return None


FINDERS: Final[dict[str, Finder]] = {"hangingPiece": hanging_piece, "trappedPiece": trapped_piece}
