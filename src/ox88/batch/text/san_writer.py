"""Writes moves in SAN (such as Nf3), in bulk."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import EachMove
from ox88.batch.text.fen_writer import piece_letters, put
from ox88.bitboard.attacks import checkers
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.counting import count_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import MOVE_LIST, POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.types import CASTLING_FLAG, KING, PAWN

_LONGEST_SAN = 8  # Bytes; Qa1xb2# has seven.

# Typed, so that a kernel that takes one has a single signature.
_FILE_A, _RANK_1, _TAKES, _PROMOTES = (np.int64(ord(character)) for character in "a1x=")
_CHECK, _MATE, _CASTLES, _DASH = (np.int64(ord(character)) for character in "+#O-")


def format_sans(records: NDArray[Any], moves: EachMove, threads: int | None) -> list[str]:
    """The SAN of all moves, which are legal, one after another."""
    texts = np.zeros((len(moves.numbers), _LONGEST_SAN), np.uint8)
    letters = piece_letters()

    def work(rows: slice) -> None:
        scratch = make_record(POSITION), make_record(MOVE_LIST), make_record(UNDO)
        write_sans(records[rows], board_tables(), letters, moves.of(rows), moves.numbers, *scratch, texts)

    in_chunks(work, len(records), threads)
    return [text.decode("ascii") for text in texts.view(f"S{_LONGEST_SAN}")[:, 0].tolist()]


@kernel
def write_sans(positions, tables, letters, offsets, moves, position, found, undo, texts):
    """Write the SAN of each move. texts: uint8[number of moves, 8] of zeros. position, found, undo: scratch records."""
    for row in range(len(positions)):
        for place in range(offsets[row], offsets[row + 1]):
            copy_position(positions[row], position)
            write_san(position, tables, letters, np.int64(moves[place]), found, undo, texts[place], np.int64(0))


@kernel
def write_san(position, tables, letters, move, found, undo, text, place):
    """Write the SAN of a legal move, and play the move; returns the place after it."""
    if move & CASTLING_FLAG != 0:
        place = put(text, place, _CASTLES)
        for _ in range(1 if move >> 6 & 63 > move & 63 else 2):
            place = put(text, place, _DASH)
            place = put(text, place, _CASTLES)
    else:
        place = write_from(position, tables, letters, move, found, text, place)
        place = put(text, place, _FILE_A + (move >> 6 & 7))
        place = put(text, place, _RANK_1 + (move >> 9 & 7))
        promotion = move >> 12 & 7
        if promotion != 0:
            place = put(text, place, _PROMOTES)
            place = put(text, place, np.int64(letters[promotion]))
    do_move(position, tables, undo, move)
    if checkers(position, tables) != NO_SQUARES:
        place = put(text, place, _MATE if count_legal(position, tables) == 0 else _CHECK)
    return place


@kernel
def write_from(position, tables, letters, move, found, text, place):
    """Write the piece, its file or rank if another one could move there too, and x for a capture."""
    from_square = move & 63
    to_square = move >> 6 & 63
    kind = np.int64(position.board[from_square]) & 7
    captures = position.board[to_square] != 0
    if kind == PAWN:
        captures = from_square & 7 != to_square & 7
        if captures:
            place = put(text, place, _FILE_A + (from_square & 7))
    else:
        place = put(text, place, np.int64(letters[kind]))
        if kind != KING:
            place = write_disambiguation(position, tables, move, kind, found, text, place)
    return put(text, place, _TAKES) if captures else place


@kernel
def write_disambiguation(position, tables, move, kind, found, text, place):
    """Write what tells a piece from others of its kind that can move to the same square.

    That is its file, or its rank if another one stands on that file, or both if a third one stands on that rank.
    """
    from_square = move & 63
    has_rival = False
    shares_file = False
    shares_rank = False
    for number in range(generate_legal(position, tables, found)):
        other = np.int64(found.moves[number])
        square = other & 63
        is_rival = other >> 6 == move >> 6 and square != from_square
        if is_rival and np.int64(position.board[square]) & 7 == kind:
            has_rival = True
            shares_file |= square & 7 == from_square & 7
            shares_rank |= square >> 3 == from_square >> 3
    needs_rank = shares_file
    needs_file = has_rival and (shares_rank or not shares_file)
    if needs_file:
        place = put(text, place, _FILE_A + (from_square & 7))
    if needs_rank:
        place = put(text, place, _RANK_1 + (from_square >> 3))
    return place
