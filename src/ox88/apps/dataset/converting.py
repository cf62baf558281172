"""`ox88 dataset` with the formats of trainers: of one to another, and of games by way of a folder of Parquet files."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import click

from ox88.apps.dataset.command import make_dataset
from ox88.apps.dataset.pipeline import DatasetSpec
from ox88.apps.streams import lenient
from ox88.batch.rows.arguments import RowError
from ox88.batch.training.entries import TrainingData
from ox88.batch.training.formats import check_writable, is_training_file, iter_training, write_training
from ox88.errors import Ox88Error

COLUMNS: Final = ("ply", "position", "move", "result", "eval")  # Scores of a search come with their own.


def is_training_data(path: Path) -> bool:
    """True for a file of a trainer's format, by its ending, and a folder of Parquet files."""
    return any(path.glob("*.parquet")) if path.is_dir() else is_training_file(path)


def check_options(files: Sequence[Path], output: Path, given: Iterable[str]) -> None:
    """Raises Ox88Error for options that do not fit to trainers' formats. given: the options of the command line."""
    check_writable(output)
    data = [path for path in files if is_training_data(path)]
    if data and len(data) < len(files):
        raise Ox88Error(f"{data[0]} is training data: PGN files are read alone, so convert one kind after the other")
    wrong = [name for name in given if data or name in ("--columns", "--compression")]
    if wrong:
        what = f"{data[0]} is training data" if data else f"-o {output} has columns of its own"
        raise Ox88Error(f"{wrong[0]} is for data sets of PGN files in a folder, and {what}: leave it out")


def convert(files: Sequence[Path], output: Path) -> int:
    """Write training data in the format that the output's ending names. Returns 1 and writes nothing without any."""
    count = 0

    def counted() -> Iterator[TrainingData]:
        nonlocal count
        for path in files:
            for part in iter_training(path):
                count += len(part)
                yield part

    parts = filter(len, counted())
    try:
        if first := next(parts, None):
            write_training(output, chain([first], parts))
    except RowError as error:
        raise Ox88Error(f"{output} cannot be written: {error}") from None
    click.echo(f"{output}: {count:,} positions", file=lenient(sys.stdout))
    return 0 if count else 1


def convert_games(files: Sequence[Path], output: Path, spec: DatasetSpec, workers: int, scheduler: str | None) -> int:
    """Write positions of games in a trainer's format. The folder beside it, from which a rerun resumes, then goes."""
    folder = output.with_name(f"{output.name}.parts")
    code = make_dataset(files, folder, spec, workers, scheduler)
    if folder.exists():
        try:
            code |= convert([folder], output)
        except Ox88Error as error:
            raise Ox88Error(f"{error}; the positions are in {folder}") from None
        shutil.rmtree(folder)
    return code
