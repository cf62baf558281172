"""Games of the search against itself, as kernels: between two searches no time is lost, however small they are.

Each move is searched depth by depth until a number of nodes is reached. All moves are kept, with the score of each
search, and the result of the game.
"""

import numpy as np

from ox88.batch.packed import pack_position
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.material import is_insufficient
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import copy_position
from ox88.engines.modern.nodes import FIFTY_MOVES, start_root, update_checkers
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, LAST_PLY
from ox88.engines.modern.search import search_root
from ox88.engines.modern.table import GENERATIONS
from ox88.jit import kernel
from ox88.types import BLACK, NO_MOVE

LOSS = np.int64(0)  # White's half points.
DRAW = np.int64(1)
WIN = np.int64(2)
WIDEST = np.int64(INFINITY)
ZERO = np.int64(0)
ONE = np.int64(1)

# When searches and games end: the numbers of job.py and of its Adjudication.
GAME_RULES = np.dtype(
    [
        (name, np.int64)
        for name in (
            "nodes", "hard_nodes", "balanced",
            "won", "won_plies", "drawn", "drawn_plies", "drawn_from", "longest",
        )
    ],
    align=True,
)  # fmt: skip

# A game's state, and how many moves are kept. White and Black: scores in a row by which that side has won.
GAME = np.dtype([("white", np.int64), ("black", np.int64), ("drawn", np.int64), ("kept", np.int64)], align=True)


@kernel
def play_games(searchers, all_tables, table, game, rules, openings, dice, starts, lengths, results, moves, scores):
    """Play a game from each opening. Returns the number of moves.

    searchers, all_tables: arrays of one, as for `search_root`. game: a GAME. rules: GAME_RULES. openings: POSITION[n].
    dice: int64[n, attempts, 1 + plies], random numbers from 0 on: for each attempt at a balanced beginning the number
    of random plies, and one for each ply. starts: PACKED of ox88.batch[n], behind the random plies. lengths: int64[n];
    0 where no beginning is balanced. results: int64[n], White's half points. moves: uint16[n x longest]. scores: int64,
    for White.
    """
    position = searchers[0].position
    game.kept = 0
    for number in range(len(openings)):
        first = game.kept
        for attempt in range(dice.shape[1]):
            copy_position(openings[number], position)
            if begin(searchers, all_tables, table, rules, dice[number, attempt]):
                pack_position(position, starts[number])
                results[number] = play(searchers, all_tables, table, game, rules, moves, scores)
                break
        lengths[number] = game.kept - first
    return game.kept


@kernel
def begin(searchers, all_tables, table, rules, dice):
    """Play random moves. True if the game is not over then, and balanced."""
    s = searchers[0]
    tables = all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    s.ply = 0
    s.game_length = 0
    for number in range(dice[0]):
        update_checkers(s, tables)
        moves = generate_legal(s.position, tables, frame.list)
        if moves == 0:
            return False
        do_move(s.position, tables, frame.undo, np.int64(frame.list.moves[dice[1 + number] % moves]))
    frame.plies_since_irreversible = 0
    if start_root(searchers, all_tables) == 0 or is_insufficient(s.position):
        return False
    return abs(search_by_depths(searchers, all_tables, table, rules)) <= rules.balanced


@kernel
def play(searchers, all_tables, table, game, rules, moves, scores):
    """Play a game from the searcher's position, and keep its moves. Returns White's half points."""
    s = searchers[0]
    tables = all_tables[0]
    frame = s.frames[BEFORE_ROOT]
    position = s.position
    game.white = game.black = game.drawn = 0
    for ply in range(rules.longest):
        # Step 1. The end of the game by the rules.
        frame.plies_since_irreversible = s.game_length
        if start_root(searchers, all_tables) == 0:
            return (LOSS if position.turn != BLACK else WIN) if frame.checkers != NO_SQUARES else DRAW
        if position.halfmove_clock >= FIFTY_MOVES or is_insufficient(position) or is_third_time(s):
            return DRAW

        # Step 2. Search.
        value = search_by_depths(searchers, all_tables, table, rules)
        move = s.root_first_move
        score = -value if position.turn == BLACK else value
        moves[game.kept] = move
        scores[game.kept] = score
        game.kept += 1

        # Step 3. The end of the game because the scores agree.
        result = adjudicate(game, rules, score, ply + 1)
        if result >= 0:
            return result
        s.keys[s.game_length] = position.key
        do_move(position, tables, frame.undo, move)
        s.game_length = s.game_length + 1 if position.halfmove_clock != 0 else ZERO
    return DRAW


@kernel
def is_third_time(s):
    """True if the root's position has occurred twice before."""
    times = ZERO
    for index in range(s.game_length):
        if s.keys[index] == s.position.key:
            times += 1
    return times >= 2


@kernel
def adjudicate(game, rules, score, plies):
    """White's half points if the last scores agree on a result, else -1. score: the last one, for White."""
    game.white = game.white + 1 if score >= rules.won else ZERO
    game.black = game.black + 1 if score <= -rules.won else ZERO
    game.drawn = game.drawn + 1 if abs(score) <= rules.drawn else ZERO
    if game.white >= rules.won_plies:
        return WIN
    if game.black >= rules.won_plies:
        return LOSS
    return DRAW if plies >= rules.drawn_from and game.drawn >= rules.drawn_plies else -ONE


@kernel
def search_by_depths(searchers, all_tables, table, rules):
    """Search the root until the number of nodes is reached. Returns its value; the best move is `root_first_move`.

    If the nodes do not suffice for one depth, the first move and a value of 0.
    """
    s = searchers[0]
    frame = s.frames[BEFORE_ROOT]
    s.generation = (s.generation + 1) % GENERATIONS
    s.nodes = 0
    s.stop = 0
    s.node_limit = rules.hard_nodes
    s.root_first_move = np.int64(NO_MOVE)
    value = ZERO
    depth = ONE
    while s.nodes < rules.nodes and depth < LAST_PLY:
        s.root_depth = depth
        last = search_window(searchers, all_tables, table, value, depth)
        if frame.pv_length != 0:
            s.root_first_move = np.int64(frame.pv[0])
            value = last if s.stop == 0 else s.root_value
        if s.stop != 0:
            break
        depth += 1
    if s.root_first_move == NO_MOVE:
        generate_legal(s.position, all_tables[0], frame.list)
        s.root_first_move = np.int64(frame.list.moves[0])
    return value


@kernel
def search_window(searchers, all_tables, table, guess, depth):
    """Search in a window around a guess, and in a wider one if the value is outside."""
    p = searchers[0].parameters
    margin = p.aspiration_window if depth >= p.aspiration_depth else 2 * WIDEST
    while True:
        alpha = max(guess - margin, -WIDEST)
        beta = min(guess + margin, WIDEST)
        value = search_root(searchers, all_tables, table, alpha, beta, depth)
        if searchers[0].stop != 0 or alpha < value < beta:
            return value
        margin *= 4
