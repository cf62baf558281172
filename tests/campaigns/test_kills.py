"""Commands that are ended at random moments and run again: what was finished stays, and the results are the same."""

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import chess
import chess.pgn
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ox88.apps.match.openings import RandomOpenings
from ox88.apps.web.chessground import FILES
from ox88.batch.pgn.game_text import split_games
from tests.apps.web.conftest import Page
from tests.apps.web.test_command import serving
from tests.conftest import DATA
from tests.processes import but_compiling, python

pytestmark = [pytest.mark.slow, pytest.mark.posix("signals")]

LINGERING = 600.0  # Seconds until a run, and all processes that it has started, must have ended.

# `ox88 dataset` and tools.datagen with small parts. `ox88 dataset` sets its sizes when the command is looked up.
DATASET = """
import sys
from ox88.__main__ import run
from ox88.cli import LazyGroup

def get_command(*arguments):
    command = as_usual(*arguments)
    from ox88.apps.dataset import parts, pipeline, scoring
    from ox88.batch.pgn import reading
    parts.PART_ROWS, parts.ROW_GROUP, pipeline.SCORED_ROWS, scoring.JOB_ROWS, reading.BLOCK = 20, 10, 10, 4, 500
    return command

as_usual, LazyGroup.get_command = LazyGroup.get_command, get_command
sys.argv[:1] = ["ox88", "dataset", "games.pgn", "-o", "data"]
run()
"""
DATAGEN = """
from tools import games
from tools.datagen.__main__ import main

games.JOBS_A_PART = 2
main(prog_name="datagen")
"""
MATCH = "--nodes 5000 --option Hash=1 --games 8 --concurrency 2 --seed 3 --pgn match.pgn"
SCORES = "--nodes 200 --workers 2"
GENERATE = "--games 320 --nodes 20 --concurrency 2 --evaluation handcrafted data"
ANALYSE = "-o out.pgn --json out.json --nodes 3000 --workers 2"
TASKS = {
    "match": ["-m", "ox88", "match", "Ox88", "micro-Max", *MATCH.split()],
    "analyse": ["-m", "ox88", "analyse", "games.pgn", *ANALYSE.split()],
    "dataset": ["-c", DATASET, "--unique"],
    "scores": ["-c", DATASET, *SCORES.split()],
    "datagen": ["-c", DATAGEN, *GENERATE.split()],
}
PERFT = ["-m", "ox88", "perft", "startpos", "2"]  # Compiles some kernels, if the cache has none.


class Ended(NamedTuple):
    """How a run has ended; errors: stderr without what the compiler says."""

    code: int
    said: str
    errors: str
    compiled: bool


def run(
    words: list[str], folder: Path, after: float | None = None, how: int = 0, hits_all: bool = False, **environment: str
) -> Ended:
    """Run Python, and end it by a signal after some seconds. All processes that it has started must end too.

    They have its pipes. hits_all: the signal goes to all of them.
    """
    own = {**os.environ, "PYTHONPATH": str(DATA.parents[1]), **environment}
    with python("-P", *words, cwd=folder, stdin=subprocess.DEVNULL, env=own) as process:
        if after is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(after)
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if hits_all else os.kill)(process.pid, how)
        said, errors = process.communicate(timeout=LINGERING)
        return Ended(process.returncode, said, but_compiling(errors), errors != but_compiling(errors))


def prepare(folder: Path) -> Path:
    """A new folder with some short games, written long ago: the time of the last change is a setting of a data set."""
    openings = RandomOpenings(seed=1, plies=12)
    games = [chess.pgn.Game.from_board(openings.opening(number).board()) for number in range(8)]
    for number, game in enumerate(games):
        game.headers["Round"], game.headers["Result"] = str(number), "1-0" if number % 2 else "0-1"
    folder.mkdir()
    (folder / "games.pgn").write_text("\n\n".join(map(str, games)) + "\n")
    os.utime(folder / "games.pgn", (0, 0))
    return folder


# --- What is written --------------------------------------------------------------------------------------------------


def results(folder: Path) -> dict[str, bytes]:
    """All files but the input, as far as they are the same in each run."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "games.pgn")
    return {str(path.relative_to(folder)): constant(path) for path in files}


def constant(path: Path) -> bytes:
    """The content of a file. A match's games end in any order, on any day."""
    if path.name == "match.pgn":
        text = re.sub(r'\[Date ".*"\]\n| \[%emt [0-9:.]*\]', "", path.read_text())
        return "\n".join(sorted(game.strip() for game in re.split(r"\n\n(?=\[Event )", text))).encode()
    return path.read_bytes()


@functools.cache
def undisturbed(task: str) -> tuple[dict[str, bytes], float]:
    """What a task writes, and its seconds. The first of two runs compiles what is not yet compiled."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        for number in range(2):
            folder, started = prepare(Path(name, str(number))), time.monotonic()
            ended = run(TASKS[task], folder)
            assert ended.code == 0, ended
            found.append(results(folder))
    assert found[0] == found[1]
    return found[0], time.monotonic() - started


class Finished(NamedTuple):
    """What an ended run has finished: parts as they lie on the disk, jobs in its journal, whole games of a match."""

    parts: dict[str, tuple[int, int]]
    jobs: int
    games: list[str]


def finished(folder: Path) -> Finished:
    paths = [(path, path.stat()) for path in folder.glob("*/part-*.parquet")]
    journals = [path for path in folder.rglob("*") if re.search(r"(\.journal|/done)$", str(path))]
    pgn = folder / "match.pgn"
    games = [game.text for game in split_games(pgn)] if pgn.exists() else []
    if games and not re.search(r'\[Result "(.*)"\][\s\S]* \1$', games[-1].rstrip()):
        games.pop()  # It is not whole.
    parts = {path.name: (status.st_ino, status.st_mtime_ns) for path, status in paths}
    return Finished(parts, sum(map(jobs_of, journals)), games)


def jobs_of(journal: Path) -> int:
    """The jobs with a result in a journal, by a copy of its files, so that nothing is changed. Marks have no result."""
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(sqlite3.DatabaseError):
        for path in journal.parent.glob(f"{journal.name}*"):
            shutil.copy(path, folder)
        with contextlib.closing(sqlite3.connect(Path(folder, journal.name))) as connection:
            return int(connection.execute("SELECT count(*) FROM done WHERE length(result) > 0").fetchone()[0])
    return 0


# --- Tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "how"), [*((task, "SIGKILL") for task in TASKS), ("any", "SIGTERM"), ("any", "SIGINT")]
)
def test_a_command_goes_on(task: str, how: str, chance: Random, tmp_path: Path) -> None:
    task = chance.choice([*TASKS]) if task == "any" else task
    expected, seconds = undisturbed(task)
    folder, number = prepare(tmp_path / "own"), signal.Signals[how]
    # While Python starts, or imports a tool of the checkout, Ctrl-C ends it with a traceback.
    earliest = 0.0 if how != "SIGINT" else 0.4 if task == "datagen" else 0.1
    for _ in range(chance.randint(1, 4)):
        moment = chance.uniform(earliest * seconds, seconds)
        ended = run(TASKS[task], folder, moment, number, chance.random() < 0.5)
        assert ended.code in (0, -number, 130)  # 0: it came too late.
        assert "Traceback" not in ended.errors
    before = finished(folder)
    ended = run(TASKS[task], folder)
    assert ended.code == 0, ended
    assert results(folder) == expected
    after = finished(folder)
    assert before.parts.items() <= after.parts.items(), "parts were written again"
    assert before.games == after.games[: len(before.games)], "games were played again"
    assert not before.jobs or "resuming " in ended.errors, ended


def test_a_cache_is_completed(chance: Random, tmp_path: Path) -> None:
    """A process that is killed while it compiles leaves a cache that serves."""
    cache = str(tmp_path / "cache")
    for _ in range(chance.randint(1, 4)):
        run(PERFT, tmp_path, chance.uniform(0, 10), signal.SIGKILL, chance.random() < 0.5, NUMBA_CACHE_DIR=cache)
    ended = [run(PERFT, tmp_path, NUMBA_CACHE_DIR=cache) for _ in range(2)]
    assert [(one.code, "400" in one.said) for one in ended] == [(0, True)] * 2, ended
    assert not ended[1].compiled


class Socket:
    """A WebSocket for a `Page`, which keeps what it was told of its game."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.game = connection, dict[str, Any]()

    def send_json(self, said: object) -> None:
        self.connection.send(json.dumps(said))

    def receive_json(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.connection.recv(LINGERING))
        self.game = said if said["type"] == "game" else self.game
        return said

    def moves(self) -> list[str]:
        return [move["uci"] for move in self.game["moves"]]

    def random_move(self, chance: Random) -> str:
        return chance.choice(list(chess.Board(self.game["position"]["fen"]).legal_moves)).uci()


def test_a_served_game_is_kept(chance: Random, tmp_path: Path) -> None:
    """No move that a page was told of is lost, and the game goes on at another server."""
    (tmp_path / "chessground").mkdir()
    for name in FILES:
        (tmp_path / "chessground" / name).touch()
    with serving(tmp_path) as (process, url), connect(url.replace("http", "ws") + "socket") as connection:
        page = Page(told := Socket(connection))  # type: ignore[arg-type]
        page.new(chance.choice(("white", "black")), engine="micro-Max", elo=None, seconds=0.1)
        fatal, kill = chance.randint(0, 15), threading.Timer(chance.uniform(0, 0.3), process.kill)
        with contextlib.suppress(ConnectionClosed):
            while told.game["ending"] is None:
                if len(told.moves()) >= fatal and kill.ident is None:
                    kill.start()
                played = len(told.moves())
                if told.game["position"]["dests"]:
                    page.say("move", move=told.random_move(chance))
                page.hear("game", lambda game: len(game["moves"]) > played or game["ending"])  # noqa: B023 - At once.
        if kill.ident is None:  # The game was short.
            kill.start()
        kill.join()
    with serving(tmp_path) as (process, url), connect(url.replace("http", "ws") + "socket") as connection:
        page = Page(found := Socket(connection))  # type: ignore[arg-type]
        page.ask("join", "game", game=told.game["game"])
        assert found.moves()[: len(told.moves())] == told.moves()
        while not (found.game["position"]["dests"] or found.game["ending"]):  # The engine is to move.
            page.hear("game")
        if found.game["ending"] is None:
            page.move(found.random_move(chance))
        library = page.ask("library", "library", search="", games=[told.game["game"]])
        assert [game["id"] for game in library["games"]] == [told.game["game"]]
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=LINGERING)[1] == ""
    assert process.returncode == 0
