"""The script that learns from results: its features, its model, what it prints and draws."""

import runpy
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
