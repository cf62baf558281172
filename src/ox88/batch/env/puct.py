"""The kernels of a tree search: they go down to leaves, learn what a network says about them, and keep the trees.

A simulation goes down from the root. In each position it takes the move with the highest sum of the mean value so far
and of

    exploration * prior * sqrt(visits of the position) / (1 + visits of the move)

(PUCT: Silver and others, "Mastering the game of Go without human knowledge", Nature 550, 2017), until it comes to a new
position or to the end of a game. A move that nobody has tried yet has the mean value of its position less `first_play`.
A visit that waits for the network counts as lost meanwhile, so that others go elsewhere (Chaslot and others, "Parallel
Monte-Carlo Tree Search", 2008).
"""

import math

import numpy as np

from ox88.batch.env.gumbel import best_with, most_visits
from ox88.batch.env.nodes import (
    CHILD,
    COLUMNS,
    COUNT,
    DRAWN,
    HEAD,
    MATED,
    MOVE,
    MOVE_BITS,
    MOVE_MASK,
    NO_NODE,
    NUMBER,
    OPEN,
    PARENT,
    ROOM,
    ROOT,
    STATE,
    VALUE,
    VISITS,
    WAITING,
    exponentiate,
)
from ox88.batch.env.observations import PLAIN, keep_boards, observe
from ox88.batch.env.records import PAST, SIDES_KINDS
from ox88.batch.env.step import advance, find_legal, next_random, outcome_of
from ox88.batch.rules.fields import CHECKMATE, NO_OUTCOME
from ox88.bitboard.position import copy_position
from ox88.jit import kernel, prefetch

ONE, LOSS = np.float32(1), np.float32(1)  # LOSS: of a visit that waits.
RANDOMS = 2.0**-64
LINE, LINES = np.int64(16), np.int64(10)  # Words in a line of the cache, and lines to load before a node is read.


@kernel
def simulate(
    tables, policies, all_rules, plans, orders, positions, games, trees, whole, real, scratch, slots, words, logits,
    values, waiting, most,
):  # fmt: skip
    """Give the leaves that wait what the network says, and go down to others, until each root has `most` visits.

    orders: from `halving_orders`. whole, real: the trees as int32[games, words] and as float32, one memory. slots,
    words: SLOT[2, leaves], and the planes of the leaves. Returns how many wait; if the network's numbers for row i are
    impossible, -1 - i.
    """
    plan = plans[0]
    answered, asked = slots[plan.batch], slots[plan.batch ^ 1]
    plan.batch ^= 1
    place, found = np.int64(0), np.int64(0)
    for row in range(len(positions)):
        tree, own_whole, own_real = trees[row], whole[row], real[row]
        if row + 1 < len(positions):
            load_ahead(whole[row + 1], answered, place, waiting, np.int64(row + 1))
        while place < waiting and answered[place].game == row:
            node, value = np.int64(answered[place].node), np.float64(values[place])
            possible = set_priors(own_whole, own_real, node, logits[place], scratch[0].weights)
            if not (possible and -1.0 <= value <= 1.0):
                return -1 - place
            own_whole[node + STATE] = OPEN
            climb(tree, own_whole, own_real, node, value, np.int64(0))
            place += 1
        if games[row].is_over == 0 and (tree.size == 0 or tree.visits < most):
            if tree.size + plan.leaves * ROOM + most * HEAD > len(own_whole):
                plan.full = 1
            else:
                found = go_down(
                    tables[0], policies[0], all_rules[0], plan, orders, positions[row], games[row], tree, own_whole,
                    own_real, scratch[0], asked, words, found, np.int64(row), most,
                )  # fmt: skip
    return found


@kernel
def load_ahead(whole, answered, place, waiting, row):
    """Begin to load a game's root, and its first leaf that waits with its parent. No cache holds all trees."""
    load(whole, ROOT)
    while place < waiting and answered[place].game < row:
        place += 1
    if place < waiting and answered[place].game == row:
        load(whole, np.int64(answered[place].node))
        load(whole, np.int64(answered[place].parent))


@kernel
def load(whole, node):
    for line in range(LINES):
        prefetch(whole, node + LINE * line)


# --- To the leaves ----------------------------------------------------------------------------------------------------


@kernel
def go_down(
    tables, policy, rules, plan, orders, position, game, tree, whole, real, scratch, slots, words, found, row, most
):
    """Go down in a game, until its root has `most` visits or enough leaves wait; returns how many wait in all games."""
    if tree.size == 0:
        tree.visits, tree.value = 0, 0.0
        add_node(tree, whole, ROOT, np.int64(0))
    end = found + plan.leaves
    while found < end and tree.visits < most:
        set_out(rules, position, game, scratch.position, scratch.game)
        node = descend(tables, rules, plan, orders, tree, whole, real, scratch)
        if whole[node + STATE] == WAITING:
            if whole[node + COUNT] != 0:  # Somebody waits here already.
                climb(tree, whole, real, node, 0.0, np.int64(-1))
                return found
            expand(tables, policy, rules, tree, whole, node, scratch)
        state = np.int64(whole[node + STATE])
        if state != WAITING:
            climb(tree, whole, real, node, -1.0 if state == MATED else 0.0, np.int64(0))
        else:
            observe(rules, scratch.position, scratch.game, words[found])
            slots[found].game, slots[found].node, slots[found].parent = row, node, whole[node + PARENT]
            found += 1
    return found


@kernel
def add_node(tree, whole, parent, number):
    """Add the head of a node that waits; returns its place."""
    node = tree.size
    whole[node + PARENT], whole[node + NUMBER], whole[node + COUNT], whole[node + STATE] = parent, number, 0, WAITING
    tree.size += HEAD
    return node


@kernel
def set_out(rules, position, game, to_position, to_game):
    """Copy a game, as far as a descent needs it."""
    copy_position(position, to_position)
    to_game.plies = game.plies
    to_game.reversible = game.reversible
    for number in range(game.reversible + 1):
        to_game.keys[number] = game.keys[number]
    if rules.observation != PLAIN:
        for number in range(PAST):
            source, target = game.past[number], to_game.past[number]
            target.repeated = source.repeated
            for place in range(SIDES_KINDS):
                target.pieces[place] = source.pieces[place]


@kernel
def descend(tables, rules, plan, orders, tree, whole, real, scratch):
    """Go down to a leaf, and count the visit as lost on the way; returns the leaf."""
    tree.visits += 1
    tree.value -= LOSS
    visits, value, node = np.int64(tree.visits), tree.value, ROOT
    while whole[node + STATE] == OPEN:
        count = np.int64(whole[node + COUNT])
        if node == ROOT and plan.halving != 0:
            chosen = best_with(whole, real, np.int64(orders[min(count, len(orders) - 1), visits - 2]))
        else:
            chosen = best_of(plan, whole, real, node, scratch.bounds, visits, value)
        place = node + HEAD + chosen
        child = np.int64(whole[place + CHILD * count])
        load(whole, child)
        whole[place + VISITS * count] += 1
        real[place + VALUE * count] -= LOSS
        visits, value = np.int64(whole[place + VISITS * count]), np.float64(real[place + VALUE * count])
        advance(tables, rules, scratch.position, scratch.game, whole[place + MOVE * count] & MOVE_MASK)
        if rules.observation != PLAIN:
            keep_boards(scratch.position, scratch.game)
        if child == NO_NODE:
            child = add_node(tree, whole, node, chosen)
            whole[place + CHILD * count] = child
        node = child
    return node


@kernel
def best_of(plan, whole, real, node, bounds, visits, value):
    """The number of the move to take. visits, value: of the move that leads to the node."""
    count, first = np.int64(whole[node + COUNT]), node + HEAD
    scale = np.float32(plan.exploration * math.sqrt(visits))
    untried = np.float32(-value / visits - plan.first_play)
    for number in range(count):  # All divisions at once, by SIMD.
        tries = np.float32(whole[first + VISITS * count + number])
        mean = real[first + VALUE * count + number] / max(tries, ONE)
        bounds[number] = (untried if tries < ONE else mean) + scale * real[first + number] / (tries + ONE)
    chosen = np.int64(0)
    for number in range(1, count):
        if bounds[number] > bounds[chosen]:
            chosen = np.int64(number)
    return chosen


@kernel
def expand(tables, policy, rules, tree, whole, node, scratch):
    """List the moves of a new node, or how its game has ended."""
    game = scratch.game
    find_legal(tables, policy, scratch.position, game)
    outcome = outcome_of(tables, rules, scratch.position, game) if node != ROOT else NO_OUTCOME
    if outcome != NO_OUTCOME:
        whole[node + STATE] = MATED if outcome == CHECKMATE else DRAWN
        return
    first, count = node + HEAD, game.legal.length
    whole[node + COUNT] = count
    tree.size += COLUMNS * count
    for place in range(first + VISITS * count, first + MOVE * count):
        whole[place] = 0  # Also for 0.0.
    for number in range(count):
        whole[first + MOVE * count + number] = np.int64(game.actions[number]) << MOVE_BITS | game.legal.moves[number]


@kernel
def climb(tree, whole, real, node, value, visits):
    """Go up from a node that has a value for its side to move. visits: to be added; a loss is taken back."""
    while node != ROOT:
        value = -value
        number, node = np.int64(whole[node + NUMBER]), np.int64(whole[node + PARENT])
        count, place = np.int64(whole[node + COUNT]), node + HEAD + number
        whole[place + VISITS * count] += visits
        real[place + VALUE * count] += np.float32(LOSS + value)
    tree.visits += visits
    tree.value += np.float64(LOSS) - value


@kernel
def set_priors(whole, real, node, logits, weights):
    """The softmax of the legal moves' logits. False if one is NaN or +inf, or all are -inf."""
    count, first = np.int64(whole[node + COUNT]), node + HEAD
    for number in range(count):
        weights[number] = logits[whole[first + MOVE * count + number] >> MOVE_BITS]
    total = exponentiate(weights, count)
    for number in range(count):
        real[first + number] = weights[number] / total
    return total >= 1.0  # One weight is 1, unless it is NaN.


@kernel
def add_noise(trees, real, most, noise, offsets, share):
    """Mix a share of noise[offsets[i]:offsets[i + 1]] into the priors of each root that still needs visits."""
    for row in range(len(trees)):
        start, end = offsets[row], offsets[row + 1]
        if start == end or trees[row].visits >= most:
            continue
        total = 0.0
        for place in range(start, end):
            total += noise[place]
        for place in range(start, end):
            prior = np.float64(real[row, HEAD + place - start])
            real[row, HEAD + place - start] = (1.0 - share) * prior + share * noise[place] / total


# --- After a search ---------------------------------------------------------------------------------------------------


@kernel
def read_roots(trees, whole, visits, values):
    """Write the visits of each action, and the mean value for the side to move."""
    for row in range(len(trees)):
        values[row] = 0.0
        if trees[row].size != 0:
            values[row] = -trees[row].value / np.float64(trees[row].visits)
            count = np.int64(whole[row, COUNT])
            for place in range(HEAD, HEAD + count):
                visits[row, whole[row, place + MOVE * count] >> MOVE_BITS] = whole[row, place + VISITS * count]


@kernel
def choose_all(plans, games, trees, whole, real, temperatures, actions):
    """Write an action of each game: with Gumbel's selection the best one with the most visits, else one by chance."""
    for row in range(len(trees)):
        actions[row] = 0
        if trees[row].size != 0:
            if plans[0].halving != 0:
                chosen = best_with(whole[row], real[row], most_visits(whole[row]))
            else:
                chosen = draw(whole[row], temperatures[row], games[row])
            actions[row] = whole[row, HEAD + MOVE * np.int64(whole[row, COUNT]) + chosen] >> MOVE_BITS


@kernel
def draw(whole, temperature, game):
    """The number of a root's move by chance, visits ** (1 / temperature) to one. At 0 the first of the most visits."""
    count, most, total = np.int64(whole[COUNT]), most_visits(whole), 0.0
    tries, best = whole[HEAD + VISITS * count : HEAD + VALUE * count], np.int64(0)
    while tries[best] != most:
        best += 1
    if temperature == 0.0:
        return best
    power = 1.0 / temperature
    for number in range(count):
        total += (np.float64(tries[number]) / np.float64(most)) ** power
    rest = np.float64(next_random(game)) * RANDOMS * total
    for number in range(count):
        rest -= (np.float64(tries[number]) / np.float64(most)) ** power
        if rest < 0.0:
            return np.int64(number)
    return best


@kernel
def move_on(trees, whole, real, actions, outcomes):
    """Keep the tree behind the action of each game, unless the game has ended."""
    for row in range(len(trees)):
        tree, count, place = trees[row], np.int64(whole[row, COUNT]), HEAD
        if tree.size == 0:
            continue
        while whole[row, place + MOVE * count] >> MOVE_BITS != actions[row]:
            place += 1
        child = np.int64(whole[row, place + CHILD * count])
        if outcomes[row] != NO_OUTCOME or child == NO_NODE:
            tree.size = 0
        else:
            tree.visits = whole[row, place + VISITS * count]
            tree.value = np.float64(real[row, place + VALUE * count])
            keep_below(tree, whole[row], child)


@kernel
def keep_below(tree, whole, node):
    """Make a node the root: move it and all below it to the front.

    A parent lies before its children, so that it can tell them where it is now: as a number below 0, -1 - place. Nodes
    that nobody tells go.
    """
    end, tree.size = tree.size, 0
    whole[node + PARENT] = -1
    while node < end:
        count, parent = np.int64(whole[node + COUNT]), -1 - np.int64(whole[node + PARENT])
        size = HEAD + COLUMNS * count
        if parent >= 0:
            kept = tree.size
            for word in range(size):
                whole[kept + word] = whole[node + word]
            whole[kept + PARENT] = parent
            if kept != ROOT:
                whole[parent + HEAD + CHILD * np.int64(whole[parent + COUNT]) + np.int64(whole[kept + NUMBER])] = kept
            for place in range(kept + HEAD + CHILD * count, kept + HEAD + MOVE * count):
                if whole[place] != NO_NODE:
                    whole[whole[place] + PARENT] = -1 - kept
            tree.size += size
        node += size
