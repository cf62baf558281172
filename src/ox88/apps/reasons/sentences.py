"""The words of reasons. What is said of the board is read from the board, whatever a finder has meant."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import chess

from ox88.apps.reasons.gains import Gain, listed
from ox88.motifs.exchanges import value_at
from ox88.motifs.line import VALUES, Line, Motif, Step

_Squares = Sequence[chess.Square]
_TIMES: Final = ("never", "once", "twice", "three times", "four times", "five times", "six times")
MATES: Final = {"backRankMate": "a back-rank mate", "smotheredMate": "a smothered mate"}


def numbered(board: chess.Board, moves: Sequence[chess.Move]) -> str:
    """Moves in SAN with their numbers, such as 18... Nf2+ 19. Kg1."""
    return board.variation_san(moves).replace("...", "... ")


def describe_motif(line: Line, motif: Motif) -> str:
    """What the move that shows a motif does, such as "attacks king and queen"; empty if the board does not show it.

    motif: one of THEMES.
    """
    return _DESCRIPTIONS[motif.theme](line, line.steps[motif.step], motif.squares)


def describe_loss(board: chess.Board, move: chess.Move, line: Line, gain: Gain) -> str:
    """How a move leaves the piece that the line takes first; empty if that is not plain to see."""
    first = line.steps[0]
    square = first.move.to_square
    if first.captured in (None, chess.PAWN) or (first.move.to_square == move.to_square and board.is_capture(move)):
        return ""
    how = _exposed(line.boards[0], first.move)
    piece = chess.piece_name(first.captured or chess.PAWN)
    proof = numbered(line.boards[0], [first.move])
    words = f"{board.san(move)} leaves the {piece} on {chess.square_name(square)} {how}: {proof} wins"
    if not how or piece not in gain.words.partition(" for ")[0]:
        return ""
    return f"{words} {'it' if gain.words == f'a {piece}' else gain.words}."


def _exposed(board: chess.Board, capture: chess.Move) -> str:
    """How a piece stands that can be taken: only what nobody would count otherwise."""
    square, after = capture.to_square, board.copy(stack=False)
    after.push(capture)
    takers = {move.from_square for move in board.generate_legal_captures() if move.to_square == square}
    retakers = {move.from_square for move in after.generate_legal_captures() if move.to_square == square}
    if not retakers:
        return "unprotected"
    attackers, protectors = (board.attackers_mask(side, square) for side in (board.turn, not board.turn))
    behind = board.occupied & ~(attackers | protectors)
    hidden = any(board.attackers_mask(side, square, behind) & behind for side in chess.COLORS)
    if hidden or attackers != chess.SquareSet(takers).mask or protectors != chess.SquareSet(retakers).mask:
        return ""
    if len(takers) > len(retakers):
        return f"attacked {_TIMES[len(takers)]} and protected {_TIMES[len(retakers)]}"
    return "attacked by a pawn" if board.pawns & chess.BB_SQUARES[capture.from_square] else ""


def _fork(_: Line, step: Step, squares: _Squares) -> str:
    targets = sorted(squares[1:], key=lambda square: -value_at(step.after, square))
    if len(targets) < 2 or not all(_attacks(step.after, step.move.to_square, square) for square in targets):
        return ""
    counts = Counter(_name(step.after, square) for square in targets)
    names = [name if count == 1 else f"{('two', 'three')[count > 2]} {name}s" for name, count in counts.items()]
    return f"attacks {listed(names)}"


def _skewer(_: Line, step: Step, squares: _Squares) -> str:
    taker, front, behind = squares
    is_between = bool(chess.between(taker, behind) & chess.BB_SQUARES[front])
    if not (is_between and _attacks(step.after, taker, front) and step.after.color_at(behind) == step.after.turn):
        return ""
    return f"attacks the {_name(step.after, front)} and the {_name(step.after, behind)} behind it"


def _double_check(_: Line, step: Step, __: _Squares) -> str:
    return "gives double check" if len(step.after.checkers()) > 1 else ""


def _discovered_attack(_: Line, step: Step, squares: _Squares) -> str:
    if len(squares) < 2 or squares[0] == step.move.to_square:  # A check, or the piece that moved.
        return ""
    taker, target = squares
    if not _attacks(step.after, taker, target) or target in step.before.attacks(taker):
        return ""
    return f"uncovers the attack of the {_name(step.after, taker)} on the {_name(step.after, target)}"


def _discovered_check(_: Line, step: Step, __: _Squares) -> str:
    checkers = step.after.checkers()
    return "gives a discovered check" if checkers and step.move.to_square not in checkers else ""


def _pin(_: Line, step: Step, squares: _Squares) -> str:
    pinned = squares[1]
    board, name = step.after, _name(step.after, pinned)
    if board.color_at(pinned) != board.turn or not board.is_pinned(board.turn, pinned) or name == "pawn":
        return ""
    if not step.before.is_pinned(board.turn, pinned):
        return f"pins the {name} on {chess.square_name(pinned)}"
    is_new = _attacks(board, step.move.to_square, pinned)
    return f"attacks the pinned {name} on {chess.square_name(pinned)}" if is_new else ""


def _trapped_piece(_: Line, step: Step, squares: _Squares) -> str:
    (square,) = squares
    board = step.after
    if board.color_at(square) != board.turn or not board.is_attacked_by(not board.turn, square):
        return ""
    for move in board.generate_legal_moves(from_mask=chess.BB_SQUARES[square]):
        board.push(move)
        is_lost = _is_taken(board, move.to_square)
        board.pop()
        if not is_lost:
            return ""
    return f"traps the {_name(board, square)} on {chess.square_name(square)}"


def _capturing_defender(_: Line, step: Step, squares: _Squares) -> str:
    square, target = squares
    is_there = step.after.color_at(target) == step.after.turn
    if not (step.captured and is_there and target in step.before.attacks(square)):
        return ""
    return f"takes the {chess.piece_name(step.captured)} that protects the {_name(step.after, target)}"


def _deflection(_: Line, step: Step, squares: _Squares) -> str:
    guard, target = squares
    if step.after.color_at(guard) != step.after.turn or target not in step.after.attacks(guard):
        return ""
    piece = step.after.piece_type_at(target)
    what = f"the {chess.piece_name(piece)} on {chess.square_name(target)}" if piece else chess.square_name(target)
    return f"draws the {_name(step.after, guard)} away from {what}"


def _attraction(line: Line, step: Step, squares: _Squares) -> str:
    if step.captured and VALUES[step.captured] >= VALUES[step.piece]:  # It offers nothing.
        return ""
    reply = line.steps[step.number + 1]
    return f"draws the {_name(reply.after, squares[0])} to {chess.square_name(squares[0])}"


def _hanging_piece(_: Line, step: Step, __: _Squares) -> str:
    is_kept = step.captured and not _is_taken(step.after, step.move.to_square)
    return f"takes the unprotected {chess.piece_name(step.captured or chess.PAWN)}" if is_kept else ""


def _promotion(_: Line, step: Step, __: _Squares) -> str:
    return f"makes a {chess.piece_name(step.move.promotion)}" if step.move.promotion else ""


def _name(board: chess.Board, square: chess.Square) -> str:
    return chess.piece_name(board.piece_type_at(square) or chess.PAWN)


def _attacks(board: chess.Board, attacker: chess.Square, square: chess.Square) -> bool:
    """True if a piece attacks one of the side to move."""
    return square in board.attacks(attacker) and board.color_at(square) == board.turn


def _is_taken(board: chess.Board, square: chess.Square) -> bool:
    """True if the side to move can take on a square."""
    return any(move.to_square == square for move in board.generate_legal_captures())


_DESCRIPTIONS: Final[dict[str, Callable[[Line, Step, _Squares], str]]] = {
    "fork": _fork,
    "skewer": _skewer,
    "doubleCheck": _double_check,
    "discoveredAttack": _discovered_attack,
    "discoveredCheck": _discovered_check,
    "pin": _pin,
    "trappedPiece": _trapped_piece,
    "capturingDefender": _capturing_defender,
    "deflection": _deflection,
    "attraction": _attraction,
    "hangingPiece": _hanging_piece,
    "promotion": _promotion,
}
THEMES: Final = tuple(_DESCRIPTIONS)
"""The themes that have words, those first that say most."""
