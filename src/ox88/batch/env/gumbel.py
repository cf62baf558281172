"""Gumbel's selection at the roots of a tree search: it learns from few simulations (Danihelka and others, "Policy
improvement by planning with Gumbel", ICLR 2022).

Each move gets a random number g of Gumbel's distribution. The moves with the highest

    g + log(prior) + WORTH * (CALM + visits of the most visited move) * mean value

share the simulations by sequential halving: first `considered` moves, then the better half of them, until two are left.
The policy to learn is the softmax of this sum without g, in which a move that nobody has tried has a mixture of the
root's value by the network and of the mean values of the others, by their priors.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.env.nodes import COUNT, HEAD, MOVE, MOVE_BITS, VALUE, VISITS, exponentiate
from ox88.jit import kernel

WORTH, CALM = 0.5, 50.0  # The paper's, whose values are from 0 to 1.
_FINALISTS: Final = 2


def halving_order(moves: int, simulations: int) -> list[int]:
    """For each simulation, how many visits the root move that it tries has had. moves: how many take part."""
    phases = max(1, math.ceil(math.log2(moves)))
    order, visits, left = list[int](), 0, moves
    while len(order) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            order += [visits] * left
            visits += 1
        left = max(min(moves, _FINALISTS), left // 2)
    return order[:simulations]


def halving_orders(considered: int, simulations: int) -> NDArray[np.int32]:
    """int32[considered + 1, simulations]: the `halving_order` of each number of moves; one 0 if `considered` is 0."""
    if considered == 0:
        return np.zeros((1, 1), np.int32)
    return np.array([halving_order(max(1, moves), simulations) for moves in range(considered + 1)], np.int32)


@kernel
def add_gumbels(trees, real, most, gumbels, drawn, offsets):
    """At the roots that still need visits, replace each prior by its logarithm plus g.

    drawn, offsets: drawn[offsets[i]:offsets[i + 1]] are the g of game i. gumbels: float32[games, moves], keeps them.
    """
    for row in range(len(trees)):
        if trees[row].visits < most:
            for number in range(offsets[row + 1] - offsets[row]):
                g = np.float32(drawn[offsets[row] + number])
                gumbels[row, number] = g
                real[row, HEAD + number] = np.float32(math.log(real[row, HEAD + number])) + g


@kernel
def most_visits(whole):
    """The visits of the root's most visited move."""
    count, most = np.int64(whole[COUNT]), np.int64(0)
    for place in range(HEAD + VISITS * count, HEAD + VALUE * count):
        most = max(most, np.int64(whole[place]))
    return most


@kernel
def worth_of_values(whole):
    """The factor of a mean value in the sum."""
    return WORTH * (CALM + np.float64(most_visits(whole)))


@kernel
def best_with(whole, real, tries):
    """The number of the root move with the highest sum among those that had `tries` visits."""
    count, factor = np.int64(whole[COUNT]), worth_of_values(whole)
    chosen, best = np.int64(0), -np.inf
    for number in range(count):
        visits = whole[HEAD + VISITS * count + number]
        if visits == tries:
            score = np.float64(real[HEAD + number])
            if visits > 0:
                score += factor * np.float64(real[HEAD + VALUE * count + number]) / np.float64(visits)
            if score > best:
                chosen, best = np.int64(number), score
    return chosen


@kernel
def improve(trees, whole, real, scratch, gumbels, policy):
    """Write the policy to learn into `policy`: float32[games, actions], which has zeros before."""
    for row in range(len(trees)):
        if trees[row].size == 0:
            continue
        count, factor, weights = np.int64(whole[row, COUNT]), worth_of_values(whole[row]), scratch[0].weights
        untried = value_of_untried(trees[row], whole[row], real[row], gumbels[row])
        for number in range(count):
            visits, value = whole[row, HEAD + VISITS * count + number], untried
            if visits > 0:
                value = np.float64(real[row, HEAD + VALUE * count + number]) / np.float64(visits)
            weights[number] = np.float64(real[row, HEAD + number] - gumbels[row, number]) + factor * value
        total = exponentiate(weights, count)
        for number in range(count):
            policy[row, whole[row, HEAD + MOVE * count + number] >> MOVE_BITS] = np.float32(weights[number] / total)


@kernel
def value_of_untried(tree, whole, real, gumbels):
    """A weighted mean: the root's own value counts once, the tried moves' mean by their priors once for each visit."""
    count, visits, tried, mean, own = np.int64(whole[COUNT]), 0.0, 0.0, 0.0, -tree.value
    for number in range(count):
        tries, value = whole[HEAD + VISITS * count + number], np.float64(real[HEAD + VALUE * count + number])
        if tries > 0:
            prior = math.exp(np.float64(real[HEAD + number] - gumbels[number]))
            own, visits, tried = own - value, visits + np.float64(tries), tried + prior
            mean += prior * value / np.float64(tries)
    return (own + visits * mean / tried) / (1.0 + visits) if visits > 0.0 else own
