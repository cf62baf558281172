"""Moves as UCI writes them, in a dictionary: each word once, and a number for each move."""

import functools
import itertools
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.types import (
    KNIGHT,
    NO_MOVE,
    QUEEN,
    is_castling,
    make_castling,
    make_move,
    move_from,
    move_to,
    square_file,
    square_rank,
    to_uci,
)

_MOVES: Final = 1 << 16
_KNIGHTS_AREA: Final = 2  # Of one file and two ranks, or the other way round.
_ORTHODOX: Final = {(4, 0), (4, 7), (60, 56), (60, 63)}  # King and rook, where castling is the king's two steps.


def moves_as_uci(pyarrow: Any, moves: NDArray[np.uint16]) -> Any:
    """A dictionary array of texts, always with the same dictionary, so that it is written as it is."""
    words = _move_words(pyarrow)
    return pyarrow.DictionaryArray.from_arrays(words.places.take(moves), words.texts, safe=False)


class _Words(NamedTuple):
    """texts: all that a move can have, an array of pyarrow's. places: int32[65536], of each move its text's."""

    texts: Any
    places: NDArray[np.int32]


@functools.cache
def _move_words(pyarrow: Any) -> _Words:
    texts = {move: _uci(move) for move in _possible_moves()}
    words = sorted(set(texts.values()))
    numbers = {word: number for number, word in enumerate(words)}
    places = np.zeros(_MOVES, np.int32)
    places[list(texts)] = [numbers[text] for text in texts.values()]
    return _Words(pyarrow.array(words), places)


def _possible_moves() -> Iterator[int]:
    """Every move that some piece can make on some board, and no move."""
    yield NO_MOVE
    for from_square, to_square in itertools.permutations(range(64), 2):
        files = abs(square_file(from_square) - square_file(to_square))
        ranks = abs(square_rank(from_square) - square_rank(to_square))
        if files == 0 or ranks == 0 or files == ranks or files * ranks == _KNIGHTS_AREA:
            yield make_move(from_square, to_square)
        if ranks == 0:
            yield make_castling(from_square, to_square)
        if ranks == 1 >= files and square_rank(to_square) in (0, 7):
            yield from (make_move(from_square, to_square, kind) for kind in range(KNIGHT, QUEEN + 1))


def _uci(move: int) -> str:
    """Castling as the king's two steps, or where king or rook stand elsewhere, as the king taking its rook."""
    return to_uci(move, chess960=is_castling(move) and (move_from(move), move_to(move)) not in _ORTHODOX)
