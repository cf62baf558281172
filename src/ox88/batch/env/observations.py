"""What a player sees of a game: planes of 8 x 8 bytes for the side to move, whose first rank is row 0, or its pieces.

"planes", the 18 of `Positions.planes` with `view="mover"`.

"az", AlphaZero's 119 (Silver and others, Science 362, 2018, supplement, table S1). First eight positions, the newest
first; each has 14 planes: six kinds of own pieces, six kinds of the other side's, one that is full if the position has
been there before, one that is full if it has been there twice. Then come, each a full plane:

    112       1 where Black is to move
    113       the number of full moves since the start of the game, at most 255
    114, 115  the side to move may castle on the h-file's side, on the a-file's side; 116, 117 the other side, likewise
    118       plies since the last capture or pawn move, at most 255

"leela", the 112 of Leela Chess Zero (its input format 1). Eight positions of 13 planes: pieces as above, and one that
is full if the position has been there before. Then come:

    104, 105  the side to move may castle on the a-file's side, on the h-file's side; 106, 107 the other side, likewise
    108       1 where Black is to move
    109       plies since the last capture or pawn move, at most 255
    110, 111  zeros; ones

The planes of positions before the start of a game are empty.

"nnue" is no planes, but the pieces as sparse inputs: int16[2, 32], a row for the side to move and one for the other
side. Each has the indices of `Positions.features("768")`, a1 first, then -1 where there are fewer than 32 pieces.
"""

from typing import Final, Literal

import numpy as np

from ox88.batch.env.records import PAST, SIDES_KINDS
from ox88.batch.learning.features import feature_of
from ox88.batch.learning.planes import castling_number
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.jit import kernel, lowest_bit
from ox88.types import WHITE

Observation = Literal["planes", "az", "leela", "nnue"]
NAMES: Final[tuple[Observation, ...]] = ("planes", "az", "leela", "nnue")
COUNTS: Final[dict[Observation, int]] = {"planes": 18, "az": 119, "leela": 112, "nnue": 2}  # Of 64 bytes.

PLAIN, AZ, LEELA = np.int64(0), np.int64(1), np.int64(2)  # The rest is NNUE's.
# Numbers of planes.
TURN_18, EN_PASSANT_18, CASTLING_18 = (np.int64(plane) for plane in (17, 16, 12))
TURN_AZ, MOVES_AZ, CASTLING_AZ, CLOCK_AZ = (np.int64(plane) for plane in (112, 113, 114, 118))
CASTLING_LEELA, TURN_LEELA, CLOCK_LEELA, ZEROS_LEELA, ONES_LEELA = (
    np.int64(plane) for plane in (104, 108, 109, 110, 111)
)
FIRST, ZERO, ONE = np.int64(0), np.int64(0), np.int64(1)
STEP_AZ, STEP_LEELA = np.int64(14), np.int64(13)  # Planes of a position in the past.
RANKS = np.int64(8)
FIRST_RANK = np.uint64(255)
EVERYWHERE = np.uint64(0x0101010101010101)  # A row of ones.
MOST = np.int64(255)
KINDS = np.int64(6)
ROW_NNUE = np.int64(32)
NO_FEATURES = ~np.uint64(0)  # Four times -1.
NO_FEATURE = np.int64(0xFFFF)


@kernel
def observe(rules, position, game, words):
    """Write the planes of a game to words, uint64[planes * 8]: a number is a row of eight bytes."""
    keep_boards(position, game)
    if rules.observation == PLAIN:
        write_now(rules, position, game, words)
    elif rules.observation == AZ:
        write_past(rules, position, game, words, STEP_AZ)
        fill_plane(words, TURN_AZ, np.int64(position.turn))
        fill_plane(words, MOVES_AZ, min(game.plies >> 1, MOST))
        write_castling(position, words, CASTLING_AZ, ZERO)
        fill_plane(words, CLOCK_AZ, min(np.int64(position.halfmove_clock), MOST))
    elif rules.observation == LEELA:
        write_past(rules, position, game, words, STEP_LEELA)
        write_castling(position, words, CASTLING_LEELA, ONE)
        fill_plane(words, TURN_LEELA, np.int64(position.turn))
        fill_plane(words, CLOCK_LEELA, min(np.int64(position.halfmove_clock), MOST))
        fill_plane(words, ZEROS_LEELA, ZERO)
        fill_plane(words, ONES_LEELA, ONE)
    else:
        write_features(position, words)


@kernel
def keep_boards(position, game):
    """Note the pieces of the position, for the observations to come."""
    boards = game.past[game.plies & 7]
    for kind in range(6):
        pieces = position.kinds[kind + 1]
        boards.pieces[kind] = pieces & position.colours[0]
        boards.pieces[kind + 6] = pieces & position.colours[1]
    repeated = np.int64(0)
    for before in range(game.reversible):
        repeated += np.int64(game.keys[before] == position.key)
    boards.repeated = repeated


@kernel
def write_now(rules, position, game, words):
    turn = np.int64(position.turn)
    write_pieces(rules, game.past[game.plies & 7].pieces, turn, words, FIRST)
    write_castling(position, words, CASTLING_18, ZERO)
    square = np.int64(position.en_passant)
    write_squares(rules, mask(square) if square != 0 else NO_SQUARES, turn, words, EN_PASSANT_18)
    fill_plane(words, TURN_18, np.int64(turn == WHITE))


@kernel
def write_past(rules, position, game, words, planes):
    """Write eight positions, each to so many planes."""
    turn = np.int64(position.turn)
    for back in range(PAST):
        first = back * planes
        if back > game.plies:
            for plane in range(first, first + planes):
                fill_plane(words, plane, ZERO)
        else:
            boards = game.past[(game.plies - back) & 7]
            write_pieces(rules, boards.pieces, turn, words, first)
            fill_plane(words, first + 12, np.int64(boards.repeated > 0))
            if planes == STEP_AZ:
                fill_plane(words, first + 13, np.int64(boards.repeated > 1))


@kernel
def write_pieces(rules, pieces, turn, words, first):
    """Write the own pieces of a side to six planes, then the other side's."""
    for place in range(SIDES_KINDS):
        seen = place if turn == WHITE else (place + 6 if place < 6 else place - 6)
        write_squares(rules, pieces[seen], turn, words, first + place)


@kernel
def write_squares(rules, squares, turn, words, plane):
    """Write a plane with ones on squares. Each rank is looked up, which is faster than a loop over the squares."""
    flip = 7 if turn != WHITE else 0
    for rank in range(RANKS):
        words[plane * RANKS + (rank ^ flip)] = rules.spread[(squares >> np.uint64(8 * rank)) & FIRST_RANK]


@kernel
def write_castling(position, words, first, a_first):
    """Write four planes: the side to move may castle on the h-file's side, on the a-file's side; the other side may.

    a_first: 1 for the a-file's side before the h-file's.
    """
    for plane in range(first, first + 4):
        fill_plane(words, plane, ZERO)
    rooks = position.castling
    while rooks != NO_SQUARES:
        number = castling_number(position, lowest_bit(rooks), np.uint64(position.turn))
        fill_plane(words, first + (number ^ a_first), ONE)
        rooks = without_lowest(rooks)


@kernel
def write_features(position, words):
    for place in range(len(words)):
        words[place] = NO_FEATURES
    turn = np.int64(position.turn)
    squares = position.colours[0] | position.colours[1]
    number = ZERO
    while squares != NO_SQUARES:
        square = lowest_bit(squares)
        squares = without_lowest(squares)
        piece = np.int64(position.board[square])
        write_feature(words, number, feature_of(piece, square, turn, KINDS))
        write_feature(words, ROW_NNUE + number, feature_of(piece, square, turn ^ 1, KINDS))
        number += 1


@kernel
def write_feature(words, number, feature):
    """Write an int16 in place of a -1; four are in a word."""
    words[number >> 2] ^= np.uint64(feature ^ NO_FEATURE) << np.uint64((number & 3) * 16)


@kernel
def fill_plane(words, plane, number):
    word = np.uint64(number) * EVERYWHERE
    for rank in range(RANKS):
        words[plane * RANKS + rank] = word
