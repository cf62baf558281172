"""The index of PGN files in a folder: arrays that are mapped into memory, and the files with their sizes and times.

The folder is named by the files as they are, so files that have changed have another one. It is written under another
name and renamed, so there is never half of one.
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
from ox88.batch.pgn.games import Games
from ox88.batch.pgn.index import ROW, find_facts, find_rows, join_runs
from ox88.batch.pgn.reading import read_parts
from ox88.batch.pgn.writing import SEVEN_TAGS
from ox88.bitboard.records import POSITION
from ox88.errors import Ox88Error, unreadable

Progress = Callable[[float], object]  # Is told the share of the work that is done.

_FORMAT: Final = 1  # Of the folder: another number makes all indexes anew.
_TAGS: Final = (*SEVEN_TAGS, "WhiteElo", "BlackElo")
_OF_GAMES: Final = ("moves", "offsets", "games", "setups")
_FILES: Final = "ox88-explorer.json"
_UNFINISHED: Final = "ox88-unfinished-"
_DAY: Final = 86_400.0  # Seconds; no index takes so long to make.
_READING: Final = 0.8  # The share of reading in the work; sorting is the rest.


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
    _write_games(join(parts), folder)
    all_rows = np.memmap(spilled, ROW, "r")
    runs = [all_rows[first:end] for first, end in pairwise(ends)]

    def allocate(name: str, dtype: Any, length: int) -> NDArray[Any]:
        return np.lib.format.open_memmap(folder / f"{name}.npy", "w+", dtype, (length,))

    join_runs(runs, allocate, threads, lambda share: progress(_READING + (1 - _READING) * share))
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


# --- Games ------------------------------------------------------------------------------------------------------------


def _write_games(games: GameArrays, folder: Path) -> None:
    arrays = {name: getattr(games, name) for name in _OF_GAMES} | {"facts": find_facts(games)}
    for name, column in {"error_texts": games.error_texts, **games.columns}.items():
        arrays |= {f"{name}.{field}": array for field, array in column._asdict().items()}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def games_of(arrays: dict[str, NDArray[Any]]) -> Games:
    def column(name: str) -> Column:
        return Column(*(arrays[f"{name}.{field}"] for field in Column._fields))

    found = {name: arrays[name] for name in _OF_GAMES} | {"setups": arrays["setups"].view(POSITION)}
    columns = {name: column(name) for name in _TAGS}
    return Games(GameArrays(annotations={}, packed=None, error_texts=column("error_texts"), columns=columns, **found))
