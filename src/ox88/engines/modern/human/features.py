"""Features of a move, as people see it: what moves where, what it takes, threatens, leaves unprotected, and gains.

A feature is a group with a number of classes, of which a move has exactly one. So a move is one row of `SLOTS` indices,
and the ranker's first layer is a sum of as many rows of weights, without any arithmetic on real numbers. Class 0 of a
group stands for "nothing of the kind". Ranks are those that the side to move sees. Castling is a move of the king: the
rook stays where it is. The last groups are the values of values.py, in classes.

(McIlroy-Young and others, "Aligning Superhuman AI with Human Behavior: Chess as a Model System", KDD 2020, have shown
that moves of people can be predicted by their rating.)
"""

import numpy as np

from ox88.bitboard.attacks import attackers_to, checkers, king_square, occupied_squares, piece_attacks
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.bitboard.legality import gives_check, is_en_passant
from ox88.bitboard.moves import castling_targets
from ox88.bitboard.see import see
from ox88.jit import kernel, lowest_bit, popcount
from ox88.types import BLACK, CASTLING_FLAG, KING, KNIGHT, NO_MOVE, PAWN, QUEEN, ROOK

SEARCHES = ("quiescence", "shallow", "deep", "deeper")
GROUPS = (
    ("origin", 384),  # Kind and square.
    ("target", 384),
    ("capture", 36),  # Kind, and kind that is taken.
    ("exchange", 10),  # What static exchange evaluation says.
    ("recapture", 3),  # Takes the piece that has just moved; that has just captured.
    ("check", 7),  # Gives check, in three ways; answers a check, in three ways.
    ("special", 6),  # Castling short, long; promotion to queen, to another piece; en passant.
    ("near_target", 9),  # King's steps between the target and the opponent's last target, from 0; 8 if unknown.
    ("near_origin", 9),
    ("flight", 48),  # Kind, how it is attacked, and whether the piece that has just moved attacks it.
    ("landing", 30),  # Kind, and who attacks and protects the target.
    ("threat", 30),  # More valuable pieces that it attacks, unprotected ones, and whether its target is attacked.
    ("king_zone", 24),  # Kind, and squares beside the enemy king that it attacks.
    ("mobility", 30),  # Kind, and change of the number of squares that it attacks.
    ("direction", 36),  # Kind; back, sideways or forwards; many or few pieces on the board.
    ("centre", 42),  # Kind, and steps nearer to the centre.
    ("approach", 14),  # Steps nearer to the enemy king; many or few pieces on the board.
    ("pawn", 11),  # A passed pawn by its rank; others by double step and protection.
    ("shelter", 4),  # A pawn near its own king, by the number of pieces.
    ("repeat", 3),  # The piece has just moved; and it goes back to where it was.
    ("kind", 30),  # Kind, and number of pieces on the board.
    ("choice", 9),  # How many legal moves there are.
    ("ply", 9),  # Since the start of the game.
    ("length", 25),  # Steps of a bishop, rook or queen.
    ("answer", 42),  # Kind, and kind of the piece that the opponent has just moved.
    ("sequel", 42),  # Kind, and kind of the piece that the mover has moved before, if it still stands.
    ("near_own", 9),  # King's steps between the target and the mover's last target; 8 if unknown.
    ("book", 13),  # The move's share in the openings of the training games.
    # For each of four searches: what the move loses against the best one, and its rank; the last classes stand for a
    # move that was not searched. Then the lead of the best move over the second; 6 more if the move is the best one.
    *((f"{search}_{what}", size) for search in SEARCHES for what, size in (("loss", 15), ("rank", 8), ("lead", 12))),
    ("value", 12),  # The evaluation of the position after the move, by the deepest search, ...
    ("best_value", 12),  # ... and after the best move.
    ("mate", 4),  # The move mates, or is answered by mate.
)
SLOTS = len(GROUPS)
OFFSETS = np.cumsum([0, *(size for _, size in GROUPS)])[:-1].astype(np.int64)
FEATURES = sum(size for _, size in GROUPS)
SLOT = {name: np.int64(number) for number, (name, _) in enumerate(GROUPS)}

FIRST_SEARCH = SLOT["quiescence_loss"]
VALUE, BEST_VALUE, MATE_CLASS = SLOT["value"], SLOT["best_value"], SLOT["mate"]
(
    ORIGIN, TARGET, CAPTURE, EXCHANGE, RECAPTURE, CHECK, SPECIAL, NEAR_TARGET, NEAR_ORIGIN, FLIGHT, LANDING, THREAT,
    KING_ZONE, MOBILITY, DIRECTION, CENTRE, APPROACH, PAWN_MOVE, SHELTER, REPEAT, KIND, CHOICE, PLY, LENGTH, ANSWER,
    SEQUEL, NEAR_OWN, BOOK,
) = map(np.int64, range(FIRST_SEARCH))  # fmt: skip

ONE = np.int64(1)
ZERO = np.int64(0)
MANY_PIECES = np.int64(34)  # In pawns, without pawns: a game begins with 62.
EXCHANGES = np.array([-500, -300, -100], np.int64)
GAINS = np.array([100, 200, 400, 600], np.int64)
CHOICES = np.array([2, 3, 4, 7, 13, 21, 31, 41], np.int64)
PLIES = np.array([4, 8, 12, 16, 24, 32, 48, 64], np.int64)
PIECES = np.array([8, 20, 34, 50], np.int64)
GAINED_SQUARES = np.array([-4, -1, 1, 4], np.int64)


@kernel
def class_of(number, bounds):
    """How many of the ascending bounds a number has reached."""
    found = ZERO
    for bound in bounds:
        if number >= bound:
            found += 1
    return found


@kernel
def target_of(move):
    """Where the moving piece goes; in castling, the king."""
    target = move >> 6 & 63
    return castling_targets(move & 63, target)[0] if move & CASTLING_FLAG != 0 else target


@kernel
def steps_between(first, second):
    """A king's steps from one square to another."""
    return max(abs((first & 7) - (second & 7)), abs((first >> 3) - (second >> 3)))


@kernel
def centre_distance(square):
    """Steps to the nearest of the four squares of the centre: 0 to 3."""
    file, rank = square & 7, square >> 3
    return max(max(3 - file, file - 4), max(3 - rank, rank - 4))


@kernel
def pieces_worth(position):
    """The worth of all knights, bishops, rooks and queens, in pawns."""
    kinds = position.kinds
    minor = popcount(kinds[2] | kinds[3])
    return np.int64(3 * minor + 5 * popcount(kinds[ROOK]) + 9 * popcount(kinds[QUEEN]))


@kernel
def exchange_class(position, tables, move, is_capture):
    """0 to 3: it loses material. 4: neither captures nor gains. 5: an equal exchange. 6 to 9: it gains."""
    gain = np.int64(see(position, tables, move))
    if gain < 0:
        return class_of(gain, EXCHANGES)
    if not is_capture and gain == 0:
        return np.int64(4)
    return 5 + class_of(gain, GAINS)


@kernel
def check_class(position, tables, move, kind, victim, is_capture, checking):
    """1 to 3: a check that is safe, loses material, captures. 4 to 6: the king goes, the checker is taken, all else.

    victim: the square of a piece that it takes, or where it goes.
    """
    if gives_check(position, tables, move):
        if is_capture:
            return np.int64(3)
        return np.int64(2) if see(position, tables, move) < 0 else ONE
    if checking == NO_SQUARES:
        return ZERO
    if kind == KING:
        return np.int64(4)
    return np.int64(5) if checking & mask(victim) != NO_SQUARES else np.int64(6)


@kernel
def special_class(move, target, passes):
    if move & CASTLING_FLAG != 0:
        return ONE if target & 7 == 6 else np.int64(2)
    promotion = move >> 12 & 7
    if promotion != 0:
        return np.int64(3) if promotion == QUEEN else np.int64(4)
    return np.int64(5) if passes else ZERO


@kernel
def lesser_pieces(position, attackers, kind):
    """Those of the attackers that are worth less than a piece of a kind; a bishop is worth a knight."""
    lesser = NO_SQUARES
    for each in range(PAWN, kind):
        if not (each == KNIGHT and kind == 3):
            lesser |= attackers & position.kinds[each]
    return lesser


@kernel
def flight_class(position, tables, kind, origin, occupied, enemies, last_target):
    """0: not attacked. 1 and 2: attacked, protected or not. 3: by a lesser piece. 4 more if by the piece that moved."""
    if kind == KING:
        return ZERO
    attackers = attackers_to(position, tables, origin, occupied)
    theirs = attackers & enemies
    if theirs == NO_SQUARES:
        return ZERO
    found = ONE
    if attackers & ~enemies == NO_SQUARES:
        found = np.int64(2)
    if lesser_pieces(position, theirs, kind) != NO_SQUARES:
        found = np.int64(3)
    return found + (4 if last_target < 64 and theirs & mask(last_target) != NO_SQUARES else 0)


@kernel
def landing_class(position, tables, origin, target, occupied, enemies):
    """0 and 1: not attacked, protected or not. 2 and 3: attacked. 4: attacked by a pawn."""
    attackers = attackers_to(position, tables, target, occupied)
    theirs = attackers & enemies
    ours = attackers & position.colours[position.turn] & ~mask(origin)
    if theirs & position.kinds[PAWN] != NO_SQUARES:
        return np.int64(4)
    unprotected = ONE if ours == NO_SQUARES else ZERO
    return unprotected if theirs == NO_SQUARES else unprotected + 2


@kernel
def attacks_from(tables, kind, colour, square, occupied):
    """Squares that a piece of any kind attacks."""
    if kind == PAWN:
        return tables.pawn_attacks[colour, square]
    return piece_attacks(tables, kind, square, occupied)


@kernel
def threat_class(position, tables, kind, attacks, occupied, enemies, is_attacked):
    """How many more valuable pieces it attacks, 0 to 2, and the most valuable unprotected one, in five classes."""
    higher, hanging = ZERO, ZERO
    victims = attacks & enemies & ~position.kinds[KING]
    while victims != NO_SQUARES:
        square = lowest_bit(victims)
        victims = without_lowest(victims)
        victim = np.int64(position.board[square]) & 7
        if victim > kind and not (victim == 3 and kind == KNIGHT):
            higher += 1
        if attackers_to(position, tables, square, occupied) & enemies == NO_SQUARES:
            hanging = max(hanging, ONE if victim == PAWN else max(victim - 1, np.int64(2)))
    return (min(higher, np.int64(2)) * 5 + min(hanging, np.int64(4))) * 2 + is_attacked


@kernel
def pawn_class(position, tables, origin, target, flip, us):
    """1 to 6: a passed pawn that reaches rank 3 to 8. 7 to 10: by protection by a pawn, and double step."""
    enemies = position.kinds[PAWN] & position.colours[us ^ 1]
    passed = True
    while enemies != NO_SQUARES:
        square = lowest_bit(enemies)
        enemies = without_lowest(enemies)
        if abs((square & 7) - (target & 7)) <= 1 and (square ^ flip) >> 3 > (target ^ flip) >> 3:
            passed = False
    if passed:
        return ((target ^ flip) >> 3) - 1
    own = position.kinds[PAWN] & position.colours[us] & ~mask(origin)
    protected = ZERO if tables.pawn_attacks[us ^ 1, target] & own == NO_SQUARES else np.int64(2)
    return 7 + protected + (ONE if abs((target >> 3) - (origin >> 3)) == 2 else ZERO)


@kernel
def kind_of_own(position, square, us):
    """The kind of a side's piece on a square; 0 where there is none, or no square."""
    if square >= 64 or position.colours[us] & mask(square) == NO_SQUARES:
        return ZERO
    return np.int64(position.board[square]) & 7


@kernel
def fill_features(positions, all_tables, offsets, moves, last_moves, own_moves, last_captures, features):
    """Write the features of all legal moves, but those of openings and values.

    positions: POSITION[n]. all_tables: an array with the tables of the board. offsets, moves: int64[n + 1], uint16[m],
    the legal moves. last_moves, own_moves: uint16[n], the opponent's last move and that of the side to move before it;
    0 where there is none. last_captures: bool[n], the opponent's last move has captured. features: uint16[m, SLOTS].
    """
    tables = all_tables[0]
    for row in range(len(positions)):
        position = positions[row]
        us = np.int64(position.turn)
        enemies = position.colours[us ^ 1]
        occupied = occupied_squares(position)
        checking = checkers(position, tables)
        enemy_king = king_square(position, us ^ 1)
        own_king = king_square(position, us)
        worth = pieces_worth(position)
        is_late = ONE if worth < MANY_PIECES else ZERO
        ply = 2 * (np.int64(position.fullmove_number) - 1) + us
        flip = np.int64(56) if us == BLACK else ZERO
        last = np.int64(last_moves[row])
        last_target = target_of(last) if last != NO_MOVE else np.int64(64)
        last_kind = np.int64(position.board[last_target]) & 7 if last_target < 64 else ZERO
        own = np.int64(own_moves[row])
        own_target = target_of(own) if own != NO_MOVE else np.int64(64)
        own_kind = kind_of_own(position, own_target, us)
        count = offsets[row + 1] - offsets[row]
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            origin, target = move & 63, target_of(move)
            kind = np.int64(position.board[origin]) & 7
            is_castling, passes = move & CASTLING_FLAG != 0, is_en_passant(position, move)
            new_kind = kind if is_castling or move >> 12 == 0 else move >> 12
            victim = target ^ 8 if passes else target
            captured = ZERO if is_castling else np.int64(position.board[victim]) & 7
            is_capture = captured != 0
            after = occupied & ~mask(origin) & ~mask(victim) | mask(target)
            standing = enemies & ~mask(victim)
            before_attacks = attacks_from(tables, kind, us, origin, occupied)
            attacks = attacks_from(tables, new_kind, us, target, after)
            landing = landing_class(position, tables, origin, target, after, standing)
            out = features[place]
            out[ORIGIN] = (kind - 1) * 64 + (origin ^ flip)
            out[TARGET] = (kind - 1) * 64 + (target ^ flip)
            out[CAPTURE] = (kind - 1) * 6 + captured
            out[EXCHANGE] = exchange_class(position, tables, move, is_capture)
            out[RECAPTURE] = ZERO
            if is_capture and victim == last_target:
                out[RECAPTURE] = 2 if last_captures[row] else 1
            out[CHECK] = check_class(position, tables, move, kind, victim, is_capture, checking)
            out[SPECIAL] = special_class(move, target, passes)
            out[NEAR_TARGET] = steps_between(target, last_target) if last_target < 64 else np.int64(8)
            out[NEAR_ORIGIN] = steps_between(origin, last_target) if last_target < 64 else np.int64(8)
            flight = flight_class(position, tables, kind, origin, occupied, enemies, last_target)
            out[FLIGHT] = (kind - 1) * 8 + flight
            out[LANDING] = (kind - 1) * 5 + landing
            is_attacked = ONE if landing >= 2 else ZERO
            out[THREAT] = threat_class(position, tables, new_kind, attacks, after, standing, is_attacked)
            zone = popcount(attacks & tables.king_attacks[enemy_king])
            out[KING_ZONE] = (kind - 1) * 4 + min(np.int64(zone), np.int64(3))
            gained = np.int64(popcount(attacks)) - np.int64(popcount(before_attacks))
            out[MOBILITY] = (kind - 1) * 5 + class_of(gained, GAINED_SQUARES)
            ranks = ((target ^ flip) >> 3) - ((origin ^ flip) >> 3)
            forwards = np.int64(0) if ranks < 0 else ONE if ranks == 0 else np.int64(2)
            out[DIRECTION] = ((kind - 1) * 3 + forwards) * 2 + is_late
            out[CENTRE] = (kind - 1) * 7 + centre_distance(origin) - centre_distance(target) + 3
            nearer = steps_between(origin, enemy_king) - steps_between(target, enemy_king)
            out[APPROACH] = (min(max(nearer, np.int64(-3)), np.int64(3)) + 3) * 2 + is_late
            out[PAWN_MOVE] = pawn_class(position, tables, origin, target, flip, us) if kind == PAWN else ZERO
            is_shelter = kind == PAWN and steps_between(origin, own_king) <= 2
            out[SHELTER] = 1 + class_of(worth, PIECES[1:3]) if is_shelter else ZERO
            out[REPEAT] = ZERO
            if origin == own_target:
                out[REPEAT] = 2 if target == own & 63 else 1
            out[KIND] = (kind - 1) * 5 + class_of(worth, PIECES)
            out[CHOICE] = class_of(count, CHOICES)
            out[PLY] = class_of(ply, PLIES)
            is_slider = kind >= 3 and kind <= QUEEN
            out[LENGTH] = 1 + (kind - 3) * 8 + steps_between(origin, target) if is_slider else ZERO
            out[ANSWER] = (kind - 1) * 7 + last_kind
            out[SEQUEL] = (kind - 1) * 7 + own_kind
            out[NEAR_OWN] = steps_between(target, own_target) if own_target < 64 else np.int64(8)
