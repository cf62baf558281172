"""What a game of an environment is, apart from its POSITION, and what all games share."""

from typing import Any, Final

import numpy as np

from ox88.bitboard.records import MAX_MOVES, MOVE_LIST, UNDO, make_record

MAX_REVERSIBLE = np.int64(151)  # Positions since the last capture or pawn move: 150 plies end a game.
PAST = np.int64(8)  # Positions in an observation with history.
SIDES_KINDS = np.int64(12)  # Six kinds of pieces of each side.

BOARDS = np.dtype(
    [
        ("pieces", np.uint64, 12),  # White's pawns to king, then Black's.
        ("repeated", np.int64),  # How often the position had been there before.
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("keys", np.uint64, int(MAX_REVERSIBLE)),  # Of all positions since the last capture or pawn move.
        ("reversible", np.int64),  # Plies since then; the last of the keys has this number.
        ("plies", np.int64),  # Since the start of the game.
        ("is_over", np.int64),  # 1: the next step begins it anew.
        ("move", np.int64),  # That the action of a step means.
        ("random", np.uint64),  # State of the numbers that choose starts and actions.
        ("past", BOARDS, int(PAST)),  # A ring: ply p is at p % 8.
        ("legal", MOVE_LIST),
        ("actions", np.int16, MAX_MOVES),  # The action of each legal move.
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("claims", np.int64),  # 1: a draw that can be claimed is one.
        ("most_plies", np.int64),
        ("waits", np.int64),  # 1: a game that is over begins anew in the next step, not in the one that ends it.
        ("observation", np.int64),  # The kind of observation: a number in observations.py.
        ("spread", np.uint64, 256),  # A byte of each number is 1 where a bit of its index is.
        ("undo", UNDO),  # Nobody reads it.
    ],
    align=True,
)

NEVER: Final = 1 << 62  # More plies than any game has.


def make_rules(claims: bool, waits: bool, most_plies: int | None, observation: int) -> Any:
    rules = make_record(RULES)
    rules.claims = claims
    rules.waits = waits
    rules.most_plies = NEVER if most_plies is None else most_plies
    rules.observation = observation
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little")
    rules.spread[:] = np.ascontiguousarray(bits).view("<u8")[:, 0]
    return rules
