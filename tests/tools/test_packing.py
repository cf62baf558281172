"""Packed positions unpack to what they were."""

import dataclasses

import numpy as np

import ox88
from ox88.bitboard.position import make_position, to_setup
from tests.bitboard import naive
from tests.engines.modern.evaluation.naive import sample_boards
from tools.packing import PACKED, unpack


def test_positions_are_what_they_were() -> None:
    setups = [naive.to_setup(board) for board in sample_boards()]
    assert any(setup.castling for setup in setups)
    assert any(setup.en_passant for setup in setups)
    positions = [make_position(setup) for setup in setups]
    packed = ox88.Positions(setups).pack().view(PACKED)
    packed["score"], packed["result"] = -1234, 2  # In the place of other fields.
    assert packed.itemsize == 32
    for setup, position, again in zip(setups, positions, unpack(packed), strict=True):
        assert to_setup(again) == dataclasses.replace(setup, fullmove_number=1)
        for name in ("kinds", "colours", "key", "material"):
            assert np.array_equal(again[name], position[name])


def test_no_positions() -> None:
    assert len(unpack(np.zeros(0, PACKED))) == 0
