"""What each term of the evaluation says about a position, for people."""

from typing import Any, NamedTuple

import numpy as np

from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.evaluation.records import TERM_NAMES, make_evaluation, unpack
from ox88.types import BLACK, WHITE


class Term(NamedTuple):
    """A term by side, in hundredths of a pawn: its weight in the middlegame and in the endgame."""

    name: str
    white_middlegame: int
    white_endgame: int
    black_middlegame: int
    black_endgame: int


def terms(position: Any) -> list[Term]:
    """The terms of a POSITION, as the kernel itself left them; tempo, scaling and damping are not among them."""
    return explain(position)[1]


def explain(position: Any) -> tuple[int, list[Term]]:
    """(value for the side to move, its terms) of a POSITION."""
    evaluation = make_evaluation()
    with np.errstate(over="ignore"):  # Where the kernels are plain Python, products of bitboards overflow.
        value = int(evaluate(position, board_tables(), evaluation))
    white, black = evaluation.sides[WHITE].terms, evaluation.sides[BLACK].terms
    found = [Term(name, *unpack(white[number]), *unpack(black[number])) for number, name in enumerate(TERM_NAMES)]
    return value, found
