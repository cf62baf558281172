"""Reads moves in SAN, and in the other notations that python-chess's parse_san takes, in bulk.

The kernels find a move on the board without listing legal moves.

As in python-chess, SAN may give more squares than needed (long algebraic notation), and x, + and # may be missing or
wrong. A promotion may lack its =, or have a lower-case letter; castling may be written with zeros. So a word such as
e4N, which is in no real game, has the form of a move, and is reported as an illegal one. Chess symbols of Unicode stand
for pieces of either colour.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import IllegalMoveError, RowError
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.text.bytes import (
    CASTLING,
    DASH,
    DROP,
    FILE,
    PADDING,
    PIECE,
    RANK,
    SYMBOL_BYTE,
    ZERO,
    begins_with,
    byte_at,
    characters,
    dash_length,
)
from ox88.batch.text.uci import texts_of_moves
from ox88.bitboard.attacks import checkers, checkers_and_pinned, piece_attacks
from ox88.bitboard.bits import BACK_RANKS, FILE_A, NO_SQUARES, RANK_1, mask, without_lowest
from ox88.bitboard.legality import is_legal, keeps_king_safe
from ox88.bitboard.movegen import forward_step, sides
from ox88.bitboard.position import to_setup
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel, lowest_bit
from ox88.setup import format_fen
from ox88.types import CASTLING_FLAG, EMPTY, KING, KNIGHT, NO_MOVE, PAWN, QUEEN, WHITE

# Errors, which a kernel returns negative; `ox88.batch.pgn.records` has those of other parts of a game. Typed, so that a
# kernel that takes one has a single signature.
ILLEGAL_MOVE, AMBIGUOUS_MOVE, NULL_MOVE_IN_CHECK, UNKNOWN_DROP = (np.int64(error) for error in range(5, 9))

NO_MOVE_TEXT = np.int64(-99)  # What a kernel returns for a text that is not a move in any notation.

# A token is the text of a move as one integer. File and rank are those of the square it leaves, 1 to 8, or 0 if absent.
NO_TOKEN = -1
TO_SHIFT = 0
PROMOTION_SHIFT = 6
KIND_SHIFT = 9
FILE_SHIFT = 12
RANK_SHIFT = 16
LENGTH_SHIFT = 20

EQUALS = 61
AT_SIGN, CAPITAL_O, SMALL_O, DIGIT_ZERO = map(ord, "@Oo0")
Z0 = np.frombuffer(b"Z0", np.uint8)  # A null move.
_TWO_DASHES, _FOUR_ZEROS, _FOUR_AT_SIGNS = (np.frombuffer(word, np.uint8) for word in (b"--", b"0000", b"@@@@"))
_PLUS, _HASH = map(ord, "+#")


def parse_sans(
    records: NDArray[Any], texts: Any, threads: int | None, may_be_illegal: bool = False
) -> NDArray[np.uint16]:
    """uint16[n]: legal moves and null moves, in SAN or UCI's notation. Raises TypeError, Ox88Error, RowError."""
    lines = texts_of_moves(texts, len(records))
    # A character that is not ASCII becomes a ?, which no move contains.
    text = np.frombuffer("\n".join(lines).encode("ascii", "replace") + bytes(PADDING), np.uint8)
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    ends = np.cumsum(lengths + 1) - 1
    starts, found = ends - lengths, np.empty(len(records), np.int64)

    def work(rows: slice) -> None:
        read_sans(text, starts[rows], ends[rows], records[rows], board_tables(), characters(), found[rows])

    in_chunks(work, len(records), threads)
    if may_be_illegal:
        found[found == -ILLEGAL_MOVE] = NO_MOVE
    for row in map(int, np.flatnonzero(found < 0)[:1]):
        if found[row] == -ILLEGAL_MOVE:
            raise IllegalMoveError(row, lines[row], records[row])
        if found[row] == -AMBIGUOUS_MOVE:
            fen = format_fen(to_setup(records[row]))
            raise RowError(row, f"{lines[row]!r} fits more than one legal move in {fen}")
        raise RowError(row, f"{lines[row]!r} is not a move: SAN such as 'Nf3', or 'e2e4' is expected")
    return found.astype(np.uint16)


@kernel
def read_sans(text, starts, ends, positions, tables, characters, moves):
    """Read the move that is the whole of text[starts[i]:ends[i]] in position i. PADDING bytes follow the text.

    moves: int64[n], set to legal moves and null moves, or to minus an error code.
    """
    for row in range(len(positions)):
        at, end = starts[row], ends[row]
        begins = np.int64(characters.begins[byte_at(text, at)])
        move, length = read_move(text, at, begins, positions[row], tables, characters)
        is_null = move == NO_MOVE or move == -NULL_MOVE_IN_CHECK
        at += length
        if at < end and not is_null and (byte_at(text, at) == _PLUS or byte_at(text, at) == _HASH):
            at += 1
        if length == 0 or at != end or move == -UNKNOWN_DROP:
            moves[row] = NO_MOVE_TEXT
        else:
            moves[row] = NO_MOVE if is_null else move


@kernel
def read_move(text, at, begins, position, tables, characters):
    """Read a move in any notation: (the move, or minus an error code; the length of its text, 0 if it is no move)."""
    if begins <= DASH:
        token = read_san(text, at, characters)
        if token >= 0:
            return find_move(position, tables, token), token >> LENGTH_SHIFT
    if begins in (CASTLING, ZERO):
        length, letters = castling_length(text, at)
        if length > 0:
            return find_castling(position, tables, letters == 2), length
    if begins in (PIECE, DROP):
        length = drop_length(text, at, characters)
        if length > 0:
            return np.int64(-UNKNOWN_DROP), length
    length = null_length(text, at)
    if length > 0 and checkers(position, tables) != NO_SQUARES:
        return np.int64(-NULL_MOVE_IN_CHECK), length
    return np.int64(NO_MOVE), length


@kernel
def castling_length(text, at):
    """(the length, the number of letters) of O-O or O-O-O, with letters, small letters or zeros; (0, 0) for neither."""
    letter = byte_at(text, at)
    if letter not in (CAPITAL_O, SMALL_O, DIGIT_ZERO):
        return np.int64(0), np.int64(0)
    second = at + 1 + dash_length(text, at + 1)
    if second == at + 1 or byte_at(text, second) != letter:
        return np.int64(0), np.int64(0)
    third = second + 1 + dash_length(text, second + 1)
    if third == second + 1 or byte_at(text, third) != letter:
        return second + 1 - at, np.int64(2)
    return third + 1 - at, np.int64(3)


@kernel
def drop_length(text, at, characters):
    """The length of a drop, such as N@e4 or @e4; 0 if there is none."""
    sign = at if byte_at(text, at) == AT_SIGN else at + 1
    begins = characters.begins
    is_drop = byte_at(text, sign) == AT_SIGN and begins[byte_at(text, sign + 1)] == FILE
    return sign + 3 - at if is_drop and begins[byte_at(text, sign + 2)] == RANK else np.int64(0)


@kernel
def null_length(text, at):
    """The length of a null move: --, Z0, 0000 or @@@@; 0 if there is none."""
    if begins_with(text, at, _TWO_DASHES) or begins_with(text, at, Z0):
        return np.int64(2)
    if begins_with(text, at, _FOUR_ZEROS) or begins_with(text, at, _FOUR_AT_SIGNS):
        return np.int64(4)
    return np.int64(0)


@kernel
def read_san(text, at, characters):
    """The token of the move that begins at `at`; NO_TOKEN if there is none. Castling and null moves have no token."""
    begin = at
    kind = np.int64(characters.pieces[byte_at(text, at)]) if byte_at(text, at) < 96 else np.int64(0)
    if kind != 0:
        at += 1
    elif byte_at(text, at) == SYMBOL_BYTE:
        kind, at = read_symbol(text, at)
        if kind == PAWN:
            kind = np.int64(0)
    begins = characters.begins
    from_file = np.int64(0)
    from_rank = np.int64(0)
    if begins[byte_at(text, at)] == FILE:
        has_rank = begins[byte_at(text, at + 1)] == RANK
        target = at + 2 if has_rank else at + 1
        if begins[byte_at(text, target)] == DASH:
            target += 1
        if is_square(text, target, begins):
            from_file = np.int64(byte_at(text, at)) - 96
            from_rank = np.int64(byte_at(text, at + 1)) - 48 if has_rank else np.int64(0)
        elif has_rank:
            target = at
        else:
            return NO_TOKEN
    else:
        target = at
        if begins[byte_at(text, target)] == RANK:
            from_rank = np.int64(byte_at(text, at)) - 48
            target += 1
        if begins[byte_at(text, target)] == DASH:
            target += 1
        if not is_square(text, target, begins):
            return NO_TOKEN
    to_square = (np.int64(byte_at(text, target + 1)) - 49) * 8 + np.int64(byte_at(text, target)) - 97
    promotion, end = _read_promotion(text, target + 2, characters)
    return (
        to_square << TO_SHIFT
        | promotion << PROMOTION_SHIFT
        | kind << KIND_SHIFT
        | from_file << FILE_SHIFT
        | from_rank << RANK_SHIFT
        | (end - begin) << LENGTH_SHIFT
    )


@kernel
def is_square(text, at, begins):
    return begins[byte_at(text, at)] == FILE and begins[byte_at(text, at + 1)] == RANK


@kernel
def _read_promotion(text, at, characters):
    """(the kind promoted to, or 0; where the token ends)."""
    letter = at + 1 if byte_at(text, at) == EQUALS else at
    kind = np.int64(characters.pieces[byte_at(text, letter)])
    if byte_at(text, letter) == SYMBOL_BYTE:
        kind, end = read_symbol(text, letter)
        return (kind, end) if kind != 0 else (kind, at)
    return (kind, letter + 1) if kind != 0 else (np.int64(0), at)


@kernel
def read_symbol(text, at):
    """(the kind of the chess symbol at `at`, where it ends); (0, at) if there is none.

    U+2654 to U+265F are kings to pawns. A variation selector may follow, U+FE0E or U+FE0F.
    """
    number = np.int64(byte_at(text, at + 2)) - 0x94
    if byte_at(text, at) != SYMBOL_BYTE or byte_at(text, at + 1) != 0x99 or not 0 <= number < 12:
        return np.int64(0), at
    selector = np.int64(byte_at(text, at + 5))
    has_selector = byte_at(text, at + 3) == 0xEF and byte_at(text, at + 4) == 0xB8 and 0x8E <= selector <= 0x8F
    return KING - number % 6, at + 6 if has_selector else at + 3


@kernel
def find_move(position, tables, token):
    """The legal move that a token stands for, or minus an error code."""
    own, theirs, _ = sides(position)
    to_square = token & 63
    promotion = token >> PROMOTION_SHIFT & 7
    kind = token >> KIND_SHIFT & 7
    from_file = token >> FILE_SHIFT & 15
    from_rank = token >> RANK_SHIFT & 15
    if kind == 0 and from_file != 0 and from_rank != 0:
        return _between_squares(position, tables, from_rank * 8 + from_file - 9, to_square, promotion)
    if own & mask(to_square) != NO_SQUARES:
        return -ILLEGAL_MOVE
    if kind == 0:
        promotes = mask(to_square) & BACK_RANKS != NO_SQUARES
        if not (KNIGHT <= promotion <= QUEEN if promotes else promotion == 0):
            return -ILLEGAL_MOVE
        candidates = _pawns_to(position, to_square, from_file)
    else:
        if promotion != 0:
            return -ILLEGAL_MOVE
        candidates = piece_attacks(tables, kind, to_square, own | theirs) & own & position.kinds[kind]
        if from_file != 0:
            candidates &= FILE_A << np.uint64(from_file - 1)
    if from_rank != 0:
        candidates &= RANK_1 << np.uint64(8 * (from_rank - 1))
    return _only_legal_move(position, tables, candidates, to_square | promotion << 6)


@kernel
def _only_legal_move(position, tables, candidates, target):
    """The only legal move of the candidates, or minus an error code. target: the square reached | promotion << 6."""
    if candidates == NO_SQUARES:
        return -ILLEGAL_MOVE
    checkers, pinned = checkers_and_pinned(position, tables, np.int64(position.turn))
    found = -ILLEGAL_MOVE
    while candidates != NO_SQUARES:
        move = lowest_bit(candidates) | target << 6
        candidates = without_lowest(candidates)
        if keeps_king_safe(position, tables, move, checkers, pinned):
            if found > 0:
                return -AMBIGUOUS_MOVE
            found = move
    return found


@kernel
def _pawns_to(position, to_square, from_file):
    """The pawn that may move to a square, or capture there if it comes from another file; no own piece stands there."""
    own, theirs, _ = sides(position)
    turn = np.int64(position.turn)
    step = forward_step(turn)
    pawns = own & position.kinds[PAWN]
    before = to_square - step
    if before < 0 or before > 63:
        return NO_SQUARES
    sideways = from_file - 1 - (to_square & 7) if from_file != 0 else np.int64(0)
    if sideways == 0:
        if theirs & mask(to_square) != NO_SQUARES:
            return NO_SQUARES
        if position.board[before] == EMPTY and to_square >> 3 == (3 if turn == WHITE else 4):
            before -= step
        return pawns & mask(before)
    if sideways != 1 and sideways != -1:
        return NO_SQUARES
    if theirs & mask(to_square) == NO_SQUARES and (to_square != position.en_passant or to_square == 0):
        return NO_SQUARES
    return pawns & mask(before + sideways)


@kernel
def _between_squares(position, tables, from_square, to_square, promotion):
    """The legal move between two squares, or minus an error code. Castling is e1g1 or e1h1."""
    own, _, king = sides(position)
    move = from_square | to_square << 6 | promotion << 12
    if from_square == king and promotion == 0:
        rook = to_square
        if own & mask(to_square) == NO_SQUARES and (to_square == king + 2 or to_square == king - 2):
            rook = castling_rook(position, to_square > king)
        if rook >= 0 and own & position.castling & mask(rook) != NO_SQUARES:
            move = from_square | rook << 6 | CASTLING_FLAG
    return move if is_legal(position, tables, move) else -ILLEGAL_MOVE


@kernel
def find_castling(position, tables, is_king_side):
    """The castling move on a side, or minus an error code."""
    _, _, king = sides(position)
    rook = castling_rook(position, is_king_side)
    if rook < 0:
        return -ILLEGAL_MOVE
    move = king | rook << 6 | CASTLING_FLAG
    return move if is_legal(position, tables, move) else -ILLEGAL_MOVE


@kernel
def castling_rook(position, is_king_side):
    """The square of the rook on a side of the king that has a castling right, or -1."""
    own, _, king = sides(position)
    above = ~((mask(king) << np.uint64(1)) - np.uint64(1))
    rooks = own & position.castling & (above if is_king_side else ~above)
    return lowest_bit(rooks) if rooks != NO_SQUARES else np.int64(-1)
