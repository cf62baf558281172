"""Calls every kernel of the bitboards once, so that all are compiled and in the cache."""

import numpy as np

from ox88.bitboard import attacks, legality, movegen, moves, see
from ox88.bitboard.perft import Counter, RotatedCounter
from ox88.bitboard.position import make_position
from ox88.bitboard.records import MOVE_LIST, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.fen import STARTPOS
from ox88.setup import parse_fen
from ox88.types import make_move


def warm_up() -> None:
    setup = parse_fen(STARTPOS)
    first_move = make_move(12, 28)
    for counter in (Counter(setup), RotatedCounter(setup)):
        counter.legal_moves()
        for mode in counter.modes:
            counter.count_after(first_move, 2, mode, np.zeros((1 << 10, 2), np.uint64))
    position, tables = make_position(setup), board_tables()
    undo, found = make_record(UNDO), make_record(MOVE_LIST)
    square, colour = np.int64(4), np.int64(1)

    attacks.is_attacked(position, tables, square, colour)
    attacks.pinned(position, tables, colour)
    checkers = np.uint64(attacks.checkers(position, tables))
    pinned = np.uint64(attacks.pinned(position, tables, np.int64(0)))
    movegen.generate_captures(position, tables, found, checkers, pinned)
    movegen.generate_quiets(position, tables, found, checkers, pinned)

    move = np.int64(found.moves[0])
    legality.is_legal(position, tables, move)
    legality.gives_check(position, tables, move)
    see.see(position, tables, move)
    see.see_ge(position, tables, move, np.int64(0))
    moves.do_null_move(position, tables, undo)
    moves.undo_null_move(position, undo)
