"""Moves in UCI's notation, in bulk: kernels that read them, which need not be legal, and a table of all texts."""

import functools
from typing import Any, Final

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import RowError
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import EachMove
from ox88.batch.text.bytes import PADDING, begins_with, byte_at
from ox88.bitboard.bits import FILE_A, FILE_H, NO_SQUARES, RANK_1, RANK_8, mask
from ox88.bitboard.position import to_setup
from ox88.errors import Ox88Error
from ox88.jit import kernel, lowest_bit
from ox88.setup import parse_uci
from ox88.types import BISHOP, BLACK_BIT, CASTLING_FLAG, KING, KNIGHT, NO_MOVE, QUEEN, ROOK, format_uci

NO_MOVE_TEXT = np.int64(-99)  # What a kernel returns for a text that is not a move in any notation.

_ALL_MOVES: Final = 1 << 16
_HOMES: Final = ((RANK_1, mask(4)), (RANK_8, mask(60)))  # By colour: its back rank, and the e-file's square there.

_ONE, _LOWER_A = map(ord, "1a")
_ZEROS = np.frombuffer(b"0000", np.uint8)
_QUEEN, _ROOK, _BISHOP, _KNIGHT = map(ord, "qrbn")


# --- Reading ----------------------------------------------------------------------------------------------------------


def parse_ucis(records: NDArray[Any], texts: Any, threads: int | None) -> NDArray[np.uint16]:
    """uint16[n]: moves in UCI's notation, legal or not. Raises TypeError, Ox88Error, RowError."""
    lines, text, starts, ends = join_moves(texts, len(records))
    found = np.empty(len(records), np.int64)
    in_chunks(lambda some: read_ucis(text, starts[some], ends[some], records[some], found[some]), len(records), threads)
    for row in map(int, np.flatnonzero(found < 0)[:1]):
        try:
            parse_uci(lines[row], to_setup(records[row]))
        except Ox88Error as error:
            raise RowError(row, error) from None
    return found.astype(np.uint16)


def join_moves(texts: Any, count: int) -> tuple[list[str], NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """(the texts, all of them as bytes, where each begins, where each ends). Raises TypeError, Ox88Error."""
    if isinstance(texts, str) or not hasattr(texts, "__iter__"):
        raise TypeError(f"moves of type {type(texts).__name__}: a list with one text for each position is expected")
    items = texts.tolist() if isinstance(texts, np.ndarray) else texts
    lines = [move if isinstance(move, str) else _uci_of(row, move) for row, move in enumerate(items)]
    if len(lines) != count:
        raise Ox88Error(f"{len(lines)} moves for {count} positions: one for each is expected")
    # A character that is not ASCII becomes a ?, which no move contains.
    text = np.frombuffer("\n".join(lines).encode("ascii", "replace") + bytes(PADDING), np.uint8)
    lengths = np.fromiter(map(len, lines), np.int64, count)
    ends = np.cumsum(lengths + 1) - 1
    return lines, text, ends - lengths, ends


def _uci_of(row: int, move: Any) -> str:
    """The text of a chess.Move."""
    if not isinstance(move, chess.Move):
        raise TypeError(f"moves with {type(move).__name__} in row {row}: texts such as 'e2e4' are expected")
    return move.uci()


@kernel
def read_ucis(text, starts, ends, positions, moves):
    """Read the move text[starts[i]:ends[i]] in position i, or NO_MOVE_TEXT. moves: int64[n]."""
    for row in range(len(positions)):
        moves[row] = read_uci_at(text, starts[row], ends[row], positions[row])


@kernel
def read_uci_at(text, at, end, position):
    """The move that is the whole text from `at` to `end`: as ox88.setup.parse_uci reads it."""
    from_square, to_square = read_square(text, at), read_square(text, at + 2)
    if end - at == 4 and begins_with(text, at, _ZEROS):
        return np.int64(NO_MOVE)
    if from_square < 0 or to_square < 0 or from_square == to_square or end - at < 4 or end - at > 5:
        return NO_MOVE_TEXT
    if end - at == 5:
        promotion = read_promotion(np.int64(byte_at(text, at + 4)))
        return from_square | to_square << 6 | promotion << 12 if promotion != 0 else NO_MOVE_TEXT
    rook = rook_to_castle(position, from_square, to_square)
    return from_square | rook << 6 | CASTLING_FLAG if rook >= 0 else from_square | to_square << 6


@kernel
def read_square(text, at):
    """The square, or -1."""
    file = np.int64(byte_at(text, at)) - _LOWER_A
    rank = np.int64(byte_at(text, at + 1)) - _ONE
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else np.int64(-1)


@kernel
def read_promotion(letter):
    """The kind that a letter stands for, or 0."""
    if letter == _QUEEN:
        return np.int64(QUEEN)
    if letter == _ROOK:
        return np.int64(ROOK)
    if letter == _BISHOP:
        return np.int64(BISHOP)
    return np.int64(KNIGHT) if letter == _KNIGHT else np.int64(0)


@kernel
def rook_to_castle(position, from_square, to_square):
    """The square of the rook if a move is castling, written as e1g1 or as e1h1; else -1."""
    piece = np.int64(position.board[from_square])
    if piece & 7 != KING or from_square >> 3 != to_square >> 3:
        return np.int64(-1)
    if np.int64(position.board[to_square]) == (piece & BLACK_BIT) | ROOK:
        return to_square
    file = to_square & 7
    if -2 < to_square - from_square < 2 or (file != 2 and file != 6):
        return np.int64(-1)
    rank = RANK_1 << np.uint64(from_square & 56)
    below = mask(from_square) - np.uint64(1)
    rooks = position.castling & rank & (~below if to_square > from_square else below)
    return lowest_bit(rooks) if rooks != NO_SQUARES else np.int64(-1)


# --- Writing ----------------------------------------------------------------------------------------------------------


def format_ucis(records: NDArray[Any], moves: EachMove) -> list[str]:
    """The texts of all moves, one after another; castling as e1h1 in positions that Chess960 alone has."""
    texts = texts_of(moves.numbers, chess960=False)
    castlings = np.flatnonzero(moves.numbers & CASTLING_FLAG)
    rows = np.searchsorted(moves.offsets, castlings, "right") - 1
    in_chess960 = castlings[_are_chess960(records[rows])]
    for place, text in zip(in_chess960.tolist(), texts_of(moves.numbers[in_chess960], chess960=True), strict=True):
        texts[place] = text
    return texts


def texts_of(moves: NDArray[np.uint16], chess960: bool) -> list[str]:
    return list(map(_all_texts(chess960).__getitem__, moves.tolist()))


@functools.cache
def _all_texts(chess960: bool) -> list[str]:
    return [format_uci(move, chess960) for move in range(_ALL_MOVES)]


def _are_chess960(records: NDArray[Any]) -> NDArray[np.bool_]:
    """What Setup.is_chess960 says of each position."""
    rooks, kings = records["castling"], records["kinds"][:, KING]
    found: NDArray[np.bool_] = np.not_equal(rooks & ~(FILE_A | FILE_H), 0)
    for colour, (rank, home) in enumerate(_HOMES):
        found |= np.not_equal(rooks & rank, 0) & np.equal(kings & records["colours"][:, colour] & home, 0)
    return found
