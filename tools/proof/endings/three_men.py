"""King and queen, rook or pawn against king: every position solved backwards from the mates.

The method is retrograde analysis (Thomas Ströhlein, 1970), turned into rounds over arrays: in each round, White's value
of a position is one ply more than the least of Black's after a move, and Black's one more than the greatest of White's.
"""

from functools import cache
from random import Random
from typing import Final

import chess
import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.batch.packed import PACKED
from ox88.types import KING, PAWN, QUEEN, ROOK
from tools.proof.placing import either_colour, place

PIECES: Final = {"queen": QUEEN, "rook": ROOK, "pawn": PAWN}
_BLACK: Final = 8
_DRAWN: Final = 9_999  # In place of plies to mate.
_PLACES: Final = 1 << 18  # Of three men.
_CHUNK: Final = 20_000  # Positions whose moves are played at a time.
_DRAWN_PLACE: Final = 2 * len(PIECES) * _PLACES

Array = NDArray[np.int64]


class ThreeMen:
    """The plies to mate of all positions. White has the piece; `plies` and `random_board` know both colours."""

    def __init__(self) -> None:
        self._values = np.full(_DRAWN_PLACE + 1, _DRAWN, np.int16)
        white, black = _Moves(self._values), _Moves(self._values)
        for number in range(len(PIECES)):
            black_places = _legal_places(number, ox88.BLACK)
            positions = _positions(black_places)
            black.add(black_places, positions)
            white_places = black_places[~positions.is_check()] - _PLACES
            white.add(white_places, _positions(white_places))
            self._values[black_places[positions.is_checkmate()]] = 0
        white.join()
        black.join()
        while white.improve(np.minimum) or black.improve(np.maximum):
            pass

    def plies(self, board: chess.Board) -> int | None:
        """The plies to mate by best play, without the fifty-move rule; None for a draw, as with less than a pawn."""
        own = board if board.occupied_co[chess.WHITE] & ~board.kings else board.mirror()
        places = _places_of(ox88.Positions.from_boards([own], threads=1))
        plies = int(self._values[places[0]])
        return None if plies == _DRAWN else plies

    def random_board(self, piece: str, is_won: bool, random: Random) -> chess.Board:
        """A legal position with this piece, won or drawn."""
        while True:
            board = place(f"K{chess.piece_symbol(PIECES[piece]).upper()}k", random)
            if (self.plies(board) is not None) == is_won:
                return either_colour(board, random)


@cache
def three_men() -> ThreeMen:
    """Those of this process; they take some seconds."""
    return ThreeMen()


class _Moves:
    """All moves of one side: where they lead to, and the values of the positions before them."""

    def __init__(self, values: NDArray[np.int16]) -> None:
        self._values = values
        self._parts: list[tuple[Array, Array, Array]] = []

    def add(self, places: Array, positions: ox88.Positions) -> None:
        """Add those of some positions. A place without moves is left out."""
        for first in range(0, len(places), _CHUNK):
            some = positions[first : first + _CHUNK]
            legal = some.legal_moves()
            counts = np.diff(legal.offsets)
            own = places[first : first + _CHUNK][counts > 0]
            self._parts.append((own, counts[counts > 0], _places_of(some.push(legal))))

    def join(self) -> None:
        self._places, counts, self._children = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        self._starts = np.cumsum(counts) - counts
        self._parts.clear()

    def improve(self, choose: np.ufunc) -> bool:
        """Compute the values anew. choose: np.minimum or np.maximum. Returns False if all are as before."""
        best = choose.reduceat(self._values[self._children], self._starts)
        found = np.where(best < _DRAWN, best + 1, _DRAWN)
        has_changed = bool((found != self._values[self._places]).any())
        self._values[self._places] = found
        return has_changed


# A place is the index of a position: the number of the piece in PIECES, the side to move, and the squares of White's
# king, Black's king and the piece.


def _legal_places(number: int, turn: int) -> Array:
    """All with three squares, kings that do not touch, and no pawn on the first or last rank."""
    places = np.arange(_PLACES)
    white, black, square = places >> 12, places >> 6 & 63, places & 63
    distance = np.maximum(abs((white & 7) - (black & 7)), abs((white >> 3) - (black >> 3)))
    is_legal = (distance > 1) & (square != white) & (square != black)
    if list(PIECES.values())[number] == PAWN:
        is_legal &= (square >= 8) & (square < 56)
    legal: Array = (2 * number + turn) * _PLACES | places[is_legal]
    return legal


def _positions(places: Array) -> ox88.Positions:
    """The positions of some places."""
    packed = np.zeros(len(places), PACKED)
    squares = np.stack([places >> 12 & 63, places >> 6 & 63, places & 63])
    kinds = np.array(list(PIECES.values()))[places // (2 * _PLACES)]
    men = np.stack([np.full(len(places), KING), np.full(len(places), KING + _BLACK), kinds])
    packed["occupied"] = (np.uint64(1) << squares.astype(np.uint64)).sum(0, np.uint64)
    first, second, third = np.take_along_axis(men, np.argsort(squares, 0), 0)
    packed["pieces"][:, 0], packed["pieces"][:, 1] = first | second << 4, third
    packed["fullmove_number"] = 1
    packed["turn"] = places // _PLACES & 1
    return ox88.Positions.from_packed(packed)


def _places_of(positions: ox88.Positions) -> Array:
    """The places of some positions; _DRAWN_PLACE where the piece is gone, or has become a bishop or a knight."""
    kinds, colours = positions.kinds, positions.colours
    white, black = (_square(kinds[:, KING] & colours[:, side]) for side in (ox88.WHITE, ox88.BLACK))
    square = _square((colours[:, 0] | colours[:, 1]) & ~kinds[:, KING])
    places = np.full(len(positions), _DRAWN_PLACE)
    turn = np.asarray(positions.turn, np.int64)
    for number, kind in enumerate(PIECES.values()):
        rows = kinds[:, kind] != 0
        places[rows] = ((2 * number + turn) * _PLACES | white << 12 | black << 6 | square)[rows]
    return places


def _square(bitboards: NDArray[np.uint64]) -> Array:
    """The only square of each; 0 for none."""
    return np.log2(np.maximum(bitboards, 1).astype(np.float64)).astype(np.int64)  # Powers of two are exact.
