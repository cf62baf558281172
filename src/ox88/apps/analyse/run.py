"""Games of files that workers search, one after another, kept in a journal from which a later run goes on."""

import contextlib
import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click
from rich.console import RenderableType

from ox88.apps.analyse.worker import AnalysisSettings, Job, try_settings
from ox88.apps.files import check_is_text, is_special, name_of
from ox88.apps.jobs import Workers, do_jobs
from ox88.apps.journal import Journal
from ox88.apps.live import LiveView, Progress, progress_bar
from ox88.apps.streams import Reports, plural
from ox88.batch.pgn.game_text import GameText, split_games
from ox88.errors import Ox88Error

_KEY_LENGTH: Final = 16  # Bytes.


def check_rereadable(paths: Iterable[Path]) -> None:
    """Raises Ox88Error for inputs that can be read only once."""
    for path in filter(is_special, paths):
        raise Ox88Error(f"{path} is a pipe or a device, and the games are read several times: write them into a file")


@dataclass(frozen=True, slots=True)
class GameFiles:
    """The games of some files. is_wanted: says which of them are meant; by default all."""

    paths: Sequence[Path]
    is_wanted: Callable[[GameText], bool] = lambda _: True

    def read(self, report: Callable[[str], object] = lambda _: None) -> Iterator[tuple[str, GameText]]:
        """Yield each game with the name of its file. Damage to a file is reported; the games before it are yielded."""
        for path in self.paths:
            name = name_of(path)
            for game in split_games(path, as_written=True):
                file = name if game.file == 1 else f"{name} (file {game.file})"
                if game.error:
                    report(f"{file}: {game.error}")
                if game.text and self.is_wanted(game):
                    yield file, game

    def survey(self) -> tuple[int, int, bool]:
        """(the number of games, of characters in them, True if a file is damaged).

        Raises Ox88Error if there is no game.
        """
        for path in self.paths:
            check_is_text(path)
        report = Reports()
        sizes = [len(game.text) for _, game in self.read(report)]
        report.close()
        if not sizes:
            raise Ox88Error(f"there is no game in {', '.join(map(str, self.paths))}")
        return len(sizes), sum(sizes), report.count > 0


@dataclass(slots=True)
class AnalysisProgress:
    """Of games, and of the characters in their texts, by which the time is estimated. results: found, in a unit."""

    games: Progress = field(default_factory=Progress)
    characters: Progress = field(default_factory=Progress)
    results: int = 0
    unit: str = "positions"

    def view(self) -> RenderableType:
        finished = self.games.known + self.games.done
        speed = self.results / self.characters.elapsed
        text = f"{finished} of {plural(self.games.total or 0, 'game')}, {speed:.1f} {self.unit}/s"
        return progress_bar(self.games.total, finished, text, self.characters.seconds_left)


@contextlib.contextmanager
def opened_journal(path: Path, settings: AnalysisSettings) -> Iterator[Journal]:
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


def do_games(
    workers: Workers,
    games: GameFiles,
    settings: AnalysisSettings,
    journal: Journal,
    progress: AnalysisProgress,
    do_job: Callable[[Job], bytes],
    count: Callable[[bytes], int],
) -> None:
    """Do the games that are not in the journal, and add them to it. Of games with equal texts only the first.

    count: what a result adds to the progress.
    """
    outstanding: set[bytes] = set()

    def jobs() -> Iterator[Job]:
        for _, game in games.read():
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
            progress.results += count(result)


def results(games: GameFiles, settings: AnalysisSettings, journal: Journal) -> Iterator[tuple[str, GameText, bytes]]:
    """The games in the order of the input, with their results. Raises Ox88Error if the input has changed since."""
    for file, game in games.read():
        result = journal.get(_game_key(settings, game.text))
        if result is None:
            raise Ox88Error(f"{file} has changed since it was analysed: run the same command again")
        yield file, game, result


def _game_key(settings: AnalysisSettings, text: str) -> bytes:
    """The journal's key for a game: a hash of everything that its result depends on."""
    return hashlib.blake2b(f"{settings}\0{text}".encode(), digest_size=_KEY_LENGTH).digest()


def _done(count: int) -> str:
    return f"{plural(count, 'game')} {'is' if count == 1 else 'are'} done"
