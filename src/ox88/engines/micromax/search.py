"""micro-Max 3.2: the complete search of H.G. Muller's listing, in its own order.

`search` is the listing's `D()`; `names.md`, beside this file, maps its one-letter names to the names used here. Every
detail that affects the number of nodes is kept, also where a modern program does otherwise: traces of the C original,
in the tests, must be reproduced to the node.

`enter`, `note` and `leave` do nothing here and are compiled to nothing. `recorder.py` compiles this source a second
time, with its own versions of these three, to record what happens.

Squares are the listing's, a8 = 0x00 to h1 = 0x77. A piece is a type (1 white pawn, 2 black pawn, 3 knight, 4 king,
5 bishop, 6 rook, 7 queen) plus 8 for White or 16 for Black, plus 32 while it has not moved. A pawn is worth 99.
"""

import numpy as np

from ox88.engines.micromax import events
from ox88.engines.micromax.events import NONE
from ox88.jit import kernel

INFINITY = 8000  # The score of taking a king.
MATE = INFINITY // 2  # A checkmated side scores -MATE; each move before the mate costs the winner a point.
CERTAIN = INFINITY // 4  # Scores beyond this are valid at any depth.
PAWN_VALUE = 99
PROMOTION_GAIN = 799
CASTLING_BONUS = 30
PAWN_BIAS = 9

WHITE = 8
BLACK = 16
BOTH_COLOURS = WHITE + BLACK
VIRGIN = 32
COLOUR_BIT = 8  # Distinguishes the colours in a key.
TYPE_MASK = 7
WHITE_PAWN = 1
BLACK_PAWN = 2
KING = 4
BISHOP = 5  # The first of the sliding pieces.
ROOK = 6
QUEEN = 7

OFF_BOARD = 0x88
RANK_MASK = 0x70
DUMMY = 0x80  # A square that stands for none: no en passant, no castling rook.
CENTRE = 8  # Offset from a square to its centre points, in the unused half of the board.
HINT = 8  # Flag in best_to: try this move before the scan.

PIECE_VALUES = (0, 1, 1, 3, -1, 3, 5, 9)  # By piece type.
STEPS = (-16, -15, -17, 0, 1, 16, 0, 1, 16, 15, 17, 0, 14, 18, 31, 33, 0)
FIRST_STEP = (0, 7, -1, 11, 6, 8, 3, 6)  # By piece type: where its steps begin in STEPS, less one.
KING_SIDEWAYS = 7  # Where STEPS holds the king's step along the rank.
BACK_RANK = (6, 3, 5, 7, 4, 5, 3, 6)  # Piece types from the a-file to the h-file.

TABLE_MASK = 0xFFFFFF
PROBES = 9  # The listing's comment says eight, but its loop makes nine.
TABLE_SIZE = TABLE_MASK + PROBES + 1  # From the dummy entry 0 to the last entry that a probe can reach.
LOCK_MASK = 0xFFFFFFFF
INDEX_KEY = np.int64(0)  # Offset at which key_change reads the words of the index key, ...
LOCK_KEY = np.int64(8)  # ... and those of the lock, which is compared.
ABOVE_ALPHA = 0x08  # Flag in an entry's best_from: the score is a lower bound.
BELOW_BETA = 0x80  # The score is an upper bound; with both flags it is exact.
GENERATIONS = 255

THINK = 8  # As last_to: the root call that searches deeper until its limits, ...
MAKE_MOVE = 9  # ... and the root call that makes the move root_from, root_to if it is legal.
FINAL_DEPTH = 99  # The depth of a result that holds at any depth.
KEY_WORDS = 1032
WITHOUT_RECAPTURES, WITHOUT_HASH, WITHOUT_BEST_MOVE, WITHOUT_KING_CAPTURE = 1, 2, 4, 8  # Bits of `without`.
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
        ("aborted", np.int64),  # ... and noted here: the search then returns a meaningless value.
        ("without", np.int64),  # Parts of the search to leave out, a bit each.
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
def enter(mm, side, alpha, beta, evaluation, key, lock, en_passant, last_to, wanted_depth):
    """A call of `search` begins."""


@kernel
def note(mm, kind, first, second, third, fourth, fifth, sixth):
    """Something happens. kind: one of `events.py`, which lists its values. The recorder knows some of them itself."""


@kernel
def leave(mm, score, best_from, best_to):
    """A call of `search` returns."""


@kernel
def clear_table(mm):
    """Empty the table by starting a new generation, in well under a millisecond.

    Generation numbers are reused after GENERATIONS clearings. So each clearing also wipes one part of the table, and
    no old entry has the number when it is used again.
    """
    mm.generation = mm.generation % GENERATIONS + 1
    part = TABLE_SIZE // GENERATIONS + 1
    first = (mm.generation - 1) * part
    for index in range(first, min(first + part, TABLE_SIZE)):
        if mm.table[index].generation != 0:
            mm.table[index].generation = 0


@kernel
def key_word(mm, square, piece):
    """Random 32-bit word for a piece on a square: the listing's macro K, an unaligned read of its random bytes."""
    return np.int64(mm.key_words[square + (piece & COLOUR_BIT) + DUMMY * (piece & TYPE_MASK)])


@kernel
def key_change(mm, offset, from_square, piece, to_square, placed, capture_square, captured):
    """The change of a key by a move: the listing's macro J. offset: INDEX_KEY or LOCK_KEY."""
    return (
        key_word(mm, to_square + offset, placed)
        - key_word(mm, from_square + offset, piece)
        - key_word(mm, capture_square + offset, captured)
    )


@kernel
def is_filled(mm, entry):
    """True if an entry holds a result of this generation."""
    return entry.generation == mm.generation and entry.lock != 0


@kernel
def probe(mm, key, lock):
    """Index of the first entry that is empty or holds this position; 0, the dummy entry, if there is none."""
    if mm.without & WITHOUT_HASH != 0:
        return 0
    index = key & TABLE_MASK
    for _ in range(PROBES):
        index += 1
        note(mm, events.PROBE, index, NONE, NONE, NONE, NONE, NONE)
        entry = mm.table[index]
        if entry.lock == lock or not is_filled(mm, entry):
            return index
    return 0


@kernel
def recall(mm, index, alpha, beta, wanted_depth):
    """Read an entry: (True if its score suffices for this search, score, depth reached, best_from, best_to)."""
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
    # At depth 1 the best move is not tried first.
    best_to = np.int64(entry.best_to) if depth != 0 else 0
    return False, score, depth, flags & ~OFF_BOARD, best_to


@kernel
def store(mm, index, lock, score, depth, best_from, best_to, alpha, beta):
    """Store a result, unless the entry holds a deeper exact one. The dummy entry stays empty."""
    entry = mm.table[index]
    is_exact = np.int64(entry.best_from) & OFF_BOARD == OFF_BOARD
    if index == 0 or (is_filled(mm, entry) and is_exact and entry.depth > depth):
        note(mm, events.NOT_STORED, index, NONE, NONE, NONE, NONE, NONE)
        return
    note(mm, events.STORE, index, score, depth, NONE, best_from, best_to)
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
    """(the step after a step, its index). Each step is tried negated, then as it stands; a pawn's only negated."""
    if piece_type > BLACK_PAWN and step < 0:
        return -step, step_index
    return -mm.steps[step_index + 1], step_index + 1


@kernel
def is_obstructed(piece, side, step, captured):
    """True if the target square holds an own piece, or for a pawn: if it would capture straight or step diagonally."""
    if captured & side != 0:
        return True
    is_straight = step & 7 == 0
    is_empty = captured == 0
    return piece & TYPE_MASK <= BLACK_PAWN and is_straight != is_empty


@kernel
def takes_king(mm, captured, to_square, en_passant):
    """True if a move takes the king, or takes on a square that the king has just castled from or over.

    After castling, en_passant is the square that the king passed. A rook stands there, unlike after a double step.
    """
    if captured & TYPE_MASK == KING:
        return True
    return to_square - en_passant < 2 and en_passant - to_square < 2 and mm.board[en_passant] != 0


@kernel
def positional_gain(mm, piece, from_square, to_square, castles):
    """Points for coming nearer to the centre, for castling, and for a pawn by own pawns two files away: 9, 0 or -9."""
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
    """True if a pawn reaches the last rank: one more step would leave the board."""
    return piece & TYPE_MASK <= BLACK_PAWN and (to_square + step + 1) & DUMMY != 0


@kernel
def do_move(mm, side, from_square, to_square, placed, capture_square, rook_from, rook_to):
    """Make a move on the board. Parts that a move does not have are written to the dummy square."""
    board = mm.board
    board[rook_from] = 0
    board[capture_square] = 0
    board[from_square] = 0
    board[to_square] = placed
    if rook_from & OFF_BOARD == 0:
        board[rook_to] = side + ROOK


@kernel
def undo_move(mm, side, from_square, to_square, piece, capture_square, captured, rook_from, rook_to):
    """Undo a move. Without castling, the rook is written to the dummy square."""
    board = mm.board
    board[rook_from] = side + VIRGIN + ROOK
    board[rook_to] = 0
    board[to_square] = 0
    board[from_square] = piece
    board[capture_square] = captured


@kernel
def castling_corner(king_square, step):
    """The corner towards which a king steps along its rank."""
    return (king_square | 7) - (step >> 1 & 7)


@kernel
def may_step_again(mm, side, piece, from_square, to_square, step, step_index, rook_from):
    """True if a non-sliding piece may take a second step: a pawn on its third rank, or a king that may castle."""
    board = mm.board
    if piece & TYPE_MASK <= BLACK_PAWN:
        return 6 * side + (to_square & RANK_MASK) == DUMMY
    if piece & ~BOTH_COLOURS != VIRGIN + KING or step_index != KING_SIDEWAYS or rook_from & OFF_BOARD == 0:
        return False
    corner = castling_corner(from_square, step)
    return board[corner] & VIRGIN != 0 and board[corner ^ 1] == 0 and board[corner ^ 2] == 0


@kernel
def write_log(mm, depth, score, best_from, best_to):
    """Append a finished iteration to the log. When the log is full, log_length still counts, so the driver notices."""
    note(mm, events.LOG, mm.nodes, depth, score, best_from, best_to & ~OFF_BOARD, NONE)
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
    """Score of the position for the side to move, by negamax in the window (alpha, beta).

    mm: MICROMAX. side: WHITE or BLACK. evaluation: static, for the side to move. key: index into the table. lock: key
    compared there. en_passant: the square that a pawn or a castling king has just passed, or DUMMY. last_to: to square
    of the last move, or at the root THINK or MAKE_MOVE. wanted_depth: plies. All numbers are int64; a literal in a
    recursive call would make Numba compile the function a second time.
    """
    board = mm.board

    # Step 1. Hash table: the result itself, or the depth reached so far and the move to try first.
    lock &= LOCK_MASK
    enter(mm, side, alpha, beta, evaluation, key, lock, en_passant, last_to, wanted_depth)
    index = probe(mm, side * en_passant ^ key, lock)
    is_answer, best_score, depth, best_from, best_to = recall(mm, index, alpha, beta, wanted_depth)
    note(mm, events.ENTRY, np.int64(is_answer), best_score, depth, NONE, best_from, best_to)
    if is_answer:
        leave(mm, best_score, best_from, best_to)
        return best_score

    # Step 2. Count the node, and look at the stop flag now and then.
    note(mm, events.NODE, mm.nodes + 1, NONE, NONE, NONE, NONE, NONE)
    mm.nodes += 1
    if mm.nodes & POLL_MASK == 0 and mm.stop != 0:
        mm.aborted = 1
        return 0

    # Step 3. Internal iterative deepening, in every node: a shallow search finds the move to try first in a deeper one.
    # At depth 1 the side may stand pat on the static evaluation. The root of a think goes on until its limits.
    while depth < wanted_depth or (last_to == THINK and mm.nodes < mm.node_limit and depth + 1 < mm.depth_limit):
        depth += 1
        if mm.without & WITHOUT_BEST_MOVE == 0:
            best_to |= best_to >> 4 & HINT  # A move, if there is one, has the dummy's bit.
        best_score = evaluation if depth == 1 else -INFINITY
        fails_high = False
        note(mm, events.ITERATION, depth, best_score, best_from, best_to, NONE, NONE)

        # Step 4. Loop over pieces: scan the whole board for own pieces, starting at the best move's.
        scan_start = best_from if mm.without & WITHOUT_BEST_MOVE == 0 else 0
        from_square = scan_start
        while True:
            piece = np.int64(board[from_square])
            piece_type = piece & TYPE_MASK
            step = piece_type
            step_index = mm.first_step[piece_type]
            note(mm, events.SQUARE, from_square, piece, np.int64(piece & side != 0), scan_start, NONE, NONE)

            # Step 5. Loop over directions. A positive step, like the initial piece type, makes next_step read the list.
            while piece & side != 0 and not fails_high:
                step, step_index = next_step(mm, piece_type, step, step_index)
                note(mm, events.DIRECTION, step, step_index, NONE, NONE, NONE, NONE)
                if step == 0:
                    break
                to_square = from_square
                passed = np.int64(DUMMY)
                rook_from = np.int64(DUMMY)
                captured = 0

                # Step 6. Loop over squares, until the edge or a piece. A best move replaces the first one.
                while captured == 0:
                    to_square += step
                    if best_to & HINT != 0:
                        to_square = best_to & ~OFF_BOARD
                    note(mm, events.TARGET, from_square, to_square, step, np.int64(best_to & HINT != 0), NONE, NONE)
                    if to_square & OFF_BOARD != 0:
                        note(mm, events.REJECT, NONE, to_square, NONE, NONE, NONE, NONE)
                        break
                    capture_square = to_square
                    if piece_type <= BLACK_PAWN and to_square == en_passant:
                        capture_square = to_square ^ 16
                    captured = np.int64(board[capture_square])
                    if is_obstructed(piece, side, step, captured):
                        note(mm, events.REJECT, NONE, to_square, captured, NONE, NONE, NONE)
                        break
                    note(mm, events.MOVE, piece, to_square, captured, capture_square, NONE, NONE)

                    # Step 7. Fail high: this move takes the king, or an earlier one reached beta.
                    if takes_king(mm, captured, to_square, en_passant) and mm.without & WITHOUT_KING_CAPTURE == 0:
                        best_score = INFINITY
                        note(mm, events.KING_TAKEN, to_square, captured, en_passant & 0xFF, NONE, NONE, NONE)
                    if best_score >= beta:
                        fails_high = True
                        note(mm, events.CUT_OFF, best_score, beta, from_square, to_square, NONE, NONE)
                        break

                    # Step 8. Depth of the reply. The recapture is the only extension; at depth 1 it is the quiescence
                    # search.
                    reply_depth = depth - (np.int64(to_square != last_to) | mm.without & WITHOUT_RECAPTURES)
                    note(mm, events.DEPTH, reply_depth, depth, to_square, last_to, NONE, NONE)
                    if reply_depth != 0:
                        # Step 9. Make the move, and update evaluation and keys.
                        castles = rook_from & OFF_BOARD == 0
                        gain = PAWN_VALUE * mm.piece_values[captured & TYPE_MASK]
                        positional = positional_gain(mm, piece, from_square, to_square, castles)
                        placed = piece & ~VIRGIN
                        if promotes(piece, to_square, step):
                            placed |= QUEEN
                            gain += PROMOTION_GAIN
                        note(mm, events.GAIN, gain, positional, evaluation, placed, NONE, NONE)
                        note(mm, events.DO, from_square, to_square, placed, capture_square, rook_from, passed)
                        do_move(mm, side, from_square, to_square, placed, capture_square, rook_from, passed)
                        key_step = key_change(
                            mm, INDEX_KEY, from_square, piece, to_square, placed, capture_square, captured
                        )
                        lock_step = key_change(
                            mm, LOCK_KEY, from_square, piece, to_square, placed, capture_square, captured
                        )
                        lock_step += rook_from - DUMMY
                        note(mm, events.KEY_CHANGE, key_step, lock_step, NONE, NONE, NONE, NONE)

                        # Step 10. Search the reply. A gain is worth a point less for each move it is away, so the
                        # window of the reply is shifted by a point.
                        score = -search(
                            mm,
                            BOTH_COLOURS - side,
                            -beta - np.int64(beta > evaluation),
                            -max(best_score, alpha),
                            -evaluation - positional - gain,
                            key + key_step,
                            lock + lock_step,
                            passed,
                            to_square,
                            reply_depth,
                        )
                        if mm.aborted != 0:
                            return 0
                        delay = np.int64(score > evaluation)
                        score -= delay
                        note(mm, events.SCORE, score, delay, NONE, NONE, NONE, NONE)

                        # Step 11. Keep the move: with MAKE_MOVE, if this is the wanted move and it is legal, leave it
                        # on the board. Other moves change no score.
                        if last_to == MAKE_MOVE:
                            if score != -INFINITY and from_square == mm.root_from and to_square == mm.root_to:
                                mm.evaluation = -evaluation - gain
                                mm.en_passant = passed
                                return beta
                            score = best_score

                        # Step 12. Undo the move. After a best move that went first, start the direction again.
                        note(mm, events.UNDO, from_square, to_square, piece, captured, capture_square, rook_from)
                        undo_move(mm, side, from_square, to_square, piece, capture_square, captured, rook_from, passed)
                        if best_to & HINT != 0:
                            best_score = score
                            best_to &= ~HINT
                            to_square = from_square
                            passed = np.int64(DUMMY)
                            rook_from = np.int64(DUMMY)
                            captured = 0
                            note(mm, events.RESUME, from_square, score, NONE, NONE, NONE, NONE)
                            continue

                        # Step 13. New best move. The dummy's bit marks moves that do not castle: a castling move cannot
                        # go first in the next iteration, since the king's first step must come before it.
                        if score > best_score:
                            best_score = score
                            best_from = from_square
                            best_to = to_square | rook_from & DUMMY
                            note(mm, events.BEST, best_score, best_from, best_to, beta, NONE, NONE)

                    # Step 14. A non-sliding piece stops as if it had captured, except for double steps and castling.
                    captured += np.int64(piece_type < BISHOP)
                    if may_step_again(mm, side, piece, from_square, to_square, step, step_index, rook_from):
                        captured -= 1
                        passed = to_square
                        if piece_type == KING:
                            rook_from = castling_corner(from_square, step)
                        note(mm, events.SECOND_STEP, piece, passed, rook_from, captured, NONE, NONE)

            from_square = from_square + 9 & ~OFF_BOARD
            if fails_high or from_square == scan_start:
                break

        # Step 15. A king won or lost is a result for any depth.
        if best_score > CERTAIN or best_score < -CERTAIN:
            depth = FINAL_DEPTH

        # Step 16. Every move loses the king: checkmate if the other side could take it now, else stalemate.
        if best_score == -INFINITY:
            note(mm, events.MATE_PROBE, side, NONE, NONE, NONE, NONE, NONE)
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
            note(mm, events.MATE, best_score, NONE, NONE, NONE, NONE, NONE)

        # Step 17. Store the result.
        store(mm, index, lock, best_score, depth, best_from, best_to, alpha, beta)
        if last_to == THINK:
            write_log(mm, depth - 1, best_score, best_from, best_to)

    # Step 18. At the root, return the best move in the record.
    if last_to & THINK != 0:
        mm.root_from = best_from
        mm.root_to = best_to & ~OFF_BOARD
    leave(mm, best_score, best_from, best_to)
    return best_score
