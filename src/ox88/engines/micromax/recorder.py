"""The listing, compiled a second time so that it records what it does.

The code of `search.py` is used as it is. Its kernels are made again with other globals: `enter`, `note` and `leave`
record.

All events are counted, but only a window of them is kept: from the first event that was asked for on. When the window
is full, the search is aborted. The same question gives the same answer each time, so no tree has to be stored.
"""

from types import FunctionType
from typing import Any, Final

import numpy as np

from ox88.engines.micromax import events
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.events import NONE
from ox88.jit import kernel, rarely_called

LARGEST_WINDOW: Final = 5_000  # Events.
LONGEST_LINE: Final = 512  # Nodes from the root; a line has fewer than 100 plies, and a recapture for each piece.
NEVER: Final = 1 << 62
# The bits of the sorts in watched_kinds, after those of the kinds.
HASH_HIT, RECAPTURE = map(np.int64, range(len(events.KINDS) + 1, len(events.KINDS) + 1 + len(events.SORTS)))

UNKNOWN: Final = -1  # Reason of a node that has not returned.
MOST_TRIED: Final = 256  # Moves of an iteration; no position has so many.
MOST_COUNTED: Final = LARGEST_WINDOW // 5  # Nodes that a window counts; each has five events or more.

TRIED = np.dtype(
    [(name, np.int32) for name in ("from_square", "to_square", "score", "reason", "nodes", "nodes_before")], align=True
)

POSITION = np.dtype([("side", np.int64), ("en_passant", np.int64), ("board", np.int8, listing.DUMMY + 1)], align=True)

NODE = np.dtype(
    [
        *(
            (name, np.int64)
            for name in (
                "number", "event", "side", "alpha", "beta", "wanted_depth", "evaluation", "en_passant", "last_to",
                "key", "lock", "depth", "scan_start", "best_score", "best_from", "best_to", "from_square", "to_square",
                "reason",
            )
        ),
        ("board", np.int8, listing.DUMMY + 1),  # Where it was entered.
        ("index", np.int64),  # Of the table; it is looked for in the entries after that.
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
        ("node_cap", np.int64),  # The search is aborted after so many nodes if the window has not started.
        ("first_node", np.int64),  # The window starts where this node is entered, ...
        ("watched_from", np.int64),  # ... or after so many events ...
        ("watched_kinds", np.int64),  # ... with one of these kinds or sorts, a bit each.
        ("watched_ply", np.int64),  # The highest ply of such an event.
        ("is_found", np.int64),  # 1 when it is known that the window starts at the right event.
        ("window", np.int64),  # Events to keep.
        ("kept", np.int64),  # Events in the window; -1 before it starts.
        ("events_left", np.int64),  # Until `watched_from` is reached; below 0 after it.
        ("filled", np.int64),  # Entries of the table that hold a result.
        ("start_event", np.int64),  # Number of the window's first event, ...
        ("start_nodes", np.int64),  # ... nodes counted before it, ...
        ("start_filled", np.int64),
        ("start_ply", np.int64),
        ("start_board", np.int8, listing.DUMMY + 1),
        ("start_line", NODE, LONGEST_LINE),  # ... and the nodes that are open there.
        ("ply", np.int64),
        ("line", NODE, LONGEST_LINE),
        ("counted", POSITION, MOST_COUNTED),  # Where the nodes are that the window counts, in their order.
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
    copy.__qualname__ = name
    copy.__doc__ = function.__doc__
    return kernel(copy)


is_filled = _remade("is_filled")


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
def rejection_of(side, to_square, captured):
    """Why a piece cannot go to a square: an index into events.REJECTIONS."""
    if to_square & listing.OFF_BOARD != 0:
        return events.OFF_THE_BOARD
    if captured & side != 0:
        return events.OWN_PIECE
    return events.NOTHING_TO_CAPTURE if captured == 0 else events.BLOCKED


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
        mm.start_line[ply].is_filled = np.int64(is_filled(mm, mm.table[mm.line[ply].cell]))


@kernel
def sort_of(kind, first, second):
    """The sort of an event; its kind where it is of none. first, second: its values."""
    if kind == events.ENTRY and first != 0:
        return HASH_HIT
    if kind == events.DEPTH and first == second:
        return RECAPTURE
    return kind


@kernel
def is_watched(mm, kind, first, second):
    """True if an event is of the kinds, sorts and plies that are watched. first, second: its values."""
    if mm.ply > mm.watched_ply:
        return False
    watched = mm.watched_kinds >> kind | mm.watched_kinds >> sort_of(kind, first, second)
    return watched & 1 != 0


@kernel
def keep(mm, kind, first, second, third, fourth, fifth, sixth):
    """Complete an event by what the listing does not pass, and write it into the window.

    The window begins with the first event that is watched for, and ends when it is full.
    """
    rarely_called()
    node = mm.line[mm.ply]
    if kind == events.PROBE:
        entry = mm.table[first]
        second = first - node.index
        third = np.int64(is_filled(mm, entry)) * (1 + np.int64(low_bits(np.int64(entry.lock)) == node.lock))
    elif kind == events.ENTRY:
        entry = mm.table[node.cell]
        first = max(first, 2 * (1 - first) * np.int64(is_filled(mm, entry)))
        fourth = bound_of(np.int64(entry.best_from)) if first != 0 else 0
    elif kind == events.REJECT:
        first = rejection_of(node.side, second, third)
    elif kind == events.KEY_CHANGE:
        first = low_bits(first)
        second = low_bits(second)
    elif kind == events.STORE:
        fourth = np.int64(second > node.alpha) + 2 * np.int64(second < node.beta)
    elif kind == events.NOT_STORED:
        second = np.int64(1) if first == 0 else np.int64(2)
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
    node.event = 0
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
    node.scan_start = 0
    node.best_score = 0
    node.best_from = 0
    node.best_to = 0
    node.from_square = 0
    node.to_square = 0
    node.cell = 0
    node.index = (side * en_passant ^ key) & listing.TABLE_MASK
    node.tried_count = 0
    node.reason = UNKNOWN
    for square in range(listing.DUMMY + 1):
        node.board[square] = mm.board[square]
    record(mm, events.ENTER, alpha, beta, wanted_depth, evaluation, side, last_to)
    record(mm, events.KEYS, node.key, node.lock, node.en_passant, node.index, NONE, NONE)


@kernel
def count_node(mm, node, number):
    """What the event NODE changes: a window keeps its position, and may be the right window, or come too late."""
    node.number = number
    node.event = mm.watched_from - mm.events_left - 1
    if mm.kept >= 0:
        position = mm.counted[min(number - mm.start_nodes, MOST_COUNTED) - 1]
        position.side = node.side
        position.en_passant = node.en_passant
        for square in range(listing.DUMMY + 1):
            position.board[square] = node.board[square]
    if number == mm.first_node:
        mm.is_found = 1
        if mm.kept == mm.window:
            mm.aborted = 1
    if number > mm.node_cap and mm.kept < 0:
        mm.aborted = 1


@kernel
def add_tried(mm, node, score):
    move = node.tried[min(node.tried_count, MOST_TRIED - 1)]
    move.from_square = node.from_square
    move.to_square = node.to_square
    move.score = score
    move.reason = mm.line[mm.ply + 1].reason
    move.nodes = mm.nodes - node.nodes
    move.nodes_before = node.nodes
    node.tried_count += 1


@kernel
def remember(mm, node, kind, first, second, third, fourth):
    """What an event, which has just been recorded, changes in its node."""
    if kind == events.PROBE:
        entry = mm.table[first]
        if not is_filled(mm, entry) or low_bits(np.int64(entry.lock)) == node.lock:
            node.cell = first
    elif kind == events.NODE:
        count_node(mm, node, first)
    elif kind == events.ENTRY and first == 1:
        node.reason = events.ANSWER
    elif kind == events.ITERATION:
        node.depth = first
        node.scan_start = third if mm.without & listing.WITHOUT_BEST_MOVE == 0 else 0
        node.best_score = second
        node.best_from = third
        node.best_to = fourth
        node.tried_count = 0
        node.reason = UNKNOWN
    elif kind == events.KING_TAKEN:
        node.reason = events.TAKES_KING
    elif kind == events.DO:
        node.from_square = first
        node.to_square = second
        node.nodes = mm.nodes
    elif kind == events.SCORE:
        add_tried(mm, node, first)
    elif kind == events.RESUME:
        node.best_score = second
        node.best_to &= ~listing.HINT
    elif kind == events.BEST:
        node.best_score = first
        node.best_from = second
        node.best_to = third
    elif kind == events.MATE:
        node.reason = events.CHECKMATE if first == -listing.MATE else events.STALEMATE
    elif kind == events.STORE:
        mm.filled += np.int64(not is_filled(mm, mm.table[first]))


@kernel
def note(mm, kind, first, second, third, fourth, fifth, sixth):
    record(mm, kind, first, second, third, fourth, fifth, sixth)
    if kind < events.SQUARE or kind > events.MOVE:  # The kinds in between are the most frequent ones.
        remember(mm, mm.line[mm.ply], kind, first, second, third, fourth)


@kernel
def leave(mm, score, best_from, best_to):
    node = mm.line[mm.ply]
    if node.reason == UNKNOWN:
        exact_or_low = events.FAILS_LOW if score <= node.alpha else events.EXACT
        node.reason = events.REACHES_BETA if score >= node.beta else exact_or_low
    record(mm, events.RETURN, score, node.reason, best_from, best_to, NONE, NONE)
    mm.ply -= 1


_scope.update({"enter": enter, "note": note, "leave": leave, "is_filled": is_filled})
for _name in (
    "key_word", "key_change", "probe", "recall", "store", "next_step", "is_obstructed", "takes_king", "positional_gain",
    "promotes", "do_move", "undo_move", "castling_corner", "may_step_again", "write_log", "search", "clear_table",
):  # fmt: skip
    _scope[_name] = _remade(_name)

search = _scope["search"]
clear_table = _scope["clear_table"]
