"""The index of `ox88.Explorer`: the positions of games in the order of their keys, with the move that followed each.

A game counts once for a position, however often it repeats it, and with the move that followed the first time.

The index of PGN files is kept in a folder: arrays that are mapped into memory, and the files with their sizes and
times. The folder is named by the files as they are, so files that have changed have another one. It is written under
another name and renamed, so there is never half of one.
"""

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import platformdirs
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import Column, GameArrays, join
from ox88.batch.pgn.files import SourceFile
from ox88.batch.pgn.games import Games
from ox88.batch.pgn.reading import read_parts
from ox88.batch.pgn.records import NO_CHESS
from ox88.batch.pgn.replay import find_repetitions
from ox88.batch.pgn.writing import SEVEN_TAGS
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import to_offsets
from ox88.bitboard.records import POSITION
from ox88.errors import Ox88Error, unreadable

END: Final = 0xFFFF  # In place of a move, where a game ends. No move has all bits.
ROW: Final = np.dtype([("key", np.uint64), ("game", np.int32), ("move", np.uint16)])
# The facts of a game: a date is year, month and day as one number, such as 20240512, with 0 for what is unknown.
RESULT, WHITE_RATING, BLACK_RATING, DATE = range(4)

_BUCKETS: Final = 64  # The first bits of a key choose one. It is sorted in the cache of a core, with little memory.
_EDGES: Final = np.arange(1, _BUCKETS, dtype=np.uint64) << np.uint64(58)
_HIGHEST_RATING: Final = 9999
_DIGITS: Final = (0, 1, 2, 3, 5, 6, 8, 9)  # Where they are in 2024.05.12, between ...
_DOTS: Final = (4, 7)

Progress = Callable[[float], object]  # Is told the share of the work that is done.

_FORMAT: Final = 3  # Of the folder: another number makes all indexes anew.
_TAGS: Final = (*SEVEN_TAGS, "WhiteElo", "BlackElo")
_OF_GAMES: Final = ("moves", "offsets", "games", "setups")
_FILES: Final = "ox88-explorer.json"
_UNFINISHED: Final = "ox88-unfinished-"
_DAY: Final = 86_400.0  # Seconds; no index takes so long to make.
_READING: Final = 0.8  # The share of reading in the work; sorting is the rest.


def find_rows(games: GameArrays, first: int = 0) -> NDArray[Any]:
    """ROW[]: of some games, in the order of the keys, then of the games. first: the number of the first game."""
    counts, keys = find_repetitions(games, final=True, threads=1)
    lengths = np.diff(games.offsets) + 1
    moves = np.full(len(keys), END, np.uint16)
    has_move = np.ones(len(keys), np.bool_)
    has_move[np.cumsum(lengths) - 1] = False
    moves[has_move] = games.moves
    is_first = (counts == 1) & ~np.repeat(np.isin(games.games["error"], NO_CHESS), lengths)
    rows = np.empty(np.count_nonzero(is_first), ROW)
    rows["key"], rows["move"] = keys[is_first], moves[is_first]
    rows["game"] = np.repeat(np.arange(first, first + len(lengths)), lengths)[is_first]
    return rows[np.argsort(rows["key"], kind="stable")]


def join_runs(
    runs: Sequence[NDArray[Any]],
    threads: int | None,
    progress: Progress = lambda _: None,
    folder: Path | None = None,
) -> list[NDArray[Any]]:
    """The keys, games and moves of all rows, in the order of the keys; in files, if there is a folder for them.

    runs: of `find_rows`, later games last.
    """

    def empty(name: str) -> NDArray[Any]:
        if folder is None:
            return np.empty(places[-1], ROW[name])
        return np.lib.format.open_memmap(folder / f"rows.{name}.npy", "w+", ROW[name], (int(places[-1]),))

    bounds = [np.concatenate(([0], np.searchsorted(run["key"], _EDGES), [len(run)])) for run in runs]
    places = to_offsets(np.sum([np.diff(bound) for bound in bounds], axis=0, dtype=np.int64))
    columns = [empty(name) for name in ROW.names or ()]

    def work(buckets: slice) -> None:
        bucket = buckets.start
        rows = np.concatenate([run[bound[bucket] : bound[bucket + 1]] for run, bound in zip(runs, bounds, strict=True)])
        order = np.argsort(rows["key"], kind="stable")
        for name, column in zip(ROW.names or (), columns, strict=True):
            column[places[bucket] : places[bucket + 1]] = rows[name][order]
        progress(buckets.stop / _BUCKETS)

    in_chunks(work, _BUCKETS, threads, 1)
    return columns


def find_facts(games: GameArrays) -> NDArray[np.int32]:
    """int32[4, n]: the facts of games, from the tags that were read; 0 for what is unknown."""
    facts = np.zeros((4, len(games.games)), np.int32)
    facts[RESULT] = games.games["result"]
    for fact, tag in ((WHITE_RATING, "WhiteElo"), (BLACK_RATING, "BlackElo")):
        if tag in games.columns:
            ratings = games.columns[tag].numbers()
            facts[fact] = np.where(ratings <= _HIGHEST_RATING, ratings, 0)
    if "Date" in games.columns:
        facts[DATE] = _dates(games.columns["Date"])
    return facts


def _dates(column: Column) -> NDArray[np.int64]:
    """The dates of texts such as 2024.05.12 and 2024.??.??, as numbers; 0 for other texts."""
    dates = np.zeros(len(column.present), np.int64)
    rows = np.flatnonzero(np.diff(column.offsets) == max(_DIGITS) + 1)
    for place in _DOTS:
        rows = rows[column.data[column.offsets[rows] + place] == ord(".")]
    for place in _DIGITS:
        digits = column.data[column.offsets[rows] + place].astype(np.int64) - ord("0")
        dates[rows] = dates[rows] * 10 + np.where((digits >= 0) & (digits <= 9), digits, 0)
    return dates


def format_date(date: int) -> str:
    """A date of the facts as a PGN writes it, without what is unknown; "" if the year is."""
    known = f"{date // 10_000:04}.{date // 100 % 100:02}.{date % 100:02}".replace(".00", "")
    return known if date >= 10_000 else ""


# --- Files ------------------------------------------------------------------------------------------------------------


class PgnFile(NamedTuple):
    """A file as it was when it was read. changed: in nanoseconds. games: how many it has, and all files before it."""

    path: str
    size: int
    changed: int
    games: int = 0

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> "PgnFile":
        """Raises Ox88Error if there is no such file, or it can be read only once; TypeError if it is no path."""
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"an Explorer of {type(path).__name__}: Games or paths of PGN files are expected")
        try:
            status = Path(path).stat()
        except (OSError, ValueError) as error:
            raise unreadable(repr(os.fspath(path)), error) from None
        if not stat.S_ISREG(status.st_mode):
            raise Ox88Error(f"{os.fspath(path)!r} is not a file: write the games into one, which is read again later")
        return cls(os.path.realpath(path), status.st_size, status.st_mtime_ns)


def default_root() -> Path:
    return Path(platformdirs.user_cache_dir("ox88", appauthor=False)) / "explorer"


def open_folder(
    files: Sequence[PgnFile], root: Path, progress: Progress | None, threads: int | None
) -> tuple[dict[str, NDArray[Any]], list[PgnFile]]:
    """The arrays of files, as `_write` names them, and the files with their games. Made anew if there are none yet.

    Raises Ox88Error if a file cannot be read, has no game, or the folder cannot be written.
    """
    folder = root / _name_of(files)
    try:
        with contextlib.suppress(
            FileNotFoundError, EOFError, ValueError, TypeError
        ):  # There is none, or a damaged disk.
            return _load(folder)
        root.mkdir(parents=True, exist_ok=True)
        _delete_stale(root)
        unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=root))
        try:
            _write(files, unfinished, progress or (lambda _: None), threads)
            shutil.rmtree(folder, ignore_errors=True)  # It is damaged, if it is there.
            with contextlib.suppress(FileExistsError):  # Another process has made it meanwhile.
                unfinished.rename(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return _load(folder)
    except Ox88Error:
        raise
    except OSError as error:
        raise Ox88Error(f"the index cannot be kept in {root}: {error.strerror or error}; name another folder") from None


def _name_of(files: Sequence[PgnFile]) -> str:
    known = [_FORMAT, str(POSITION), [file[:3] for file in files]]
    return hashlib.sha256(json.dumps(known).encode("utf-8", "surrogatepass")).hexdigest()[:20]


def _load(folder: Path) -> tuple[dict[str, NDArray[Any]], list[PgnFile]]:
    files = _files_in(folder)
    # Kernels have one signature, for arrays that can be written. What is written to these stays in memory.
    return {path.stem: np.load(path, "c").view(np.ndarray) for path in folder.glob("*.npy")}, files


def _files_in(folder: Path) -> list[PgnFile]:
    return [PgnFile(*file) for file in json.loads((folder / _FILES).read_text(encoding="utf-8"))]


def _delete_stale(root: Path) -> None:
    """Delete indexes of files that have changed or gone, and what a killed process has left; nothing else."""
    for folder in root.iterdir():
        try:
            if folder.name.startswith(_UNFINISHED):
                is_stale = folder.stat().st_mtime < time.time() - _DAY
            else:
                files = _files_in(folder) if (folder / _FILES).is_file() else []
                is_stale = bool(files) and _name_of([PgnFile.of(file.path) for file in files]) != folder.name
        except (OSError, ValueError, TypeError):  # A file of an index is gone, or its list of files is damaged.
            is_stale = True
        if is_stale:
            shutil.rmtree(folder, ignore_errors=True)


def _write(files: Sequence[PgnFile], folder: Path, progress: Progress, threads: int | None) -> None:
    """Write all arrays of some files. The rows lie on the disk until they are sorted, since they may not fit memory."""
    parts: list[GameArrays] = []
    read: list[PgnFile] = []
    ends, total, count = [0], sum(file.size for file in files) or 1, 0
    spilled = folder / "rows"
    with spilled.open("wb") as rows:
        for file in files:
            before = sum(known.size for known in read)
            for part, found, place in _parts(file, threads):
                found["game"] += count
                found.tofile(rows)
                parts.append(part)
                ends.append(ends[-1] + len(found))
                count += len(part.games)
                progress(_READING * (before + place) / total)
            read.append(file._replace(games=count))
    if not count:
        raise Ox88Error(f"there is no game in {', '.join(repr(file.path) for file in files) or 'no file'}")
    games = join(parts)
    games.games["file"] = np.repeat(np.arange(len(read)), np.diff([0, *(file.games for file in read)]))
    arrays = {name: getattr(games, name) for name in _OF_GAMES} | {"facts": find_facts(games)}
    for tag, column in {"error_texts": games.error_texts, **games.columns}.items():
        arrays |= {f"{tag}.{field}": array for field, array in column._asdict().items()}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    all_rows = np.memmap(spilled, ROW, "r")
    runs = [all_rows[first:end] for first, end in pairwise(ends)]
    join_runs(runs, threads, lambda share: progress(_READING + (1 - _READING) * share), folder)
    del runs, all_rows  # Windows deletes no file that is mapped.
    spilled.unlink()
    (folder / _FILES).write_text(json.dumps(read), encoding="utf-8")


def _parts(file: PgnFile, threads: int | None) -> Iterator[tuple[GameArrays, NDArray[Any], int]]:
    """Some games of a file at a time, without clocks and evaluations, with their rows and how far the file is read."""

    def find(games: Games) -> tuple[GameArrays, NDArray[Any]]:
        arrays = replace(games._arrays, annotations={})
        return arrays, find_rows(arrays)

    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(file.path).open("rb"))
        except OSError as error:
            raise unreadable(repr(file.path), error) from None
        for part, rows in read_parts(stream, find, headers=_TAGS, threads=threads):
            yield part, rows, stream.tell()


def games_of(arrays: dict[str, NDArray[Any]], files: Sequence[PgnFile]) -> Games:
    def column(name: str) -> Column:
        return Column(*(arrays[f"{name}.{field}"] for field in Column._fields))

    found = {name: arrays[name] for name in _OF_GAMES} | {"setups": arrays["setups"].view(POSITION)}
    columns = {name: column(name) for name in _TAGS}
    sources = tuple(SourceFile(file.path, len(files) > 1, (file.size, file.changed)) for file in files)
    texts = column("error_texts")
    return Games(GameArrays(annotations={}, packed=None, error_texts=texts, columns=columns, files=sources, **found))
