"""Line pieces and what stands in their way: pins, skewers, discovered attacks and checks, x-rays."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

import chess

from ox88.motifs.exchanges import is_attacked_by_lesser, is_in_danger, is_protected, value_at
from ox88.motifs.line import VALUES, Finder, Line, Motif, Step, scan


def pin(line: Line) -> Motif | None:
    """A piece that is pinned to its king cannot take what it attacks, or cannot get away; and the line makes use of it.

    It does if a move pins the piece, offers what the piece cannot take, or prepares to take the piece itself.
    """
    for step, then in zip_longest(line.own_steps, line.own_steps[1:]):
        moved = step.move.to_square
        for pinned, pinner in _pins(step.after):
            victims = _victims(step.after, pinned, pinner)
            taken = then is not None and then.move.to_square == pinned
            if (
                moved in victims
                or (moved == pinner and victims)
                or ((moved == pinner or taken) and _cannot_leave(step.after, pinned, pinner))
            ):
                return Motif("pin", step.number, (pinner, pinned))
    return None


def _pins(board: chess.Board) -> Iterator[tuple[chess.Square, chess.Square]]:
    """The pieces of the side to move that are pinned to their king, each with its pinner."""
    king = board.king(board.turn)
    if king is None:
        return
    straight = chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]
    diagonal = chess.BB_DIAG_ATTACKS[king][0]
    snipers = straight & (board.rooks | board.queens) | diagonal & (board.bishops | board.queens)
    own_side = 0 if board.turn else 56  # The order is by rank as the side to move counts: colours are alike.
    for sniper in sorted(scan(snipers & board.occupied_co[not board.turn]), key=lambda square: square ^ own_side):
        between = chess.between(king, sniper) & board.occupied
        if between.bit_count() == 1 and between & board.occupied_co[board.turn]:
            yield chess.msb(between), sniper


def _victims(board: chess.Board, pinned: chess.Square, pinner: chess.Square) -> list[chess.Square]:
    """What a pinned piece would win if it could leave its line."""
    attacked = board.attacks_mask(pinned) & board.occupied_co[not board.turn] & ~chess.ray(pinned, pinner)
    worth = value_at(board, pinned)
    return [square for square in scan(attacked) if value_at(board, square) > worth or not is_protected(board, square)]


def _cannot_leave(board: chess.Board, pinned: chess.Square, pinner: chess.Square) -> bool:
    """Whether a pinned piece is lost: to a lesser one, or since it is unprotected and cannot take the pinner."""
    if is_attacked_by_lesser(board, pinned):
        return True
    may_take = board.attacks_mask(pinned) & chess.BB_SQUARES[pinner]
    return not may_take and not board.pawns & chess.BB_SQUARES[pinned] and not is_protected(board, pinned)


def skewer(line: Line) -> Motif | None:
    """A piece that is worth more moves out of a line piece's way, which takes the one behind it."""
    for first, reply, then in line.rounds:
        behind = then.move.to_square
        if (
            _came_through(then, reply.move.from_square)
            and VALUES[reply.piece] > value_at(then.before, behind) > 0
            and is_in_danger(then.before, behind)
        ):
            return Motif("skewer", first.number, (then.move.from_square, reply.move.from_square, behind))
    return None


def _came_through(step: Step, square: chess.Square) -> bool:
    """Whether a move takes something, and passes a square on its way."""
    between = chess.between(step.move.from_square, step.move.to_square)
    return bool(between & chess.BB_SQUARES[square]) and step.captured is not None


def discovered_attack(line: Line) -> Motif | None:
    """A piece leaves a line, along which another then takes; or a discovered check."""
    for first, reply, then in line.rounds:
        target = then.move.to_square
        if (
            _came_through(then, first.move.from_square)
            and target != reply.move.to_square
            and then.move.from_square != first.move.to_square
            and not first.before.is_castling(first.move)
        ):
            return Motif("discoveredAttack", first.number, (then.move.from_square, target))
    check = discovered_check(line)
    return check and check._replace(theme="discoveredAttack")


def discovered_check(line: Line) -> Motif | None:
    """A check by another piece than the one that moved."""
    for step in line.own_steps:
        checkers = step.after.checkers_mask()
        if checkers and not checkers & chess.BB_SQUARES[step.move.to_square] and not step.before.is_castling(step.move):
            return Motif("discoveredCheck", step.number, tuple(scan(checkers)))
    return None


def double_check(line: Line) -> Motif | None:
    for step in line.own_steps:
        checkers = step.after.checkers_mask()
        if checkers.bit_count() > 1:
            return Motif("doubleCheck", step.number, tuple(scan(checkers)))
    return None


def x_ray_attack(line: Line) -> Motif | None:
    """A piece of the opponent takes, and a line piece behind it retakes through the square that it left."""
    for first, reply, then in line.rounds:
        square = then.move.to_square
        if first.move.to_square == reply.move.to_square == square and _came_through(then, reply.move.from_square):
            return Motif("xRayAttack", first.number, (then.move.from_square, square))
    return None


FINDERS: Final[dict[str, Finder]] = {
    "pin": pin,
    "skewer": skewer,
    "discoveredAttack": discovered_attack,
    "discoveredCheck": discovered_check,
    "doubleCheck": double_check,
    "xRayAttack": x_ray_attack,
}
