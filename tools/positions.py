"""A folder of packed positions in Parquet. Jobs may end in any order; their positions are stored by job number.

python -m tools.positions first/ second/ -o both/ counts the positions of folders, and joins them, their jobs in random
order.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

from ox88.apps.dataset.parts import PartFolder, read_metadata
from ox88.types import Ox88Error
from tools.command import Command
from tools.packing import PACKED, Packed

JOBS_A_PART: Final = 500  # Of 32 games each: about a million positions.
ROWS_A_PART: Final = 1 << 20  # Of joined folders.

Settings = Mapping[str, Any]


class PositionFolder:
    """Positions of jobs from 0 on. A job is kept in a journal until a part is written with all jobs before it.

    count: the number of positions. jobs: the number of finished jobs.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        """Create a folder, or open one that was made with the same settings. Raises Ox88Error."""
        self._folder = PartFolder(path, settings)
        self._begin = self._end = int(self._folder.state.get("jobs", 0))  # The jobs between are in no part yet.
        self._waiting: set[int] = set()
        self.count = int(self._folder.state.get("rows", 0))

    @property
    def jobs(self) -> int:
        return self._begin + len(self._waiting)

    def missing(self, wanted: int) -> Iterator[int]:
        """The numbers below `wanted` of jobs that are not finished."""
        for number in range(self._begin, wanted):
            found = self._folder.journal.get(_key(number))
            if found is None:
                yield number
            else:
                self._take(number, len(found) // PACKED.itemsize)

    def add(self, number: int, records: Packed) -> None:
        """Keep the positions of a finished job. Raises Ox88Error if they cannot be written."""
        self._folder.journal.add(_key(number), records.tobytes())
        self._take(number, len(records))

    def _take(self, number: int, count: int) -> None:
        self._waiting.add(number)
        self.count += count
        while self._end in self._waiting:
            self._end += 1
            if self._end - self._begin == JOBS_A_PART:
                self._write_part()

    def _write_part(self) -> None:
        journal, numbers = self._folder.journal, range(self._begin, self._end)
        jobs = [np.frombuffer(journal.get(_key(number)) or b"", PACKED) for number in numbers]
        records = np.concatenate(jobs)
        rows = int(self._folder.state.get("rows", 0)) + len(records)
        job = np.repeat(np.array(numbers, np.int32), [len(found) for found in jobs])
        piece = (_table(job, records), {"jobs": self._end, "rows": rows})
        self._folder.add(self._folder.write(self._folder.count, [piece]))
        journal.forget(map(_key, numbers))
        self._waiting -= set(numbers)
        self._begin = self._end

    def finish(self) -> None:
        """Write a last, smaller part with the jobs that are in no part yet."""
        if self._end > self._begin:
            self._write_part()

    def close(self) -> None:
        self._folder.close(is_finished=not self._waiting)


class Positions(NamedTuple):
    """settings: those of the jobs. jobs: how many there are. job: int32[n], of each position. records: PACKED[n]."""

    settings: Settings
    jobs: int
    job: NDArray[np.int32]
    records: Packed


def read_positions(path: Path) -> Positions:
    """All positions in the parts of a folder. Raises Ox88Error."""
    names = sorted(path.glob("*.parquet"))
    if not names:
        raise Ox88Error(
            f"{path} cannot be read: a folder of positions is expected, as python -m tools.datagen makes it"
        )
    about = read_metadata(names[-1])
    try:
        jobs = int(about["state"]["jobs"])
        table = pyarrow.parquet.read_table(path, columns=["job", "position"])
    except KeyError:
        raise Ox88Error(f"{path} has other data than positions of python -m tools.datagen") from None
    except (OSError, pyarrow.ArrowException) as error:
        raise Ox88Error(f"{path} cannot be read: one of its parts is damaged ({error})") from None
    column = table["position"].combine_chunks()
    records = np.frombuffer(column.buffers()[1], PACKED, len(column)) if len(column) else np.zeros(0, PACKED)
    return Positions(about["settings"], jobs, table["job"].to_numpy(), records)


def join_folders(paths: Sequence[Path], output: Path, seed: int) -> int:
    """Write the jobs of some folders into a new one, in random order. Returns the number of positions.

    Jobs are numbered on from folder to folder. Each stays whole, so that the positions of a game stay together. Raises
    Ox88Error if a folder cannot be read or written.
    """
    if any(output.glob("*.parquet")):
        raise Ox88Error(f"{output} has positions already: name another folder")
    parts = [read_positions(path) for path in paths]
    before = np.cumsum([0, *(part.jobs for part in parts)])
    job = np.concatenate([part.job + first for part, first in zip(parts, before, strict=False)]).astype(np.int32)
    records = np.concatenate([part.records for part in parts])
    places = np.random.default_rng(seed).permutation(before[-1])
    order = np.argsort(places[job], kind="stable")
    sources = [{"settings": part.settings, "jobs": part.jobs} for part in parts]
    folder = PartFolder(output, {"sources": sources, "seed": seed})
    for begin in range(0, max(len(records), 1), ROWS_A_PART):
        rows = order[begin : begin + ROWS_A_PART]
        state = {"jobs": int(before[-1]), "rows": begin + len(rows)}
        folder.add(folder.write(folder.count, [(_table(job[rows], records[rows]), state)]))
    folder.close(is_finished=True)
    return len(records)


def _table(job: NDArray[np.int32], records: Packed) -> pyarrow.Table:
    column = pyarrow.FixedSizeBinaryArray.from_buffers(
        pyarrow.binary(PACKED.itemsize), len(records), [None, pyarrow.py_buffer(np.ascontiguousarray(records))]
    )
    return pyarrow.table({"job": job, "position": column})


def _key(number: int) -> bytes:
    return number.to_bytes(4, "big")


_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("paths", metavar="FOLDER...", nargs=-1, required=True, type=_PATH)
@click.option("-o", "--output", type=_PATH, help="Write all positions into this folder, the jobs in random order.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the random order.")
def main(paths: Sequence[Path], output: Path | None, seed: int) -> None:
    """Count the positions that tools.datagen has made, and join folders."""
    for path in paths:
        positions = read_positions(path)
        click.echo(f"{path}: {positions.jobs:,} jobs, {len(positions.records):,} positions")
    if output is not None:
        click.echo(f"{output}: {join_folders(paths, output, seed):,} positions")


if __name__ == "__main__":
    main()
