"""Tempo: moves in between, quiet moves, defensive moves and zugzwang."""

from typing import Final

import chess

from ox88.motifs.exchanges import guards
from ox88.motifs.line import Finder, Line, Motif, Step

_CHOICE: Final = 3  # Legal moves, at least, for a move that is found and not forced.
_FAR_RANKS: Final = ((0, 1, 2), (5, 6, 7))  # Of pawns of either colour.


def intermezzo(line: Line) -> Motif | None:
    """A capture back, possible at once, is made a move later, though the reply takes no guard off its square."""
    for bait, reply, blow in line.rounds:
        square = blow.move.to_square
        before = line.steps[bait.number - 1] if bait.number else line.previous
        if before is None or before.captured is None or before.move.to_square != square:
            continue
        if not guards(bait.after, reply.move.from_square, square) and bait.before.is_legal(blow.move):
            return Motif("intermezzo", bait.number, (square,))
    return None


def quiet_move(line: Line) -> Motif | None:
    """A piece, or a pawn not far advanced, threatens nothing at once, and the line goes on."""
    for step in line.own_steps[:-1]:
        if _is_calm(step) and step.piece != chess.KING and not step.before.is_check():
            return Motif("quietMove", step.number, (step.move.to_square,))
    return None


def defensive_move(line: Line) -> Motif | None:
    """The line ends calmly, or a check is parried calmly, and there were other moves."""
    for step in line.own_steps:
        is_last = step.number == len(line.steps) - 1
        if _is_calm(step) and (is_last or step.before.is_check()) and step.before.legal_moves.count() >= _CHOICE:
            return Motif("defensiveMove", step.number, (step.move.to_square,))
    return None


def zugzwang(line: Line) -> Motif | None:
    """A king with nothing but pawns must move, and no longer guards the square of the solver's next move."""
    for calm, reply, blow in line.rounds:
        board, square, target = calm.after, reply.move.from_square, blow.move.to_square
        others = board.occupied_co[board.turn] & ~board.pawns & ~board.kings
        if others or calm.captured or board.is_check() or reply.captured or reply.piece != chess.KING:
            continue
        if guards(board, square, target) and not guards(reply.after, reply.move.to_square, target):
            return Motif("zugzwang", calm.number, (square, target))
    return None


def _is_calm(step: Step) -> bool:
    """Whether a move captures, checks and attacks nothing, and advances no pawn far."""
    advances = step.piece == chess.PAWN and chess.square_rank(step.move.to_square) in _FAR_RANKS[step.before.turn]
    if step.captured or advances or step.after.is_check():
        return False
    return not step.after.attacks_mask(step.move.to_square) & step.after.occupied_co[step.after.turn]


FINDERS: Final[dict[str, Finder]] = {
    "intermezzo": intermezzo,
    "quietMove": quiet_move,
    "defensiveMove": defensive_move,
    "zugzwang": zugzwang,
}
