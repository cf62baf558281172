"""Plays moves, tests what they are, and computes static exchange evaluation and perft, in bulk."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import IllegalMoveError, check_number
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import EachMove
from ox88.bitboard import legality
from ox88.bitboard import see as board_see
from ox88.bitboard.attacks import checkers
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.moves import do_move, do_null_move
from ox88.bitboard.perft import PERFT_STATE, perft_bulk
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel
from ox88.perft import MAX_DEPTH
from ox88.types import CASTLING_FLAG, NO_MOVE

# What a move is: bits of a uint8. ILLEGAL is none of them.
ILLEGAL, LEGAL, CAPTURE, EN_PASSANT, CASTLING, CHECK, NULL = (np.int64(kind) for kind in (0, 1, 2, 4, 8, 16, 32))

_SHALLOW = 2  # Plies; perft to this depth takes microseconds a position.
_SHALLOW_CHUNK = 256  # Positions.


def push(records: NDArray[Any], moves: EachMove, null_moves: bool, threads: int | None) -> NDArray[Any]:
    check_legal(records, moves, threads, null_moves)
    pushed = np.empty(len(moves.numbers), POSITION).view(np.recarray)

    def work(rows: slice) -> None:
        play(records[rows], board_tables(), make_record(UNDO), moves.of(rows), moves.numbers, pushed)

    in_chunks(work, len(records), threads)
    return pushed


def are_of_kind(records: NDArray[Any], moves: EachMove, kind: np.int64, threads: int | None) -> NDArray[np.bool_]:
    """True for the moves of a kind. Raises IllegalMoveError."""
    kinds = check_legal(records, moves, threads, kind=kind)
    return (kinds & np.uint8(kind)).astype(np.bool_)


def is_legal(records: NDArray[Any], moves: EachMove, threads: int | None) -> NDArray[np.bool_]:
    return kinds_of(records, moves, LEGAL, threads).astype(np.bool_)


def check_legal(
    records: NDArray[Any],
    moves: EachMove,
    threads: int | None,
    null_moves: bool = False,
    kind: np.int64 = LEGAL,
) -> NDArray[np.uint8]:
    """The kinds of moves, as far as `kind` asks. Raises IllegalMoveError for the first move that is not legal.

    null_moves: True to accept them.
    """
    kinds = kinds_of(records, moves, kind | NULL if null_moves else kind, threads)
    if not kinds.all():
        place = int(np.argmin(kinds))
        row, move = moves.row_of(place), int(moves.numbers[place])
        why = ": a null move is illegal in check" if null_moves and move == NO_MOVE else ""
        raise IllegalMoveError(row, move, records[row], why)
    return kinds


def kinds_of(records: NDArray[Any], moves: EachMove, asked: np.int64, threads: int | None) -> NDArray[np.uint8]:
    """uint8[number of moves]: what each move is. asked: CHECK or NULL to look for these, which costs time."""
    kinds = np.empty(len(moves.numbers), np.uint8)

    def work(rows: slice) -> None:
        find_kinds(records[rows], board_tables(), moves.of(rows), moves.numbers, np.int64(asked), kinds)

    in_chunks(work, len(records), threads)
    return kinds


def see(records: NDArray[Any], moves: EachMove, threads: int | None) -> NDArray[np.int16]:
    check_legal(records, moves, threads)
    found, tables = np.empty(len(moves.numbers), np.int16), board_tables()

    def work(rows: slice) -> None:
        find_exchanges(records[rows], tables, moves.of(rows), moves.numbers, found)

    in_chunks(work, len(records), threads)
    return found


def perft(records: NDArray[Any], depth: int, threads: int | None) -> NDArray[np.int64]:
    check_number("depth", depth, 0, MAX_DEPTH)
    counts = np.ones(len(records), np.int64)
    states: list[Any] = []
    local = threading.local()

    def work(rows: slice) -> None:
        if not hasattr(local, "state"):
            local.state = make_record(PERFT_STATE)
            states.append(local.state)
        count_all(records[rows], board_tables(), local.state, np.int64(depth), counts[rows])

    def stop() -> None:
        for state in states:
            state.stop = 1

    if depth > 0:
        in_chunks(work, len(records), threads, _SHALLOW_CHUNK if depth <= _SHALLOW else 1, stop)
    return counts


@kernel
def find_kinds(positions, tables, offsets, moves, asked, kinds):
    """Write what the moves moves[offsets[i]:offsets[i + 1]] of each position i are."""
    for row in range(len(positions)):
        position = positions[row]
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            if move == NO_MOVE and asked & NULL != 0:
                kinds[place] = NULL if checkers(position, tables) == NO_SQUARES else ILLEGAL
            elif legality.is_legal(position, tables, move):
                kinds[place] = kind_of(position, tables, move, asked)
            else:
                kinds[place] = ILLEGAL


@kernel
def kind_of(position, tables, move, asked):
    kind = LEGAL
    if legality.is_capture(position, move):
        kind |= CAPTURE
        if legality.is_en_passant(position, move):
            kind |= EN_PASSANT
    if move & CASTLING_FLAG != 0:
        kind |= CASTLING
    if asked & CHECK != 0 and legality.gives_check(position, tables, move):
        kind |= CHECK
    return kind


@kernel
def play(positions, tables, undo, offsets, moves, pushed):
    """Play the moves moves[offsets[i]:offsets[i + 1]] of each position i. pushed: the positions after all moves."""
    for row in range(len(positions)):
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            pushed[place] = positions[row]
            if move == NO_MOVE:
                do_null_move(pushed[place], tables, undo)
            else:
                do_move(pushed[place], tables, undo, move)


@kernel
def find_exchanges(positions, tables, offsets, moves, found):
    for row in range(len(positions)):
        for place in range(offsets[row], offsets[row + 1]):
            found[place] = board_see.see(positions[row], tables, np.int64(moves[place]))


@kernel
def count_all(positions, tables, state, depth, counts):
    """Write the perft of each position; the counts are wrong once state.stop is set."""
    for row in range(len(positions)):
        copy_position(positions[row], state.position)
        counts[row] = perft_bulk(state, tables, depth)
