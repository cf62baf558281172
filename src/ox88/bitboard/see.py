"""Static exchange evaluation: the material that a move wins or loses by captures on its target.

Both sides capture with their least valuable piece, and stop when another capture would lose. Sliders behind pieces that
have captured join in. Pins are ignored, and so are promotions by recaptures.
(Fritz Reul, "Static Exchange Evaluation with Alpha-Beta Approach", ICGA Journal 33/1, 2010, describes both functions.)
"""

import numpy as np

from ox88.bitboard.attacks import attackers_to, bishops_queens, occupied_squares, rooks_queens
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.jit import kernel
from ox88.types import CASTLING_FLAG, KING, KNIGHT, PAWN, ROOK


@kernel
def see(position, tables, move):
    """The gain of the side to move by a legal move, in the units of tables.values; 0 for castling."""
    gain, risk, occupied = first_capture(position, tables, move)
    return gain - recapture(position, tables, move >> 6 & 63, np.int64(position.turn) ^ 1, occupied, risk)


@kernel
def see_ge(position, tables, move, threshold):
    """True if see(move) >= threshold. Stops as soon as the answer is certain."""
    gain, risk, occupied = first_capture(position, tables, move)
    # The balance: the lead of the side that has just captured, if it loses its piece for nothing.
    if gain < threshold:
        return False
    balance = gain - threshold - risk
    if balance >= 0:
        return True
    square = move >> 6 & 63
    turn = np.int64(position.turn)
    colour = turn
    attackers = attackers_to(position, tables, square, occupied)
    while balance < 0:
        attackers &= occupied
        own = attackers & position.colours[colour ^ 1]
        if own == NO_SQUARES:
            break
        kind, capturer = least_valuable(position, own)
        if kind == KING and attackers & position.colours[colour] != NO_SQUARES:
            break
        occupied ^= capturer
        attackers |= sliders_behind(position, tables, square, kind, occupied)
        balance = -balance - 1 - tables.values[kind]
        colour ^= 1
    return colour == turn


@kernel
def sliders_behind(position, tables, square, kind, occupied):
    """Sliders that attack a square through the place that a capturing piece of some kind has just left."""
    sliders = NO_SQUARES
    if kind != KNIGHT and kind != ROOK:
        sliders |= bishop_attacks(tables, square, occupied) & bishops_queens(position)
    if kind >= ROOK:
        sliders |= rook_attacks(tables, square, occupied) & rooks_queens(position)
    return sliders


@kernel
def first_capture(position, tables, move):
    """(immediate gain of a move, value of the piece that can be recaptured, squares occupied afterwards)."""
    from_square = move & 63
    to_square = move >> 6 & 63
    occupied = occupied_squares(position)
    if move & CASTLING_FLAG != 0:
        return np.int64(0), np.int64(0), occupied
    kind = np.int64(position.board[from_square]) & 7
    gain = tables.values[np.int64(position.board[to_square]) & 7]
    occupied = occupied & ~mask(from_square) | mask(to_square)
    if kind == PAWN and to_square == position.en_passant and to_square != 0:
        gain = tables.values[PAWN]
        occupied ^= mask(to_square ^ 8)
    promotion = move >> 12
    if promotion != 0:
        gain += tables.values[promotion] - tables.values[PAWN]
        kind = promotion
    return gain, tables.values[kind], occupied


@kernel
def recapture(position, tables, square, colour, occupied, victim):
    """The gain of a colour by capturing a piece of value `victim` on a square; 0 if capturing would lose."""
    attackers = attackers_to(position, tables, square, occupied) & occupied
    own = attackers & position.colours[colour]
    if own == NO_SQUARES:
        return np.int64(0)
    kind, capturer = least_valuable(position, own)
    if kind == KING and attackers & position.colours[colour ^ 1] != NO_SQUARES:
        return np.int64(0)
    reply = recapture(position, tables, square, colour ^ 1, occupied ^ capturer, tables.values[kind])
    return max(victim - reply, np.int64(0))


@kernel
def least_valuable(position, pieces):
    """(kind, bitboard of one piece) of the least valuable of some pieces."""
    kind = np.int64(PAWN)
    while kind < KING and pieces & position.kinds[kind] == NO_SQUARES:
        kind += 1
    found = pieces & position.kinds[kind]
    return kind, found & ~without_lowest(found)
