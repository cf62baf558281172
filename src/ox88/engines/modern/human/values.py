"""Values of all legal moves by small searches, and their classes as features of the moves.

Every move is searched by quiescence and one ply deep, the best eight moves two plies deeper, and the best three of them
three plies deeper; for strong players the best six, by five plies. The searches evaluate by the network. Their table,
killers and histories are emptied after each position. So a value depends on the position and the depth alone, and on
nothing that was searched before.
"""

import functools
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.position import copy_position
from ox88.engines.modern.human.features import (
    BEST_VALUE,
    DEEP_LEAD,
    DEEP_LOSS,
    DEEP_RANK,
    DEEPER_LEAD,
    DEEPER_LOSS,
    DEEPER_RANK,
    MATE_CLASS,
    QUIESCENCE_LOSS,
    QUIESCENCE_RANK,
    SHALLOW_LEAD,
    SHALLOW_LOSS,
    SHALLOW_RANK,
    VALUE,
    class_of,
)
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
# The numbers of the search that the ranker has learnt from, where the engine has others now.
LEARNT: Final[Mapping[str, int]] = {}
TABLE_WORDS: Final = 1 << 12  # Few, since a table is emptied for each position.
STRONG: Final = 1600  # From this rating on people see deeper, so the values do.
DEEP_PLIES, DEEP_MOVES = np.int64(2), np.int64(8)
DEEPER_PLIES, DEEPER_MOVES = np.int64(3), np.int64(3)
STRONG_PLIES, STRONG_MOVES = np.int64(5), np.int64(6)
WINDOW = np.int64(300)  # A move that is this much worse by a deep search gets only an upper bound.
COLUMNS = 4  # A move has a value by each of four searches:
QUIESCENCE, SHALLOW, DEEP, DEEPER = map(np.int64, range(COLUMNS))
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
    for name, number in LEARNT.items():
        judge.set_parameter(name, number)
    judge.record["node_limit"] = ENDLESS
    return judge


def plies_of(ratings: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[n]: how many plies beyond a move the deepest searches go, for people of some ratings."""
    return np.where(ratings >= STRONG, STRONG_PLIES, DEEPER_PLIES)


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
def search_best(s, tables, table, frame, moves, values, first, end, column, count, plies):
    """Search the best moves by one column more deeply, and write their new values into the next column.

    moves, values: as for `fill_values`. first, end: places of the moves of the position. column: SHALLOW or DEEP.
    count: how many moves. plies: after the move.
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
        values[best, column + 1] = value
        highest = max(highest, value)


@kernel
def fill_values(positions, searchers, all_tables, table, offsets, moves, plies, values):
    """Write the values of all legal moves in centipawns.

    positions: POSITION[n]. searchers, all_tables, table: as for `search_root`, of `make_judge`. offsets, moves:
    int64[n + 1], uint16[m], the legal moves. plies: int64[n], by `plies_of`. values: int16[m, COLUMNS], by quiescence,
    one ply, DEEP_PLIES more and `plies` more; UNSEARCHED where a move has no such value.
    """
    s, tables = searchers[0], all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    for row in range(len(positions)):
        copy_position(positions[row], s.position)
        frame.plies_since_irreversible = 0
        s.game_length = 0
        s.root_depth = 4
        s.nodes = 0
        is_strong = plies[row] == STRONG_PLIES
        s.parameters.use_history = np.int64(is_strong)  # To empty histories takes longer than small searches gain.
        start_root(searchers, all_tables)
        evaluate_node(s, tables, frame, NO_ENTRY)  # Deep searches look back at it.
        first, end = offsets[row], offsets[row + 1]
        for place in range(first, end):
            move = np.int64(moves[place])
            values[place, QUIESCENCE] = search_move(s, tables, table, frame, move, ZERO, LOWEST)
            values[place, SHALLOW] = search_move(s, tables, table, frame, move, ONE, LOWEST)
            values[place, DEEP] = values[place, DEEPER] = UNSEARCHED
        search_best(s, tables, table, frame, moves, values, first, end, SHALLOW, DEEP_MOVES, DEEP_PLIES)
        count = STRONG_MOVES if is_strong else DEEPER_MOVES
        search_best(s, tables, table, frame, moves, values, first, end, DEEP, count, plies[row])
        forget(s, table, is_strong)


@kernel
def deepest(values, place):
    """The value of a move by its deepest search."""
    for column in (DEEPER, DEEP):
        if values[place, column] != UNSEARCHED:
            return np.int64(values[place, column])
    return np.int64(values[place, SHALLOW])


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
def lead_class(lead, is_best):
    return class_of(lead, LEADS) + (np.int64(6) if is_best else ZERO)


@kernel
def mate_class(value):
    """1 and 2: the move mates at once, later. 3: it is answered by mate."""
    if value > MATE_BOUND:
        return ONE if value == MATE - 1 else np.int64(2)
    return np.int64(3) if value < -MATE_BOUND else ZERO


@kernel
def fill_deep_classes(values, column, first, end, place, out, loss_slot, rank_slot, lead_slot):
    """Write a move's features by a column, in which not every move has a value."""
    best, second = best_two(values, column, first, end)
    value = np.int64(values[place, column])
    rank = rank_of(values, column, first, end, place)
    is_searched = value != UNSEARCHED
    out[loss_slot] = class_of(best - value, LOSSES) if is_searched else np.int64(14)
    out[rank_slot] = class_of(rank, RANKS) if is_searched else np.int64(7)
    out[lead_slot] = lead_class(best - second, is_searched and rank == 0)


@kernel
def fill_value_classes(offsets, values, features):
    """Write the features of values. offsets: int64[n + 1]; values: int16[m, COLUMNS]; features: uint16[m, SLOTS]."""
    for row in range(len(offsets) - 1):
        first, end = offsets[row], offsets[row + 1]
        quiet_best, _ = best_two(values, QUIESCENCE, first, end)
        shallow_best, shallow_second = best_two(values, SHALLOW, first, end)
        deep_best, _ = best_two(values, DEEP, first, end)
        deeper_best, _ = best_two(values, DEEPER, first, end)
        for place in range(first, end):
            out = features[place]
            shallow = np.int64(values[place, SHALLOW])
            value = deepest(values, place)
            quiet_rank = rank_of(values, QUIESCENCE, first, end, place)
            shallow_rank = rank_of(values, SHALLOW, first, end, place)
            out[QUIESCENCE_LOSS] = class_of(quiet_best - np.int64(values[place, QUIESCENCE]), LOSSES)
            out[QUIESCENCE_RANK] = class_of(quiet_rank, RANKS)
            out[SHALLOW_LOSS] = class_of(shallow_best - shallow, LOSSES)
            out[SHALLOW_RANK] = class_of(shallow_rank, RANKS)
            out[SHALLOW_LEAD] = lead_class(shallow_best - shallow_second, shallow_rank == 0)
            fill_deep_classes(values, DEEP, first, end, place, out, DEEP_LOSS, DEEP_RANK, DEEP_LEAD)
            fill_deep_classes(values, DEEPER, first, end, place, out, DEEPER_LOSS, DEEPER_RANK, DEEPER_LEAD)
            out[VALUE] = class_of(value, VALUES)
            out[BEST_VALUE] = class_of(deeper_best if deeper_best != UNSEARCHED else deep_best, VALUES)
            out[MATE_CLASS] = mate_class(value)
