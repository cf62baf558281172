"""The slow twin of the search: minimax over every legal move."""

from typing import Any

import numpy as np

from ox88.bitboard.attacks import checkers
from ox88.bitboard.movegen import generate_captures, generate_legal
from ox88.bitboard.moves import do_move
from ox88.bitboard.position import is_insufficient
from ox88.bitboard.records import MOVE_LIST, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.evaluation.records import make_evaluation
from ox88.engines.modern.records import MATE
from ox88.types import PAWN

TABLES = board_tables()
EVALUATION = make_evaluation()
UNDONE = make_record(UNDO)
FOUND = make_record(MOVE_LIST)
FOUND_MOVES = FOUND.moves


def after(position: Any, move: int) -> Any:
    following = position.copy()
    do_move(following, TABLES, UNDONE, np.int64(move))
    return following


def legal_moves(position: Any) -> list[int]:
    return listed(int(generate_legal(position, TABLES, FOUND)))


def captures(position: Any) -> list[int]:
    nobody = np.uint64(0)
    FOUND.length = 0
    return listed(int(generate_captures(position, TABLES, FOUND, nobody, np.uint64(pinned_pieces(position)))))


def listed(count: int) -> list[int]:
    return [int(move) for move in FOUND_MOVES[:count]]


def pinned_pieces(position: Any) -> int:
    from ox88.bitboard.attacks import pinned

    return int(pinned(position, TABLES, np.int64(position.turn)))


def is_check(position: Any) -> bool:
    return int(checkers(position, TABLES)) != 0


def is_drawn(position: Any, past: list[int]) -> bool:
    """past: keys of the positions since the root."""
    if position.halfmove_clock >= 100 and not (is_check(position) and not legal_moves(position)):
        return True
    return int(position.key) in past[1:] or bool(is_insufficient(position))


def is_stalemate(position: Any) -> bool:
    """A stalemate of a king without pieces, whose pawns cannot push. Quiescence knows no others."""
    turn, squares = int(position.turn), range(64)
    own = [square for square in squares if int(position.colours[turn]) >> square & 1]
    ahead = [square + (8, -8)[turn] for square in own if int(position.kinds[PAWN]) >> square & 1]
    if len(own) != len(ahead) + 1 or any(not position.board[square] for square in ahead):
        return False
    return not is_check(position) and not legal_moves(position)


def minimax(position: Any, depth: int, past: list[int], quiescence: bool = False) -> int:
    """The value for the side to move, in centipawns. past: as in is_drawn; empty at the root."""
    if past and is_drawn(position, past):
        return 0
    if depth == 0:
        return quiesce(position, past) if quiescence else int(evaluate(position, TABLES, EVALUATION))
    moves = legal_moves(position)
    if not moves:
        return len(past) - MATE if is_check(position) else 0
    here = [*past, int(position.key)]
    return max(-minimax(after(position, move), depth - 1, here, quiescence) for move in moves)


def quiesce(position: Any, past: list[int]) -> int:
    """Captures and standing pat; in check every move."""
    if is_drawn(position, past) or is_stalemate(position):
        return 0
    here = [*past, int(position.key)]
    if is_check(position):
        moves = legal_moves(position)
        return max((-quiesce(after(position, move), here) for move in moves), default=len(past) - MATE)
    values = [-quiesce(after(position, move), here) for move in captures(position)]
    return max([int(evaluate(position, TABLES, EVALUATION)), *values])
