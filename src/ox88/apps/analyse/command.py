"""The run of `ox88 analyse`: games are read, analysed by workers, kept in a journal, and written at the end."""

import contextlib
import hashlib
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.outputs import Writer, game_json, game_text, parquet_writer, text_writer
from ox88.apps.analyse.page_output import MAX_GAMES, page_writer
from ox88.apps.analyse.progress import AnalysisProgress
from ox88.apps.analyse.records import AnalysedGame, fens_of, unpack
from ox88.apps.analyse.totals import MAX_PLAYERS, Totals, players_table
from ox88.apps.analyse.worker import AnalysisSettings, Job, do_job, try_settings
from ox88.apps.files import (
    STANDARD_OUTPUT,
    beside,
    check_distinct,
    check_is_text,
    check_writable,
    explained,
    is_special,
    name_of,
    temporary_of,
)
from ox88.apps.jobs import Workers, do_jobs, make_workers
from ox88.apps.journal import ENDING, Journal
from ox88.apps.live import LiveView, Progress, print_view
from ox88.apps.streams import Reports, lenient
from ox88.batch.pgn.game_text import GameText, split_games
from ox88.batch.positions.arrow import import_pyarrow
from ox88.errors import Ox88Error

_KEY_LENGTH: Final = 16  # Bytes.


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write, at least one; a text may go to standard output."""

    pgn: Path | None = None
    json: Path | None = None
    parquet: Path | None = None
    html: Path | None = None

    @property
    def paths(self) -> list[Path]:
        return [path for path in (self.pgn, self.json, self.parquet, self.html) if path is not None]

    @property
    def journal(self) -> Path:
        """The journal is kept beside the first file. A pipe or a device has no place beside it."""
        files = [path for path in self.paths if path != STANDARD_OUTPUT and not is_special(path)]
        return beside(files[0] if files else Path("analysis"), ENDING)

    def writers(self, subtitle: str) -> Iterator[tuple[Path, Writer]]:
        """Each file with its writer. subtitle: of the HTML page."""
        if self.pgn is not None:
            yield self.pgn, text_writer(self.pgn, lambda game: game_text(game) + "\n")
        if self.json is not None:
            yield self.json, text_writer(self.json, game_json)
        if self.parquet is not None:
            yield self.parquet, parquet_writer(self.parquet)
        if self.html is not None:
            yield self.html, page_writer(self.html, subtitle)


def analyse_files(
    paths: Sequence[Path], settings: AnalysisSettings, outputs: Outputs, worker_count: int, scheduler: str | None
) -> int:
    """Analyse the games of some files, and write all outputs when the last game is done.

    Finished games are kept in a journal beside the output. If the run ends early, the same command resumes from it.
    Returns the exit code: 1 if something could not be read or analysed, else 0. Raises Ox88Error, KeyboardInterrupt.
    """
    paths = list(dict.fromkeys(paths))  # A file that is named twice is read once.
    _check_files(paths, outputs)
    with make_workers(worker_count, scheduler) as workers:
        count, size, is_damaged = _survey(paths)
        if outputs.html is not None and count > MAX_GAMES:
            raise Ox88Error(f"--html takes at most {MAX_GAMES} games, and there are {count}: leave it out")
        names = OpeningNames.load()
        with _opened_journal(outputs.journal, settings) as journal:
            _analyse(workers, paths, settings, journal, AnalysisProgress(Progress(count), Progress(size)))
            games = _analysed_games(paths, settings, journal, names)
            totals = _write(outputs, games, f"{_games(count)}, {settings}")
            journal.remove()
    _print(totals, outputs)
    return 1 if totals.with_errors or is_damaged else 0


def _check_files(paths: Sequence[Path], outputs: Outputs) -> None:
    """Raises Ox88Error, before the work begins, for inputs that can be read only once and outputs that are wrong."""
    for path in filter(is_special, paths):
        raise Ox88Error(f"{path} is a pipe or a device, and the games are read several times: write them into a file")
    if outputs.parquet == STANDARD_OUTPUT:
        raise Ox88Error("--parquet writes no table to standard output: name a file")
    check_distinct(paths, outputs.paths, [outputs.journal, *map(temporary_of, outputs.paths)])
    for path in outputs.paths:
        check_writable(path)
    if outputs.parquet is not None:
        import_pyarrow("--parquet")


def _read_games(
    paths: Iterable[Path], report: Callable[[str], object] = lambda _: None
) -> Iterator[tuple[str, GameText]]:
    """Yield each game with the name of its file. Damage to a file is reported; the games before it are yielded."""
    for path in paths:
        name = name_of(path)
        for game in split_games(path, as_written=True):
            file = name if game.file == 1 else f"{name} (file {game.file})"
            if game.error:
                report(f"{file}: {game.error}")
            if game.text:
                yield file, game


def _survey(paths: Sequence[Path]) -> tuple[int, int, bool]:
    """(the number of games, of characters in them, True if a file is damaged). Raises Ox88Error if there is no game."""
    for path in paths:
        check_is_text(path)
    report = Reports()
    sizes = [len(game.text) for _, game in _read_games(paths, report)]
    report.close()
    if not sizes:
        raise Ox88Error(f"there is no game in {', '.join(map(str, paths))}")
    return len(sizes), sum(sizes), report.count > 0


@contextlib.contextmanager
def _opened_journal(path: Path, settings: AnalysisSettings) -> Iterator[Journal]:
    """The journal. After an error it is kept if a later run can resume from it."""
    with Journal(path, {"search": str(settings)}) as journal:
        if journal:
            click.echo(f"ox88: resuming from {path}, {_done(len(journal))}", err=True)
        try:
            yield journal
        except BaseException:
            if journal:
                click.echo(f"ox88: {_done(len(journal))}; the same command resumes from {path}", err=True)
            else:
                journal.remove()
            raise


def _analyse(
    workers: Workers, paths: Sequence[Path], settings: AnalysisSettings, journal: Journal, progress: AnalysisProgress
) -> None:
    """Analyse the games that are not in the journal, and add them to it. Of games with equal texts only the first."""
    outstanding: set[bytes] = set()

    def jobs() -> Iterator[Job]:
        for _, game in _read_games(paths):
            key = _game_key(settings, game.text)
            if key in journal or key in outstanding:
                progress.games.known += 1
                progress.characters.known += len(game.text)
            else:
                outstanding.add(key)
                yield Job(key, game.text, settings)

    to_do = jobs()
    first = next(to_do, None)
    if first is None:
        return
    for _ in do_jobs(workers, try_settings, [settings]):  # Reports an error of the engine's once, not for each game.
        progress.characters.restart()
    with LiveView(progress.view):
        for job, result in do_jobs(workers, do_job, itertools.chain([first], to_do)):
            journal.add(job.key, result)
            outstanding.discard(job.key)
            progress.games.done += 1
            progress.characters.done += len(job.text)
            progress.positions += len(fens_of(unpack(result)))


def _game_key(settings: AnalysisSettings, text: str) -> bytes:
    """The journal's key for a game: a hash of everything that its record depends on."""
    return hashlib.blake2b(f"{settings}\0{text}".encode(), digest_size=_KEY_LENGTH).digest()


def _analysed_games(
    paths: Iterable[Path], settings: AnalysisSettings, journal: Journal, names: OpeningNames
) -> Iterator[AnalysedGame]:
    """The games in the order of the input. Raises Ox88Error if the input has changed since it was analysed."""
    for number, (file, game) in enumerate(_read_games(paths), 1):
        packed = journal.get(_game_key(settings, game.text))
        if packed is None:
            raise Ox88Error(f"{file} has changed since it was analysed: run the same command again")
        record = unpack(packed)
        yield AnalysedGame(number, file, game.line, record, names.of_game(fens_of(record)))


def _write(outputs: Outputs, games: Iterable[AnalysedGame], subtitle: str) -> Totals:
    """Write all outputs, and report the errors in the games on stderr."""
    totals, report = Totals(), Reports()
    with contextlib.ExitStack() as files:
        writers = [(path, files.enter_context(writer)) for path, writer in outputs.writers(subtitle)]
        for game in games:
            totals.add(game)
            for error in game.errors:
                report(error)
            for path, write in writers:
                with explained(path):
                    write(game)
    report.close()
    return totals


def _print(totals: Totals, outputs: Outputs) -> None:
    """Print the totals, and a table of the players if they are few; on stderr if standard output has a text."""
    to_stderr = STANDARD_OUTPUT in outputs.paths
    if 0 < len(totals.players) <= MAX_PLAYERS:
        print_view(players_table(totals), to_stderr)
    files = ", ".join(str(path) for path in outputs.paths)
    sums = totals.all_players
    counts = f"inaccuracies: {sums.inaccuracies}, mistakes: {sums.mistakes}, blunders: {sums.blunders}"
    errors = f"; {_games(totals.with_errors)} with errors" if totals.with_errors else ""
    stream = lenient(sys.stderr if to_stderr else sys.stdout)
    click.echo(f"{files}: {_games(totals.games)}, {totals.moves} moves; {counts}{errors}", file=stream)


def _done(count: int) -> str:
    return f"{_games(count)} {'is' if count == 1 else 'are'} done"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
