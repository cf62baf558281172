"""The words of reasons: what a motif does, and how a piece is left to be taken."""

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
    is_trade = square == move.to_square and board.is_capture(move)
    how = "" if is_trade else _exposed(line.boards[0], first.move)
    piece = chess.piece_name(first.captured or chess.PAWN)
    if not how or piece == "pawn" or piece not in gain.words.partition(" for ")[0]:
        return ""
    wins = f"{numbered(line.boards[0], [first.move])} wins {'it' if gain.words == f'a {piece}' else gain.words}"
    return f"{board.san(move)} leaves the {piece} on {chess.square_name(square)} {how}: {wins}."


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
    counts = Counter(_name(step.after, square) for square in targets)
    return f"attacks {listed([name if count == 1 else f'two {name}s' for name, count in counts.items()])}"


def _discovered_attack(_: Line, step: Step, squares: _Squares) -> str:
    taker, *targets = squares
    if not targets or taker == step.move.to_square or targets[0] not in step.after.attacks(taker):
        return ""
    return f"uncovers the attack of the {_name(step.after, taker)} on the {_name(step.after, targets[0])}"


def _pin(_: Line, step: Step, squares: _Squares) -> str:
    pinned, board = squares[1], step.after
    name = f"{_name(board, pinned)} on {chess.square_name(pinned)}"
    if not step.before.is_pinned(board.turn, pinned):
        return f"pins the {name}"
    return f"attacks the pinned {name}" if pinned in board.attacks(step.move.to_square) else ""


def _capturing_defender(_: Line, step: Step, squares: _Squares) -> str:
    is_there = step.after.color_at(squares[1]) == step.after.turn
    protector, target = chess.piece_name(step.captured or chess.PAWN), _name(step.after, squares[1])
    return f"takes the {protector} that protects the {target}" if is_there else ""


def _deflection(_: Line, step: Step, squares: _Squares) -> str:
    guard, target = squares
    piece, name = step.after.piece_at(target), chess.square_name(target)
    what = f"the {_name(step.after, target)} on {name}" if piece else name
    return f"draws the {_name(step.after, guard)} away from {what}"


def _attraction(line: Line, step: Step, squares: _Squares) -> str:
    if step.captured and VALUES[step.captured] >= VALUES[step.piece]:  # It offers nothing.
        return ""
    return f"draws the {_name(line.steps[step.number + 1].after, squares[0])} to {chess.square_name(squares[0])}"


def _hanging_piece(_: Line, step: Step, __: _Squares) -> str:
    is_kept = not any(move.to_square == step.move.to_square for move in step.after.generate_legal_captures())
    return f"takes the unprotected {chess.piece_name(step.captured or chess.PAWN)}" if is_kept else ""


def _name(board: chess.Board, square: chess.Square) -> str:
    return chess.piece_name(board.piece_type_at(square) or chess.PAWN)


_DESCRIPTIONS: Final[dict[str, Callable[[Line, Step, _Squares], str]]] = {
    "fork": _fork,
    "skewer": lambda _, step, squares: (
        f"attacks the {_name(step.after, squares[1])} and the {_name(step.after, squares[2])} behind it"
    ),
    "doubleCheck": lambda *_: "gives double check",
    "discoveredAttack": _discovered_attack,
    "discoveredCheck": lambda *_: "gives a discovered check",
    "pin": _pin,
    "trappedPiece": lambda _, step, squares: (
        f"traps the {_name(step.after, squares[0])} on {chess.square_name(squares[0])}"
    ),
    "capturingDefender": _capturing_defender,
    "deflection": _deflection,
    "attraction": _attraction,
    "hangingPiece": _hanging_piece,
}
THEMES: Final = tuple(_DESCRIPTIONS)
"""The themes that have words, those first that say most."""
