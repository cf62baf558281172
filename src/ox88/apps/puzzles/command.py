"""The run of `ox88 puzzles`: games are read, workers make puzzles of them, and all are written at the end."""

from collections.abc import Sequence
from pathlib import Path

import click

from ox88.apps.analyse.run import (
    AnalysisProgress,
    GameFiles,
    check_rereadable,
    count_games,
    do_games,
    opened_journal,
    results,
)
from ox88.apps.files import beside, check_distinct, check_writable, temporary_of
from ox88.apps.jobs import make_workers
from ox88.apps.journal import ENDING
from ox88.apps.live import Progress
from ox88.apps.puzzles.parquet_file import import_library
from ox88.apps.puzzles.players import colours_of, players_of
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.puzzles.puzzles import Puzzles, kind_of
from ox88.apps.puzzles.worker import PuzzleSettings, make_puzzles, unpack
from ox88.apps.streams import Reports, label
from ox88.errors import Ox88Error

_SHOWN = 8  # Names of players.


def make_puzzle_file(
    paths: Sequence[Path], settings: PuzzleSettings, output: Path, worker_count: int, scheduler: str | None
) -> int:
    """Write the puzzles of the games of some files. A run that ends early goes on by the same command.

    Returns the exit code: 1 if something could not be read or searched, else 0. Raises Ox88Error, KeyboardInterrupt.
    """
    paths = list(dict.fromkeys(paths))
    check_rereadable(paths)
    if kind_of(output) == ".parquet":
        import_library()
    journal_path = beside(output, ENDING)
    check_distinct(paths, [output], [journal_path, temporary_of(output)])
    check_writable(output)
    with make_workers(worker_count, scheduler) as workers:
        games = _games_of(paths, settings.player)
        count, size, is_damaged = games.survey()
        with opened_journal(journal_path, settings) as journal:
            progress = AnalysisProgress(Progress(count), Progress(size), unit="puzzles")
            do_games(workers, games, settings, journal, progress, make_puzzles, lambda one: len(unpack(one)["puzzles"]))
            report, found = Reports(), dict[str, Puzzle]()
            for number, (file, game, result) in enumerate(results(games, settings, journal), 1):
                record = unpack(result)
                for error in record["errors"]:
                    report(f"{file}:{game.line + error['line']}: game {number}: {error['reason']}")
                for puzzle in record["puzzles"]:
                    found.setdefault(puzzle.id, puzzle)
            report.close()
            Puzzles(found.values()).write(output)
            journal.remove()
    what = "1 puzzle" if len(found) == 1 else f"{len(found)} puzzles"
    why = "" if found else ": nobody erred where exactly one move wins, saves or mates"
    click.echo(f"{output}: {what} of {count_games(count)}{why}")
    return 1 if report.count or is_damaged else 0


def _games_of(paths: Sequence[Path], player: str) -> GameFiles:
    """The games of a player. Raises Ox88Error if there are games, and none of that player."""
    games = GameFiles(paths, (lambda game: bool(colours_of(game.tags, player))) if player else lambda _: True)
    if player and next(games.read(), None) is None:
        names = dict.fromkeys(
            label(name) for _, game in GameFiles(paths).read() for name in players_of(game.tags).values()
        )
        others = "; ".join(list(names)[:_SHOWN]) + ("; ..." if len(names) > _SHOWN else "")
        if names:
            raise Ox88Error(f"there is no game of {player!r}: the players are {others}")
    return games
