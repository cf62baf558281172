"""A game of the search against itself, as kernels: between two searches no time is lost, however small they are.

Each move is searched depth by depth until a number of nodes is reached. All moves are kept, with the score of each
search, and the result of the game. The two players may be one searcher, or two with numbers and networks of their own.
"""

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import copy_position, is_insufficient
from ox88.engines.modern.nodes import FIFTY_MOVES, start_root
from ox88.engines.modern.records import BEFORE_ROOT, INFINITY, LAST_PLY
from ox88.engines.modern.search import search_root
from ox88.engines.modern.table import GENERATIONS
from ox88.jit import kernel
from ox88.types import BLACK, NO_MOVE, WHITE

LOSS = np.int64(0)  # White's half points.
DRAW = np.int64(1)
WIN = np.int64(2)
GOES_ON = np.int64(-1)
WIDEST = np.int64(INFINITY)
ZERO = np.int64(0)
ONE = np.int64(1)

# When searches and games end: nodes, an Adjudication of selfplay.py, and what datagen takes for a balanced beginning.
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
def play_game(white, black, all_tables, white_table, black_table, game, rules, moves, scores):
    """Play a game from White's position, and keep its moves. Returns White's half points.

    white, black: arrays of one SEARCHER, which may be the same, as their hash tables then are. all_tables: as for
    `search_root`. game: a GAME. rules: GAME_RULES. moves: uint16, scores: int64, for White; from `game.kept` on.
    """
    game.white = game.black = game.drawn = 0
    take_over(white[0], black[0])
    for ply in range(rules.longest):
        is_white = white[0].position.turn == WHITE
        searchers = white if is_white else black
        waiting = black if is_white else white
        table = white_table if is_white else black_table
        s = searchers[0]

        # Step 1. The end of the game by the rules.
        result = end_by_rules(searchers, all_tables)
        if result != GOES_ON:
            return result

        # Step 2. Search.
        value = search_by_depths(searchers, all_tables, table, rules)
        move = s.root_first_move
        score = value if is_white else -value
        moves[game.kept] = move
        scores[game.kept] = score
        game.kept += 1

        # Step 3. The end of the game because the scores agree.
        result = adjudicate(game, rules, score, ply + 1)
        if result != GOES_ON:
            return result
        s.keys[s.game_length] = s.position.key
        do_move(s.position, all_tables[0], s.frames[BEFORE_ROOT].undo, move)
        s.game_length = s.game_length + 1 if s.position.halfmove_clock != 0 else ZERO
        take_over(s, waiting[0])
    return DRAW


@kernel
def take_over(s, other):
    """Give a searcher's game to the other one, which may be the same."""
    copy_position(s.position, other.position)
    other.game_length = s.game_length
    for index in range(s.game_length):
        other.keys[index] = s.keys[index]


@kernel
def end_by_rules(searchers, all_tables):
    """White's half points if the game is over by the rules. Sets up the root of a search."""
    s = searchers[0]
    frame = s.frames[BEFORE_ROOT]
    frame.plies_since_irreversible = s.game_length
    if start_root(searchers, all_tables) == 0:
        if frame.checkers == NO_SQUARES:
            return DRAW
        return WIN if s.position.turn == BLACK else LOSS
    if s.position.halfmove_clock >= FIFTY_MOVES or is_insufficient(s.position) or is_third_time(s):
        return DRAW
    return GOES_ON


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
    """White's half points if the last scores agree on a result. score: the last one, for White."""
    game.white = game.white + 1 if score >= rules.won else ZERO
    game.black = game.black + 1 if score <= -rules.won else ZERO
    game.drawn = game.drawn + 1 if abs(score) <= rules.drawn else ZERO
    if game.white >= rules.won_plies:
        return WIN
    if game.black >= rules.won_plies:
        return LOSS
    return DRAW if plies >= rules.drawn_from and game.drawn >= rules.drawn_plies else GOES_ON


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
    is_narrow = p.use_aspiration != 0 and depth >= p.aspiration_depth
    margin = p.aspiration_window if is_narrow else 2 * WIDEST
    while True:
        alpha = max(guess - margin, -WIDEST)
        beta = min(guess + margin, WIDEST)
        value = search_root(searchers, all_tables, table, alpha, beta, depth)
        if searchers[0].stop != 0 or alpha < value < beta:
            return value
        margin *= 4
