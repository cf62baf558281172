"""A folder of games in Parquet, a row a game. Jobs may end in any order; their games are stored by job number.

A row has the start in 32 bytes, two bytes for each move, two for each score, and the result. Positions are made of it
when somebody reads them: stored, they would take five times as much.

python -m tools.games first/ second/ -o both/ counts the games of folders, and joins them, their jobs in random order.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np
import pyarrow.parquet
from numpy.typing import NDArray

from ox88.apps.dataset.parts import PartFolder, read_metadata
from ox88.batch.positions.packed import PACKED as START
from ox88.bitboard.records import POSITION, UNDO
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from tools.command import Command
from tools.packing import PACKED, Packed
from tools.replay import list_positions

JOBS_A_PART: Final = 500  # Of 32 games each: some two million moves.
ROWS_A_PART: Final = 1 << 14  # Of joined folders.
_SCHEMA: Final = pyarrow.schema(
    {
        "job": pyarrow.int32(),
        "start": pyarrow.binary(START.itemsize),
        "moves": pyarrow.list_(pyarrow.uint16()),
        "scores": pyarrow.list_(pyarrow.int16()),
        "result": pyarrow.uint8(),
    }
)

Settings = Mapping[str, Any]


class Games(NamedTuple):
    """Games, one behind the other.

    starts: PACKED of ox88.batch[g]. offsets: int64[g + 1], where the moves of each game begin. moves: uint16[n].
    scores: int16[n], centipawns for White, of the search that found the move. results: uint8[g], White's half points.
    """

    starts: NDArray[np.void]
    offsets: NDArray[np.int64]
    moves: NDArray[np.uint16]
    scores: NDArray[np.int16]
    results: NDArray[np.uint8]


def to_table(job: int, games: Games) -> pyarrow.Table:
    """The rows of a job."""
    offsets = pyarrow.array(games.offsets, pyarrow.int32())
    starts = pyarrow.py_buffer(np.ascontiguousarray(games.starts))
    columns = [
        np.full(len(games.results), job, np.int32),
        pyarrow.FixedSizeBinaryArray.from_buffers(_SCHEMA.field("start").type, len(games.results), [None, starts]),
        pyarrow.ListArray.from_arrays(offsets, pyarrow.array(games.moves)),
        pyarrow.ListArray.from_arrays(offsets, pyarrow.array(games.scores)),
        games.results,
    ]
    return pyarrow.table(columns, schema=_SCHEMA)


def from_table(table: pyarrow.Table) -> Games:
    """Raises Ox88Error if a game has another number of scores than of moves."""
    start, moves, scores = (table[name].combine_chunks() for name in ("start", "moves", "scores"))
    lengths = moves.value_lengths()
    if not lengths.equals(scores.value_lengths()):
        raise Ox88Error("a game has another number of scores than of moves")
    return Games(
        np.frombuffer(start.buffers()[1], START, len(start), start.offset * START.itemsize)
        if len(start)
        else np.zeros(0, START),
        np.concatenate([[0], np.cumsum(lengths.to_numpy())]).astype(np.int64),
        moves.flatten().to_numpy(),
        scores.flatten().to_numpy(),
        table["result"].to_numpy(),
    )


class GameFolder:
    """Games of jobs from 0 on. A job is kept in a journal until a part is written with all jobs before it.

    count: the number of moves. jobs: the number of finished jobs.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
        """Create a folder, or open one that was made with the same settings. Raises Ox88Error."""
        self._folder = PartFolder(path, settings)
        self._begin = self._end = int(self._folder.state.get("jobs", 0))  # The jobs between are in no part yet.
        self._waiting: set[int] = set()
        self.count = int(self._folder.state.get("moves", 0))

    @property
    def jobs(self) -> int:
        return self._begin + len(self._waiting)

    def missing(self, wanted: int) -> Iterator[int]:
        """The numbers below `wanted` of jobs that are not finished."""
        for number in range(self._begin, wanted):
            found = self._folder.journal.get(job_key(number))
            if found is None:
                yield number
            else:
                self._take(number, _moves_of(_from_bytes(found)))

    def add(self, number: int, games: Games) -> None:
        """Keep the games of a finished job. Raises Ox88Error if they cannot be written."""
        self._folder.journal.add(job_key(number), _to_bytes(to_table(number, games)))
        self._take(number, len(games.moves))

    def _take(self, number: int, count: int) -> None:
        self._waiting.add(number)
        self.count += count
        while self._end in self._waiting:
            self._end += 1
            if self._end - self._begin == JOBS_A_PART:
                self._write_part()

    def _write_part(self) -> None:
        journal, numbers = self._folder.journal, range(self._begin, self._end)
        jobs = [_from_bytes(found) for number in numbers if (found := journal.get(job_key(number))) is not None]
        table = pyarrow.concat_tables(jobs)
        moves = int(self._folder.state.get("moves", 0)) + _moves_of(table)
        self._folder.add(_write(self._folder, table, self._end, moves))
        journal.forget(map(job_key, numbers))
        self._waiting -= set(numbers)
        self._begin = self._end

    def finish(self) -> None:
        """Write a last, smaller part with the jobs that are in no part yet."""
        if self._end > self._begin:
            self._write_part()

    def close(self) -> None:
        self._folder.close(is_finished=not self._waiting)


class Positions(NamedTuple):
    """The calm positions of games.

    settings: those of the jobs. jobs: how many there are. job, game: int32[n], of each position. records: PACKED[n].
    """

    settings: Settings
    jobs: int
    job: NDArray[np.int32]
    game: NDArray[np.int32]
    records: Packed


def read_positions(path: Path) -> Positions:
    """The calm positions of all games in a folder.

    A position is calm if its side to move is not in check, the move found neither captures nor promotes, and the score
    is within the bounds that the settings name as `known`. Raises Ox88Error.
    """
    about = _about(path)
    settings = about["settings"]
    found, jobs, numbers = [], [], []
    before = 0
    for name in _parts(path):
        table = _read_part(name)
        games = _checked(name, table)
        records, game = _positions_of(name, games, _known(settings))
        found.append(records)
        jobs.append(table["job"].to_numpy()[game])
        numbers.append(game + np.int32(before))
        before += len(games.results)
    return Positions(settings, int(about["state"]["jobs"]), *map(np.concatenate, (jobs, numbers, found)))


def _about(path: Path) -> dict[str, Any]:
    """The metadata of the last part of a folder of games."""
    about = read_metadata(_parts(path)[-1])
    if not {"jobs", "moves"} <= set(about["state"]):
        raise Ox88Error(f"{path} has other data than games of python -m tools.datagen")
    return about


def _parts(path: Path) -> list[Path]:
    names = sorted(path.glob("*.parquet"))
    if not names:
        raise Ox88Error(f"{path} cannot be read: a folder of games is expected, as python -m tools.datagen makes it")
    return names


def _known(settings: Settings) -> int:
    """Joined folders have the bounds of the first."""
    return _known(settings["sources"][0]["settings"]) if "sources" in settings else int(settings["rules"]["known"])


def _read_part(name: Path) -> pyarrow.Table:
    try:
        return pyarrow.parquet.read_table(name, schema=_SCHEMA)
    except (OSError, pyarrow.ArrowException) as error:
        raise Ox88Error(f"{name.parent} cannot be read: one of its parts is damaged ({error})") from None


def _checked(name: Path, table: pyarrow.Table) -> Games:
    try:
        return from_table(table)
    except Ox88Error as error:
        raise Ox88Error(f"{name} is damaged: {error}") from None


def _positions_of(name: Path, games: Games, known: int) -> tuple[Packed, NDArray[np.int32]]:
    """(records, the number of the game of each)."""
    found, game = np.zeros(len(games.moves), START), np.zeros(len(games.moves), np.int32)
    scores, results = np.zeros(len(game), np.int16), np.zeros(len(game), np.uint8)
    scratch = *(np.zeros(1, kind).view(np.recarray)[0] for kind in (POSITION, UNDO)), board_tables()
    arrays = games.starts.view(np.recarray), *map(np.ascontiguousarray, games[1:])
    kept = list_positions(*scratch, *arrays, np.int64(known), found.view(np.recarray), scores, results, game)
    if kept < 0:
        raise Ox88Error(f"{name} is damaged: game {-kept:,} has an illegal start or move, or no result")
    records: Packed = found[:kept].view(PACKED)
    records["score"], records["result"] = scores[:kept], results[:kept]
    return records.copy(), game[:kept].copy()


def join_folders(paths: Sequence[Path], output: Path, seed: int) -> tuple[int, int]:
    """Write the jobs of some folders into a new one, in random order. Returns the number of games and of moves.

    Jobs are numbered on from folder to folder. Each stays whole, so that its games are held out of a training together.
    Raises Ox88Error if a folder cannot be read or written.
    """
    if any(output.glob("*.parquet")):
        raise Ox88Error(f"{output} has games already: name another folder")
    sources, tables, jobs = [], [], 0
    for path in paths:
        about = _about(path)
        table = pyarrow.concat_tables(map(_read_part, _parts(path)))
        job = table["job"].to_numpy() + np.int32(jobs)
        tables.append(table.set_column(0, _SCHEMA.field("job"), pyarrow.array(job, pyarrow.int32())))
        jobs += int(about["state"]["jobs"])
        sources.append({"settings": about["settings"], "jobs": int(about["state"]["jobs"])})
    table = pyarrow.concat_tables(tables)
    order = np.argsort(np.random.default_rng(seed).permutation(jobs)[table["job"].to_numpy()], kind="stable")
    folder = PartFolder(output, {"sources": sources, "seed": seed})
    moves = 0
    for begin in range(0, max(len(order), 1), ROWS_A_PART):
        part = table.take(order[begin : begin + ROWS_A_PART])
        moves += _moves_of(part)
        folder.add(_write(folder, part, jobs, moves))
    folder.close(is_finished=True)
    return len(order), moves


def _write(folder: PartFolder, table: pyarrow.Table, jobs: int, moves: int) -> dict[str, Any]:
    """Write the next part. jobs, moves: how many the folder has then."""
    return folder.write(folder.count, [(table, {"jobs": jobs, "moves": moves})], compression="zstd")


def _moves_of(table: pyarrow.Table) -> int:
    """The number of moves in all games."""
    return sum(len(chunk.flatten()) for chunk in table["moves"].chunks)


def _to_bytes(table: pyarrow.Table) -> bytes:
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def _from_bytes(data: bytes) -> pyarrow.Table:
    return pyarrow.ipc.open_stream(data).read_all()


def job_key(number: int) -> bytes:
    """Of a job in a journal."""
    return number.to_bytes(4, "big")


_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("paths", metavar="FOLDER...", nargs=-1, required=True, type=_PATH)
@click.option("-o", "--output", type=_PATH, help="Write all games into this folder, the jobs in random order.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the random order.")
def main(paths: Sequence[Path], output: Path | None, seed: int) -> None:
    """Count the games that tools.datagen has made, and join folders."""
    for path in paths:
        state, games = _about(path)["state"], sum(len(_read_part(name)) for name in _parts(path))
        click.echo(f"{path}: {state['jobs']:,} jobs, {games:,} games, {state['moves']:,} moves")
    if output is not None:
        games, moves = join_folders(paths, output, seed)
        click.echo(f"{output}: {games:,} games, {moves:,} moves")


if __name__ == "__main__":
    main()
