"""Attacks on pieces: hanging and trapped ones, forks, pins, skewers, discovered attacks and checks, x-rays."""

from collections.abc import Iterator
from typing import Final

import chess

from ox88.motifs.exchanges import is_attacked_by_lesser, is_in_danger, is_protected, is_trapped, takers, value_at
from ox88.motifs.line import VALUES, Finder, Line, Motif, MoveFinder, RoundFinder, Squares, Step


def hanging_piece(line: Line, step: Step) -> Squares | None:
    """The first move takes an unprotected piece and keeps what it takes. To retake is no such gain."""
    square, previous = step.move.to_square, line.previous
    worth = value_at(step.before, square)
    if step.number or worth <= VALUES[chess.PAWN] or is_protected(step.before, square):
        return None
    if previous and previous.move.to_square == square and value_at(previous.before, square) >= worth:
        return None
    return (square,) if len(line.steps) < 3 or line.balances[3] >= line.balances[1] else None


def trapped_piece(_: Line, __: Step, reply: Step, then: Step) -> Squares | None:
    """The solver takes a piece that was trapped before the reply, also if the reply has moved it."""
    taken = then.move.to_square
    square = reply.move.from_square if reply.move.to_square == taken else taken
    is_piece = value_at(then.before, taken) > VALUES[chess.PAWN]
    return (square,) if is_piece and is_trapped(reply.before, square) else None


def fork(line: Line, step: Step) -> Squares | None:
    """A move, not the last, after which the piece that moved can win each of two pieces, and cannot be taken itself.

    It wins the king, pieces of more worth than its own, and unprotected ones that do not attack it in turn.
    """
    board, square = step.after, step.move.to_square
    attacked = board.attacks_mask(square) & board.occupied_co[board.turn] & ~board.pawns
    if attacked.bit_count() < 2 or board.kings & chess.BB_SQUARES[square] or line.next_own(step) is None:
        return None
    worth = value_at(board, square)
    targets = [
        target
        for target in chess.scan_forward(attacked)
        if value_at(board, target) > worth
        or not (is_protected(board, target) or takers(board, square) & chess.BB_SQUARES[target])
    ]
    return (square, *targets) if len(targets) > 1 and not is_in_danger(board, square) else None


def pin(line: Line, step: Step) -> Squares | None:
    """A piece that is pinned to its king cannot take what it attacks, or cannot get away; and the line makes use of it.

    It does if a move pins the piece, offers what the piece cannot take, or prepares to take the piece itself.
    """
    board, moved, then = step.after, step.move.to_square, line.next_own(step)
    for pinned, pinner in _pins(board):
        attacked = board.attacks_mask(pinned) & board.occupied_co[not board.turn] & ~chess.ray(pinned, pinner)
        worth = value_at(board, pinned)
        victims = [
            square
            for square in chess.scan_forward(attacked)
            if value_at(board, square) > worth or not is_protected(board, square)
        ]
        taken = then is not None and then.move.to_square == pinned
        if moved in victims or (moved == pinner and victims):
            return pinner, pinned
        if (moved == pinner or taken) and _cannot_leave(board, pinned, pinner):
            return pinner, pinned
    return None


def _pins(board: chess.Board) -> Iterator[tuple[chess.Square, chess.Square]]:
    """The pieces of the side to move that are pinned to their king, each with its pinner."""
    king = board.king(board.turn)
    if king is None:
        return
    straight = chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]
    diagonal = chess.BB_DIAG_ATTACKS[king][0]
    snipers = straight & (board.rooks | board.queens) | diagonal & (board.bishops | board.queens)
    snipers &= board.occupied_co[not board.turn]
    own_side = 0 if board.turn else 56  # The order is by rank as the side to move counts: colours are alike.
    for sniper in sorted(chess.scan_forward(snipers), key=lambda square: square ^ own_side):
        between = chess.between(king, sniper) & board.occupied
        if between.bit_count() == 1 and between & board.occupied_co[board.turn]:
            yield chess.msb(between), sniper


def _cannot_leave(board: chess.Board, pinned: chess.Square, pinner: chess.Square) -> bool:
    """Whether a pinned piece is lost: to a lesser one, or since it is unprotected and cannot take the pinner."""
    if is_attacked_by_lesser(board, pinned):
        return True
    may_take = board.attacks_mask(pinned) & chess.BB_SQUARES[pinner]
    return not may_take and not board.pawns & chess.BB_SQUARES[pinned] and not is_protected(board, pinned)


def skewer(_: Line, __: Step, reply: Step, then: Step) -> Squares | None:
    """A piece that is worth more moves out of a line piece's way, which takes the one behind it."""
    front, behind = reply.move.from_square, then.move.to_square
    is_worth_less = VALUES[reply.piece] > value_at(then.before, behind) > 0
    if _came_through(then, front) and is_worth_less and is_in_danger(then.before, behind):
        return then.move.from_square, front, behind
    return None


def _came_through(step: Step, square: chess.Square) -> bool:
    """Whether a move takes something, and passes a square on its way."""
    between = chess.between(step.move.from_square, step.move.to_square)
    return bool(between & chess.BB_SQUARES[square]) and step.captured is not None


def discoveries(line: Line) -> Iterator[Motif]:
    """A piece leaves a line, along which another then takes or gives check: a check is a discovered attack too."""
    found = []
    for first, reply, then in line.rounds:
        start, target = then.move.from_square, then.move.to_square
        is_other = start != first.move.to_square and target != reply.move.to_square
        if is_other and _came_through(then, first.move.from_square) and not first.before.is_castling(first.move):
            found.append(Motif("discoveredAttack", first.number, (start, target)))
            break
    for step in line.own_steps:
        checkers = step.after.checkers_mask()
        if checkers and not checkers & chess.BB_SQUARES[step.move.to_square] and not step.before.is_castling(step.move):
            squares = tuple(chess.scan_forward(checkers))
            found.append(Motif("discoveredAttack", step.number, squares))
            yield Motif("discoveredCheck", step.number, squares)
            break
    yield from found[:1]


def double_check(_: Line, step: Step) -> Squares | None:
    checkers = step.after.checkers_mask()
    return tuple(chess.scan_forward(checkers)) if checkers.bit_count() > 1 else None


def x_ray_attack(_: Line, first: Step, reply: Step, then: Step) -> Squares | None:
    """A piece of the opponent takes, and a line piece behind it retakes through the square that it left."""
    square = then.move.to_square
    if first.move.to_square == reply.move.to_square == square and _came_through(then, reply.move.from_square):
        return then.move.from_square, square
    return None


MOVES: Final[dict[str, MoveFinder]] = {
    "hangingPiece": hanging_piece,
    "fork": fork,
    "pin": pin,
    "doubleCheck": double_check,
}
ROUNDS: Final[dict[str, RoundFinder]] = {
    "trappedPiece": trapped_piece,
    "skewer": skewer,
    "xRayAttack": x_ray_attack,
}
LINES: Final[tuple[Finder, ...]] = (discoveries,)
