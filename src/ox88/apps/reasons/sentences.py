"""The words of reasons: what a line wins, what a motif does, and how a piece is left to be taken."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import chess

from ox88.motifs.exchanges import guards, value_at
from ox88.motifs.line import VALUES, Line, Motif, Step, balance

_Squares = Sequence[chess.Square]
_MINORS: Final = (chess.BISHOP, chess.KNIGHT)
_NUMBERS: Final = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight")
_TIMES: Final = ("never", "once", "twice", "three times", "four times", "five times", "six times")
MATES: Final = {"backRankMate": "a back-rank mate", "smotheredMate": "a smothered mate"}


def numbered(board: chess.Board, moves: Sequence[chess.Move]) -> str:
    """Moves in SAN with their numbers, such as 18... Nf2+ 19. Kg1."""
    return board.variation_san(moves).replace("...", "... ")


# --- What a line wins -------------------------------------------------------------------------------------------------


class Gain(NamedTuple):
    """What the solver wins. points: in `VALUES`. words: such as "a knight for a pawn".

    end: the number of the line's moves after which all captures are over.
    """

    points: int
    words: str
    end: int

    @property
    def verb(self) -> str:
        """Such as "wins a knight for a pawn", or "makes a new queen", beside which all else is little."""
        if self.words.startswith("a new "):
            return f"makes {' '.join(self.words.split()[:3]).rstrip(',')}"
        return f"wins {self.words}"


def find_gain(line: Line, start: chess.Board, most: float) -> Gain | None:
    """The gain that stays to the end of a line. start: the position before it. most: points that can be believed."""
    before = balance(start, line.solver)
    least, ends = 99, {}
    for at in reversed(list(_quiet_positions(line))):
        if line.balances[at] - before <= least:
            least = line.balances[at] - before
            ends[least] = at
    points = max((points for points in ends if 0 < points <= most), default=0)
    points = min((less for less in ends if less <= points <= 2 * less), default=0)  # What falls later is less certain.
    words = points and _words(start, line.boards[ends[points]], line.solver)
    if not words:
        return None
    return Gain(points, words, max(step.number + 1 for step in line.steps[: ends[points]] if _is_loud(step)))


def end_balance(line: Line, start: chess.Board) -> int:
    """The points that the solver has won, or lost, at the last quiet position of a line."""
    at = max(_quiet_positions(line), default=0)
    return line.balances[at] - balance(start, line.solver) if at else 0


def _is_loud(step: Step) -> bool:
    return bool(step.captured or step.move.promotion)


def _quiet_positions(line: Line) -> Iterator[int]:
    """Positions without check between two quiet moves, or after two at the end."""
    loud = [_is_loud(step) for step in line.steps]
    for at, pair in enumerate(pairwise([*loud, loud[-2] if len(loud) > 1 else True]), 1):
        if not (any(pair) or line.boards[at].is_check()):
            yield at


def _words(start: chess.Board, end: chess.Board, solver: chess.Color) -> str:
    """What one side has taken, for what the other has."""
    won, lost = _lost(start, end, not solver), _lost(start, end, solver)
    made, made_by_other = (Counter({kind: -count for kind, count in side.items() if count < 0}) for side in (lost, won))
    won, lost = +won, +lost  # Without negative counts.
    lost[chess.PAWN] -= made.total()  # Of which the new pieces are made.
    won[chess.PAWN] -= made_by_other.total()
    won, lost = won - lost, lost - won
    for own, other in (_MINORS, _MINORS[::-1]):  # A bishop for a knight is no gain.
        even = min(won[own], lost[other])
        won[own] -= even
        lost[other] -= even
    exchanges = 0
    for minor in _MINORS:
        even = min(won[chess.ROOK], lost[minor], 1 - exchanges)
        exchanges += even
        won[chess.ROOK] -= even
        lost[minor] -= even
    pawns = Counter({chess.PAWN: won.pop(chess.PAWN, 0)})
    gains = [*_names(made, "new "), *_names(won, ""), *["the exchange"][:exchanges], *_names(pawns, "")]
    losses = _names(lost, "") + _names(made_by_other, "new ")
    return listed(gains) + (f" for {listed(losses)}" if gains and losses else "")


def listed(names: list[str]) -> str:
    """Such as "king, queen and rook"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _lost(start: chess.Board, end: chess.Board, side: chess.Color) -> Counter[chess.PieceType]:
    """How many pieces of each kind a side has less, the most valuable first. Negative for new ones."""
    kinds = sorted(VALUES, key=VALUES.__getitem__, reverse=True)
    return Counter({kind: len(start.pieces(kind, side)) - len(end.pieces(kind, side)) for kind in kinds})


def _names(pieces: Counter[chess.PieceType], adjective: str) -> list[str]:
    return [
        f"{_NUMBERS[count]} {adjective}{chess.piece_name(kind)}{'s' if count > 1 else ''}"
        for kind, count in pieces.items()
        if count > 0
    ]


# --- What a motif does ------------------------------------------------------------------------------------------------


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
    wins = f"{numbered(line.boards[0], [first.move])} {'wins it' if gain.words == f'a {piece}' else gain.verb}"
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
    if not step.before.is_pinned(board.turn, pinned):
        return f"pins the {_placed(board, pinned)}"
    return f"attacks the pinned {_placed(board, pinned)}" if pinned in board.attacks(step.move.to_square) else ""


def _capturing_defender(_: Line, step: Step, squares: _Squares) -> str:
    is_there = step.after.color_at(squares[1]) == step.after.turn
    protector, target = chess.piece_name(step.captured or chess.PAWN), _name(step.after, squares[1])
    if protector == target:  # Which of the two is meant?
        target = _placed(step.after, squares[1])
    return f"takes the {protector} that protects the {target}" if is_there else ""


def _deflection(_: Line, step: Step, squares: _Squares) -> str:
    guard, target = squares
    what = f"the {_placed(step.after, target)}" if step.after.piece_at(target) else chess.square_name(target)
    return f"draws the {_name(step.after, guard)} away from {what}"


def _attraction(line: Line, step: Step, squares: _Squares) -> str:
    if step.captured and VALUES[step.captured] >= VALUES[step.piece]:  # It offers nothing.
        return ""
    return f"draws the {_name(line.steps[step.number + 1].after, squares[0])} to {chess.square_name(squares[0])}"


def _interference(_: Line, step: Step, squares: _Squares) -> str:
    guard, target = squares
    if step.number % 2 or not guards(step.before, guard, target):  # It is the reply that cuts it off.
        return ""
    return f"cuts the {_name(step.after, guard)} off from the {_placed(step.after, target)}"


def _clearance(line: Line, step: Step, squares: _Squares) -> str:
    blow, target = line.steps[step.number + 2].move, squares[1]
    is_told = not step.captured and step.piece != chess.KING  # Other moves have more obvious reasons.
    if not is_told or not guards(step.after, blow.from_square, target):  # Or the reply clears the way too.
        return ""
    return f"clears the way of the {_name(step.after, blow.from_square)} to {chess.square_name(target)}"


def _x_ray_attack(line: Line, step: Step, squares: _Squares) -> str:
    front = line.steps[step.number + 1].move.from_square
    return f"is protected by the {_placed(step.after, squares[0])} through the {_name(step.after, front)}"


def _hanging_piece(_: Line, step: Step, __: _Squares) -> str:
    is_kept = not any(move.to_square == step.move.to_square for move in step.after.generate_legal_captures())
    return f"takes the unprotected {chess.piece_name(step.captured or chess.PAWN)}" if is_kept else ""


def _name(board: chess.Board, square: chess.Square) -> str:
    return chess.piece_name(board.piece_type_at(square) or chess.PAWN)


def _placed(board: chess.Board, square: chess.Square) -> str:
    """Such as "knight on f3"."""
    return f"{_name(board, square)} on {chess.square_name(square)}"


_DESCRIPTIONS: Final[dict[str, Callable[[Line, Step, _Squares], str]]] = {
    "fork": _fork,
    "skewer": lambda _, step, squares: (
        f"attacks the {_name(step.after, squares[1])} and the {_name(step.after, squares[2])} behind it"
    ),
    "doubleCheck": lambda *_: "gives double check",
    "discoveredAttack": _discovered_attack,
    "discoveredCheck": lambda *_: "gives a discovered check",
    "pin": _pin,
    "trappedPiece": lambda _, step, squares: f"traps the {_placed(step.after, squares[0])}",
    "capturingDefender": _capturing_defender,
    "deflection": _deflection,
    "attraction": _attraction,
    "interference": _interference,
    "hangingPiece": _hanging_piece,
    "clearance": _clearance,
    "intermezzo": lambda _, __, squares: f"comes before taking back on {chess.square_name(squares[0])}",
    "xRayAttack": _x_ray_attack,
}
THEMES: Final = tuple(_DESCRIPTIONS)
"""The themes that have words, the one that says most first."""
LESSER: Final = THEMES[THEMES.index("hangingPiece") :]
"""The themes that say less than how a piece is left to be taken."""
