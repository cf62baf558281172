"""Positions some random moves away from others: legal, calm, and valued by the handcrafted evaluation."""

import dataclasses
from typing import Any

import chess
import numpy as np
import pytest

from ox88.batch.positions.positions import Positions
from ox88.engines.modern.network.file import Network, NetworkError
from ox88.engines.modern.network.records import HIDDEN
from ox88.types import BLACK
from tests.engines.modern.network import naive
from tests.engines.modern.network.naive import random_network
from tests.tools.conftest import boards
from tests.tools.test_train import PLAN
from tools.packing import NO_RESULT, Packed, unpack
from tools.train.data import Data
from tools.train.imitation import MOST_SCORE, imitate, make_imitation
from tools.train.trainer import Trainer


def imitated(played: Packed, plies: int, seed: int = 1, count: int = 300, teacher: Network | None = None) -> Packed:
    rows = np.arange(0, 2 * count, 2, dtype=np.uint32)
    return imitate(np.array(played), rows, plies, seed, make_imitation(teacher))


def placements(board: chess.Board) -> set[tuple[str, bool]]:
    """A position and those after each of its moves."""
    found = {(board.board_fen(), board.turn)}
    for move in board.legal_moves:
        board.push(move)
        found.add((board.board_fen(), board.turn))
        board.pop()
    return found


def test_positions_are_calm_and_at_most_so_many_moves_away(played: Packed) -> None:
    found = boards(imitated(played, 1))
    origins = boards(np.array(played[:600:2]))
    assert all(board.is_valid() and not board.is_check() for board in found)
    assert all(
        (board.board_fen(), board.turn) in placements(origin) for board, origin in zip(found, origins, strict=True)
    )
    changed = sum(board.board_fen() != origin.board_fen() for board, origin in zip(found, origins, strict=True))
    assert 100 < changed < 200  # A half of them: no move or one is equally likely.
    farther = boards(imitated(played, 6))
    assert sum(board.turn == origin.turn for board, origin in zip(farther, origins, strict=True)) > 100
    assert len({board.board_fen() for board in farther}) > 290


def test_scores_are_those_of_the_handcrafted_evaluation(played: Packed) -> None:
    records = imitated(played, 4)
    values = Positions._of(unpack(records)).evaluate(by="handcrafted", view="white")
    assert np.array_equal(records["score"], np.clip(values, -MOST_SCORE, MOST_SCORE))
    assert set(records["result"]) == {NO_RESULT}
    assert not records["halfmove_clock"].any()


def test_scores_with_a_network_are_the_mean_of_both(played: Packed) -> None:
    network = random_network(hidden=16)
    records = imitated(played, 4, teacher=network)
    by_hand = imitated(played, 4)["score"].astype(int)
    mover = np.where(records["turn"] == BLACK, -1, 1)
    by_network = [naive.value(network, board) for board in boards(records)]
    assert np.array_equal(mover * records["score"], (mover * by_hand + by_network) >> 1)
    with pytest.raises(NetworkError, match=f"has 512 neurons a side; with --imitate {HIDDEN} are the most"):
        make_imitation(random_network(hidden=512))


def test_the_seed_alone_decides(played: Packed) -> None:
    first = imitated(played, 4)
    assert np.array_equal(first, imitated(played, 4))
    assert np.mean(first == imitated(played, 4, seed=2)) < 0.5


@pytest.fixture(scope="session")
def data(played: Packed) -> Data:
    rows = np.arange(len(played), dtype=np.uint32)
    return Data(
        played.view(np.recarray),
        np.zeros(len(rows), np.int32),
        rows[: -len(rows) // 4],
        rows[-len(rows) // 4 :],
        200,
        {},
    )


def test_the_seed_may_be_large(data: Data) -> None:
    trainer = Trainer(dataclasses.replace(PLAN, imitate=4, seed=10**15), data, 1)
    next(trainer.train())
    assert trainer.step == 1


def test_a_network_learns_by_imitation_on_any_number_of_threads(data: Data) -> None:
    plan: Any = dataclasses.replace(PLAN, imitate=4, epochs=12, batch=256)
    one, two = Trainer(plan, data, 1), Trainer(plan, data, 2)
    for _ in one.train():
        pass
    for _ in two.train():
        pass
    assert one.checkpoint() == two.checkpoint()
    assert one.losses[-1, 0] < 0.5 * one.losses[0, 0]
    assert one.losses[-1, 1] < 0.85 * one.losses[0, 1]  # It also predicts the scores of searches better.
