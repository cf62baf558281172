"""Packed positions unpack to what they were."""

import dataclasses

import chess
import numpy as np
from hypothesis import given

from ox88.bitboard.position import make_position, to_setup
from tests.bitboard import naive
from tests.engines.modern.evaluation.samples import sample_boards
from tests.positions import boards
from tools.packing import PACKED, pack, unpack


def test_a_record_has_32_bytes() -> None:
    assert PACKED.itemsize == 32


def test_positions_are_what_they_were() -> None:
    setups = [naive.to_setup(board) for board in sample_boards()]
    assert any(setup.castling for setup in setups)
    assert any(setup.en_passant for setup in setups)
    positions = [make_position(setup) for setup in setups]
    unpacked = unpack(np.concatenate([pack(position, 0, 0) for position in positions]))
    for setup, position, again in zip(setups, positions, unpacked, strict=True):
        assert to_setup(again) == dataclasses.replace(setup, fullmove_number=1)
        for name in ("kinds", "colours", "key", "material"):
            assert np.array_equal(again[name], position[name])


@given(boards())
def test_any_position_is_what_it_was(board: chess.Board) -> None:
    setup = naive.to_setup(board)
    (again,) = unpack(pack(make_position(setup), 0, 0))
    assert to_setup(again) == dataclasses.replace(setup, fullmove_number=1)


def test_what_is_said_of_a_position_is_kept() -> None:
    position = make_position(naive.to_setup(chess.Board("4k3/8/8/8/8/8/8/4K2R b K - 99 120")))
    (record,) = pack(position, -1234, 500, 2)
    assert (record["score"], record["ply"], record["result"]) == (-1234, 500, 2)
    assert (record["halfmove_clock"], record["turn"], record["en_passant"]) == (99, 1, 0)


def test_nothing_unpacks_to_nothing() -> None:
    assert len(unpack(np.zeros(0, PACKED))) == 0
