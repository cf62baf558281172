"""`ox88 games`: reads games in threads, chooses some, and writes the bytes of these, in bounded memory."""

import sys
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Final, NamedTuple

import click
import numpy as np
from rich.console import RenderableType

from ox88.apps.files import STANDARD_OUTPUT, check_distinct, check_readable, check_writable, name_of, opened
from ox88.apps.games.where import BY_MOVES, Where
from ox88.apps.live import LiveView, progress_bar
from ox88.apps.streams import Reports, plural
from ox88.batch.pgn.files import source_files, write_text
from ox88.batch.pgn.games import Games, count_material
from ox88.batch.pgn.reading import read_chunks
from ox88.batch.pgn.records import LAST_HARMLESS, NO_ERROR
from ox88.batch.pgn.splitting import Chunk
from ox88.batch.pgn.writing import ending_with_blank_line
from ox88.setup import parse_fen

_STANDARD_INPUT: Final = STANDARD_OUTPUT  # The path "-".


@dataclass(frozen=True, slots=True)
class Choice:
    """Which games to keep, as the options say."""

    where: str | None = None
    positions: tuple[str, ...] = ()
    material: tuple[str, ...] = ()
    unique: bool = False
    no_errors: bool = False

    def check(self) -> None:
        """Raises Ox88Error for a FEN that is illegal, and for what is no material."""
        for fen in self.positions:
            parse_fen(fen).check()
        for text in self.material:
            count_material(text)


class Chosen(NamedTuple):
    """What is kept of some games, and how many were read. keys: of `_keys`, if equal games are left out."""

    read: int
    texts: list[bytes]
    keys: list[int]
    errors: list[str]
    tags: Counter[str]


@dataclass(slots=True)
class Progress:
    """How far the files are read. total, done: bytes of the files."""

    total: int
    done: int = 0
    games: int = 0
    kept: int = 0
    tags: Counter[str] = field(default_factory=Counter)

    def view(self) -> RenderableType:
        return progress_bar(max(self.total, self.done, 1), self.done, f"{self.games:,} games, {self.kept:,} kept")


def write_chosen(files: Sequence[Path], output: Path, choice: Choice) -> int:
    """Write the chosen games to a file. Returns 1 if there are none, or some have errors, else 0.

    After an error or Ctrl-C the file is as it was. Raises Ox88Error, KeyboardInterrupt.
    """
    choice.check()
    where = None if choice.where is None else Where(choice.where)
    paths = [Path(file.name) for file in source_files([str(path) for path in files])]
    check_distinct(paths, [] if output == STANDARD_OUTPUT else [output])
    check_readable(path for path in paths if path != _STANDARD_INPUT)
    check_writable(output)
    reports = Reports()
    progress = Progress(sum(path.stat().st_size for path in paths if path.is_file()))
    with LiveView(progress.view), closing(_texts(paths, choice, where, progress, reports)) as texts:
        write_text(sys.stdout.buffer if output == STANDARD_OUTPUT else output, texts)
    reports.close()
    for tag in where.tags if where else ():
        if not progress.tags[tag] and tag not in BY_MOVES:
            click.echo(f"ox88: no game has the tag {tag!r} of --where (a text is in single quotes)", err=True)
    target = "" if output == STANDARD_OUTPUT else f"{output}: "
    flawed = f"; {plural(reports.count, 'game')} with errors" if reports.count else ""
    click.echo(f"ox88: {target}{progress.kept:,} of {progress.games:,} games{flawed}", err=True)
    return 1 if reports.count or not progress.kept else 0


def _texts(
    paths: Sequence[Path], choice: Choice, where: Where | None, progress: Progress, reports: Reports
) -> Generator[bytes]:
    """The texts of the games that are kept, some at a time."""
    seen: set[int] = set()
    before = 0
    for path in paths:

        def choose(games: Games, chunk: Chunk) -> Chosen:
            return _choose(games, chunk, choice, where)

        with nullcontext(sys.stdin.buffer) if path == _STANDARD_INPUT else opened(path) as stream:
            for chosen in read_chunks(stream, choose, headers=where.tags if where else ()):
                kept = chosen.texts
                if choice.unique:
                    kept = [text for text, key in zip(kept, chosen.keys, strict=True) if _is_new(key, seen)]
                yield b"".join(kept)
                progress.games += chosen.read
                progress.kept += len(kept)
                progress.tags += chosen.tags
                progress.done = before + (stream.tell() if stream.seekable() else 0)
                for text in chosen.errors:
                    reports(f"{name_of(path)}: {text}")
        before = progress.done


def _is_new(key: int, seen: set[int]) -> bool:
    if key == 0 or key not in seen:
        seen.add(key)
        return True
    return False


def _choose(games: Games, chunk: Chunk, choice: Choice, where: Where | None) -> Chosen:
    rows = games._arrays.games
    mask = np.ones(len(games), np.bool_)
    if choice.no_errors:
        mask &= rows["error"] == NO_ERROR
    if where is not None:
        mask &= where(games)
    for sought in (choice.positions, choice.material):
        if sought:
            left = np.flatnonzero(mask)
            some = games[left]
            mask[left] = reduce(np.logical_or, (some.reaches(one, threads=1) for one in sought))
    places = np.stack([rows["start"][mask], rows["end"][mask]], axis=1) - chunk.at
    texts = [ending_with_blank_line(chunk.text[start:end].tobytes()) for start, end in places.tolist()]
    kept = games[mask]
    keys = _keys(kept) if choice.unique else []
    tags = Counter({tag: int(games.headers.has(tag).sum()) for tag in games.headers})
    return Chosen(len(games), texts, keys, list(map(str, kept.errors)), tags)


def _keys(games: Games) -> list[int]:
    """A hash of the first position and the moves of each game, of 64 bits; 0 without moves, or if some are not read."""
    moves, bounds = games.moves.tobytes(), (games.offsets * games.moves.itemsize).tolist()
    starts = games._arrays.setups["key"][games._arrays.setup_rows].tolist()
    whole = (games._arrays.games["error"] <= LAST_HARMLESS).tolist()
    return [
        hash((start, moves[begin:end])) if end > begin and is_whole else 0
        for start, is_whole, begin, end in zip(starts, whole, bounds, bounds[1:], strict=False)
    ]
