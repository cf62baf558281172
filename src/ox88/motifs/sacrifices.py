"""Sacrifices: of material, to attract a piece to a bad square, and to clear the way."""

from typing import Final

import chess

from ox88.motifs.exchanges import guards, is_in_danger
from ox88.motifs.line import Finder, Line, Motif

_LOSS: Final = 2  # Pawns.


def sacrifice(line: Line) -> Motif | None:
    """A capture leaves the solver with less material than at first, also after the next move."""
    if any(reply.move.promotion for reply in line.replies):
        return None
    for bait, reply, blow in line.rounds:
        if line.balances[0] - line.balances[blow.number + 1] >= _LOSS:
            return Motif("sacrifice", bait.number, (reply.move.to_square,))
    return None


def attraction(line: Line) -> Motif | None:
    """A king, queen or rook takes an offered piece, and is checked or won where it stands then."""
    for bait, reply, blow in line.rounds:
        square = bait.move.to_square
        if reply.move.to_square != square or reply.piece not in (chess.ROOK, chess.QUEEN, chess.KING):
            continue
        won = any(step.move.to_square == square for step in line.steps[blow.number + 2 : blow.number + 3])
        if (won or reply.piece == chess.KING) and guards(blow.after, blow.move.to_square, square):
            return Motif("attraction", bait.number, (square,))
    return None


def clearance(line: Line) -> Motif | None:
    """A piece offers itself or just leaves, and a line piece moves to its square or across it."""
    for bait, reply, blow in line.rounds:
        cleared, start, target = bait.move.from_square, blow.move.from_square, blow.move.to_square
        if blow.captured or blow.piece not in (chess.BISHOP, chess.ROOK, chess.QUEEN):
            continue
        if blow.before.is_check() or (blow.after.is_check() and reply.piece == chess.KING):
            continue
        way = chess.between(start, target) | chess.BB_SQUARES[target]
        offered = bait.captured is None or is_in_danger(bait.after, bait.move.to_square)
        if offered and way & chess.BB_SQUARES[cleared] and bait.move.to_square != start:
            return Motif("clearance", bait.number, (cleared, target))
    return None


FINDERS: Final[dict[str, Finder]] = {"sacrifice": sacrifice, "attraction": attraction, "clearance": clearance}
