"""Defenders: captured, deflected, or cut off from what they defend.

In each round of a line the first move is a bait, and the solver's next move a blow at a target.
"""

from typing import Final

import chess

from ox88.motifs.exchanges import guards, is_protected
from ox88.motifs.line import VALUES, Finder, Line, Motif, Step


def capturing_defender(line: Line) -> Motif | None:
    """The bait captures a defender of the target, which is then captured for nothing or mated on."""
    for bait, reply, blow in line.rounds:
        square, target = bait.move.to_square, blow.move.to_square
        if bait.captured is None or square == blow.move.from_square or target == reply.move.to_square:
            continue
        if bait.before.is_check() or bait.after.is_check() or not guards(bait.before, square, target):
            continue
        if blow.after.is_checkmate() or (_is_free(blow) and _needs_no_guard(blow)):
            return Motif("capturingDefender", bait.number, (square, target))
    return None


def deflection(line: Line) -> Motif | None:
    """The reply takes an offer or answers a check, and its piece no longer guards the target."""
    for bait, reply, blow in line.rounds:
        guard, target, takes = reply.move.from_square, blow.move.to_square, reply.move.to_square == bait.move.to_square
        is_offer = bait.captured is None or VALUES[bait.captured] < VALUES[bait.piece]
        if not is_offer or not (takes or bait.after.is_check()) or target == reply.move.to_square:
            continue
        guarded = guards(bait.after, guard, target)
        if blow.move.promotion:  # The guard may attack the pawn, or its target through it.
            strikes = guarded or guards(bait.after, guard, blow.move.from_square)
        else:
            strikes = guarded and (_needs_no_guard(blow) or (takes and blow.after.is_checkmate()))
        if strikes and not guards(blow.before, reply.move.to_square, target):
            return Motif("deflection", bait.number, (guard, target))
    return None


def interference(line: Line) -> Motif | None:
    """The bait, or the reply itself, cuts the target off from a line piece; nothing else protects it."""
    for bait, reply, blow in line.rounds:
        target = blow.move.to_square
        if reply.move.to_square == target or not _is_free(blow):
            continue
        for step in (bait, reply):
            for defender in step.before.attackers(not line.solver, target):
                if chess.between(target, defender) & chess.BB_SQUARES[step.move.to_square]:
                    return Motif("interference", step.number, (defender, target))
    return None


def _is_free(capture: Step) -> bool:
    """Whether a move captures a piece that nothing protects."""
    return capture.captured is not None and not is_protected(capture.before, capture.move.to_square)


def _needs_no_guard(capture: Step) -> bool:
    """Whether a move captures a piece that is worth no more than itself, so that a guard would spoil it."""
    return capture.captured is not None and VALUES[capture.captured] <= VALUES[capture.piece]


FINDERS: Final[dict[str, Finder]] = {
    "capturingDefender": capturing_defender,
    "deflection": deflection,
    "interference": interference,
}
