"""Kernels that read FENs into POSITION records, by the rules of `ox88.fen`: what one accepts, the other does.

`ox88.fen` alone knows the word `startpos` and blanks that are not ASCII, and finds the words for an error.

A mispredicted branch costs more than a dozen operations, so the loop over the board has no branches.
"""

import numpy as np
from numpy.typing import NDArray

from ox88.batch.text.bytes import begins_with, byte_at, is_space
from ox88.bitboard.bits import FILE_A, NO_SQUARES, ONE, RANK_1, RANK_8, mask, without_lowest
from ox88.bitboard.position import en_passant_key, has_valid_en_passant, is_valid
from ox88.jit import kernel, lowest_bit, rarely_called
from ox88.types import BLACK, KING, PIECE_SYMBOLS, ROOK, WHITE

# A character as bits: 0-9 how many files it fills, 10 set for a slash, 17 set if no board contains it, from 24 on its
# piece. So the sum of a board's characters counts files, slashes and wrong characters at once.
_SLASH = 10
_UNKNOWN = 1 << 17
_PIECE = 24
_COUNTS = (1 << _PIECE) - 1
_WHOLE_BOARD = 64 | 7 << _SLASH
_RANK_ENDS = np.uint64(sum(1 << files for files in range(8, 64, 8)))
_LONGEST_BOARD = 71  # Characters: 64 pieces and 7 slashes.

_SPACE, _DASH, _PLUS, _SEMICOLON, _QUOTE, _NINE, _ZERO = map(ord, ' -+;"90')
_LOWER_A, _LOWER_B, _LOWER_W, _UPPER_A = ord("a"), ord("b"), ord("w"), ord("A")
_M, _V = map(ord, "mv")
_TO_LOWER = 32
_ASCII = 128
_MAX_DIGITS = 4
_HALFMOVE_CLOCK, _FULLMOVE_NUMBER = np.frombuffer(b"hmvc", np.uint8), np.frombuffer(b"fmvn", np.uint8)


def board_symbols() -> NDArray[np.int64]:
    """int64[256]: the bits of each character, as above."""
    symbols = np.full(256, _UNKNOWN, np.int64)
    symbols[ord("/")] = 1 << _SLASH
    for digit in range(1, 9):
        symbols[_ZERO + digit] = digit
    for piece, symbol in enumerate(PIECE_SYMBOLS):
        if symbol != ".":
            symbols[ord(symbol)] = piece << _PIECE | 1
    return symbols


@kernel
def read_fens(text, starts, ends, symbols, tables, positions, is_read):
    """Read the lines text[starts[i]:ends[i]] into positions. is_read: bool[n], set to True for a legal position."""
    for row in range(len(positions)):
        position = positions[row]
        is_read[row] = read_fen(text, starts[row], ends[row], symbols, tables, position) and is_valid(position, tables)


@kernel
def read_fen(text, place, end, symbols, tables, position):
    """Read the text from `place` to `end`. True if all of it could be read. Only the board must be there."""
    position.turn = WHITE
    position.castling = NO_SQUARES
    position.en_passant = 0
    position.halfmove_clock = 0
    position.fullmove_number = 1

    # Step 1. Blanks before and behind the FEN, and semicolons behind it.
    while end > place and (is_blank(text, end - 1) or byte_at(text, end - 1) == _SEMICOLON):
        end -= 1
    place = skip_blanks(text, place, end)

    # Step 2. Board, side to move and castling.
    place = read_board(text, place, end, symbols, tables, position)
    if place < 0 or place == end:
        return place == end
    place = read_turn(text, place, end, tables, position)
    if place < 0 or place == end:
        return place == end
    place = read_castling(text, place, end, tables, position)
    if place < 0 or place == end:
        return place == end

    # Step 3. En passant.
    place = read_en_passant(text, place, end, position)
    if place < 0:
        return False
    if position.en_passant != 0:
        drop_impossible_en_passant(position, tables)

    # Step 4. Clocks, and those among the operations of EPD.
    place = read_clocks(text, place, end, position)
    if place < 0:
        return False
    return place == end or not may_have_clocks(text, place, end) or read_operations(text, place, end, position)


@kernel
def is_blank(text, place):
    byte = byte_at(text, place)
    return byte == _SPACE or (byte < _SPACE and is_space(byte))  # Most blanks are spaces.


@kernel
def skip_blanks(text, place, end):
    """The place of the next character that is no blank, or the end."""
    while place < end and is_blank(text, place):
        place += 1
    return place


@kernel
def ends_field(text, place, end):
    """True if a field that another one may follow ends before a place."""
    return place == end or is_blank(text, place)


@kernel
def next_field(text, place, end):
    """The place of the next field, or the end; -1 if the field before it does not end before a place."""
    if place == end:
        return place
    return skip_blanks(text, place + 1, end) if is_blank(text, place) else np.int64(-1)


@kernel
def read_board(text, place, end, symbols, tables, position):
    """Read the board and set the fields that follow from it; returns the place of the next field, or -1."""
    for kind in range(7):
        position.kinds[np.uint64(kind)] = NO_SQUARES
    for square in range(64):
        position.board[np.uint64(square)] = 0
    black = NO_SQUARES
    key = NO_SQUARES
    slashes = NO_SQUARES  # Bit n is set if there is a slash after n files.
    material = np.int64(0)
    counts = np.int64(0)
    last = min(end, place + _LONGEST_BOARD)
    while place < last and byte_at(text, place) > _SPACE:  # All blanks are below.
        symbol = symbols[np.uint64(byte_at(text, place))]
        piece = symbol >> _PIECE
        files = np.uint64(counts & 63)
        here = files ^ np.uint64(56)
        position.board[here] = piece
        position.kinds[np.uint64(piece & 7)] |= ONE << here
        black |= np.uint64(piece >> 3) << here
        key ^= tables.piece_keys[np.uint64(piece), here]
        material += tables.values[np.uint64(piece)]
        slashes |= np.uint64(symbol >> _SLASH & 1) << files
        counts += symbol
        place += 1
    position.kinds[0] = NO_SQUARES  # Digits and slashes have left squares there.
    occupied = NO_SQUARES
    for kind in range(7):
        occupied |= position.kinds[np.uint64(kind)]
    position.colours[0] = occupied ^ black
    position.colours[1] = black
    position.key = key
    position.material = material
    is_whole = counts & _COUNTS == _WHOLE_BOARD and slashes == _RANK_ENDS
    return next_field(text, place, end) if is_whole else np.int64(-1)


@kernel
def read_turn(text, place, end, tables, position):
    """Read the side to move; returns the place of the next field, or -1."""
    letter = byte_at(text, place)
    if letter != _LOWER_W and letter != _LOWER_B:
        return np.int64(-1)
    if letter == _LOWER_B:
        position.turn = BLACK
        position.key ^= tables.black_key
    return next_field(text, place + 1, end)


@kernel
def read_castling(text, place, end, tables, position):
    """Read the castling field; returns the place of the next field, or -1. Impossible rights are dropped."""
    if byte_at(text, place) == _DASH:
        return next_field(text, place + 1, end)
    while not ends_field(text, place, end):
        letter = np.int64(byte_at(text, place))
        colour = np.int64(letter >= _LOWER_A)
        letter -= colour * _TO_LOWER
        if not (_UPPER_A <= letter < _UPPER_A + 8 or letter == ord("K") or letter == ord("Q")):
            return np.int64(-1)
        add_castling(position, tables, letter, colour)
        place += 1
    return next_field(text, place, end)


@kernel
def add_castling(position, tables, letter, colour):
    """Add a castling right, if king and rook are there. Of two on one side of the king the outer one is kept.

    letter: K or Q for the outermost rook on a side of the king, A to H for the rook on a file.
    """
    back_rank = RANK_1 if colour == WHITE else RANK_8
    king = position.kinds[KING] & position.colours[colour] & back_rank
    rooks = position.kinds[ROOK] & position.colours[colour] & back_rank
    below = back_rank & (king - ONE)
    if letter == ord("K"):
        rooks &= ~below
    elif letter == ord("Q"):
        rooks &= below
    else:
        rooks &= FILE_A << np.uint64(letter - _UPPER_A)
    if king == NO_SQUARES or rooks == NO_SQUARES:
        return
    is_below = rooks & below != NO_SQUARES
    rook = lowest_bit(rooks) if is_below else highest_bit(rooks)
    other = position.castling & (below if is_below else back_rank ^ below)
    if other != NO_SQUARES:
        rook = outer_castling(position, tables, rook, lowest_bit(other), is_below)
    position.castling |= mask(rook)
    position.key ^= tables.castling_keys[rook]


@kernel
def outer_castling(position, tables, rook, other, is_below):
    """Drop the castling right of another rook; returns the outer one of the two."""
    rarely_called()
    position.castling ^= mask(other)
    position.key ^= tables.castling_keys[other]
    return min(rook, other) if is_below else max(rook, other)


@kernel
def highest_bit(squares):
    """Index of the highest set bit; 64 if there is none."""
    found = np.int64(64)
    while squares != NO_SQUARES:
        found = lowest_bit(squares)
        squares = without_lowest(squares)
    return found


@kernel
def read_en_passant(text, place, end, position):
    """Read the en passant field; returns the place after it, or -1."""
    if byte_at(text, place) == _DASH:
        return place + 1 if ends_word(text, place + 1, end) else np.int64(-1)
    if place + 1 >= end or not ends_word(text, place + 2, end):
        return np.int64(-1)
    file = np.int64(byte_at(text, place)) - _LOWER_A
    rank = np.int64(byte_at(text, place + 1)) - _ZERO - 1
    if not (0 <= file < 8 and 0 <= rank < 8):
        return np.int64(-1)
    position.en_passant = rank * 8 + file
    return place + 2


@kernel
def drop_impossible_en_passant(position, tables):
    """Drop a square that no pawn has just passed; completes the key."""
    rarely_called()
    if has_valid_en_passant(position, np.int64(position.turn)):
        position.key ^= en_passant_key(position, tables)
    else:
        position.en_passant = 0


@kernel
def ends_word(text, place, end):
    """True if a field that operations of EPD may follow ends before a place."""
    return ends_field(text, place, end) or byte_at(text, place) == _SEMICOLON


@kernel
def read_clocks(text, place, end, position):
    """Read the two clocks, if they are there; returns the place of what follows them, or -1."""
    place = skip_blanks(text, place, end)
    if not starts_clock(text, place, end):
        return operations_at(text, place, end)
    place, halfmoves = read_clock(text, place, end)
    if place < 0:
        return place
    position.halfmove_clock = halfmoves
    place = skip_blanks(text, place, end)
    if not starts_clock(text, place, end):
        return operations_at(text, place, end)
    place, fullmoves = read_clock(text, place, end)
    position.fullmove_number = max(fullmoves, np.int64(1))
    return place


@kernel
def operations_at(text, place, end):
    """The place, or -1 if a blank that is not ASCII may stand there, behind which a clock may stand."""
    return place if place == end or byte_at(text, place) < _ASCII else np.int64(-1)


@kernel
def may_have_clocks(text, place, end):
    """True if operations contain mv, as hmvc and fmvn do. Without a branch the loop tests many characters at once."""
    found = False
    for middle in range(place + 1, end - 1):
        found |= (byte_at(text, middle) == _M) & (byte_at(text, middle + 1) == _V)
    return found


@kernel
def read_operations(text, place, end, position):
    """Read hmvc and fmvn of EPD. False if one of them is no clock, or if there may be a blank that is not ASCII.

    All other operations are left unread.
    """
    rarely_called()
    begins = True
    in_quotes = False
    while place < end:
        letter = np.int64(byte_at(text, place))
        if letter >= _ASCII:
            return False
        if begins and not is_blank(text, place) and letter != _SEMICOLON:
            begins = False
            number = np.int64(-1)
            if has_operand(text, place, end, _HALFMOVE_CLOCK):
                place, number = read_operand(text, place, end)
                position.halfmove_clock = max(number, np.int64(0))
            elif has_operand(text, place, end, _FULLMOVE_NUMBER):
                place, number = read_operand(text, place, end)
                position.fullmove_number = max(number, np.int64(1))
            if place < 0:
                return False
            if number >= 0:
                continue
        if letter == _QUOTE:
            in_quotes = not in_quotes
        elif letter == _SEMICOLON and not in_quotes:
            begins = True
        place += 1
    return True


@kernel
def has_operand(text, place, end, opcode):
    """True if an opcode of four letters begins at a place, and an operand follows."""
    if place + 4 >= end or not begins_with(text, place, opcode):
        return False
    operand = skip_blanks(text, place + 4, end)
    return operand > place + 4 and operand < end and byte_at(text, operand) != _SEMICOLON


@kernel
def read_operand(text, place, end):
    """(the place after the operand of an opcode of four letters, the number); (-1, 0) if it is no clock."""
    place, number = read_clock(text, skip_blanks(text, place + 4, end), end)
    if place < 0:
        return np.int64(-1), np.int64(0)
    place = skip_blanks(text, place, end)
    is_whole = place == end or byte_at(text, place) == _SEMICOLON
    return (place, number) if is_whole else (np.int64(-1), np.int64(0))


@kernel
def starts_clock(text, place, end):
    """True if a clock begins at a place, not an operation of EPD."""
    if place == end:
        return False
    letter = np.int64(byte_at(text, place))
    return _ZERO <= letter <= _NINE or letter in (_DASH, _PLUS)


@kernel
def read_clock(text, place, end):
    """(the place after a number of at most four digits, or a dash for 0; the number); (-1, 0) for anything else."""
    first = place
    number = np.int64(0)
    while place < end and _ZERO <= byte_at(text, place) <= _NINE and place <= first + _MAX_DIGITS:
        number = number * 10 + np.int64(byte_at(text, place)) - _ZERO
        place += 1
    if place == first and byte_at(text, place) == _DASH:
        place += 1
    if place == first or place - first > _MAX_DIGITS or not ends_word(text, place, end):
        return np.int64(-1), np.int64(0)
    return place, number
