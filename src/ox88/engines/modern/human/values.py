"""Values of all legal moves by small searches, and their classes as features of the moves.

Every move is searched by quiescence. Three searches follow, each deeper than the one before and of its best moves: see
SEARCHES. They evaluate by the network. Their table, killers and histories are emptied after each position. So a value
depends on the position and the depth alone, and on nothing that was searched before.
"""

import functools
from typing import Final

import numpy as np

from ox88.bitboard.position import copy_position
from ox88.engines.modern.human.features import BEST_VALUE, FIRST_SEARCH, MATE_CLASS, VALUE, class_of
from ox88.engines.modern.network.file import Network, read_network
from ox88.engines.modern.nodes import evaluate_node, make_move, start_root, unmake_move
from ox88.engines.modern.options import SHIPPED_NETWORK
from ox88.engines.modern.quiescence import quiesce
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, MATE, MATE_BOUND
from ox88.engines.modern.search import search
from ox88.engines.modern.table import NO_ENTRY
from ox88.engines.modern.thread import ENDLESS, SearchThread
from ox88.jit import kernel
from ox88.types import NO_MOVE

# The network that the ranker has learnt from. Its file stays when Ox88 gets a better one, so that the levels stay too.
JUDGE_NETWORK: Final = SHIPPED_NETWORK.with_name("ox88-10.npz")
SWITCHED_OFF: Final = ("threat_history", "correction")
TABLE_WORDS: Final = 1 << 12  # Few, since a table is emptied for each position.
STRONG: Final = 1600  # From this rating on people see deeper, so the values do.
COLUMNS = 4  # A move has a value by quiescence, and by each of three searches of the best moves of the one before.
QUIESCENCE, SHALLOW, DEEP, DEEPER = map(np.int64, range(COLUMNS))
# The three searches, first below STRONG and then from STRONG on: plies after a move, and how many moves have them.
SEARCHES = np.array([[[1, 16], [2, 8], [3, 2]], [[1, 256], [2, 8], [5, 6]]], np.int64)
# After so many nodes no further move of a position is searched deeper, so that a level answers in milliseconds.
MOST_NODES = np.int64(4000)
WINDOW = np.int64(300)  # A move that is this much worse by a deep search gets only an upper bound.
UNSEARCHED = np.int16(-32768)
LOSSES = np.array([1, 10, 25, 45, 70, 100, 140, 190, 260, 370, 520, 750, 1200], np.int64)
RANKS = np.array([1, 2, 3, 5, 8, 13], np.int64)
VALUES = np.array([-1000, -500, -250, -120, -40, 40, 120, 250, 500, 1000, 9000], np.int64)
LEADS = np.array([15, 40, 90, 200, 450], np.int64)
LOWEST = -np.int64(INFINITY)
ZERO = np.int64(0)
ONE = np.int64(1)


@functools.cache
def judge_network() -> Network:
    return read_network(JUDGE_NETWORK)


def make_judge() -> SearchThread:
    """A thread of the search whose values depend on the position and the depth alone."""
    judge = SearchThread(judge_network())
    for name in SWITCHED_OFF:
        judge.set_parameter(f"use_{name}", 0)
    return judge


@kernel
def forget(s, table, has_histories):
    """Empty what the searches of a position have learnt, so that the next one finds nothing."""
    table[:] = np.uint64(0)
    for ply in range(2):  # A search empties the killers of later plies.
        s.frames[BEFORE_ROOT + ply + 1].killers[:] = np.int64(NO_MOVE)
    if has_histories:
        s.history[:] = np.int16(0)
        s.capture_history[:] = np.int16(0)
        s.continuation[:] = np.int16(0)


@kernel
def search_move(s, tables, table, frame, move, depth, alpha):
    """The value of a move for the side that makes it. Below alpha it is an upper bound, which is at most alpha.

    depth: plies after the move; 0 for quiescence.
    """
    make_move(s, tables, frame, move)
    low, high = LOWEST, -alpha
    value = -(search(s, tables, table, low, high, depth, ZERO) if depth > 0 else quiesce(s, tables, table, low, high))
    unmake_move(s, frame)
    return value


@kernel
def search_best(s, tables, table, frame, moves, values, first, end, column, plies, count):
    """Search the best moves by one column more deeply, and write their new values into the next column.

    moves, values: as for `fill_values`. first, end: places of the moves of the position. count: how many moves. plies:
    after the move.
    """
    highest = LOWEST
    for _ in range(min(count, end - first)):
        best = np.int64(-1)
        for place in range(first, end):
            is_open = values[place, column + 1] == UNSEARCHED
            if is_open and (best < 0 or values[place, column] > values[best, column]):
                best = place
        if values[best, column] < -MATE_BOUND:  # A bound would not tell that it is answered by mate.
            break
        value = search_move(s, tables, table, frame, np.int64(moves[best]), plies, max(highest - WINDOW, LOWEST))
        if s.stop != 0:
            break
        values[best, column + 1] = value
        highest = max(highest, value)


@kernel
def fill_values(positions, searchers, all_tables, table, offsets, moves, strong, values):
    """Write the values of all legal moves in centipawns.

    positions: POSITION[n]. searchers, all_tables, table: as for `search_root`, of `make_judge`. offsets, moves:
    int64[n + 1], uint16[m], the legal moves. strong: bool[n], True for ratings from STRONG on. values: int16[m,
    COLUMNS]; UNSEARCHED where a move is not among the best, or its turn would come after MOST_NODES.
    """
    s, tables = searchers[0], all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    for row in range(len(positions)):
        copy_position(positions[row], s.position)
        frame.plies_since_irreversible = 0
        s.game_length = 0
        s.root_depth = 4
        s.nodes, s.stop, s.node_limit = ZERO, ZERO, np.int64(ENDLESS)
        s.parameters.use_history = np.int64(strong[row])  # To empty histories takes longer than small searches gain.
        start_root(searchers, all_tables)
        evaluate_node(s, tables, frame, NO_ENTRY)  # Deep searches look back at it.
        first, end = offsets[row], offsets[row + 1]
        for place in range(first, end):
            values[place] = UNSEARCHED
            values[place, QUIESCENCE] = search_move(s, tables, table, frame, np.int64(moves[place]), ZERO, LOWEST)
        for column in range(DEEPER):
            plies, count = SEARCHES[np.int64(strong[row]), column]
            if column > QUIESCENCE:  # The search for mates in one has no limit.
                s.node_limit = MOST_NODES
            search_best(s, tables, table, frame, moves, values, first, end, column, plies, count)
        forget(s, table, strong[row])


@kernel
def deepest(values, place):
    """The value of a move by its deepest search."""
    value = values[place, QUIESCENCE]
    for column in range(SHALLOW, COLUMNS):
        value = value if values[place, column] == UNSEARCHED else values[place, column]
    return np.int64(value)


@kernel
def rank_of(values, column, first, end, place):
    """How many moves are better; of equals the earlier one is."""
    value = values[place, column]
    found = ZERO
    for other in range(first, end):
        if values[other, column] > value or (values[other, column] == value and other < place):
            found += 1
    return found


@kernel
def best_two(values, column, first, end):
    """The best value and the second; the second is far below if there is one move."""
    best = second = np.int64(UNSEARCHED)
    for place in range(first, end):
        value = np.int64(values[place, column])
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    return best, second


@kernel
def mate_class(value):
    """1 and 2: the move mates at once, later. 3: it is answered by mate."""
    if value > MATE_BOUND:
        return ONE if value == MATE - 1 else np.int64(2)
    return np.int64(3) if value < -MATE_BOUND else ZERO


@kernel
def fill_search_classes(values, column, first, end, features):
    """Write the features of the moves of a position by a search. Returns the best value."""
    slot = FIRST_SEARCH + 3 * column
    best, second = best_two(values, column, first, end)
    for place in range(first, end):
        out, value = features[place], np.int64(values[place, column])
        if value == UNSEARCHED:
            out[slot], out[slot + 1], is_best = 14, 7, False
        else:
            rank = rank_of(values, column, first, end, place)
            out[slot], out[slot + 1], is_best = class_of(best - value, LOSSES), class_of(rank, RANKS), rank == 0
        out[slot + 2] = class_of(best - second, LEADS) + (np.int64(6) if is_best else ZERO)
    return best


@kernel
def fill_value_classes(offsets, values, features):
    """Write the features of values. offsets: int64[n + 1]; values: int16[m, COLUMNS]; features: uint16[m, SLOTS]."""
    for row in range(len(offsets) - 1):
        first, end = offsets[row], offsets[row + 1]
        best = ZERO
        for column in range(COLUMNS):
            found = fill_search_classes(values, column, first, end, features)
            best = best if found == UNSEARCHED else found
        for place in range(first, end):
            value = deepest(values, place)
            features[place, VALUE] = class_of(value, VALUES)
            features[place, BEST_VALUE] = class_of(best, VALUES)
            features[place, MATE_CLASS] = mate_class(value)
