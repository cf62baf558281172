"""Moves in UCI's notation, in bulk: tables of all texts, and castling, which depends on the position."""

import functools
from itertools import repeat
from typing import Any, Final

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import RowError
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import EachMove
from ox88.batch.text.fen_writer import put
from ox88.bitboard.bits import FILE_A, NO_SQUARES, RANK_1, RANK_8
from ox88.bitboard.moves import castling_targets
from ox88.bitboard.position import to_setup
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.setup import parse_uci
from ox88.types import BLACK_BIT, CASTLING_FLAG, KING, NO_MOVE, ROOK, WHITE, format_uci, make_move

_ALL_MOVES: Final = 1 << 16
_PROMOTIONS: Final = (0, *range(2, 6))  # The kinds that a text can name, and none.
_C_FILE, _G_FILE = 2, 6
CORNERS = np.uint64(1 | 1 << 7 | 1 << 56 | 1 << 63)
E_FILE = FILE_A << np.uint64(4)
ZERO, LOWER_A = (np.int64(ord(character)) for character in "0a")


def texts_of_moves(texts: Any, count: int) -> list[str]:
    """The argument `texts` as a list, also of chess.Moves. Raises TypeError, Ox88Error."""
    if isinstance(texts, str) or not hasattr(texts, "__iter__"):
        raise TypeError(f"moves of type {type(texts).__name__}: a list with one text for each position is expected")
    items = texts.tolist() if isinstance(texts, np.ndarray) else texts
    lines = [move if isinstance(move, str) else _uci_of(row, move) for row, move in enumerate(items)]
    if len(lines) != count:
        raise Ox88Error(f"{len(lines)} moves for {count} positions: one for each is expected")
    return lines


def _uci_of(row: int, move: Any) -> str:
    """The text of a chess.Move."""
    if not isinstance(move, chess.Move):
        raise TypeError(f"moves with {type(move).__name__} in row {row}: texts such as 'e2e4' are expected")
    return move.uci()


# --- Reading ----------------------------------------------------------------------------------------------------------


def parse_ucis(records: NDArray[Any], texts: Any, threads: int | None) -> NDArray[np.uint16]:
    """uint16[n]: moves in UCI's notation, legal or not. Raises TypeError, Ox88Error, RowError."""
    lines, numbers = texts_of_moves(texts, len(records)), _all_numbers()
    moves = np.fromiter(map(numbers.get, lines, repeat(-1)), np.int64, len(lines))
    for row in map(int, np.flatnonzero(moves < 0)[:1]):
        try:
            parse_uci(lines[row], to_setup(records[row]))
        except Ox88Error as error:
            raise RowError(row, error) from None
    in_chunks(lambda rows: _find_castling(records[rows], moves[rows]), len(records), threads)
    return moves.astype(np.uint16)


@functools.cache
def _all_numbers() -> dict[str, int]:
    """For each text in UCI's notation the number of its move. Castling is not told from other moves of a king."""
    pairs = [(start, end) for start in range(64) for end in range(64) if start != end]
    moves = [0, *(make_move(*pair, kind) for pair in pairs for kind in _PROMOTIONS)]
    return {format_uci(move): move for move in moves}


def _find_castling(records: NDArray[Any], moves: NDArray[np.int64]) -> None:
    """Write castling, which is a king's move onto its rook, or of two files or more to the c-file or g-file."""
    starts, ends = moves & 63, moves >> 6
    pieces = np.take_along_axis(records["board"], starts[:, np.newaxis], 1)[:, 0]
    rows = np.flatnonzero((pieces & 7 == KING) & (starts >> 3 == ends >> 3))
    starts, ends, pieces = starts[rows], ends[rows], pieces[rows]
    takes_rook = records["board"][rows, ends] == pieces & BLACK_BIT | ROOK
    jumps = (abs(ends - starts) > 1) & np.isin(ends & 7, (_C_FILE, _G_FILE))
    below = (np.uint64(1) << starts.astype(np.uint64)) - np.uint64(1)
    side = np.where(ends > starts, ~below, below) & RANK_1 << (starts & 56).astype(np.uint64)
    rooks = records["castling"][rows] & side
    lowest = np.bitwise_count(~rooks & (rooks - np.uint64(1)))  # The number of the lowest bit.
    targets = np.where(takes_rook, ends, lowest)
    castles = takes_rook | jumps & (rooks != 0)
    moves[rows[castles]] = (starts | targets << 6 | CASTLING_FLAG)[castles]


# --- Writing ----------------------------------------------------------------------------------------------------------


def format_ucis(records: NDArray[Any], moves: EachMove) -> list[str]:
    """The texts of all moves, one after another; castling as e1h1 in positions that Chess960 alone has."""
    texts = texts_of(moves.numbers, chess960=False)
    castlings = np.flatnonzero(moves.numbers & CASTLING_FLAG)
    rows = np.searchsorted(moves.offsets, castlings, "right") - 1
    in_chess960 = castlings[need_chess960(records[rows])]
    for place, text in zip(in_chess960.tolist(), texts_of(moves.numbers[in_chess960], chess960=True), strict=True):
        texts[place] = text
    return texts


def texts_of(moves: NDArray[np.uint16], chess960: bool) -> list[str]:
    return list(map(_all_texts(chess960).__getitem__, moves.tolist()))


@functools.cache
def _all_texts(chess960: bool) -> list[str]:
    return [format_uci(move, chess960) for move in range(_ALL_MOVES)]


def need_chess960(records: Any) -> NDArray[np.bool_]:
    """bool[n]: whether the castling rights of POSITION[n] are those of Chess960."""
    found = np.empty(len(records), np.bool_)
    find_chess960(records, found)
    return found


@kernel
def find_chess960(positions, found):
    for row in range(len(positions)):
        found[row] = is_chess960(positions[row])


@kernel
def is_chess960(position):
    """What Setup.is_chess960 says: a rook that may castle stands in no corner, or its king not on the e-file."""
    for colour in range(2):
        back_rank = RANK_1 if colour == WHITE else RANK_8
        king = position.kinds[KING] & position.colours[colour]
        if position.castling & back_rank != NO_SQUARES and king & E_FILE == NO_SQUARES:
            return True
    return position.castling & ~CORNERS != NO_SQUARES


@kernel
def write_uci(position, letters, move, text, place):
    """Write a move; returns the place after it. Castling is e1h1 in positions that Chess960 alone has."""
    if move == NO_MOVE:
        for _ in range(4):
            place = put(text, place, ZERO)
        return place
    begin, end, promotion = move & 63, move >> 6 & 63, move >> 12 & 7
    if move & CASTLING_FLAG != 0 and not is_chess960(position):
        end = castling_targets(begin, end)[0]
    for square in (begin, end):
        place = put(text, place, LOWER_A + (square & 7))
        place = put(text, place, ZERO + 1 + (square >> 3))
    return put(text, place, np.int64(letters[promotion | BLACK_BIT])) if promotion != 0 else place
