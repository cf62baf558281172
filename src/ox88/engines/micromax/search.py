"""micro-Max 3.2: the search of H.G. Muller's listing, whole, in its own order.

`search` is the listing's `D()`; `names.md`, beside this file, maps its one-letter names to the ones used here. Every
particular that decides how many nodes are searched is kept, also where a modern program does otherwise: the golden
traces in the tests hold this file to the node.

Squares are the listing's, a8 = 0x00 to h1 = 0x77. A piece is a type (1 white pawn, 2 black pawn, 3 knight, 4 king,
5 bishop, 6 rook, 7 queen) plus 8 for White or 16 for Black, plus 32 while it has not moved. A pawn is worth 99.
"""

import numpy as np

from ox88.jit import kernel

INFINITY = 8000  # The score of taking a king.
MATE = INFINITY // 2  # What a side without a move and in check scores, negated; the winner loses a point a move.
CERTAIN = INFINITY // 4  # Scores beyond this hold at any depth.
PAWN_VALUE = 99
PROMOTION_GAIN = 799
CASTLING_BONUS = 30
PAWN_BIAS = 9

WHITE = 8
BLACK = 16
BOTH_COLOURS = WHITE + BLACK
VIRGIN = 32
COLOUR_BIT = 8  # Tells the colours apart in a key.
TYPE_MASK = 7
WHITE_PAWN = 1
BLACK_PAWN = 2
KING = 4
BISHOP = 5  # The first of the sliding pieces.
ROOK = 6
QUEEN = 7

OFF_BOARD = 0x88
RANK_MASK = 0x70
DUMMY = 0x80  # The square of what is not there: no en passant, no castling rook.
CENTRE = 8  # From a square to its centre points, in the unused half of the board.
HINT = 8  # In best_to: try this move ahead of the scan.

PIECE_VALUES = (0, 1, 1, 3, -1, 3, 5, 9)  # By piece type.
STEPS = (-16, -15, -17, 0, 1, 16, 0, 1, 16, 15, 17, 0, 14, 18, 31, 33, 0)
FIRST_STEP = (0, 7, -1, 11, 6, 8, 3, 6)  # By piece type: where its steps begin in STEPS, less one.
KING_SIDEWAYS = 7  # Where STEPS holds the king's step along the rank.
BACK_RANK = (6, 3, 5, 7, 4, 5, 3, 6)  # Piece types from the a-file to the h-file.

TABLE_MASK = 0xFFFFFF
PROBES = 9  # The listing's comment says eight; its loop makes nine.
TABLE_SIZE = TABLE_MASK + PROBES + 1  # From the dummy entry 0 to the last one that a probe can reach.
LOCK_MASK = 0xFFFFFFFF
INDEX_KEY = np.int64(0)  # Where key_change reads the words of the key that makes the index, ...
LOCK_KEY = np.int64(8)  # ... and those of the one that is compared.
ABOVE_ALPHA = 0x08  # Flags beside best_from in an entry: its score is a lower bound, ...
BELOW_BETA = 0x80  # ... an upper bound, or with both flags exact.
GENERATIONS = 255

THINK = 8  # As last_to: the root call that deepens until its limits, ...
MAKE_MOVE = 9  # ... and the one that plays root_from, root_to if that is legal.
FINAL_DEPTH = 99  # The depth of a result that holds at any depth.
KEY_WORDS = 1032
POLL_MASK = 1023  # The stop flag is read every 1,024 nodes, about 0.4 ms.
LOG_SIZE = 4096

ENTRY = np.dtype(
    [
        ("lock", np.uint32),
        ("score", np.int32),
        ("best_from", np.uint8),
        ("best_to", np.uint8),
        ("depth", np.uint8),
        ("generation", np.uint8),
    ],
    align=True,
)

ITERATION = np.dtype(
    [
        ("nodes", np.int64),
        ("depth", np.int32),
        ("score", np.int32),
        ("best_from", np.int32),
        ("best_to", np.int32),
    ],
    align=True,
)

MICROMAX = np.dtype(
    [
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("depth_limit", np.int64),
        ("stop", np.int64),  # Set from another thread ...
        ("aborted", np.int64),  # ... and noted here: what the search then returns means nothing.
        ("evaluation", np.int64),
        ("en_passant", np.int64),
        ("root_from", np.int64),
        ("root_to", np.int64),
        ("generation", np.int64),
        ("log_length", np.int64),
        ("log", ITERATION, LOG_SIZE),
        ("steps", np.int64, len(STEPS)),
        ("first_step", np.int64, len(FIRST_STEP)),
        ("piece_values", np.int64, len(PIECE_VALUES)),
        ("key_words", np.int32, KEY_WORDS),
        ("board", np.int8, DUMMY + 1),
        ("table", ENTRY, TABLE_SIZE),
    ],
    align=True,
)


@kernel
def clear_table(mm):
    """Empty the table by opening a new generation, in well under a millisecond.

    Generations come round after GENERATIONS clearings, so each clearing also wipes that part of the table: when a
    number returns, no entry bears it any more.
    """
    mm.generation = mm.generation % GENERATIONS + 1
    part = TABLE_SIZE // GENERATIONS + 1
    first = (mm.generation - 1) * part
    for index in range(first, min(first + part, TABLE_SIZE)):
        if mm.table[index].generation != 0:
            mm.table[index].generation = 0


@kernel
def key_word(mm, square, piece):
    """Random 32-bit word of a piece on a square: the listing's macro K, one unaligned read of its random bytes."""
    return np.int64(mm.key_words[square + (piece & COLOUR_BIT) + DUMMY * (piece & TYPE_MASK)])


@kernel
def key_change(mm, offset, from_square, piece, to_square, placed, capture_square, captured):
    """What a move adds to a key: the listing's macro J, which reads the index key at offset 0 and the lock at 8."""
    return (
        key_word(mm, to_square + offset, placed)
        - key_word(mm, from_square + offset, piece)
        - key_word(mm, capture_square + offset, captured)
    )


@kernel
def is_filled(mm, entry):
    """Whether an entry holds a result of this generation: clearing the table only opens a new generation."""
    return entry.generation == mm.generation and entry.lock != 0


@kernel
def probe(mm, key, lock):
    """Index of the first entry that is empty or holds this position; the dummy entry 0 where there is none."""
    index = key & TABLE_MASK
    for _ in range(PROBES):
        index += 1
        entry = mm.table[index]
        if entry.lock == lock or not is_filled(mm, entry):
            return index
    return 0


@kernel
def recall(mm, index, alpha, beta, wanted_depth):
    """What an entry knows: (whether its score answers this search, score, depth reached, best_from, best_to)."""
    entry = mm.table[index]
    if not is_filled(mm, entry):
        return False, 0, 0, 0, 0
    score = np.int64(entry.score)
    depth = np.int64(entry.depth)
    flags = np.int64(entry.best_from)
    if depth >= wanted_depth:
        if (score >= beta or flags & BELOW_BETA != 0) and (score <= alpha or flags & ABOVE_ALPHA != 0):
            return True, score, depth, 0, 0
        depth = wanted_depth - 1
    # The hint is for deeper iterations: at depth 1 the order of the scan stands.
    best_to = np.int64(entry.best_to) if depth != 0 else 0
    return False, score, depth, flags & ~OFF_BOARD, best_to


@kernel
def store(mm, index, lock, score, depth, best_from, best_to, alpha, beta):
    """Keep a result, unless the entry has an exact one that is deeper. The dummy entry stays empty."""
    entry = mm.table[index]
    is_exact = np.int64(entry.best_from) & OFF_BOARD == OFF_BOARD
    if index == 0 or (is_filled(mm, entry) and is_exact and entry.depth > depth):
        return
    above_alpha = ABOVE_ALPHA if score > alpha else 0
    below_beta = BELOW_BETA if score < beta else 0
    entry.lock = lock
    entry.generation = mm.generation
    entry.score = score
    entry.depth = depth
    entry.best_from = best_from | above_alpha | below_beta
    entry.best_to = best_to


@kernel
def next_step(mm, piece_type, step, step_index):
    """The next (step, index in the list): each step of the list with both signs, for a pawn with one."""
    if piece_type > BLACK_PAWN and step < 0:
        return -step, step_index
    return -mm.steps[step_index + 1], step_index + 1


@kernel
def is_obstructed(piece, side, step, captured):
    """Whether a piece cannot go to a square for what stands there: its own side, or the wrong mode for a pawn."""
    if captured & side != 0:
        return True
    is_straight = step & 7 == 0
    is_empty = captured == 0
    return piece & TYPE_MASK <= BLACK_PAWN and is_straight != is_empty


@kernel
def takes_king(mm, captured, to_square, en_passant):
    """Whether a move takes the king, also the one that has just castled out of, or past, an attack on to_square.

    After castling, en_passant is the square that the king passed; the rook there tells it from a double step's.
    """
    if captured & TYPE_MASK == KING:
        return True
    return to_square - en_passant < 2 and en_passant - to_square < 2 and mm.board[en_passant] != 0


@kernel
def positional_gain(mm, piece, from_square, to_square, castles):
    """Points for the way of a move: towards the centre, castling, out of a pawn's place beside its like."""
    board = mm.board
    points = 0
    if piece & TYPE_MASK < ROOK:
        points += np.int64(board[from_square + CENTRE]) - np.int64(board[to_square + CENTRE])
    if castles:
        points += CASTLING_BONUS
    if piece & TYPE_MASK <= BLACK_PAWN:
        points += PAWN_BIAS
        if (from_square - 2) & OFF_BOARD != 0 or board[from_square - 2] != piece:
            points -= PAWN_BIAS
        if (from_square + 2) & OFF_BOARD != 0 or board[from_square + 2] != piece:
            points -= PAWN_BIAS
    return points


@kernel
def promotes(piece, to_square, step):
    """Whether a pawn arrives where one step more leaves the board at the front or the back."""
    return piece & TYPE_MASK <= BLACK_PAWN and (to_square + step + 1) & DUMMY != 0


@kernel
def do_move(mm, side, from_square, to_square, placed, capture_square, rook_from, rook_to):
    """Play on the board. The dummy square takes whatever a move has no square for."""
    board = mm.board
    board[rook_from] = 0
    board[capture_square] = 0
    board[from_square] = 0
    board[to_square] = placed
    if rook_from & OFF_BOARD == 0:
        board[rook_to] = side + ROOK


@kernel
def undo_move(mm, side, from_square, to_square, piece, capture_square, captured, rook_from, rook_to):
    """Take back. Where there is no castling rook, the dummy square takes it."""
    board = mm.board
    board[rook_from] = side + VIRGIN + ROOK
    board[rook_to] = 0
    board[to_square] = 0
    board[from_square] = piece
    board[capture_square] = captured


@kernel
def castling_corner(king_square, step):
    """The corner that a king stepping along its rank goes towards."""
    return (king_square | 7) - (step >> 1 & 7)


@kernel
def may_step_again(mm, side, piece, from_square, to_square, step, step_index, rook_from):
    """Whether a crawling piece has a second step: a pawn on its third rank, a king on its way to castle."""
    board = mm.board
    if piece & TYPE_MASK <= BLACK_PAWN:
        return 6 * side + (to_square & RANK_MASK) == DUMMY
    if piece & ~BOTH_COLOURS != VIRGIN + KING or step_index != KING_SIDEWAYS or rook_from & OFF_BOARD == 0:
        return False
    corner = castling_corner(from_square, step)
    return board[corner] & VIRGIN != 0 and board[corner ^ 1] == 0 and board[corner ^ 2] == 0


@kernel
def write_log(mm, depth, score, best_from, best_to):
    """Note a finished iteration for the driver. A full log counts on, so that the driver can tell."""
    if mm.log_length < LOG_SIZE:
        line = mm.log[mm.log_length]
        line.nodes = mm.nodes
        line.depth = depth
        line.score = score
        line.best_from = best_from
        line.best_to = best_to & ~OFF_BOARD
    mm.log_length += 1


@kernel
def search(mm, side, alpha, beta, evaluation, key, lock, en_passant, last_to, wanted_depth):
    """Score of the position for the side to move, by negamax in the window alpha, beta.

    mm: the MICROMAX record. side: WHITE or BLACK. evaluation: the static one, for the side to move. key, lock: what
    the table is indexed by and what it compares. en_passant: the square that a pawn or a castling king has just
    passed, or DUMMY. last_to: where the last move went, or at the root THINK or MAKE_MOVE. wanted_depth: in plies.
    All int64; a literal in a recursive call would compile the whole function again.
    """
    board = mm.board

    # Step 1. Hash table: the answer itself, or the depth to go on from and the move to try first.
    lock &= LOCK_MASK
    index = probe(mm, side * en_passant ^ key, lock)
    is_answer, best_score, depth, best_from, best_to = recall(mm, index, alpha, beta, wanted_depth)
    if is_answer:
        return best_score

    # Step 2. Count the node, and see now and then whether to stop.
    mm.nodes += 1
    if mm.nodes & POLL_MASK == 0 and mm.stop != 0:
        mm.aborted = 1
        return 0

    # Step 3. Iterative deepening, in every node: a shallow search finds the move to try first in a deeper one. At
    # depth 1 the static evaluation stands for all that is not searched. The root of a think goes on to its limits.
    while depth < wanted_depth or (last_to == THINK and mm.nodes < mm.node_limit and depth + 1 < mm.depth_limit):
        depth += 1
        best_to |= best_to >> 4 & HINT
        best_score = evaluation if depth == 1 else -INFINITY
        fails_high = False

        # Step 4. Loop over pieces: scan the board for own ones, from the previous best on and around.
        scan_start = best_from
        from_square = scan_start
        while True:
            piece = np.int64(board[from_square])
            piece_type = piece & TYPE_MASK
            step = piece_type
            step_index = mm.first_step[piece_type]

            # Step 5. Loop over directions. A step above 0, like the type it begins with, asks for the next of the list.
            while piece & side != 0 and not fails_high:
                step, step_index = next_step(mm, piece_type, step, step_index)
                if step == 0:
                    break
                to_square = from_square
                passed = np.int64(DUMMY)
                rook_from = np.int64(DUMMY)
                captured = 0

                # Step 6. Loop over squares, until the edge or a piece. The hinted move sneaks in at the first of them.
                while captured == 0:
                    to_square += step
                    if best_to & HINT != 0:
                        to_square = best_to & ~OFF_BOARD
                    if to_square & OFF_BOARD != 0:
                        break
                    capture_square = to_square
                    if piece_type <= BLACK_PAWN and to_square == en_passant:
                        capture_square = to_square ^ 16
                    captured = np.int64(board[capture_square])
                    if is_obstructed(piece, side, step, captured):
                        break

                    # Step 7. Fail high: this move takes the king, or one before it was good enough.
                    if takes_king(mm, captured, to_square, en_passant):
                        best_score = INFINITY
                    if best_score >= beta:
                        fails_high = True
                        break

                    # Step 8. Depth of the reply. A recapture, on the square of the last move, costs none: that is the
                    # extension, and at depth 1 the whole quiescence search.
                    reply_depth = depth - np.int64(to_square != last_to)
                    if reply_depth != 0:
                        # Step 9. Do the move, and update the evaluation and the keys.
                        castles = rook_from & OFF_BOARD == 0
                        gain = PAWN_VALUE * mm.piece_values[captured & TYPE_MASK]
                        positional = positional_gain(mm, piece, from_square, to_square, castles)
                        placed = piece & ~VIRGIN
                        if promotes(piece, to_square, step):
                            placed |= QUEEN
                            gain += PROMOTION_GAIN
                        do_move(mm, side, from_square, to_square, placed, capture_square, rook_from, passed)
                        key_step = key_change(
                            mm, INDEX_KEY, from_square, piece, to_square, placed, capture_square, captured
                        )
                        lock_step = key_change(
                            mm, LOCK_KEY, from_square, piece, to_square, placed, capture_square, captured
                        )

                        # Step 10. Search the reply. A gain that comes later is worth a point less, which is why the
                        # window lies a point higher there.
                        score = -search(
                            mm,
                            BOTH_COLOURS - side,
                            -beta - np.int64(beta > evaluation),
                            -max(best_score, alpha),
                            -evaluation - positional - gain,
                            key + key_step,
                            lock + lock_step + rook_from - DUMMY,
                            passed,
                            to_square,
                            reply_depth,
                        )
                        if mm.aborted != 0:
                            return 0
                        score -= np.int64(score > evaluation)

                        # Step 11. Making a move: it stays on the board if it is the wanted one and legal. No other
                        # move may fail low for leaving the king to be taken.
                        if last_to == MAKE_MOVE:
                            if score != -INFINITY and from_square == mm.root_from and to_square == mm.root_to:
                                mm.evaluation = -evaluation - gain
                                mm.en_passant = passed
                                return beta
                            score = best_score

                        # Step 12. Undo the move. After the hinted one the same direction starts again.
                        undo_move(mm, side, from_square, to_square, piece, capture_square, captured, rook_from, passed)
                        if best_to & HINT != 0:
                            best_score = score
                            best_to &= ~HINT
                            to_square = from_square
                            passed = np.int64(DUMMY)
                            rook_from = np.int64(DUMMY)
                            captured = 0
                            continue

                        # Step 13. New best move, marked with the dummy's bit unless it castles: a castling move is no
                        # hint for the next iteration, since its first step must come before it.
                        if score > best_score:
                            best_score = score
                            best_from = from_square
                            best_to = to_square | rook_from & DUMMY

                    # Step 14. A crawling piece stops as if it had captured, but for double steps and castling.
                    captured += np.int64(piece_type < BISHOP)
                    if may_step_again(mm, side, piece, from_square, to_square, step, step_index, rook_from):
                        captured -= 1
                        passed = to_square
                        if piece_type == KING:
                            rook_from = castling_corner(from_square, step)

            from_square = from_square + 9 & ~OFF_BOARD
            if fails_high or from_square == scan_start:
                break

        # Step 15. A won or lost king is so at any depth.
        if best_score > CERTAIN or best_score < -CERTAIN:
            depth = FINAL_DEPTH

        # Step 16. Every move loses the king: mate if the other side, moving now, takes it, and stalemate if not.
        if best_score == -INFINITY:
            reply = -search(
                mm,
                BOTH_COLOURS - side,
                np.int64(-INFINITY),
                np.int64(INFINITY),
                np.int64(0),
                key,
                mm.root_from,
                np.int64(DUMMY),
                last_to,
                np.int64(1),
            )
            if mm.aborted != 0:
                return 0
            best_score = reply + np.int64(reply < 0) >> 1

        # Step 17. Keep the result.
        store(mm, index, lock, best_score, depth, best_from, best_to, alpha, beta)
        if last_to == THINK:
            write_log(mm, depth - 1, best_score, best_from, best_to)

    # Step 18. At the root, hand over the best move.
    if last_to & THINK != 0:
        mm.root_from = best_from
        mm.root_to = best_to & ~OFF_BOARD
    return best_score
