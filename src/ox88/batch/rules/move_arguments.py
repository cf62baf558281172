"""The argument `moves` of many methods: one move for each position, as a number or a text, or all legal moves."""

from collections.abc import Sequence
from typing import Any, Final

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import RowError, as_numbers
from ox88.batch.rows.ragged import EachMove
from ox88.batch.rules.legal_moves import LegalMoves
from ox88.batch.text.san_reader import parse_sans
from ox88.errors import Ox88Error

Numbers = Sequence[int] | Sequence[np.integer[Any]] | NDArray[np.integer[Any]]
Texts = list[str] | tuple[str, ...] | Sequence[chess.Move] | NDArray[np.str_ | np.object_]
Moves = Numbers | Texts | LegalMoves

MAX_MOVE: Final = 0xFFFF
_EXPECTED: Final = "uint16 is expected, as legal_moves returns them, or texts such as 'e2e4' and 'Nf3'"
_TEXT_KINDS: Final = "OTU"  # Of NumPy's dtypes.


def each_move(records: NDArray[Any], moves: Any, threads: int | None, may_be_illegal: bool = False) -> EachMove:
    """The moves of all positions, which are not checked unless they are texts. Raises TypeError, Ox88Error, RowError.

    may_be_illegal: True to read the text of an illegal move as 0.
    """
    if isinstance(moves, LegalMoves):
        if len(moves) != len(records):
            raise Ox88Error(f"the legal moves of {len(moves)} positions: those of {len(records)} are expected")
        return EachMove(as_moves(moves.moves, len(moves.moves)), moves._offsets)
    count = len(records)
    numbers = parse_sans(records, moves, threads, may_be_illegal) if are_texts(moves) else as_moves(moves, count)
    return EachMove(numbers, np.arange(count + 1, dtype=np.int64))


def as_moves(moves: Any, count: int) -> NDArray[np.uint16]:
    """Numbers of moves as uint16[count]. Raises TypeError, Ox88Error, RowError."""
    array = as_numbers("moves", moves, count, _EXPECTED)
    if array.dtype != np.uint16:
        for row in np.flatnonzero((array < 0) | (array > MAX_MOVE))[:1]:
            raise RowError(int(row), f"{array[row]} is not a move: a number from 0 to {MAX_MOVE} is expected")
    return np.require(array, np.uint16, ["C", "W"])


def are_texts(moves: Any) -> bool:
    """True if the first of the moves is a text, or a chess.Move. Raises TypeError for a single text."""
    if isinstance(moves, str):
        raise TypeError(f"moves is the text {moves!r}: a list with one text for each position is expected")
    if isinstance(moves, (list, tuple)):
        return bool(moves) and isinstance(moves[0], (str, chess.Move))
    array = np.asarray(moves)
    return array.ndim == 1 and array.dtype.kind in _TEXT_KINDS
