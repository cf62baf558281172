"""Packed positions unpack to what they were."""

import dataclasses

import chess
import numpy as np

from ox88.bitboard.position import make_position, to_setup
from tests.bitboard import naive
from tests.engines.modern.evaluation.samples import sample_boards
from tools.packing import PACKED, pack, unpack


def test_positions_are_what_they_were() -> None:
    setups = [naive.to_setup(board) for board in sample_boards()]
    assert any(setup.castling for setup in setups)
    assert any(setup.en_passant for setup in setups)
    positions = [make_position(setup) for setup in setups]
    packed = pack(positions, [0] * len(positions), 0)
    assert packed.itemsize == 32
    for setup, position, again in zip(setups, positions, unpack(packed), strict=True):
        assert to_setup(again) == dataclasses.replace(setup, fullmove_number=1)
        for name in ("kinds", "colours", "key", "material"):
            assert np.array_equal(again[name], position[name])


def test_scores_and_results() -> None:
    position = make_position(naive.to_setup(chess.Board("4k3/8/8/8/8/8/8/4K2R b K - 99 120")))
    first, second = pack([position, position], [-1234, 5], 2)
    assert (first["score"], second["score"], first["result"], second["result"]) == (-1234, 5, 2, 2)
    assert (first["halfmove_clock"], first["turn"], first["en_passant"]) == (99, 1, 0)


def test_no_positions() -> None:
    assert len(pack([], [], 0)) == len(unpack(np.zeros(0, PACKED))) == 0
