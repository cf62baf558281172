"""The scripts that learn from results and by self-play: their features, models, what they print and draw."""

import runpy
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import chess.pgn
import numpy as np
import pytest

import ox88

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "examples" / "games.pgn.gz"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "predict_results.py"))


@pytest.fixture(scope="module")
def games() -> ox88.Games:
    return ox88.read_pgn(GAMES)


def test_features_of_results(example: dict[str, Any], games: ox88.Games) -> None:
    some = games[:6]
    features, points, game = example["load"](some)
    expected = [row for number, text in enumerate(some) for row in _naive_features(text, number)]
    assert [(*row, number) for row, number in zip(features.round(6).tolist(), game, strict=True)] == expected
    assert np.array_equal(points, some.results[game])


def _naive_features(game: ox88.Games, number: int) -> list[tuple[float, ...]]:
    rows: list[tuple[float, ...]] = []
    for ply, board in enumerate(game.positions(final=False).boards()):
        if ply >= 16 and not board.is_check():
            values = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 0}
            material = sum(values[p.piece_type] * (1 if p.color else -1) for p in board.piece_map().values())
            reach = [_reach(board, side) for side in (chess.WHITE, chess.BLACK)]
            rows.append((material, (reach[0] - reach[1]) / 10, 1.0 if board.turn else -1.0, number))
    return rows


def _reach(board: chess.Board, side: chess.Color) -> int:
    own = board.occupied_co[side]
    attacked = chess.SquareSet()
    for square in chess.SquareSet(own):
        attacked |= board.attacks(square)
    return len(attacked - chess.SquareSet(own))


def test_the_model_is_the_best_of_its_kind(example: dict[str, Any], games: ox88.Games) -> None:
    """No step away from the weights reduces the loss, and the features reduce it."""
    features, points, _ = example["load"](games)
    weights = example["fit"](features, points)

    def loss(weights: Any) -> float:
        return float(example["log_loss"](example["predict"](features, weights), points))

    for step in 1e-3 * np.eye(len(weights)):
        assert loss(weights) < min(loss(weights + step), loss(weights - step))
    assert weights[0] > 0.1
    assert weights[1] > 0.1
    assert loss(weights) < loss(0 * weights) - 0.05


def test_the_script(example: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "results.svg"
    example["main"](str(GAMES), str(picture))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["material", "mobility", "turn", "constant"]
    assert float(lines[4].split()[2].rstrip(",")) < float(lines[4].split()[-1])
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")  # noqa: S314  # Our own.
    assert "material, White's less Black's, in pawns" in picture.read_text(encoding="utf-8")


@pytest.fixture
def self_play() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "self_play.py"))


def test_self_play_sees_all_symmetric_positions_alike(self_play: dict[str, Any]) -> None:
    boards = self_play["random_positions"](20, seed=3).boards()
    symmetries = (chess.flip_vertical, chess.flip_horizontal, chess.flip_diagonal, chess.flip_anti_diagonal)
    for turn in (chess.WHITE, chess.BLACK):
        for board in boards:
            board.turn = turn
        seen = _seen(self_play, boards)
        for symmetry in symmetries:
            assert np.array_equal(_seen(self_play, [board.transform(symmetry) for board in boards]), seen)


def _seen(self_play: dict[str, Any], boards: list[chess.Board]) -> Any:
    """Where the lone king is on the diagonal, a position and its mirror may be seen differently."""
    some = [board for board in boards if not chess.BB_SQUARES[board.king(chess.BLACK) or 0] & _DIAGONALS]
    return self_play["see"](ox88.Positions.from_boards(some).planes(np.uint8, view="mover"))[0]


_DIAGONALS = chess.BB_CORNERS | 0x8142241818244281


def test_self_play_knows_the_index_of_each_move(self_play: dict[str, Any]) -> None:
    positions = self_play["random_positions"](50, seed=3)
    legal = positions.legal_moves()
    moves = legal.moves.astype(int)
    assert np.array_equal(self_play["INDEX"][moves & 63, moves >> 6 & 63], positions.policy_index(legal, "compact"))


@pytest.mark.slow
def test_self_play_learns_what_it_is_shown(self_play: dict[str, Any]) -> None:
    network, positions = self_play["Network"](), self_play["random_positions"](64, seed=3)
    planes = positions.planes(np.uint8, view="mover")
    pairs, _, _ = self_play["see"](planes)
    choice = np.random.default_rng(3)
    policy = np.eye(128, dtype=np.float32)[choice.integers(128, size=64)]
    values = choice.uniform(-1, 1, 64).astype(np.float32)
    for _ in range(150):
        network.step(pairs, policy, values, 4e-3)
    _, outputs = network.forward(pairs)
    assert np.array_equal(outputs[:, :128].argmax(axis=1), policy.argmax(axis=1))
    assert abs(np.tanh(outputs[:, 128]) - values).max() < 0.1


@pytest.mark.slow
def test_self_play_learns_to_mate(self_play: dict[str, Any]) -> None:
    """In 60 rounds, a quarter of a million moves: some two minutes."""
    network, rounds = self_play["Network"](), list[Any]()
    assert self_play["share_of_wins"](network, 100) < 0.1
    settings: Any = {"considered": self_play["CONSIDERED"], "layout": "compact", "most_plies": None}
    starts = self_play["random_positions"](20_000, seed=1)
    tree = ox88.TreeSearch(network, self_play["GAMES"], self_play["SIMULATIONS"], start=starts, seed=1, **settings)
    for _ in range(60):
        rounds = [*rounds[-11:], self_play["play_round"](tree)]
        network.learn(rounds, self_play["RATE"])
    assert self_play["share_of_wins"](network) > 0.95


def test_self_play_learns_from_games(self_play: dict[str, Any]) -> None:
    """As it learns from its own: the policy is the moves that were played, the value the result and how far it is."""
    texts = {
        "8/8/8/3k4/8/8/8/K6R w - - 0 1": "1. Rh5+ Kc4 1/2-1/2",
        "k7/8/1K6/8/8/8/8/7R w - - 0 1": "1. Rh8# 1-0",
        "7k/8/6K1/8/8/8/8/R7 b - - 0 1": "1... Kg8 2. Ra8# 1-0",
    }
    games = ox88.read_pgn_text("\n\n".join(f'[FEN "{fen}"]\n\n{text}' for fen, text in texts.items()))
    pairs, policies, values = self_play["lessons_of"](games)
    positions = games.positions(final=False)
    seen, squares, symmetry = self_play["see"](positions.planes(np.uint8, view="mover"))
    assert np.array_equal(pairs, seen)
    indices = positions.policy_index(games.moves, "compact")
    for row, index in enumerate(indices):
        logits = np.full(1859, -1.0)
        for piece in range(2):
            places = 64 * piece + self_play["TURNED"][symmetry[row]]
            logits[self_play["INDEX"][squares[row, piece]]] = policies[row][places]
        assert logits[:1858].argmax() == index
        assert policies[row].sum() == 1
    discount = self_play["DISCOUNT"]
    assert values.tolist() == pytest.approx([0, 0, 1, -discount, 1])


@pytest.mark.parametrize("games", ["", '[FEN "k7/8/1K6/8/8/8/8/7R w - - 0 1"]\n\n1. Rh8# 1-0\n'])
def test_self_play(
    self_play: dict[str, Any],
    games: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = self_play["main"].__globals__
    for name, value in {
        "EPOCHS": 2,
        "GAMES": 8,
        "SIMULATIONS": 4,
        "STEPS": 3,
        "BATCH": 16,
        "BATCHES": 2,
        "TEST_SIMULATIONS": 2,
    }.items():
        monkeypatch.setitem(names, name, value)
    share = self_play["share_of_wins"]
    monkeypatch.setitem(names, "share_of_wins", lambda network, _=0: share(network, 5))
    picture = tmp_path / "curve.svg"
    pgn = tmp_path / "games.pgn"
    pgn.write_text(games)
    options = ["--games", str(pgn)] if games else []
    monkeypatch.setattr(sys, "argv", ["self_play.py", str(picture), "--minutes", "0.01", *options])
    self_play["main"]()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("% of games")
    assert lines[-1].startswith("at the end, ")
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")  # noqa: S314  # Our own.
