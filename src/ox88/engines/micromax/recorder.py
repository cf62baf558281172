"""The listing, compiled a second time so that it records what it does.

The code of `search.py` is used as it is. Its kernels are made again with other globals: `enter`, `note` and `leave`
record, and so do the kernels below that have the name of one of the listing's. They call that one, as `listing_...`.

All events are counted, but only a window of them is kept: from the first event that was asked for on. When the window
is full, the search is aborted. The same question gives the same answer each time, so no tree has to be stored.
"""

from types import FunctionType
from typing import Any, Final

import numpy as np

from ox88.engines.micromax import events
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.events import NONE
from ox88.jit import kernel

LARGEST_WINDOW: Final = 5_000  # Events.
LONGEST_LINE: Final = 512  # Nodes from the root; a line has fewer than 100 plies, and a recapture for each piece.
NEVER: Final = 1 << 62
# The bits of the sorts in watched_kinds, after those of the kinds.
HASH_HIT, RECAPTURE = map(np.int64, range(len(events.KINDS) + 1, len(events.KINDS) + 1 + len(events.SORTS)))
WITHOUT_HASH, WITHOUT_BEST_MOVE, WITHOUT_RECAPTURES, WITHOUT_KING_CAPTURE = 1, 2, 4, 8

UNKNOWN: Final = -1  # Reason of a node that has not returned.
MOST_TRIED: Final = 256  # Moves of an iteration; no position has so many.

TRIED = np.dtype(
    [(name, np.int32) for name in ("from_square", "to_square", "score", "reason", "nodes", "nodes_before")], align=True
)

NODE = np.dtype(
    [
        *(
            (name, np.int64)
            for name in (
                "number", "side", "alpha", "beta", "wanted_depth", "evaluation", "en_passant", "last_to", "key", "lock",
                "depth", "best_score", "best_from", "best_to", "from_square", "to_square", "reason",
            )
        ),
        ("cell", np.int64),  # Index of its entry in the table; 0 before it is known.
        ("is_filled", np.int64),  # 1 if that entry holds a result; known where the window starts.
        ("nodes", np.int64),  # Nodes counted before the last move.
        ("tried_count", np.int64),  # Moves that were searched in this iteration.
        ("tried", TRIED, MOST_TRIED),
    ],
    align=True,
)  # fmt: skip

RECORDER = np.dtype(
    [
        ("without", np.int64),  # Switches that are off.
        ("node_cap", np.int64),  # The search is aborted after so many nodes if the window has not started.
        ("first_node", np.int64),  # The window starts where this node is entered, ...
        ("watched_from", np.int64),  # ... or after so many events ...
        ("watched_kinds", np.int64),  # ... with one of these kinds or sorts, a bit each.
        ("watched_ply", np.int64),  # The highest ply of such an event.
        ("is_found", np.int64),  # 1 when it is known that the window starts at the right event.
        ("window", np.int64),  # Events to keep.
        ("kept", np.int64),  # Events in the window; -1 before it starts.
        ("events_left", np.int64),  # `watched_from` less the number of events.
        ("filled", np.int64),  # Entries of the table that hold a result.
        ("start_event", np.int64),  # Number of the window's first event, ...
        ("start_nodes", np.int64),  # ... nodes counted before it, ...
        ("start_filled", np.int64),
        ("start_ply", np.int64),
        ("start_board", np.int8, listing.DUMMY + 1),
        ("start_line", NODE, LONGEST_LINE),  # ... and the nodes that are open there.
        ("ply", np.int64),
        ("line", NODE, LONGEST_LINE),
        ("events", np.int32, (LARGEST_WINDOW, 2 + events.VALUES)),
        *((name, listing.MICROMAX[name]) for name in listing.MICROMAX.names or ()),
    ],
    align=True,
)

_scope: Final[dict[str, Any]] = {**vars(listing), "__name__": __name__}  # The globals of the listing's kernels here.


def _remade(name: str) -> Any:
    """A kernel of the listing, compiled for a RECORDER."""
    kept = getattr(listing, name)
    function = getattr(kept, "py_func", kept)  # With NUMBA_DISABLE_JIT=1 a kernel is a plain function.
    # The cache of compiled kernels must see that this module is where the globals come from.
    copy = FunctionType(function.__code__.replace(co_filename=__file__), _scope)
    copy.__module__ = __name__
    copy.__name__ = copy.__qualname__ = f"listing_{name}"
    copy.__doc__ = function.__doc__
    return kernel(copy)


listing_is_filled = _remade("is_filled")
listing_recall = _remade("recall")
listing_store = _remade("store")
listing_write_log = _remade("write_log")
listing_next_step = _remade("next_step")
listing_is_obstructed = _remade("is_obstructed")
listing_takes_king = _remade("takes_king")
listing_do_move = _remade("do_move")
listing_undo_move = _remade("undo_move")
listing_hint_flag = _remade("hint_flag")
listing_reply_depth_of = _remade("reply_depth_of")
listing_delay_gain = _remade("delay_gain")
listing_judge_mate = _remade("judge_mate")


@kernel
def low_bits(number):
    """The low 32 bits of an int64, signed."""
    return ((number + 0x80000000) & 0xFFFFFFFF) - 0x80000000


@kernel
def bound_of(flags):
    """1 for a lower bound, 2 for an upper one, 3 for an exact score. flags: an entry's best_from."""
    return (flags & listing.ABOVE_ALPHA) // listing.ABOVE_ALPHA + (flags & listing.BELOW_BETA) // (
        listing.BELOW_BETA // 2
    )


@kernel
def start_window(mm):
    mm.kept = 0
    mm.start_event = mm.watched_from - mm.events_left - 1
    mm.start_nodes = mm.nodes
    mm.start_filled = mm.filled
    mm.start_ply = mm.ply
    for square in range(listing.DUMMY + 1):
        mm.start_board[square] = mm.board[square]
    for ply in range(mm.ply + 1):
        mm.start_line[ply] = mm.line[ply]
        mm.start_line[ply].is_filled = np.int64(listing_is_filled(mm, mm.table[mm.line[ply].cell]))


@kernel
def is_watched(mm, kind, first, second):
    """True if an event is of the kinds, sorts and plies that are watched. first, second: its values."""
    if mm.ply > mm.watched_ply:
        return False
    watched = mm.watched_kinds >> kind
    if kind == events.ENTRY and first != 0:
        watched |= mm.watched_kinds >> HASH_HIT
    elif kind == events.DEPTH and first == second:
        watched |= mm.watched_kinds >> RECAPTURE
    return watched & 1 != 0


@kernel
def keep(mm, kind, first, second, third, fourth, fifth, sixth):
    """Keep an event, if the window has started or starts with it, and is not full."""
    if mm.kept < 0:
        if not is_watched(mm, kind, first, second):
            return
        start_window(mm)
    if mm.kept < mm.window:
        event = mm.events[mm.kept]
        event[0] = kind
        event[1] = mm.ply
        event[2] = first
        event[3] = second
        event[4] = third
        event[5] = fourth
        event[6] = fifth
        event[7] = sixth
        mm.kept += 1
    if mm.kept == mm.window and mm.is_found != 0:
        mm.aborted = 1


@kernel
def record(mm, kind, first, second, third, fourth, fifth, sixth):
    """Count an event, and keep it where it is asked for."""
    mm.events_left -= 1
    if mm.events_left < 0:
        keep(mm, kind, first, second, third, fourth, fifth, sixth)


@kernel
def enter(mm, side, alpha, beta, evaluation, key, lock, en_passant, last_to, wanted_depth):
    if mm.is_found == 0 and mm.nodes == mm.first_node - 1:
        mm.watched_from -= mm.events_left
        mm.events_left = 0
        mm.kept = -1
    mm.ply += 1
    node = mm.line[mm.ply]
    node.number = 0
    node.side = side
    node.alpha = alpha
    node.beta = beta
    node.wanted_depth = wanted_depth
    node.evaluation = evaluation
    node.en_passant = en_passant & 0xFF  # At the root it is a signed byte.
    node.last_to = last_to
    node.key = low_bits(key)
    node.lock = low_bits(lock)
    node.depth = 0
    node.best_score = 0
    node.best_from = 0
    node.best_to = 0
    node.from_square = 0
    node.to_square = 0
    node.cell = 0
    node.tried_count = 0
    node.reason = UNKNOWN
    record(mm, events.ENTER, alpha, beta, wanted_depth, evaluation, side, last_to)
    index = (side * en_passant ^ key) & listing.TABLE_MASK
    record(mm, events.KEYS, node.key, node.lock, node.en_passant, index, NONE, NONE)


@kernel
def note(mm, kind, first, second, third, fourth):
    if kind == events.KEY_CHANGE:
        first = low_bits(first)
        second = low_bits(second)
    record(mm, kind, first, second, third, fourth, NONE, NONE)
    if kind == events.ITERATION:
        node = mm.line[mm.ply]
        node.depth = first
        node.best_score = second
        node.best_from = third
        node.best_to = fourth
        node.tried_count = 0
        node.reason = UNKNOWN
    elif kind == events.BEST:
        node = mm.line[mm.ply]
        node.best_score = first
        node.best_from = second
        node.best_to = third
    elif kind == events.RESUME:
        node = mm.line[mm.ply]
        node.best_score = second
        node.best_to &= ~listing.HINT


@kernel
def leave(mm, score, alpha, beta, best_from, best_to):
    node = mm.line[mm.ply]
    reason = node.reason
    if reason == UNKNOWN:
        reason = events.REACHES_BETA if score >= beta else events.FAILS_LOW if score <= alpha else events.EXACT
    node.reason = reason
    record(mm, events.RETURN, score, reason, best_from, best_to, NONE, NONE)
    mm.ply -= 1


@kernel
def probe(mm, key, lock):
    """As in the listing, with an event for each entry that is looked at."""
    if mm.without & WITHOUT_HASH != 0:
        return 0
    index = key & listing.TABLE_MASK
    for number in range(1, listing.PROBES + 1):
        index += 1
        entry = mm.table[index]
        is_filled = listing_is_filled(mm, entry)
        is_found = entry.lock == lock or not is_filled
        found = (1 + np.int64(is_found)) * np.int64(is_filled)
        record(mm, events.PROBE, index, np.int64(number), found, NONE, NONE, NONE)
        if is_found:
            mm.line[mm.ply].cell = index
            return index
    return 0


@kernel
def recall(mm, index, alpha, beta, wanted_depth):
    is_answer, score, depth, best_from, best_to = listing_recall(mm, index, alpha, beta, wanted_depth)
    entry = mm.table[index]
    use = NONE
    bound = NONE
    if listing_is_filled(mm, entry):
        use = np.int64(1) if is_answer else np.int64(2)
        bound = bound_of(np.int64(entry.best_from))
    record(mm, events.ENTRY, use, np.int64(score), np.int64(depth), bound, np.int64(best_from), np.int64(best_to))
    if is_answer:
        mm.line[mm.ply].reason = events.ANSWER
    else:
        number = mm.nodes + 1
        record(mm, events.NODE, number, NONE, NONE, NONE, NONE, NONE)
        mm.line[mm.ply].number = number
        if number == mm.first_node:
            mm.is_found = 1
            if mm.kept == mm.window:
                mm.aborted = 1
        if number > mm.node_cap and mm.kept < 0:
            mm.aborted = 1
    return is_answer, score, depth, best_from, best_to


@kernel
def store(mm, index, lock, score, depth, best_from, best_to, alpha, beta):
    entry = mm.table[index]
    is_exact = np.int64(entry.best_from) & listing.OFF_BOARD == listing.OFF_BOARD
    if index == 0:
        record(mm, events.NOT_STORED, np.int64(index), np.int64(1), NONE, NONE, NONE, NONE)
    elif listing_is_filled(mm, entry) and is_exact and entry.depth > depth:
        record(mm, events.NOT_STORED, np.int64(index), np.int64(2), NONE, NONE, NONE, NONE)
    else:
        bound = np.int64(score > alpha) + 2 * np.int64(score < beta)
        record(mm, events.STORE, np.int64(index), score, depth, bound, best_from, best_to)
        mm.filled += np.int64(not listing_is_filled(mm, entry))
    listing_store(mm, index, lock, score, depth, best_from, best_to, alpha, beta)


@kernel
def write_log(mm, depth, score, best_from, best_to):
    record(mm, events.LOG, mm.nodes, depth, score, best_from, best_to & ~listing.OFF_BOARD, NONE)
    listing_write_log(mm, depth, score, best_from, best_to)


@kernel
def next_step(mm, piece_type, step, step_index):
    step, step_index = listing_next_step(mm, piece_type, step, step_index)
    record(mm, events.DIRECTION, step, step_index, NONE, NONE, NONE, NONE)
    return step, step_index


@kernel
def is_obstructed(mm, piece, side, step, to_square, captured, capture_square):
    if listing_is_obstructed(mm, piece, side, step, to_square, captured, capture_square):
        reason = events.NOTHING_TO_CAPTURE if captured == 0 else events.BLOCKED
        if captured & side != 0:
            reason = events.OWN_PIECE
        record(mm, events.REJECT, reason, to_square, captured, NONE, NONE, NONE)
        return True
    record(mm, events.MOVE, piece, to_square, captured, capture_square, NONE, NONE)
    return False


@kernel
def takes_king(mm, captured, to_square, en_passant):
    if mm.without & WITHOUT_KING_CAPTURE != 0 or not listing_takes_king(mm, captured, to_square, en_passant):
        return False
    mm.line[mm.ply].reason = events.TAKES_KING
    record(mm, events.KING_TAKEN, to_square, captured, en_passant & 0xFF, NONE, NONE, NONE)
    return True


@kernel
def do_move(mm, side, from_square, to_square, placed, capture_square, rook_from, rook_to):
    record(mm, events.DO, from_square, to_square, placed, capture_square, rook_from, rook_to)
    node = mm.line[mm.ply]
    node.from_square = from_square
    node.to_square = to_square
    node.nodes = mm.nodes
    listing_do_move(mm, side, from_square, to_square, placed, capture_square, rook_from, rook_to)


@kernel
def undo_move(mm, side, from_square, to_square, piece, capture_square, captured, rook_from, rook_to):
    record(mm, events.UNDO, from_square, to_square, piece, captured, capture_square, rook_from)
    listing_undo_move(mm, side, from_square, to_square, piece, capture_square, captured, rook_from, rook_to)


@kernel
def hint_flag(mm, best_to):
    return 0 if mm.without & WITHOUT_BEST_MOVE != 0 else listing_hint_flag(mm, best_to)


@kernel
def first_square(mm, best_from):
    return 0 if mm.without & WITHOUT_BEST_MOVE != 0 else best_from


@kernel
def reply_depth_of(mm, depth, to_square, last_to):
    reply_depth = depth - 1
    if mm.without & WITHOUT_RECAPTURES == 0:
        reply_depth = listing_reply_depth_of(mm, depth, to_square, last_to)
    record(mm, events.DEPTH, reply_depth, depth, to_square, last_to, NONE, NONE)
    return reply_depth


@kernel
def delay_gain(mm, score, evaluation):
    delayed = listing_delay_gain(mm, score, evaluation)
    record(mm, events.SCORE, delayed, score - delayed, NONE, NONE, NONE, NONE)
    node = mm.line[mm.ply]
    move = node.tried[min(node.tried_count, MOST_TRIED - 1)]
    move.from_square = node.from_square
    move.to_square = node.to_square
    move.score = delayed
    move.reason = mm.line[mm.ply + 1].reason
    move.nodes = mm.nodes - node.nodes
    move.nodes_before = node.nodes
    node.tried_count += 1
    return delayed


@kernel
def judge_mate(mm, reply):
    score = listing_judge_mate(mm, reply)
    mm.line[mm.ply].reason = events.CHECKMATE if score == -listing.MATE else events.STALEMATE
    record(mm, events.MATE, score, NONE, NONE, NONE, NONE, NONE)
    return score


_scope.update(
    {
        recording.__name__: recording
        for recording in (
            enter, note, leave, probe, recall, store, write_log, next_step, is_obstructed, takes_king, do_move,
            undo_move, hint_flag, first_square, reply_depth_of, delay_gain, judge_mate,
        )
    }
)  # fmt: skip
_scope["is_filled"] = listing_is_filled
for _name in ("key_word", "key_change", "positional_gain", "promotes", "castling_corner", "may_step_again", "search"):
    _scope[_name] = _remade(_name)

search = _scope["search"]
clear_table = _remade("clear_table")
