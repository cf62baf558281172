"""`ox88 dataset` within the tests' own process, and games for it."""

import random
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from ox88.apps.dataset import parts, pipeline
from tests.apps.dataset import naive
from tests.apps.inline import Run, runner
from tests.conftest import RunPython

Games = list[chess.pgn.Game]
Rows = list[dict[str, Any]]


@pytest.fixture
def run(call_ox88: RunPython) -> Run:
    return runner(call_ox88, "dataset")


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out"


def random_game(seed: int) -> chess.pgn.Game:
    """Short, so that positions occur in several; with and without ratings, clocks and evaluations."""
    chance = random.Random(seed)
    game = chess.pgn.Game()
    if seed % 7 == 3:
        game.setup(chess.Board("r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 20"))
    game.headers["White"] = f"Ж {seed % 3}"
    game.headers["Result"] = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if seed % 5:
        game.headers["WhiteElo"] = str(chance.randrange(800, 2800))
        game.headers["BlackElo"] = chance.choice([str(chance.randrange(800, 2800)), "1500?", "?"])
    if seed % 4:
        game.headers["TimeControl"] = chance.choice(["60+0", "180+2", "900+10", "40/7200:3600", "-", "?"])
    node: chess.pgn.GameNode = game
    board = game.board()
    for _ in range(chance.randrange(0, 30)):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        castlings = [move for move in moves if board.is_castling(move)]
        node = node.add_variation(castlings[0] if castlings else chance.choice(moves[:5]))
        board.push(node.move)
        if seed % 2:
            node.set_clock(chance.randrange(600))
        if chance.random() < 0.5:
            score = chance.choice([chess.engine.Cp(chance.randrange(-500, 500)), chess.engine.Mate(3)])
            node.set_eval(chess.engine.PovScore(score, chess.WHITE), node.ply() if seed % 3 else None)
        if seed % 3:
            node.set_emt(node.ply() * 1.25)
    return game


GAMES = 60
PART_ROWS, ROW_GROUP = 120, 40


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 120 rows in row groups of 40, and little read at a time."""
    monkeypatch.setattr(parts, "PART_ROWS", PART_ROWS)
    monkeypatch.setattr(parts, "ROW_GROUP", ROW_GROUP)
    monkeypatch.setattr(pipeline, "SCORED_ROWS", ROW_GROUP)
    monkeypatch.setattr("ox88.batch.pgn.reading.BLOCK", 1500)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a data set by name; there is nothing else in the folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="session")
def games() -> Games:
    return [random_game(seed) for seed in range(GAMES)]


@pytest.fixture(scope="session")
def rows(games: Games) -> Rows:
    return list(naive.rows(games))


@pytest.fixture(scope="session")
def pgn(games: Games, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    path.write_text("\n\n".join(map(str, games)), encoding="utf-8")
    return path
