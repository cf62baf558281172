"""Kernels that read FENs into POSITION records, in the form that programs write.

That form has one space between fields: a board of eight complete ranks, w or b, castling rights in any notation, en
passant, and then nothing, two clocks, or the operations of EPD. `ox88.fen` reads any other row, and any illegal one.
A mispredicted branch costs more than a dozen operations, so the loop over the board has no branches.
"""

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.bits import NO_SQUARES, RANK_1, RANK_8, mask
from ox88.bitboard.position import en_passant_key
from ox88.bitboard.validity import is_valid
from ox88.jit import kernel, lowest_bit
from ox88.types import BLACK, KING, PIECE_SYMBOLS, ROOK, WHITE

# A character as bits: 0-3 its piece, 4-7 how many files it fills, 8 set for a slash, 9 set if no board contains it.
_FILES = 4
_SLASH = 1 << 8
_UNKNOWN = 1 << 9
_BOARD_END = 72 + 1  # Characters: 64 pieces, 7 slashes and the space after them.

_SPACE, _DASH, _NINE, _ZERO = ord(" "), ord("-"), ord("9"), ord("0")
_LOWER_A, _LOWER_B, _LOWER_W, _LOWER_Z, _UPPER_A = ord("a"), ord("b"), ord("w"), ord("z"), ord("A")
_TO_LOWER = 32
_MAX_DIGITS = 4


def board_symbols() -> NDArray[np.int64]:
    """int64[256]: the bits of each character, as above."""
    symbols = np.full(256, _UNKNOWN, np.int64)
    symbols[ord("/")] = _SLASH
    for digit in range(1, 9):
        symbols[_ZERO + digit] = digit << _FILES
    for piece, symbol in enumerate(PIECE_SYMBOLS):
        if symbol != ".":
            symbols[ord(symbol)] = piece | 1 << _FILES
    return symbols


@kernel
def read_fens(text, starts, ends, symbols, tables, positions, is_read):
    """Read the lines text[starts[i]:ends[i]] into positions. is_read: bool[n], set to True for a legal position."""
    for row in range(len(positions)):
        position = positions[row]
        is_read[row] = read_fen(text, starts[row], ends[row], symbols, tables, position) and is_valid(position, tables)


@kernel
def read_fen(text, place, end, symbols, tables, position):
    """Read the text from `place` to `end`. True if all of it could be read."""
    # Step 1. Board.
    place = read_board(text, place, end, symbols, tables, position)
    if place < 0 or place + 5 >= end:  # At least ` w - -` follows.
        return False

    # Step 2. Side to move.
    turn = np.int64(text[place + 1] == _LOWER_B)
    if text[place] != _SPACE or text[place + 2] != _SPACE or (turn == WHITE and text[place + 1] != _LOWER_W):
        return False
    position.turn = turn
    if turn == BLACK:
        position.key ^= tables.black_key

    # Step 3. Castling.
    place = read_castling(text, place + 3, end, tables, position)
    if place < 0 or place + 1 >= end:
        return False

    # Step 4. En passant.
    place = read_en_passant(text, place + 1, end, position)
    if place < 0:
        return False
    position.key ^= en_passant_key(position, tables)

    # Step 5. Clocks.
    return read_clocks(text, place, end, position)


@kernel
def read_board(text, place, end, symbols, tables, position):
    """Read the board and set the fields that follow from it; returns the place of the next space, or -1."""
    for kind in range(7):
        position.kinds[np.uint64(kind)] = NO_SQUARES
    for square in range(64):
        position.board[np.uint64(square)] = 0
    white = NO_SQUARES
    black = NO_SQUARES
    key = NO_SQUARES
    material = np.int64(0)
    wrong = np.int64(0)
    square = np.int64(56)
    files = np.int64(0)
    last = min(end, place + _BOARD_END)
    while place < last and text[np.uint64(place)] != _SPACE:
        symbol = symbols[np.uint64(text[np.uint64(place)])]
        piece = symbol & 15
        is_slash = symbol >> 8 & 1
        here = np.uint64(square & 63)
        found = np.uint64(piece != 0) << here
        position.board[here] |= piece  # At a slash piece is 0, so nothing changes.
        position.kinds[np.uint64(piece & 7)] |= found
        is_black = np.uint64(piece >> 3)
        white |= found & (is_black - np.uint64(1))
        black |= found & (np.uint64(0) - is_black)
        key ^= tables.piece_keys[np.uint64(piece), here]
        material += tables.values[np.uint64(piece)]
        wrong |= symbol & _UNKNOWN | is_slash & np.int64(files != 8)
        step = symbol >> _FILES & 15
        files = files * (1 - is_slash) + step
        square += step - is_slash * 16
        place += 1
    position.colours[0] = white
    position.colours[1] = black
    position.key = key
    position.material = material
    is_whole = wrong == 0 and files == 8 and square == 8 and place < end and text[np.uint64(place)] == _SPACE
    return place if is_whole else np.int64(-1)


@kernel
def read_castling(text, place, end, tables, position):
    """Read the castling field; returns the place of the next space, or -1."""
    position.castling = NO_SQUARES
    if text[place] == _DASH:
        return place + 1 if place + 1 < end and text[place + 1] == _SPACE else np.int64(-1)
    while place < end and text[place] != _SPACE:
        letter = np.int64(text[place])
        colour = np.int64(letter >= _LOWER_A)
        rook = castling_rook(position, letter & ~_TO_LOWER, colour)
        rooks = position.kinds[ROOK] & position.colours[colour]
        if rook > 63 or rooks & mask(rook) & ~position.castling == NO_SQUARES:
            return np.int64(-1)
        position.castling |= mask(rook)
        position.key ^= tables.castling_keys[rook]
        place += 1
    return place if position.castling != NO_SQUARES else np.int64(-1)


@kernel
def castling_rook(position, letter, colour):
    """The square of a rook. letter: K or Q for the outermost on a side of the king, A to H for the one on a file."""
    back_rank = RANK_1 if colour == WHITE else RANK_8
    first = np.int64(0) if colour == WHITE else np.int64(56)
    king = position.kinds[KING] & position.colours[colour] & back_rank
    rooks = position.kinds[ROOK] & position.colours[colour] & back_rank
    below = king - np.uint64(1)
    if _UPPER_A <= letter < _UPPER_A + 8:
        return first + letter - _UPPER_A
    if king != NO_SQUARES and letter == ord("Q"):
        return lowest_bit(rooks & below)
    if king != NO_SQUARES and letter == ord("K"):
        return highest_bit(rooks & ~below)
    return np.int64(64)


@kernel
def highest_bit(squares):
    """Index of the highest set bit; 64 if there is none."""
    found = np.int64(64)
    while squares != NO_SQUARES:
        found = lowest_bit(squares)
        squares &= squares - np.uint64(1)
    return found


@kernel
def read_en_passant(text, place, end, position):
    """Read the en passant field; returns the place after it, or -1. `is_valid` checks the square."""
    position.en_passant = 0
    if text[place] == _DASH:
        return place + 1
    file = np.int64(text[place]) - _LOWER_A
    if place + 1 >= end or not 0 <= file < 8:
        return np.int64(-1)
    rank = np.int64(text[place + 1]) - _ZERO - 1
    position.en_passant = rank * 8 + file if 0 < rank < 8 else 0
    return place + 2 if position.en_passant != 0 else np.int64(-1)


@kernel
def read_clocks(text, place, end, position):
    """Read the two clocks, if there are any. True if the rest of the text is well-formed."""
    position.halfmove_clock = 0
    position.fullmove_number = 1
    if place == end:
        return True
    if place + 1 >= end or text[place] != _SPACE:
        return False
    first = np.int64(text[place + 1])
    if _LOWER_A <= first | _TO_LOWER <= _LOWER_Z:
        return True  # Operations of EPD.
    middle, halfmoves = read_number(text, place + 1, end)
    if middle < 0 or middle + 1 >= end:
        return False
    place, fullmoves = read_number(text, middle + 1, end)
    if place < 0:
        return False
    position.halfmove_clock = halfmoves
    position.fullmove_number = max(fullmoves, np.int64(1))
    return True


@kernel
def read_number(text, place, end):
    """(the place after a number of at most four digits, the number); (-1, 0) unless a space or the end follows."""
    first = place
    number = np.int64(0)
    while place < end and _ZERO <= text[place] <= _NINE:
        number = number * 10 + np.int64(text[place]) - _ZERO
        place += 1
    if place == first or place - first > _MAX_DIGITS or (place < end and text[place] != _SPACE):
        return np.int64(-1), np.int64(0)
    return place, number
