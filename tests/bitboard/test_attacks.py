"""Attack tables against python-chess, and magic = rotated = a walk along the rays for millions of random boards."""

from typing import Any

import chess
import numpy as np
import pytest

from ox88.bitboard import magic, rotated
from ox88.bitboard.attacks import attackers_to, checkers, is_attacked, pinned
from ox88.bitboard.bits import NO_SQUARES, mask
from ox88.bitboard.position import make_position
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import is_compiled, kernel
from tests.bitboard.naive import positions, to_setup

ROUNDS = 1_000_000 if is_compiled() else 20

GENERATOR = np.dtype([("state", np.uint64)], align=True)


@kernel
def _random(generator):
    state = generator.state
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    generator.state = state
    return state


@kernel
def _walk(square, occupied, file_step, rank_step):
    """The naive twin: one ray, square by square."""
    attacks = NO_SQUARES
    file, rank = (square & 7) + file_step, (square >> 3) + rank_step
    while 0 <= file < 8 and 0 <= rank < 8:
        target = mask(rank * 8 + file)
        attacks |= target
        if occupied & target != NO_SQUARES:
            break
        file, rank = file + file_step, rank + rank_step
    return attacks


@kernel
def _walked(square, occupied, straight):
    one, zero = np.int64(1), np.int64(0)
    if straight:
        attacks = _walk(square, occupied, one, zero) | _walk(square, occupied, -one, zero)
        return attacks | _walk(square, occupied, zero, one) | _walk(square, occupied, zero, -one)
    attacks = _walk(square, occupied, one, one) | _walk(square, occupied, one, -one)
    return attacks | _walk(square, occupied, -one, one) | _walk(square, occupied, -one, -one)


@kernel
def _count_differences(generator, position, tables, boards, rotated_tables, rounds):
    """Random boards, sparse and crowded; on each a square, for both sliders and all three ways of looking up."""
    differences = np.int64(0)
    for number in range(rounds):
        occupied = _random(generator)
        if number & 3 != 0:
            occupied &= _random(generator)
        if number & 3 == 3:
            occupied &= _random(generator)
        position.colours[0] = occupied
        rotated.fill_rotated(boards, rotated_tables, position)
        for square in range(number & 7, 64, 8):
            rook, bishop = _walked(square, occupied, True), _walked(square, occupied, False)
            differences += np.int64(magic.rook_attacks(tables, square, occupied) != rook)
            differences += np.int64(magic.bishop_attacks(tables, square, occupied) != bishop)
            differences += np.int64(rotated.rook_attacks(boards, rotated_tables, square, occupied) != rook)
            differences += np.int64(rotated.bishop_attacks(boards, rotated_tables, square) != bishop)
    return differences


def _generator(seed: int) -> Any:
    generator = make_record(GENERATOR)
    generator.state = seed
    return generator


def test_magic_and_rotated_attacks_are_those_of_a_walk() -> None:
    boards = make_record(rotated.ROTATED)
    with np.errstate(over="ignore"):
        differences = _count_differences(
            _generator(88), make_record(POSITION), board_tables(), boards, rotated.rotated_tables(), np.int64(ROUNDS)
        )
    assert differences == 0


def test_a_wrong_attack_would_be_noticed() -> None:
    boards = make_record(rotated.ROTATED)
    tables = board_tables().copy()
    tables.rook_magics[0].factor ^= np.uint64(1 << 40)
    with np.errstate(over="ignore"):
        differences = _count_differences(
            _generator(88), make_record(POSITION), tables, boards, rotated.rotated_tables(), np.int64(20)
        )
    assert differences > 0


@pytest.mark.parametrize("square", range(64))
def test_tables_of_leapers_and_lines(square: int) -> None:
    tables = board_tables()
    assert tables.knight_attacks[square] == chess.BB_KNIGHT_ATTACKS[square]
    assert tables.king_attacks[square] == chess.BB_KING_ATTACKS[square]
    for colour, turn in enumerate((chess.WHITE, chess.BLACK)):
        assert tables.pawn_attacks[colour, square] == chess.BB_PAWN_ATTACKS[turn][square]
    for other in range(64):
        assert tables.between[square, other] == chess.between(square, other)
        assert tables.line[square, other] == (chess.ray(square, other) if square != other else 0)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_attackers_checkers_and_pins_are_those_of_python_chess(step: int) -> None:
    tables = board_tables()
    checks = 0
    for number, board in enumerate(positions()[::step]):
        position = make_position(to_setup(board))
        found = checkers(position, tables)
        checks += found != 0
        assert found == board.checkers_mask()
        for colour, turn in enumerate((chess.WHITE, chess.BLACK)):
            pins = [square for square in chess.SquareSet(board.occupied_co[turn]) if board.is_pinned(turn, square)]
            king_pins = sum(1 << square for square in pins)
            assert int(pinned(position, tables, np.int64(colour))) == king_pins
        square = number % 64
        attackers = board.attackers_mask(chess.WHITE, square), board.attackers_mask(chess.BLACK, square)
        occupied = np.uint64(board.occupied)
        assert attackers_to(position, tables, np.int64(square), occupied) == attackers[0] | attackers[1]
        for colour in range(2):
            assert is_attacked(position, tables, np.int64(square), np.int64(colour)) == bool(attackers[colour])
    assert checks > 100 // step
