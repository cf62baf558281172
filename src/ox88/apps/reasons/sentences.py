"""The words of reasons. What is said of the board is read from the board, whatever a finder has meant."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import chess

from ox88.apps.reasons.gains import Gain
from ox88.motifs.exchanges import value_at
from ox88.motifs.line import Line, Motif, Step

_TIMES: Final = ("never", "once", "twice", "three times", "four times", "five times", "six times")
MATES: Final = {"backRankMate": "a back-rank mate", "smotheredMate": "a smothered mate"}


def numbered(board: chess.Board, moves: Sequence[chess.Move]) -> str:
    """Moves in SAN with their numbers, such as 18... Nf2+ 19. Kg1."""
    return board.variation_san(moves).replace("...", "... ")


def describe_motif(line: Line, motif: Motif) -> str:
    """What the move that shows a motif does, such as "attacks king and queen"; empty if the board does not show it."""
    describe = _DESCRIPTIONS.get(motif.theme)
    return describe(line.steps[motif.step], motif.squares) if describe else ""


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


def _fork(step: Step, squares: Sequence[chess.Square]) -> str:
    attacked = step.after.attacks(step.move.to_square)
    targets = sorted((square for square in squares[1:]), key=lambda square: -value_at(step.after, square))
    if len(targets) < 2 or not all(square in attacked and _is_others(step, square) for square in targets):
        return ""
    counts = Counter(_name(step, square) for square in targets)
    names = [name if count == 1 else f"{('two', 'three')[count > 2]} {name}s" for name, count in counts.items()]
    return "attacks " + (f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0])


def _pin(step: Step, squares: Sequence[chess.Square]) -> str:
    _, pinned = squares
    if not (_is_others(step, pinned) and step.after.is_pinned(step.after.turn, pinned)):
        return ""
    name = f"the {_name(step, pinned)} on {chess.square_name(pinned)}"
    if not step.before.is_pinned(step.after.turn, pinned):
        return f"pins {name}"
    return f"attacks the pinned {name[4:]}" if pinned in step.after.attacks(step.move.to_square) else ""


def _skewer(step: Step, squares: Sequence[chess.Square]) -> str:
    taker, front, behind = squares
    is_seen = front in step.after.attacks(taker) and bool(chess.between(taker, behind) & chess.BB_SQUARES[front])
    if not (is_seen and _is_others(step, front) and _is_others(step, behind)):
        return ""
    return f"attacks the {_name(step, front)} and the {_name(step, behind)} behind it"


def _discovered_attack(step: Step, squares: Sequence[chess.Square]) -> str:
    taker, target = squares if len(squares) == 2 else (step.move.to_square, step.move.to_square)
    if target not in step.after.attacks(taker) or target in step.before.attacks(taker) or not _is_others(step, target):
        return ""
    return f"uncovers the attack of the {_name(step, taker)} on the {_name(step, target)}"


def _hanging_piece(step: Step, _: Sequence[chess.Square]) -> str:
    retakes = any(move.to_square == step.move.to_square for move in step.after.generate_legal_captures())
    return f"takes the unprotected {chess.piece_name(step.captured)}" if step.captured and not retakes else ""


def _trapped_piece(step: Step, squares: Sequence[chess.Square]) -> str:
    (square,) = squares
    return f"traps the {_name(step, square)} on {chess.square_name(square)}" if _is_others(step, square) else ""


def _double_check(step: Step, _: Sequence[chess.Square]) -> str:
    return "gives double check" if len(step.after.checkers()) > 1 else ""


def _discovered_check(step: Step, _: Sequence[chess.Square]) -> str:
    checkers = step.after.checkers()
    return "gives a discovered check" if checkers and step.move.to_square not in checkers else ""


def _promotion(step: Step, _: Sequence[chess.Square]) -> str:
    return f"makes a {chess.piece_name(step.move.promotion)}" if step.move.promotion else ""


def _name(step: Step, square: chess.Square) -> str:
    return chess.piece_name(step.after.piece_type_at(square) or chess.PAWN)


def _is_others(step: Step, square: chess.Square) -> bool:
    """True if a piece of the opponent of the mover stands there."""
    return step.after.color_at(square) == step.after.turn


_DESCRIPTIONS: Final[dict[str, Callable[[Step, Sequence[chess.Square]], str]]] = {
    "fork": _fork,
    "skewer": _skewer,
    "doubleCheck": _double_check,
    "discoveredAttack": _discovered_attack,
    "discoveredCheck": _discovered_check,
    "pin": _pin,
    "trappedPiece": _trapped_piece,
    "hangingPiece": _hanging_piece,
    "promotion": _promotion,
}
THEMES: Final = tuple(_DESCRIPTIONS)
"""The themes that have words, those first that say most."""
