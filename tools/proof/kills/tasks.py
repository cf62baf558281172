"""Commands that are ended and run again: what they read, what they write, and what of it is finished already."""

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import chess.pgn

from ox88.apps.match.openings import RandomOpenings
from ox88.batch.pgn.game_text import split_games
from tools.proof.campaign import FailureError
from tools.proof.runs import Ended

GAMES: Final = "games.pgn"  # What commands read.
COUNT: Final = 8  # Games.
Finished = dict[str, Any]

# `ox88 dataset` and tools.datagen with small parts. The first is changed after it was imported as usual.
_DATASET: Final = """
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
sys.argv[:1] = ["ox88", "dataset"]
run()
"""
_DATAGEN: Final = """
from tools import games
from tools.datagen.__main__ import main

games.JOBS_A_PART = 2
main(prog_name="datagen")
"""


@dataclass(frozen=True, slots=True)
class Task:
    """A command that writes files into the folder that it runs in. words: its arguments for Python."""

    name: str
    words: tuple[str, ...]

    def prepare(self, folder: Path) -> None:
        """Write what the command reads."""
        path = folder / GAMES
        path.write_text(_games(), encoding="utf-8")
        os.utime(path, (0, 0))  # The time of the last change is a setting of `ox88 dataset`.

    def results(self, folder: Path) -> dict[str, bytes]:
        """All files that are there, by name, as far as they are the same in each run."""
        files = (path for path in folder.rglob("*") if path.is_file() and path.name != GAMES)
        return {str(path.relative_to(folder)): self.constant(path) for path in files}

    def constant(self, path: Path) -> bytes:
        """The content of a file, without what differs from run to run."""
        return path.read_bytes()

    def finished(self, folder: Path) -> Finished:
        """What an ended run has finished: its parts as they lie on the disk, and the rows of its journal."""
        parts = {str(path.relative_to(folder)): _identity(path) for path in folder.glob("*/part-*.parquet")}
        journals = [path for path in folder.rglob("*") if re.search(r"(\.journal|/done)$", str(path))]
        return {"parts": parts, "rows": sum(map(_rows, journals))}

    def check_finished(self, before: Finished, folder: Path, rerun: Ended) -> None:
        """Raise FailureError if the run after it has done again what was finished."""
        after = self.finished(folder)["parts"]
        again = [name for name, identity in before["parts"].items() if after.get(name) != identity]
        if again:
            raise FailureError(f"written again: {', '.join(sorted(again))}\n{rerun}")
        if before["rows"] and "resuming after " not in rerun.errors:
            raise FailureError(
                f"the journal had {before['rows']} jobs, and the rerun does not go on from there\n{rerun}"
            )


class Analysis(Task):
    """`ox88 analyse`, which says how many games it need not analyse."""

    def check_finished(self, before: Finished, folder: Path, rerun: Ended) -> None:  # noqa: ARG002 - It is told.
        told = re.search(r"resuming from .*, (\d+) games? (?:is|are) done", rerun.errors)
        if int(told[1] if told else 0) != before["rows"]:
            raise FailureError(f"the journal had {before['rows']} games:\n{rerun}")


class Match(Task):
    """`ox88 match`. Games end in any order, on any day."""

    def constant(self, path: Path) -> bytes:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":  # The work that it counts is that of its own run.
            return re.sub(r'"(moves|seconds|nodes)": [0-9.e+-]+', r'"\1"', text).encode()
        games = re.split(r"\n\n(?=\[Event )", re.sub(r'\[Date ".*"\]\n| \[%emt [0-9:.]*\]', "", text))
        return "\n".join(sorted(game.strip() for game in games)).encode()

    def finished(self, folder: Path) -> Finished:
        path = folder / "match.pgn"
        games = list(split_games(path)) if path.exists() else []
        return {"games": [game.text for game in games if _is_whole(game.text)]}

    def check_finished(self, before: Finished, folder: Path, rerun: Ended) -> None:
        games = [game.text for game in split_games(folder / "match.pgn")]
        rounds = [re.findall(r'\[Round "(.*)"\]', game) for game in games]
        if games[: len(before["games"])] != before["games"] or any(rounds.count(each) > 1 for each in rounds):
            raise FailureError(f"games were played again:\n{rerun}")


def analysis_on(scheduler: str) -> tuple[str, ...]:
    """The words of ANALYSE on a cluster, whose results are the same."""
    return _words(f"-m ox88 analyse {GAMES} {_ANALYSE} --scheduler {scheduler}")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_MATCH: Final = "--nodes 5000 --option Hash=1 --games 8 --concurrency 2 --seed 3 --pgn match.pgn --json match.json"
_ANALYSE: Final = "-o out.pgn --json out.json --nodes 3000"
_GENERATE: Final = "--games 320 --nodes 20 --concurrency 2 --evaluation handcrafted data"
ANALYSE: Final = Analysis("analyse", _words(f"-m ox88 analyse {GAMES} {_ANALYSE} --workers 2"))
OX88_TASKS: Final = (  # Commands of `ox88`.
    Match("match", _words(f"-m ox88 match Ox88 micro-Max {_MATCH}")),
    ANALYSE,
    Task("dataset", ("-c", _DATASET, *_words(f"{GAMES} -o data --unique"))),
    Task("dataset with scores", ("-c", _DATASET, *_words(f"{GAMES} -o data --nodes 200 --workers 2"))),
)
TASKS: Final = (*OX88_TASKS, Task("datagen", ("-c", _DATAGEN, *_words(_GENERATE))))


@cache
def _games() -> str:
    """Some short games."""
    openings = RandomOpenings(seed=1, plies=12)
    games = [chess.pgn.Game.from_board(openings.opening(number).board()) for number in range(COUNT)]
    for number, game in enumerate(games):
        game.headers["Round"], game.headers["Result"] = str(number), "1-0" if number % 2 else "0-1"
    return "\n\n".join(map(str, games)) + "\n"


def _identity(path: Path) -> tuple[int, int]:
    """Differs if a file has been written anew."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


def _rows(journal: Path) -> int:
    """The jobs with a result in a journal, by a copy of its files, so that nothing is changed.

    An empty result is a mark: `ox88 dataset --unique` has read all games once.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(sqlite3.DatabaseError):
        for path in journal.parent.glob(f"{journal.name}*"):
            shutil.copy(path, folder)
        with contextlib.closing(sqlite3.connect(Path(folder, journal.name))) as connection:
            (count,) = connection.execute("SELECT count(*) FROM done WHERE length(result) > 0").fetchone()
            return int(count)
    return 0


def _is_whole(game: str) -> bool:
    """True if the moves end with the result of the tags."""
    result = re.search(r'\[Result "(.*)"\]', game)
    return result is not None and game.rstrip().endswith(f" {result[1]}")
