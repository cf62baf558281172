"""Indirect tactics: a bait makes a piece leave, come, or take, and the solver's next move is a blow at a target.

Defenders are captured, deflected or cut off; pieces are offered, drawn to a bad square, or get out of the way; moves
come in between, or the opponent must move.
"""

from collections.abc import Iterator
from typing import Final

import chess

from ox88.motifs.exchanges import guards, is_in_danger, is_protected
from ox88.motifs.line import VALUES, Finder, Line, Motif, RoundFinder, Squares, Step

_LOSS: Final = 2  # Pawns, that a sacrifice costs at least.


def capturing_defender(_: Line, bait: Step, reply: Step, blow: Step) -> Squares | None:
    """The bait captures a defender of the target, which is then captured for nothing or mated on."""
    square, target = bait.move.to_square, blow.move.to_square
    if bait.captured is None or square == blow.move.from_square or target == reply.move.to_square:
        return None
    if bait.before.is_check() or bait.after.is_check() or not guards(bait.before, square, target):
        return None
    falls = blow.after.is_checkmate() or (_is_free(blow) and _needs_no_guard(blow))
    return (square, target) if falls else None


def deflection(_: Line, bait: Step, reply: Step, blow: Step) -> Squares | None:
    """The reply takes an offer or answers a check, and its piece no longer guards the target."""
    guard, target, takes = reply.move.from_square, blow.move.to_square, reply.move.to_square == bait.move.to_square
    is_offer = bait.captured is None or VALUES[bait.captured] < VALUES[bait.piece]
    if not is_offer or not (takes or bait.after.is_check()) or target == reply.move.to_square:
        return None
    guarded = guards(bait.after, guard, target)
    if blow.move.promotion:  # The guard may attack the pawn, or its target through it.
        strikes = guarded or guards(bait.after, guard, blow.move.from_square)
    else:
        strikes = guarded and (_needs_no_guard(blow) or (takes and blow.after.is_checkmate()))
    return (guard, target) if strikes and not guards(blow.before, reply.move.to_square, target) else None


def interference(line: Line) -> Iterator[Motif]:
    """The bait, or the reply itself, cuts the target off from a line piece; nothing else protects it."""
    for bait, reply, blow in line.rounds:
        target = blow.move.to_square
        if reply.move.to_square == target or not _is_free(blow):
            continue
        for step in (bait, reply):
            for defender in step.before.attackers(not line.solver, target):
                if chess.between(target, defender) & chess.BB_SQUARES[step.move.to_square]:
                    yield Motif("interference", step.number, (defender, target))
                    return


def _is_free(capture: Step) -> bool:
    """Whether a move captures a piece that nothing protects."""
    return capture.captured is not None and not is_protected(capture.before, capture.move.to_square)


def _needs_no_guard(capture: Step) -> bool:
    """Whether a move captures a piece that is worth no more than itself, so that a guard would spoil it."""
    return capture.captured is not None and VALUES[capture.captured] <= VALUES[capture.piece]


def sacrifice(line: Line, _: Step, reply: Step, blow: Step) -> Squares | None:
    """A capture leaves the solver with less material than at first, also after the next move."""
    is_loss = line.balances[0] - line.balances[blow.number + 1] >= _LOSS
    return (reply.move.to_square,) if is_loss and not any(step.move.promotion for step in line.replies) else None


def attraction(line: Line, bait: Step, reply: Step, blow: Step) -> Squares | None:
    """A king, queen or rook takes an offered piece, and is then checked or won on its square."""
    square, then = bait.move.to_square, line.next_own(blow)
    if reply.move.to_square != square or reply.piece not in (chess.ROOK, chess.QUEEN, chess.KING):
        return None
    is_hit = reply.piece == chess.KING or (then is not None and then.move.to_square == square)
    return (square,) if is_hit and guards(blow.after, blow.move.to_square, square) else None


def clearance(_: Line, bait: Step, reply: Step, blow: Step) -> Squares | None:
    """A piece offers itself or just leaves, and a line piece moves to its square or across it."""
    cleared, start, target = bait.move.from_square, blow.move.from_square, blow.move.to_square
    if blow.captured or blow.piece not in (chess.BISHOP, chess.ROOK, chess.QUEEN) or bait.move.to_square == start:
        return None
    if blow.before.is_check() or (blow.after.is_check() and reply.piece == chess.KING):
        return None
    way = chess.between(start, target) | chess.BB_SQUARES[target]
    offered = bait.captured is None or is_in_danger(bait.after, bait.move.to_square)
    return (cleared, target) if offered and way & chess.BB_SQUARES[cleared] else None


def intermezzo(line: Line, bait: Step, reply: Step, blow: Step) -> Squares | None:
    """A capture back, possible at once, is made a move later, though the reply takes no guard off its square."""
    square, before = blow.move.to_square, line.steps[bait.number - 1] if bait.number else line.previous
    if before is None or before.captured is None or before.move.to_square != square:
        return None
    is_late = not guards(bait.after, reply.move.from_square, square) and bait.before.is_legal(blow.move)
    return (square,) if is_late else None


def zugzwang(_: Line, calm: Step, reply: Step, blow: Step) -> Squares | None:
    """A king with nothing but pawns must move, and no longer guards the square of the solver's next move."""
    board, square, target = calm.after, reply.move.from_square, blow.move.to_square
    others = board.occupied_co[board.turn] & ~board.pawns & ~board.kings
    if others or calm.captured or board.is_check() or reply.captured or reply.piece != chess.KING:
        return None
    leaves = guards(board, square, target) and not guards(reply.after, reply.move.to_square, target)
    return (square, target) if leaves else None


ROUNDS: Final[dict[str, RoundFinder]] = {
    "capturingDefender": capturing_defender,
    "deflection": deflection,
    "sacrifice": sacrifice,
    "attraction": attraction,
    "clearance": clearance,
    "intermezzo": intermezzo,
    "zugzwang": zugzwang,
}
LINES: Final[tuple[Finder, ...]] = (interference,)
