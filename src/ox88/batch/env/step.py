"""The kernels of a step: they find the move of each action, play it, see whether the game has ended, and begin anew."""

import numpy as np

from ox88.batch.env.observations import observe
from ox88.batch.learning.policy import index_of
from ox88.batch.rules.fields import CHECKMATE, FIFTY_MOVES, NO_OUTCOME, PLY_LIMIT, REPETITION, outcome_with
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import copy_position
from ox88.jit import kernel
from ox88.types import NO_MOVE
from ox88.zobrist import STRIDE, scramble

NO_ROW = np.int64(-1)
NOT_LEGAL, LEGAL = np.int64(0), np.int64(1)  # True and False would be two types to the compiler.


@kernel
def find_moves(games, actions):
    """Note the move of each action. Returns the first row whose action is no legal move's; NO_ROW if there is none.

    Games that are over have no move: they begin anew.
    """
    for row in range(len(games)):
        game = games[row]
        game.move = NO_MOVE
        if game.is_over != 0:
            continue
        for number in range(game.legal.length):
            if game.actions[number] == actions[row]:
                game.move = game.legal.moves[number]
        if game.move == NO_MOVE:
            return np.int64(row)
    return NO_ROW


@kernel
def step_all(tables, policies, all_rules, starts, positions, games, mask, words, outcomes, rewards, actions):
    """Play an action in each game; a game that is over begins anew.

    If an action is illegal, nothing is played. Returns the first row with an illegal action; NO_ROW if there is none.
    tables, policies, all_rules: arrays of one record, since Numba takes an array 30 times as fast as a large record.
    mask, words: the legal actions and the planes after the step. outcomes, rewards: of games that have ended by it.
    """
    illegal = find_moves(games, actions)
    if illegal != NO_ROW:
        return illegal
    board, policy, rules = tables[0], policies[0], all_rules[0]
    for row in range(len(positions)):
        position, game = positions[row], games[row]
        mark_legal(game, mask[row], NOT_LEGAL)
        outcome = NO_OUTCOME
        if game.is_over != 0:
            begin(board, policy, starts, position, game)
        else:
            advance(board, rules, position, game, np.int64(game.move))
            find_legal(board, policy, position, game)
            outcome = outcome_of(board, rules, position, game)
            if outcome != NO_OUTCOME and rules.waits != 0:  # At the last position, where nothing is legal any more.
                game.is_over, game.legal.length = 1, 0
            elif outcome != NO_OUTCOME:
                begin(board, policy, starts, position, game)
        outcomes[row] = outcome
        rewards[row] = 1 if outcome == CHECKMATE else 0
        mark_legal(game, mask[row], LEGAL)
        observe(rules, position, game, words[row])
    return NO_ROW


@kernel
def advance(tables, rules, position, game, move):
    """Play a move, and keep the key of the position."""
    do_move(position, tables, rules.undo, move)
    game.plies += 1
    game.reversible = 0 if position.halfmove_clock == 0 else game.reversible + 1
    game.keys[game.reversible] = position.key


@kernel
def begin(tables, policy, starts, position, game):
    """Begin a game at one of the starts, chosen by chance."""
    copy_position(starts[next_random(game) % np.uint64(len(starts))], position)
    game.plies = 0
    game.reversible = 0
    game.is_over = 0
    game.keys[0] = position.key
    find_legal(tables, policy, position, game)


@kernel
def find_legal(tables, policy, position, game):
    """List the legal moves of a position and their actions."""
    for number in range(generate_legal(position, tables, game.legal)):
        game.actions[number] = index_of(position, policy, np.int64(game.legal.moves[number]))


@kernel
def outcome_of(tables, rules, position, game):
    outcome = outcome_with(position, tables, game.legal.length, rules.claims)
    if outcome != NO_OUTCOME and outcome != FIFTY_MOVES:
        return outcome
    if is_repeated(position, game, np.int64(2 if rules.claims != 0 else 4)):
        return REPETITION
    return PLY_LIMIT if outcome == NO_OUTCOME and game.plies >= rules.most_plies else outcome


@kernel
def is_repeated(position, game, times):
    """True if the position occurred `times` times before, since the last capture or pawn move."""
    before = game.reversible - 4
    while before >= 0:
        times -= np.int64(game.keys[before] == position.key)
        before -= 2
    return times <= 0


@kernel
def mark_legal(game, mask, is_legal):
    for number in range(game.legal.length):
        mask[game.actions[number]] = is_legal != 0


@kernel
def sample_all(games, actions):
    """Write a legal action of each game, chosen by chance; 0 where none is legal."""
    for row in range(len(games)):
        game = games[row]
        number = next_random(game) % np.uint64(max(game.legal.length, 1))
        actions[row] = game.actions[number] if game.legal.length != 0 else 0


@kernel
def next_random(game):
    """A random uint64."""
    game.random += STRIDE
    return scramble(game.random)
