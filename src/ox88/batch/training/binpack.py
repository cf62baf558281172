"""Stockfish's .binpack: the first position of a game in 32 bytes, then for each move its number and a score's change.

    file      chunks: `BINP`, the number of bytes (uint32, little-endian), chains
    chain     a position: 8 bytes of occupied squares, a1 the lowest bit; 16 bytes of nibbles, the low half first
              move: 2 bits of kind (1 promotion, 2 castling, 3 en passant), 6 from, 6 to, 2 promoted to
              score: as an unsigned number whose lowest bit is the sign
              ply (14 bits) and result (2 bits above, as the score); the halfmove clock; the number of moves to come
    move      the number of the piece among the own ones, then of the target among its targets, in as few
              bits as they need; the change of the score, blocks of 4 bits, each after a bit that tells if more come

All numbers of a chain have their high byte first. A nibble is kind * 2 + colour, 12 for a pawn that has just made a
double step and may be captured, 13 and 14 for a rook of White and Black with a castling right, 15 for Black's king if
Black is to move. Scores and results are for the side to move.

Source: docs/binpack.md of the branch tools of github.com/official-stockfish/Stockfish, and the headers that it names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import IllegalMoveError, RowError
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.text.uci import is_chess960
from ox88.batch.training.entries import ENTRY, TrainingData, of_entries
from ox88.bitboard.attacks import en_passant_pawns, occupied_squares, piece_attacks
from ox88.bitboard.bits import NO_SQUARES, RANK_2, RANK_7, mask, without_lowest
from ox88.bitboard.legality import is_legal
from ox88.bitboard.movegen import pawn_pushes, sides
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import fill_boards, is_valid
from ox88.bitboard.records import POSITION, UNDO
from ox88.bitboard.tables import all_tables
from ox88.errors import Ox88Error
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import CASTLING_FLAG, EMPTY, KING, KNIGHT, NO_MOVE, PAWN, ROOK, WHITE

STEM = np.int64(34)  # Bytes of a position with the number of moves to come.
MOST_PLIES = np.int64(0xFFFF)
LAST_PLY = np.int64(0x3FFF)
BLOCK = np.int64(4)  # Bits of a score's change.
BLOCKS = np.int64(4)
SPARE = 16  # Bytes behind a chunk, which a reader of bits may touch.
_CAPACITY: Final = 1 << 17  # Positions read at a time; a chain has at most half as many.
_LARGEST: Final = 100 << 20  # Bytes of a chunk, for Stockfish's reader too.
PAWN_PASSED, WHITE_ROOK, BLACK_ROOK, BLACK_KING = (np.int64(nibble) for nibble in (12, 13, 14, 15))
PROMOTION, CASTLING, EN_PASSANT = (np.int64(kind) for kind in (1, 2, 3))

# What a kernel finds wrong.
RIGHT, NO_POSITION, NO_RESULT, ILLEGAL, CUT_OFF, CHESS960, LATE = (np.int64(number) for number in range(7))
_WRONG: Final = {
    int(NO_POSITION): "its 24 bytes are no legal position of chess",
    int(NO_RESULT): "its result is neither 1, 0 nor -1",
    int(ILLEGAL): "move {} is not legal",
    int(CUT_OFF): "the chunk ends within it, at move {}",
}


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_binpack(path: Path, threads: int | None = None) -> Iterator[TrainingData]:
    """The positions of a file, some at a time. Raises Ox88Error, OSError."""
    for parts in in_order(lambda chunk: list(read_chunk(path, *chunk)), _chunks(path), count_threads(threads)):
        yield from parts


def _chunks(path: Path) -> Iterator[tuple[int, bytes]]:
    """(the place in the file, the bytes) of each chunk, without its header."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        while header := file.read(8):
            place, length, wrong = file.tell(), int.from_bytes(header[4:], "little"), ""
            if header[:4] != b"BINP"[: len(header)]:
                wrong = "a chunk must begin with BINP"
            elif len(header) < 8 or length > size - place:
                wrong = f"the file is cut off within this chunk, which needs {8 + length:,} bytes"
            elif length > _LARGEST:
                wrong = f"a chunk of {length:,} bytes, and {_LARGEST:,} are the most"
            if wrong:
                raise Ox88Error(f"{path}: byte {place - len(header)}: {wrong}")
            yield place, file.read(length)


def read_chunk(path: Path, begin: int, chunk: bytes) -> Iterator[TrainingData]:
    """The positions of a chunk, which begins at a place of the file. Raises Ox88Error."""
    data, undos = np.frombuffer(chunk + bytes(SPARE), np.uint8), np.zeros(1, UNDO)
    place, end = 0, len(chunk)
    while place < end:
        records, entries = np.empty(_CAPACITY, POSITION), np.empty(_CAPACITY, ENTRY)
        rows, place, wrong, move = read_chains(all_tables(), undos, data, place, end, records, entries)
        if wrong:
            what = _WRONG[wrong].format(move)
            raise Ox88Error(f"{path}: byte {begin + place}: in the chain of moves that begins here {what}")
        yield of_entries(Positions._of(records[:rows].copy()), entries[:rows])


@kernel
def read_chains(all_tables, undos, data, place, end, positions, entries):
    """Read chains, as many as fit. Returns (rows, the place after them or of a wrong one, what is wrong, move)."""
    tables, rows = all_tables[0], np.int64(0)
    while place < end:
        if place + STEM > end:
            return rows, place, CUT_OFF, np.int64(0)
        count = two_bytes(data, place + 32)
        if rows + count + 1 > len(positions):
            break
        wrong, number = read_stem(tables, data, place, count, positions[rows], entries[rows]), np.int64(0)
        bit = (place + STEM) * 8
        while wrong == RIGHT and number < count:
            number += 1
            wrong, bit = read_next(tables, undos[0], data, bit, end, positions, entries, rows + number)
        if wrong != RIGHT:
            return rows, place, wrong, number
        rows += count + 1
        place = (bit + 7) >> 3
    return rows, place, RIGHT, np.int64(0)


@kernel
def read_next(tables, undo, data, bit, end, positions, entries, row):
    """Read a row: its position, by the move of the row before, and its entry. Returns (what is wrong, the next bit)."""
    position, entry, before = positions[row], entries[row], entries[row - 1]
    positions[row] = positions[row - 1]
    do_move(position, tables, undo, np.int64(before.moves))
    move, bit = read_move(tables, data, bit, position)
    change, bit = read_change(data, bit)
    if bit > end * 8:
        return CUT_OFF, bit
    entry.moves = move
    entry.scores = as_int16(as_signed(change) - np.int64(before.scores))
    entry.results = -np.int64(before.results)
    entry.plies = (np.int64(before.plies) + 1) & MOST_PLIES
    return RIGHT if change >= 0 and is_legal(position, tables, move) else ILLEGAL, bit


@kernel
def two_bytes(data, place):
    return np.int64(data[place]) << 8 | np.int64(data[place + 1])


@kernel
def as_signed(number):
    """0, 1, 2, 3, 4 ... mean 0, -1, 1, -2, 2 ..."""
    return number >> 1 ^ -(number & 1)


@kernel
def as_unsigned(number):
    return number << 1 ^ number >> 63


@kernel
def as_int16(number):
    return (number + 0x8000 & 0xFFFF) - 0x8000


@kernel
def read_stem(tables, data, place, count, position, entry):
    """Read a position and its entry, which so many follow. Returns what is wrong."""
    if not read_position(tables, data, place, position):
        return NO_POSITION
    ply = two_bytes(data, place + 28)
    result = as_signed(ply >> 14)
    move = unpacked_move(two_bytes(data, place + 24))
    entry.moves = move
    entry.scores = as_signed(two_bytes(data, place + 26))
    entry.results = result
    entry.plies = ply & LAST_PLY
    position.halfmove_clock = two_bytes(data, place + 30)
    position.fullmove_number = ((ply & LAST_PLY) >> 1) + 1
    if result < -1:
        return NO_RESULT
    return RIGHT if (move == NO_MOVE and count == 0) or is_legal(position, tables, move) else ILLEGAL


@kernel
def unpacked_move(packed):
    squares = packed >> 8 & 63 | (packed >> 2 & 63) << 6
    kind = packed >> 14
    if kind == PROMOTION:
        return squares | ((packed & 3) + KNIGHT) << 12
    return squares | CASTLING_FLAG if kind == CASTLING else squares


@kernel
def read_position(tables, data, place, position):
    """True if the 24 bytes are a legal position of chess."""
    squares = NO_SQUARES
    for byte in range(8):
        squares = squares << np.uint64(8) | np.uint64(data[place + byte])
    if popcount(squares) > 32:
        return False
    for square in range(64):
        position.board[square] = EMPTY
    position.castling = NO_SQUARES
    position.en_passant = 0
    position.turn = WHITE
    number = np.int64(0)
    while squares != NO_SQUARES:
        square = lowest_bit(squares)
        squares = without_lowest(squares)
        put_piece(position, square, np.int64(data[place + 8 + (number >> 1)]) >> 4 * (number & 1) & 15)
        number += 1
    fill_boards(position, tables)
    return is_valid(position, tables) and not is_chess960(position)


@kernel
def put_piece(position, square, nibble):
    piece = (nibble >> 1) + 1 | (nibble & 1) << 3
    if nibble == PAWN_PASSED:
        is_black = np.int64(square >> 3 == 4)  # On any other rank than these two the position is not valid.
        piece = PAWN | is_black << 3
        position.en_passant = square + 8 if is_black != 0 else square - 8 & 63
    elif nibble in (WHITE_ROOK, BLACK_ROOK):
        piece = ROOK | (nibble - WHITE_ROOK) << 3
        position.castling |= mask(square)
    elif nibble == BLACK_KING:
        piece = np.int64(KING | 8)
        position.turn = 1
    position.board[square] = piece


# --- Moves as numbers -------------------------------------------------------------------------------------------------


@kernel
def choices_of(position, tables, square):
    """(squares that a piece attacks or steps to, rooks it may castle with, moves to a square: four for a promotion)."""
    own, theirs, king = sides(position)
    kind = np.int64(position.board[square]) & 7
    if kind != PAWN:
        rooks = position.castling & own if square == king else NO_SQUARES
        return piece_attacks(tables, kind, square, own | theirs) & ~own, rooks, np.int64(1)
    turn = np.int64(position.turn)
    single, double = pawn_pushes(mask(square), ~(own | theirs), turn)
    if en_passant_pawns(position, tables) != NO_SQUARES:
        theirs |= mask(np.int64(position.en_passant))
    each = np.int64(4 if mask(square) & (RANK_7 if turn == WHITE else RANK_2) != NO_SQUARES else 1)
    return single | double | tables.pawn_attacks[turn, square] & theirs, NO_SQUARES, each


@kernel
def bits_for(count):
    """The bits of a number below a count."""
    bits = np.int64(0)
    while (count - 1) >> bits > 0:
        bits += 1
    return bits


@kernel
def square_number(squares, number):
    """The square with a number among some squares; 64 if there are not so many."""
    for _ in range(number):
        squares = without_lowest(squares)
    return lowest_bit(squares) if squares != NO_SQUARES else np.int64(64)


@kernel
def read_bits(data, bit, count):
    """(at most eight bits, the place after them), the highest bit first."""
    pair = two_bytes(data, bit >> 3)
    return pair >> (16 - (bit & 7) - count) & ((1 << count) - 1), bit + count


@kernel
def read_move(tables, data, bit, position):
    """(a move, perhaps none that is legal; the place after it)."""
    own, _, _ = sides(position)
    number, bit = read_bits(data, bit, bits_for(popcount(own)))
    square = square_number(own, number)
    if square == 64:
        return np.int64(NO_MOVE), bit
    targets, rooks, each = choices_of(position, tables, square)
    number, bit = read_bits(data, bit, bits_for(popcount(targets) * each + popcount(rooks)))
    if each == 4:
        return square | (square_number(targets, number >> 2) & 63) << 6 | ((number & 3) + KNIGHT) << 12, bit
    steps = popcount(targets)
    if number < steps:
        return square | square_number(targets, number) << 6, bit
    return square | (square_number(rooks, number - steps) & 63) << 6 | CASTLING_FLAG, bit


@kernel
def read_change(data, bit):
    """(the change of a score, unsigned, or -1 if it is too long; the place after it)."""
    change = np.int64(0)
    for number in range(BLOCKS):
        block, bit = read_bits(data, bit, BLOCK + 1)
        change |= (block & 15) << number * BLOCK
        if block >> BLOCK == 0:
            return change, bit
    return np.int64(-1), bit


# --- Writing ----------------------------------------------------------------------------------------------------------


def write_binpack(data: TrainingData, begin: int = 0) -> bytes:
    """A chunk of the rows from one on, at most 1 << 18. Raises RowError."""
    records, entries = data.positions._records, data.entries()
    out = np.zeros((len(data) - begin) * int(STEM) + SPARE, np.uint8)  # A move takes less than a position.
    scratch, undos = np.empty(1, POSITION), np.zeros(1, UNDO)
    size, row, wrong = write_chains(all_tables(), undos, scratch, records, entries, begin, out)
    if wrong == ILLEGAL:
        raise IllegalMoveError(row, int(entries["moves"][row]), records[row])
    if wrong == LATE:
        raise RowError(row, f"ply {entries['plies'][row]}: a .binpack has plies up to {int(LAST_PLY)}")
    if wrong == CHESS960:
        raise RowError(row, "castling of Chess960: a .binpack has only kings on the e-file and rooks in corners")
    return b"BINP" + int(size).to_bytes(4, "little") + out[:size].tobytes()


@kernel
def write_chains(all_tables, undos, scratch, positions, entries, row, out):
    """Write the rows from one on as chains. Returns (bytes, the row after them or a wrong one, what is wrong)."""
    tables = all_tables[0]
    place = np.int64(0)
    while row < len(positions):
        wrong = write_stem(tables, positions[row], entries[row], out, place)
        if wrong != RIGHT:
            return place, row, wrong
        bit = (place + STEM) * 8
        count = np.int64(0)
        row += 1
        while count < MOST_PLIES and goes_on(tables, undos[0], scratch, positions, entries, row):
            if not is_legal(positions[row], tables, np.int64(entries[row].moves)):
                return place, row, ILLEGAL
            bit = write_move(tables, positions[row], np.int64(entries[row].moves), out, bit)
            bit = write_change(np.int64(entries[row].scores) + np.int64(entries[row - 1].scores), out, bit)
            count += 1
            row += 1
        put_two(out, place + 32, count)
        place = (bit + 7) >> 3
    return place, row, RIGHT


@kernel
def goes_on(tables, undo, scratch, positions, entries, row):
    """True if a row is the position after the move of the row before."""
    if row == len(positions):
        return False
    before, entry = entries[row - 1], entries[row]
    if before.moves == NO_MOVE or entry.moves == NO_MOVE or np.int64(before.results) != -np.int64(entry.results):
        return False
    if np.int64(before.plies) + 1 != np.int64(entry.plies):
        return False
    scratch[0] = positions[row - 1]
    do_move(scratch[0], tables, undo, np.int64(before.moves))
    same_clock = scratch[0].halfmove_clock == positions[row].halfmove_clock
    return same_clock and scratch[0].key == positions[row].key


@kernel
def put_two(out, place, number):
    out[place] = number >> 8 & 255
    out[place + 1] = number & 255


@kernel
def write_stem(tables, position, entry, out, place):
    """Write a position and its entry. Returns what is wrong."""
    move = np.int64(entry.moves)
    if move != NO_MOVE and not is_legal(position, tables, move):
        return ILLEGAL
    if np.int64(entry.plies) > LAST_PLY:
        return LATE
    if is_chess960(position):
        return CHESS960
    squares = occupied_squares(position)
    for byte in range(8):
        out[place + byte] = squares >> np.uint64(8 * (7 - byte)) & np.uint64(255)
    can_be_captured = en_passant_pawns(position, tables) != NO_SQUARES
    passed = np.int64(position.en_passant) ^ 8 if can_be_captured else np.int64(64)
    number = np.int64(0)
    while squares != NO_SQUARES:
        nibble = nibble_of(position, lowest_bit(squares), passed)
        squares = without_lowest(squares)
        out[place + 8 + (number >> 1)] |= nibble << 4 * (number & 1)
        number += 1
    put_two(out, place + 24, packed_move(position, move))
    put_two(out, place + 26, as_unsigned(np.int64(entry.scores)))
    put_two(out, place + 28, np.int64(entry.plies) | as_unsigned(np.int64(entry.results)) << 14)
    put_two(out, place + 30, np.int64(position.halfmove_clock))
    return RIGHT


@kernel
def nibble_of(position, square, passed):
    """passed: the square of a pawn that may be captured en passant, or 64."""
    piece = np.int64(position.board[square])
    if square == passed:
        return PAWN_PASSED
    if position.castling & mask(square) != NO_SQUARES:
        return WHITE_ROOK + (piece >> 3)
    if piece == KING | 8 and position.turn != WHITE:
        return BLACK_KING
    return ((piece & 7) - 1) * 2 + (piece >> 3)


@kernel
def packed_move(position, move):
    squares = (move & 63) << 8 | (move >> 6 & 63) << 2
    promotion = move >> 12 & 7
    if promotion != 0:
        return squares | PROMOTION << 14 | (promotion - KNIGHT)
    if move & CASTLING_FLAG != 0:
        return squares | CASTLING << 14
    is_pawn = np.int64(position.board[move & 63]) & 7 == PAWN
    if is_pawn and position.en_passant != 0 and move >> 6 & 63 == np.int64(position.en_passant):
        return squares | EN_PASSANT << 14
    return squares


@kernel
def write_bits(out, bit, number, count):
    """Write at most eight bits, the highest first; returns the place after them."""
    shifted = number << (16 - (bit & 7) - count)
    out[bit >> 3] |= shifted >> 8
    out[(bit >> 3) + 1] |= shifted & 255
    return bit + count


@kernel
def write_move(tables, position, move, out, bit):
    own, _, _ = sides(position)
    square, target, promotion = move & 63, move >> 6 & 63, move >> 12 & 7
    targets, rooks, each = choices_of(position, tables, square)
    bit = write_bits(out, bit, popcount(own & (mask(square) - np.uint64(1))), bits_for(popcount(own)))
    below = mask(target) - np.uint64(1)
    number = popcount(targets & below)
    if promotion != 0:
        number = number * 4 + promotion - KNIGHT
    elif move & CASTLING_FLAG != 0:
        number = popcount(targets) + popcount(rooks & below)
    return write_bits(out, bit, number, bits_for(popcount(targets) * each + popcount(rooks)))


@kernel
def write_change(change, out, bit):
    left = as_unsigned(as_int16(change))
    while True:
        more = np.int64(left > 15)
        bit = write_bits(out, bit, left & 15 | more << BLOCK, BLOCK + 1)
        left >>= BLOCK
        if more == 0:
            return bit
