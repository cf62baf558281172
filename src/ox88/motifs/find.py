"""All finders, and what they find in a line."""

from typing import Final

from ox88.motifs import attacks, kings, lures, moves
from ox88.motifs.line import Line, Motif

_MOVES: Final = attacks.MOVES | kings.MOVES | moves.MOVES
_ROUNDS: Final = attacks.ROUNDS | lures.ROUNDS
_LINES: Final = attacks.LINES + kings.LINES + lures.LINES + moves.LINES


def find_motifs(line: Line) -> list[Motif]:
    """The motifs of a line: each theme once, where the line shows it first."""
    found = [motif for finder in _LINES for motif in finder(line)]
    for theme, of_move in _MOVES.items():
        for step in line.own_steps:
            if (squares := of_move(line, step)) is not None:
                found.append(Motif(theme, step.number, squares))
                break
    for theme, of_round in _ROUNDS.items():
        for first, reply, then in line.rounds:
            if (squares := of_round(line, first, reply, then)) is not None:
                found.append(Motif(theme, first.number, squares))
                break
    return found
