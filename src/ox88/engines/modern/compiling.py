"""The search is compiled by two processes, if it is not: the evaluation and the picker by one, the rest by the other.

Each begins at what the other reaches last. Where they meet, one waits for the other's result.
"""

import numpy as np

from ox88.bitboard import legality
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.position import make_position
from ox88.bitboard.records import MOVE_LIST, make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.history import update_histories
from ox88.engines.modern.nodes import is_draw, legal_tt_move, make_move, save, unmake_move
from ox88.engines.modern.picker import next_move
from ox88.engines.modern.records import make_searcher
from ox88.engines.modern.search import search
from ox88.engines.modern.table import make_table
from ox88.fen import STARTPOS, parse_fen
from ox88.jit import prepare, prepare_entry, sharing_the_work

_NUMBER = np.int64(0)


def compile_search() -> None:
    """Compile the search, or find it compiled, which takes no time."""
    with sharing_the_work([search], [compile_evaluation_and_picker]) as is_kept:
        if not is_kept:
            _compile_boards()
            _compile_search()


def compile_evaluation_and_picker() -> None:
    searcher, tables = make_searcher(), board_tables()
    frame = searcher.frames[0]
    prepare(evaluate, searcher.position, tables, searcher.evaluation)
    prepare(next_move, searcher, tables, frame)
    prepare(save, searcher, make_table(1), frame, *[_NUMBER] * 4)
    prepare(update_histories, searcher, frame, _NUMBER, _NUMBER)
    prepare(legality.gives_check, searcher.position, tables, _NUMBER)


def _compile_boards() -> None:
    position = make_position(parse_fen(STARTPOS))
    generate_legal(position, board_tables(), make_record(MOVE_LIST))


def _compile_search() -> None:
    searcher, tables = make_searcher(), board_tables()
    frame = searcher.frames[0]
    prepare(is_draw, searcher, tables)
    prepare(legal_tt_move, searcher, tables, frame, np.uint64(0))
    prepare(make_move, searcher, tables, frame, _NUMBER)
    prepare(unmake_move, searcher, frame)
    prepare_entry(search, searcher, tables, make_table(1), *[_NUMBER] * 4)
