"""The events of a recorded search: what each kind is called, and which values it has.

An event is a row of eight int32: kind, ply, and six values; those that a kind does not have are 0. The ply is the
number of calls of `search` above this one, so 0 at the root. Squares and pieces are the listing's, as `search.py`
explains them. Scores are for the side to move at that ply, with 99 for a pawn. In a `best_to`, bit 0x80 is set unless
the move castles, and bit 8 is the listing's `HINT`. Keys are the low 32 bits, signed. A bound is 1 for a lower one, 2
for an upper one, 3 for an exact score, and 0 where nothing is known.

What the kinds say, in the order in which a node has them:

- ENTER: search for `side` to `wanted_depth`, between alpha and beta. `last_to` is the square of the last move; at the
  root it is 8, `THINK`.
- KEYS: look for the lock in the nine entries after `index`. `en_passant` is the square that the last move passed, or
  0x80.
- PROBE: probe 1 to 9 looks at an entry. `found` is 0 for an empty one, 1 for another position, 2 for this one.
- ENTRY: what was found is used as USES says. As an answer, `score` ends the search of this node. As a hint, `depth` is
  already reached, and the best move is tried first, unless best_to is 0.
- NODE: there was no answer in the table, so this is counted as node `number`.
- ITERATION: search to `depth`. The score starts at `best_score`: the evaluation at depth 1, else -8000. If HINT is set
  in `best_to`, that move is tried first.
- SQUARE: the scan of the board, which began at `scan_start`, comes to a square. With `is_own` 1 its piece may move.
- DIRECTION: the piece turns to the next step of its list. A step of 0 ends the list.
- TARGET: the piece on `from` steps on to `to`. With `is_hint` 1 it is put on the square of the best move instead.
- REJECT: it cannot go there, for one of REJECTIONS. `piece` is what stands there.
- MOVE: it may go there. `captured` is 0 for a quiet move. `capture_square` is not `to` when a pawn takes en passant.
- KING_TAKEN: the move takes the king, or takes on a square that the king has castled from or over; then `captured` is
  no king. So the move before was illegal.
- CUT_OFF: the best score has reached beta. The move from `from` to `to` is not made, nor is any later one.
- DEPTH: the reply to this move is searched to `reply_depth`: one less than `depth`, or the same if the move takes back
  on `last_to`. With 0 the move is left out.
- GAIN: the move gains `material` and `positional` points; the evaluation before it is `evaluation`. `placed` is the
  piece after the move, a queen for a pawn that promotes.
- DO: the move is made. Squares `rook_from`, `capture_square` and `from` are emptied, and `placed` is put on `to`. If
  `rook_from` is on the board, the castling rook is put on `passed`. Square 0x80 stands for none.
- KEY_CHANGE: the move adds `key_step` and `lock_step` to the keys.
- SCORE: the reply is searched, and the move is worth `score` to this side. With `penalty` 1 a point was taken off: the
  score is above the evaluation, and a gain later is worth less than one now.
- UNDO: the move is taken back: a rook is put on `rook_from`, square `passed` of the DO and then `to` are emptied,
  `piece` is put on `from` and `captured` on `capture_square`.
- RESUME: the hinted move is done, and `score` is the best so far. Now the same direction starts again.
- BEST: a move has a new best score.
- SECOND_STEP: the piece may step once more: a pawn's double step, or castling if `rook_from` is on the board. `passed`
  is the square in between. If it has captured there, it stops all the same.
- MATE_PROBE: every move of `side` loses the king. Could the other side take it now?
- MATE: if so, `score` is that of checkmate, -4000; if not, 0 for stalemate. (At the root the listing takes the question
  for one to think about, so that a stalemate there may have another score.)
- STORE: the result goes into the table at `index`.
- NOT_STORED: it does not: `reason` 1 if there was no entry for it, 2 if the entry has a deeper exact score.
- LOG: an iteration of the root is finished. These are the lines that `ox88 trace` prints.
- RETURN: the node returns `score`, for one of REASONS. The next event is of the ply above.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

NONE: Final = np.int64(0)  # In place of a value that a kind does not have.
VALUES: Final = 6  # Of an event, after its kind and ply.
KINDS: Final[
    dict[str, tuple[str, ...]]
] = {  # In the order of their numbers, from 1 on, with the names of their values.
    "ENTER": ("alpha", "beta", "wanted_depth", "evaluation", "side", "last_to"),
    "KEYS": ("key", "lock", "en_passant", "index"),
    "PROBE": ("index", "probe", "found"),
    "ENTRY": ("use", "score", "depth", "bound", "best_from", "best_to"),
    "NODE": ("number",),
    "ITERATION": ("depth", "best_score", "best_from", "best_to"),
    "SQUARE": ("square", "piece", "is_own", "scan_start"),
    "DIRECTION": ("step", "step_index"),
    "TARGET": ("from", "to", "step", "is_hint"),
    "REJECT": ("reason", "to", "piece"),
    "MOVE": ("piece", "to", "captured", "capture_square"),
    "KING_TAKEN": ("to", "captured", "en_passant"),
    "CUT_OFF": ("best_score", "beta", "from", "to"),
    "DEPTH": ("reply_depth", "depth", "to", "last_to"),
    "GAIN": ("material", "positional", "evaluation", "placed"),
    "DO": ("from", "to", "placed", "capture_square", "rook_from", "passed"),
    "KEY_CHANGE": ("key_step", "lock_step"),
    "SCORE": ("score", "penalty"),
    "UNDO": ("from", "to", "piece", "captured", "capture_square", "rook_from"),
    "RESUME": ("from", "score"),
    "BEST": ("best_score", "from", "best_to", "beta"),
    "SECOND_STEP": ("piece", "passed", "rook_from", "captured"),
    "MATE_PROBE": ("side",),
    "MATE": ("score",),
    "STORE": ("index", "score", "depth", "bound", "best_from", "best_to"),
    "NOT_STORED": ("index", "reason"),
    "LOG": ("nodes", "depth", "score", "best_from", "best_to"),
    "RETURN": ("score", "reason", "best_from", "best_to"),
}
SORTS: Final = ("HASH_HIT", "RECAPTURE")  # An ENTRY that holds the position; a DEPTH where the move costs none.
USES: Final = ("empty", "answer", "hint")  # What an ENTRY is used for, by `use`.
REJECTIONS: Final = ("off the board", "own piece", "pawn is blocked", "nothing to capture")  # By `reason`.
OFF_THE_BOARD, OWN_PIECE, BLOCKED, NOTHING_TO_CAPTURE = map(np.int64, range(len(REJECTIONS)))
REASONS: Final = (  # Of a RETURN, by `reason`.
    "answer from the table",
    "takes the king",
    "checkmate",
    "stalemate",
    "cut off: reaches beta",
    "no move is better than alpha",
    "exact score",
)
ANSWER, TAKES_KING, CHECKMATE, STALEMATE, REACHES_BETA, FAILS_LOW, EXACT = range(len(REASONS))

(
    ENTER, KEYS, PROBE, ENTRY, NODE, ITERATION, SQUARE, DIRECTION, TARGET, REJECT, MOVE, KING_TAKEN, CUT_OFF, DEPTH,
    GAIN, DO, KEY_CHANGE, SCORE, UNDO, RESUME, BEST, SECOND_STEP, MATE_PROBE, MATE, STORE, NOT_STORED, LOG, RETURN,
) = map(np.int64, range(1, len(KINDS) + 1))  # fmt: skip


def named(event: NDArray[np.int32]) -> dict[str, str | int]:
    """An event with names: its kind, its ply, and the values that its kind has."""
    kind, values = _KINDS[int(event[0]) - 1]
    return {"kind": kind, "ply": int(event[1]), **dict(zip(values, map(int, event[2:]), strict=False))}


_KINDS: Final = tuple(KINDS.items())
