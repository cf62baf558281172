"""Legal moves as a list: all of them, the captures or the quiet ones.

Moves are legal when they are generated: none is made and unmade to find out. Checkers and pinned pieces are found
first. Then the king moves to squares that are not attacked, pinned pieces move along their line, and in check every
other piece captures the checker or blocks.
"""

import numpy as np

from ox88.bitboard.attacks import (
    attacked_by,
    bishops_queens,
    checkers_and_pinned,
    en_passant_pawns,
    king_square,
    piece_attacks,
    rooks_queens,
    unattacked,
)
from ox88.bitboard.bits import (
    ALL_SQUARES,
    BACK_RANKS,
    FILE_A,
    FILE_H,
    NO_SQUARES,
    RANK_3,
    RANK_6,
    mask,
    more_than_one,
    moved_by,
    without_lowest,
)
from ox88.bitboard.magic import bishop_attacks, rook_attacks
from ox88.bitboard.moves import castling_targets
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import CASTLING_FLAG, KNIGHT, PAWN, QUEEN, WHITE


@kernel
def generate_legal(position, tables, moves):
    """Write all legal moves to a MOVE_LIST; returns how many there are."""
    own, theirs, _ = sides(position)
    checkers, pinned = checkers_and_pinned(position, tables, np.int64(position.turn))
    moves.length = 0
    return generate(position, tables, moves, checkers, pinned, theirs, ~(own | theirs))


@kernel
def generate_captures(position, tables, moves, checkers, pinned):
    """Append the legal captures and promotions to a MOVE_LIST; returns its length."""
    _, theirs, _ = sides(position)
    return generate(position, tables, moves, checkers, pinned, theirs, NO_SQUARES)


@kernel
def generate_quiets(position, tables, moves, checkers, pinned):
    """Append the legal moves that neither capture nor promote to a MOVE_LIST; returns its length."""
    own, theirs, _ = sides(position)
    return generate(position, tables, moves, checkers, pinned, NO_SQUARES, ~(own | theirs))


@kernel
def generate(position, tables, moves, checkers, pinned, captures, quiets):
    """Append the legal moves to the squares of captures and quiets to a MOVE_LIST; returns its length.

    checkers, pinned: of the side to move. captures: all pieces of the other side, or NO_SQUARES; promotions and en
    passant count as captures. quiets: all empty squares, or NO_SQUARES; castling counts as quiet.
    """
    own, theirs, king = sides(position)
    targets = captures | quiets
    count = moves.length

    # Step 1. King: it steps to squares that are not attacked, and castles.
    steps, rooks = king_moves(position, tables, checkers, pinned, targets, quiets)
    count = add_moves(moves, count, king, steps)
    if rooks != NO_SQUARES:
        count = add_castling(moves, count, king, rooks)

    # Step 2. Check: the other pieces capture the checker or block. In double check only the king can move.
    answers = check_answers(tables, king, checkers)
    if answers == NO_SQUARES:
        moves.length = count
        return count
    targets &= answers

    # Step 3. Pawns and knights. A pinned knight has no move.
    count = add_pawn_moves(position, tables, moves, count, king, pinned, captures, quiets, answers)
    count = add_en_passant(position, tables, moves, count, captures)
    count = add_knight_moves(position, tables, moves, count, own & ~pinned, targets)

    # Step 4. Sliders, the pinned ones along their line.
    diagonal = own & bishops_queens(position)
    straight = own & rooks_queens(position)
    count = add_bishop_moves(tables, moves, count, diagonal & ~pinned, own | theirs, targets)
    count = add_rook_moves(tables, moves, count, straight & ~pinned, own | theirs, targets)
    bound = (diagonal | straight) & pinned
    if bound != NO_SQUARES:
        count = add_pinned_sliders(position, tables, moves, count, king, bound, own | theirs, targets)
    moves.length = count
    return count


@kernel
def sides(position):
    """(all pieces of the side to move, all of the other side, the king's square of the side to move)."""
    turn = np.int64(position.turn)
    return position.colours[turn], position.colours[turn ^ 1], king_square(position, turn)


@kernel
def put(moves, slot, move):
    """Write a move to a slot of the list. An unsigned index spares Numba's test for negative ones."""
    moves.moves[np.uint64(slot)] = move


@kernel
def add_moves(moves, count, from_square, targets):
    """Append a move to each target, four at a time: fewer rounds of the loop are fewer mispredicted branches.

    The moves of the next piece overwrite what stands behind the last move.
    """
    end = count + popcount(targets)
    while targets != NO_SQUARES:
        second = without_lowest(targets)
        third = without_lowest(second)
        fourth = without_lowest(third)
        put(moves, count, from_square | lowest_bit(targets) << 6)
        put(moves, count + 1, from_square | lowest_bit(second) << 6)
        put(moves, count + 2, from_square | lowest_bit(third) << 6)
        put(moves, count + 3, from_square | lowest_bit(fourth) << 6)
        targets = without_lowest(fourth)
        count += 4
    return end


# --- King -------------------------------------------------------------------------------------------------------------


@kernel
def king_moves(position, tables, checkers, pinned, targets, quiets):
    """(targets that the king may step to, rooks that it may castle with)."""
    own, theirs, king = sides(position)
    them = np.int64(position.turn) ^ 1
    steps = tables.king_attacks[king] & targets
    rooks = free_castling_rooks(position, tables, checkers, pinned, quiets)
    if rooks == NO_SQUARES:
        return unattacked(position, tables, steps, them, (own | theirs) ^ mask(king)), NO_SQUARES
    # A king that may castle is not in check, so it hides no attacked square behind it.
    danger = attacked_by(position, tables, them, own | theirs)
    return steps & ~danger, safe_castling_rooks(tables, king, rooks, danger)


@kernel
def check_answers(tables, king, checkers):
    """Targets of all pieces but the king: all squares; in check the checker and the squares between; or none."""
    if checkers == NO_SQUARES:
        return ALL_SQUARES
    if more_than_one(checkers):
        return NO_SQUARES
    return tables.between[king, lowest_bit(checkers)] | checkers


@kernel
def castling_path(tables, king, rook):
    """The squares that castling crosses or reaches, without the squares that are left: (the king's, both pieces')."""
    king_to, rook_to = castling_targets(king, rook)
    king_path = (tables.between[king, king_to] | mask(king_to)) & ~mask(king)
    rook_path = tables.between[rook, rook_to] | mask(rook_to)
    return king_path, (king_path | rook_path) & ~(mask(king) | mask(rook))


@kernel
def free_castling_rooks(position, tables, checkers, pinned, quiets):
    """Rooks that may castle if nothing attacks the king's way. In Chess960 a castling rook can be pinned."""
    own, theirs, king = sides(position)
    free = NO_SQUARES
    rooks = position.castling & own & ~pinned
    if checkers == NO_SQUARES and quiets != NO_SQUARES:
        while rooks != NO_SQUARES:
            rook = lowest_bit(rooks)
            rooks = without_lowest(rooks)
            if castling_path(tables, king, rook)[1] & (own | theirs) == NO_SQUARES:
                free |= mask(rook)
    return free


@kernel
def safe_castling_rooks(tables, king, rooks, danger):
    """Rooks with which the king castles without crossing or reaching a square in danger."""
    safe = NO_SQUARES
    while rooks != NO_SQUARES:
        rook = lowest_bit(rooks)
        rooks = without_lowest(rooks)
        if castling_path(tables, king, rook)[0] & danger == NO_SQUARES:
            safe |= mask(rook)
    return safe


@kernel
def add_castling(moves, count, king, rooks):
    while rooks != NO_SQUARES:
        put(moves, count, king | lowest_bit(rooks) << 6 | CASTLING_FLAG)
        rooks = without_lowest(rooks)
        count += 1
    return count


# --- Pawns ------------------------------------------------------------------------------------------------------------


@kernel
def forward_step(turn):
    return 8 if turn == WHITE else -8


@kernel
def pawn_pushes(pawns, empty, turn):
    """(targets of single steps, targets of double steps) of pawns."""
    step = forward_step(turn)
    single = moved_by(pawns, step) & empty
    double = moved_by(single & (RANK_3 if turn == WHITE else RANK_6), step) & empty
    return single, double


@kernel
def add_pawn_moves(position, tables, moves, count, king, pinned, captures, quiets, answers):
    turn = np.int64(position.turn)
    own, theirs, _ = sides(position)
    step = forward_step(turn)
    all_pawns = own & position.kinds[PAWN]
    pawns = all_pawns & ~pinned
    targets = push_targets(captures, quiets) & answers
    single, double = pawn_pushes(pawns, ~(own | theirs), turn)
    count = add_pawns_to(moves, count, single & targets, step)
    count = add_steps(moves, count, double & targets, step + step)
    count = add_pawns_to(moves, count, moved_by(pawns & ~FILE_A, step - 1) & captures & answers, step - 1)
    count = add_pawns_to(moves, count, moved_by(pawns & ~FILE_H, step + 1) & captures & answers, step + 1)
    bound = all_pawns & pinned
    while bound != NO_SQUARES:
        pawn = lowest_bit(bound)
        bound = without_lowest(bound)
        line = tables.line[king, pawn] & answers
        single, double = pawn_pushes(mask(pawn), ~(own | theirs), turn)
        reached = (single | double) & targets | tables.pawn_attacks[turn, pawn] & captures
        count = add_pinned_pawn(moves, count, pawn, reached & line)
    return count


@kernel
def push_targets(captures, quiets):
    """Squares that pawns may step to: the quiet targets, but the back ranks only with captures, as promotions count."""
    return quiets & ~BACK_RANKS | (BACK_RANKS if captures != NO_SQUARES else NO_SQUARES)


@kernel
def add_pawns_to(moves, count, targets, step):
    """Append pawn moves to targets, by one step; on the back ranks all four promotions."""
    promotions = targets & BACK_RANKS
    count = add_steps(moves, count, targets & ~BACK_RANKS, step)
    while promotions != NO_SQUARES:
        target = lowest_bit(promotions)
        count = add_promotions(moves, count, target - step, target)
        promotions = without_lowest(promotions)
    return count


@kernel
def add_steps(moves, count, targets, step):
    end = count + popcount(targets)
    while targets != NO_SQUARES:
        second = without_lowest(targets)
        third = without_lowest(second)
        fourth = without_lowest(third)
        put(moves, count, lowest_bit(targets) * 65 - step)
        put(moves, count + 1, lowest_bit(second) * 65 - step)
        put(moves, count + 2, lowest_bit(third) * 65 - step)
        put(moves, count + 3, lowest_bit(fourth) * 65 - step)
        targets = without_lowest(fourth)
        count += 4
    return end


@kernel
def add_promotions(moves, count, from_square, to_square):
    for kind in range(QUEEN, KNIGHT - 1, -1):
        put(moves, count, from_square | to_square << 6 | kind << 12)
        count += 1
    return count


@kernel
def add_pinned_pawn(moves, count, pawn, targets):
    promotions = targets & BACK_RANKS
    count = add_moves(moves, count, pawn, targets & ~BACK_RANKS)
    while promotions != NO_SQUARES:
        count = add_promotions(moves, count, pawn, lowest_bit(promotions))
        promotions = without_lowest(promotions)
    return count


@kernel
def add_en_passant(position, tables, moves, count, captures):
    if position.en_passant != 0 and captures != NO_SQUARES:
        pawns = en_passant_pawns(position, tables)
        while pawns != NO_SQUARES:
            put(moves, count, lowest_bit(pawns) | np.int64(position.en_passant) << 6)
            pawns = without_lowest(pawns)
            count += 1
    return count


# --- Pieces -----------------------------------------------------------------------------------------------------------


@kernel
def add_knight_moves(position, tables, moves, count, own, targets):
    knights = own & position.kinds[KNIGHT]
    while knights != NO_SQUARES:
        knight = lowest_bit(knights)
        count = add_moves(moves, count, knight, tables.knight_attacks[knight] & targets)
        knights = without_lowest(knights)
    return count


@kernel
def add_bishop_moves(tables, moves, count, bishops, occupied, targets):
    while bishops != NO_SQUARES:
        bishop = lowest_bit(bishops)
        count = add_moves(moves, count, bishop, bishop_attacks(tables, bishop, occupied) & targets)
        bishops = without_lowest(bishops)
    return count


@kernel
def add_rook_moves(tables, moves, count, rooks, occupied, targets):
    while rooks != NO_SQUARES:
        rook = lowest_bit(rooks)
        count = add_moves(moves, count, rook, rook_attacks(tables, rook, occupied) & targets)
        rooks = without_lowest(rooks)
    return count


@kernel
def add_pinned_sliders(position, tables, moves, count, king, sliders, occupied, targets):
    while sliders != NO_SQUARES:
        slider = lowest_bit(sliders)
        attacks = piece_attacks(tables, np.int64(position.board[slider]) & 7, slider, occupied)
        count = add_moves(moves, count, slider, attacks & tables.line[king, slider] & targets)
        sliders = without_lowest(sliders)
    return count
