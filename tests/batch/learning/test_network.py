"""Evaluations and accumulators of many positions by a network, compared with a naive twin and with the engine."""

from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

import ox88
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.network.file import write_network
from ox88.engines.modern.network.records import NO_VIEW
from ox88.engines.modern.records import make_searcher
from ox88.engines.modern.static_eval import evaluate_position
from tests.batch.samples import positions
from tests.engines.modern.network import naive

GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d4 exd4 6. e5 d5 7. exf6 dxc4 8. fxg7 Rg8 9. Re1+ Be6 10. Ng5 *"
ENDINGS = (
    "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",  # Lone kings, between which the network evaluates.
    "8/5p2/8/4k3/8/8/4P3/4K3 b - - 60 90",
    "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1",
    "8/5p2/8/4k3/8/8/4P3/4K3 w - - 99 90",
    "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
)


def naive_neurons(network: ox88.Network, board: chess.Board) -> list[NDArray[np.int64]]:
    """The neurons of both sides, the side to move first."""
    return [naive.neurons(network, board, side) for side in (board.turn, not board.turn)]


def naive_value(network: ox88.Network, board: chess.Board) -> int:
    """For the side to move."""
    value = naive.value(network, board)
    value -= value * board.halfmove_clock >> 8
    return min(max(value, -9999), 9999)


def is_lone(board: chess.Board) -> bool:
    return any(board.occupied_co[side].bit_count() == 1 for side in chess.COLORS)


def engines_value(network: ox88.Network, setup: ox88.Setup) -> int:
    searcher: Any = make_searcher()
    network.fill(searcher.network)
    searcher.position = ox88.Positions([setup]).records[0]
    searcher.frames["accumulator"]["views"] = NO_VIEW
    return int(evaluate_position(searcher, board_tables()))


@pytest.fixture(scope="module")
def network() -> ox88.Network:
    return naive.random_network()


@pytest.fixture(scope="module")
def some() -> ox88.Positions:
    """Single positions, a game in which most pieces stay where they are, and endings."""
    games = ox88.read_pgn_text(GAME)
    return positions() + games.positions() + ox88.Positions.from_fens(ENDINGS)


def test_evaluations_are_the_naive_ones(network: ox88.Network, some: ox88.Positions) -> None:
    by_hand = some.evaluate(by="handcrafted", view="mover").tolist()
    boards_of_some = some.boards()
    expected = [
        hand if is_lone(board) else naive_value(network, board)
        for hand, board in zip(by_hand, boards_of_some, strict=True)
    ]
    assert any(map(is_lone, boards_of_some))
    assert len(set(expected)) > len(some) / 4
    whites = [value if board.turn else -value for value, board in zip(expected, boards_of_some, strict=True)]
    assert some.evaluate(by=network, view="mover").tolist() == expected
    assert some.evaluate(by=network).tolist() == whites
    assert positions()[:0].evaluate(by=network).tolist() == []


def test_evaluations_are_those_of_the_engine(network: ox88.Network, some: ox88.Positions) -> None:
    chosen = some[-30:]
    expected = [engines_value(network, setup) for setup in chosen]
    assert chosen.evaluate(by=network, view="mover").tolist() == expected


def test_accumulators_are_the_naive_ones(network: ox88.Network, some: ox88.Positions) -> None:
    expected = np.array([naive_neurons(network, board) for board in some.boards()])
    assert np.array_equal(some.accumulators(network=network), expected)
    assert positions()[:0].accumulators(network=network).shape == (0, 2, 256)
    out = np.empty((len(some), 2, 256), np.int16)
    assert some.accumulators(network=network, out=out) is out
    assert np.array_equal(out, expected)


def test_the_order_of_positions_changes_nothing(network: ox88.Network, some: ox88.Positions) -> None:
    order = np.random.default_rng(1).permutation(len(some))
    assert np.array_equal(some[order].evaluate(by=network), some.evaluate(by=network)[order])
    assert np.array_equal(some[order].accumulators(network=network), some.accumulators(network=network)[order])


def test_a_file_is_the_network_in_it(network: ox88.Network, tmp_path: Path) -> None:
    path = tmp_path / "some.npz"
    write_network(path, network)
    expected = positions().evaluate(by=network)
    for source in (path, str(path), ox88.read_network(path), ox88.read_network(str(path))):
        assert np.array_equal(positions().evaluate(by=source), expected)


def test_the_network_that_comes_with_ox88(network: ox88.Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.batch.learning.engine.shipped_network", lambda: network)
    assert np.array_equal(positions().evaluate(), positions().evaluate(by=network))
    assert np.array_equal(positions().accumulators(), positions().accumulators(network=network))
    monkeypatch.setattr("ox88.batch.learning.engine.shipped_network", lambda: None)
    with pytest.raises(ox88.NetworkError, match="there is no network: this copy of Ox88 comes without one"):
        positions().accumulators()
    with pytest.raises(ox88.NetworkError, match="there is no network"):
        positions().evaluate()


@pytest.mark.parametrize(
    ("method", "options", "reason"),
    [
        ("evaluate", {"by": naive.random_network(hidden=8)}, "'random 1' has 8 neurons a side; this engine takes 256"),
        ("evaluate", {"by": "none.npz"}, r"none\.npz: No such file"),
        ("evaluate", {"by": True}, r'network is of type bool: "ox88", an ox88.Network or the path'),
        ("evaluate", {"by": "handcrafted", "view": "black"}, "view 'black'"),
        ("accumulators", {"out": np.empty((3, 2, 256), np.float32)}, "out is float32: an array of int16 is expected"),
        ("accumulators", {"out": np.empty((3, 2, 256), np.int16)}, r"out has the shape \(3, 2, 256\)"),
    ],
)
def test_what_cannot_be_used(method: str, options: dict[str, Any], reason: str) -> None:
    options = {"network": naive.random_network()} | options if method == "accumulators" else options
    with pytest.raises((TypeError, ox88.Ox88Error), match=reason):
        getattr(positions(), method)(**options)
