"""The run of `ox88 puzzles`: games are read, workers make puzzles of them, and all are written at the end."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from ox88.apps.analyse.parsing import as_error, parse_game
from ox88.apps.analyse.records import ErrorRecord
from ox88.apps.analyse.run import AnalysisProgress, GameFiles, check_rereadable, do_games, opened_journal, results
from ox88.apps.analyse.worker import AnalysisSettings, Job
from ox88.apps.files import beside, check_distinct, check_writable
from ox88.apps.jobs import make_workers
from ox88.apps.journal import ENDING
from ox88.apps.live import Progress
from ox88.apps.options import engine_of_thread
from ox88.apps.puzzles.formats import import_pyarrow
from ox88.apps.puzzles.games import colours_of, no_game_of, players_of, source_of
from ox88.apps.puzzles.making import puzzles_of_game
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.puzzles.puzzles import Puzzles, kind_of
from ox88.apps.streams import Reports, plural
from ox88.errors import Ox88Error


@dataclass(frozen=True, slots=True)
class PuzzleSettings(AnalysisSettings):
    """player: whose mistakes are meant; empty for all players."""

    player: str = ""

    def __str__(self) -> str:
        return AnalysisSettings.__str__(self) + f", mistakes of {self.player or 'all'}"


def make_puzzle_file(
    paths: Sequence[Path], settings: PuzzleSettings, output: Path, worker_count: int, scheduler: str | None
) -> int:
    """Write the puzzles of the games of some files. A run that ends early goes on by the same command.

    Returns the exit code: 1 if something could not be read or searched, else 0. Raises Ox88Error, KeyboardInterrupt.
    """
    paths = list(dict.fromkeys(paths))
    check_rereadable(paths)
    if kind_of(output) == ".parquet":
        import_pyarrow()
    journal_path = beside(output, ENDING)
    check_distinct(paths, [output], [journal_path])
    check_writable(output)
    with make_workers(worker_count, scheduler) as workers:
        games = _games_of(paths, settings.player)
        count, size, is_damaged = games.survey()
        with opened_journal(journal_path, settings) as journal:
            progress = AnalysisProgress(Progress(count), Progress(size), unit="puzzles")
            do_games(workers, games, settings, journal, progress, make_puzzles, lambda one: len(_unpack(one)[0]))
            report, found = Reports(), dict[str, Puzzle]()
            for number, (file, game, result) in enumerate(results(games, settings, journal), 1):
                puzzles, errors = _unpack(result)
                for error in errors:
                    report(f"{file}:{game.line + error['line']}: game {number}: {error['reason']}")
                for puzzle in puzzles:
                    found.setdefault(puzzle.id, puzzle)
            report.close()
            Puzzles(found.values()).write(output)
            journal.remove()
    why = "" if found else ": nobody erred where exactly one move wins, saves or mates"
    click.echo(f"{output}: {plural(len(found), 'puzzle')} of {plural(count, 'game')}{why}")
    return 1 if report.count or is_damaged else 0


def _games_of(paths: Sequence[Path], player: str) -> GameFiles:
    """The games of a player. Raises Ox88Error if there are games, and none of that player."""
    if not player:
        return GameFiles(paths)
    games = GameFiles(paths, lambda game: bool(colours_of(game.tags, player)))
    if next(games.read(), None) is None:
        players = dict.fromkeys(name for _, game in GameFiles(paths).read() for name in players_of(game.tags).values())
        if players:
            raise no_game_of(player, players)
    return games


def make_puzzles(job: Job) -> bytes:
    """The work of a worker: the puzzles of a game, and what is wrong with its text."""
    parsed, settings = parse_game(job.text), job.settings
    errors, board, tags = list(parsed.errors), parsed.last_board(), parsed.game.headers
    player = getattr(settings, "player", "")
    colours = colours_of(tags, player) if player else []
    whose = colours[0] if len(colours) == 1 else None
    puzzles: list[Puzzle] = []
    try:
        if board.has_chess960_castling_rights() or board.chess960:
            raise Ox88Error("it is a game of Chess960, of which no puzzles are made")
        engine, nodes = engine_of_thread(settings.entry, settings.options), settings.limit.nodes or 1
        puzzles += puzzles_of_game(engine, board, player=whose, nodes=nodes, source=source_of(tags))
    except Ox88Error as error:
        errors.append(as_error(0, error))
    return zlib.compress(json.dumps({"puzzles": list(map(asdict, puzzles)), "errors": errors}).encode())


def _unpack(result: bytes) -> tuple[list[Puzzle], list[ErrorRecord]]:
    record = json.loads(zlib.decompress(result))
    return [Puzzle.of(row) for row in record["puzzles"]], record["errors"]
