"""The recipe for lichess-bot: its file is driven as lichess-bot's engine wrapper drives one, without the network.

Source: what the calls are, and their order, is lib/engine_wrapper.py of lichess-bot-devs/lichess-bot, 2025.
"""

import random
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import chess
import chess.engine
import pytest
import yaml
from chess.engine import INFO_ALL, Limit, Opponent, PovScore, SimpleEngine

from tests.processes import PATIENCE

PAGE: Final = (Path(__file__).parents[1] / "docs" / "lichess-bot.md").read_text()
CONFIG, MORE_OPTIONS = (yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S))
SCRIPTS: Final = sysconfig.get_path("scripts")


def command(engine: dict[str, Any]) -> list[str]:
    """The program and --NAME=VALUE for each of its engine_options, if there are any."""
    options = engine.get("engine_options") or {}
    program = str((Path(engine["dir"]) / engine["name"]).absolute())
    return [program, *(f"--{name}" if value is None else f"--{name}={value}" for name, value in options.items())]


@contextmanager
def started(engine_config: dict[str, Any]) -> Iterator[SimpleEngine]:
    engine = SimpleEngine.popen_uci(
        command(engine_config), timeout=PATIENCE, debug=False, setpgrp=True, stderr=subprocess.DEVNULL, cwd=Path.cwd()
    )
    with engine:
        options = engine_config["uci_options"].items()
        engine.configure({name: value for name, value in options if name.lower() not in chess.engine.MANAGED_OPTIONS})
        engine.send_opponent_information(
            opponent=Opponent(name="maia1", title="BOT", rating=1500, is_engine=True), engine_rating=2500
        )
        yield engine
        engine.ping()
        engine.quit()


@pytest.fixture(scope="module")
def engine_config() -> dict[str, Any]:
    return {**CONFIG["engine"], "dir": SCRIPTS}


def test_the_file_has_what_lichess_bot_asks_for(engine_config: dict[str, Any]) -> None:
    assert isinstance(CONFIG["token"], str)
    assert isinstance(CONFIG["url"], str)
    assert isinstance(CONFIG["challenge"], dict)
    assert isinstance(CONFIG["engine"]["dir"], str)
    assert engine_config["protocol"] == "uci"
    assert shutil.which(engine_config["name"], path=SCRIPTS), "pip has installed ox88"
    assert set(CONFIG["challenge"]["variants"]) == {"standard", "chess960", "fromPosition"}


def play_game(engine: SimpleEngine, board: chess.Board, is_white: bool, ponder: bool, plies: int) -> list[PovScore]:
    """A game against random moves, and now and then the expected one: the first move by time, then by the clock."""
    chance = random.Random(1)
    expected: chess.Move | None = None
    scores = []
    for _ in range(plies):
        if board.is_game_over():
            break
        if board.turn != is_white:
            board.push(expected if expected and chance.random() < 0.5 else chance.choice(list(board.legal_moves)))
            continue
        clocks = Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01, clock_id="real time")
        is_first = len(board.move_stack) < 2
        limit = Limit(time=0.1, clock_id="first move") if is_first else clocks
        result = engine.play(board, limit, info=INFO_ALL, ponder=ponder and not is_first, draw_offered=False)
        assert result.move is not None
        assert board.variation_san(result.info["pv"])
        scores.append(result.info["score"])
        board.push(result.move)
        expected = result.ponder
    engine.send_game_result(board)
    return scores


@pytest.mark.parametrize("is_white", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_games(engine_config: dict[str, Any], is_white: bool) -> None:
    """From the start, and from where else a challenge may begin."""
    with started(engine_config) as engine:
        assert engine.id["name"].startswith("Ox88")
        play_game(engine, chess.Board(), is_white, engine_config["ponder"], 16)
        for beginning in BEGINNINGS:
            assert play_game(engine, beginning.copy(), is_white, engine_config["ponder"], 6)
        board = WON.copy() if is_white else WON.mirror()
        scores = play_game(engine, board, is_white, engine_config["ponder"], 2)
    assert engine.returncode.result(30) == 0
    assert scores[0].relative.score(mate_score=40000) > 0  # As the wrapper reads it, to resign and to offer draws.


WON: Final = chess.Board("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1")
BEGINNINGS: Final = (
    chess.Board.from_chess960_pos(0),
    chess.Board("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1", chess960=True),
    chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
)


def test_the_other_options(engine_config: dict[str, Any], tmp_path: Path) -> None:
    """What the page names beside the file is what Ox88 has; folders and files are the reader's."""
    book = tmp_path / "book.bin"
    book.write_bytes(b"")
    options = {**MORE_OPTIONS, "SyzygyPath": str(tmp_path), "Book File": str(book)}
    assert options.keys() == MORE_OPTIONS.keys()
    with started({**engine_config, "uci_options": options}) as engine:
        assert engine.play(chess.Board(), Limit(nodes=1000)).move is not None
        elo = engine.options["UCI_Elo"]
        assert re.search(rf"UCI_Elo: 1500 +# From {elo.min} to {elo.max}\.", PAGE)
