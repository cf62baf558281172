"""What a line wins: the material at its quiet end against the material before it, in points and in words."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import chess

from ox88.motifs.line import VALUES, Line, Step, balance

_MINORS: Final = (chess.BISHOP, chess.KNIGHT)
_NUMBERS: Final = ("no", "a", "two", "three", "four", "five", "six", "seven", "eight")


class Gain(NamedTuple):
    """What the solver wins. points: in `VALUES`. words: such as "a knight for a pawn".

    end: the number of the line's moves after which all captures are over.
    """

    points: int
    words: str
    end: int


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
