"""The memory of a tree search: the nodes of the trees, and what a search keeps beside them.

A tree is one array of 32-bit words, seen as integers and as floats. Its nodes lie in it in the order in which they were
made, the root first; a node's name is its place. It has a head of four words, then columns, a word for each move.
"""

import numpy as np

from ox88.batch.env.records import GAME
from ox88.bitboard.records import MAX_MOVES, POSITION, record_type
from ox88.jit import kernel

PARENT, NUMBER, COUNT, STATE = (np.int64(word) for word in range(4))  # NUMBER: of the parent's move that leads here.
HEAD = np.int64(4)
# Priors, visits, sums of values for the side that moves, children, and moves with their actions.
VISITS, VALUE, CHILD, MOVE, COLUMNS = (np.int64(column) for column in range(1, 6))
ROOM = HEAD + COLUMNS * np.int64(MAX_MOVES)  # For any node.
# Of a node: it waits for the network; it has priors; the game is drawn there; the side to move is mated there.
WAITING, OPEN, DRAWN, MATED = (np.int64(state) for state in range(4))
ROOT = NO_NODE = np.int64(0)  # The root is no child.
MOVE_BITS, MOVE_MASK = np.int64(16), np.int64(0xFFFF)
LEAST = -64.0  # e to the power of less is as good as 0.

TREE = record_type(
    [
        ("size", np.int64),  # In words; 0 for no tree.
        ("visits", np.int32),  # Of the root.
        # Of the root: the sum over its visits, for the side that is not to move. Sums of a million visits need 64 bits.
        ("value", np.float64),
    ]
)

# Of a row that waits for the network.
SLOT = record_type([("game", np.int32), ("node", np.int32), ("parent", np.int32)])

PLAN = record_type(
    [
        ("exploration", np.float64),
        ("first_play", np.float64),
        ("leaves", np.int64),  # Of a game in a batch, at most.
        ("halving", np.int64),  # 1: the root's moves are chosen by Gumbel's selection.
        ("batch", np.int64),  # The number of the batch that waits, 0 and 1 by turns.
        ("full", np.int64),  # 1: a game has no room for more nodes.
    ]
)

# The working memory of a search.
SCRATCH = np.dtype(
    [
        ("position", POSITION),
        ("game", GAME),
        ("bounds", np.float32, MAX_MOVES),
        ("weights", np.float64, MAX_MOVES),
    ],
    align=True,
)


@kernel
def exponentiate(weights, count):
    """Replace each weight by e ** (weight - the highest one). Returns their sum.

    That is a Taylor series of a 256th, squared eight times, fit for SIMD. The error is below float32's for weights that
    matter.
    """
    most, total = -np.inf, 0.0
    for number in range(count):
        most = max(most, weights[number])
    for number in range(count):
        weight = weights[number] - most
        x = (LEAST if weight < LEAST else weight) / 256.0
        y = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0)))))
        y *= y
        y *= y
        y *= y
        y *= y
        y *= y
        y *= y
        y *= y
        weights[number] = y * y
    for number in range(count):
        total += weights[number]
    return total
