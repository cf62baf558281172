"""Shuffled batches of a folder of Parquet files: an `IterableDataset` where torch is installed, else plain iteration.

dataset = PositionDataset("positions/", batch_size=4096, make=lambda data: data.positions.planes("float32"))
for planes in torch.utils.data.DataLoader(dataset, batch_size=None, num_workers=2):
...
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ox88.batch.rows.arguments import check_number
from ox88.batch.training.entries import TrainingData, joined
from ox88.batch.training.parquet import read_group, row_groups

if TYPE_CHECKING:
    _Iterable = object
else:
    try:
        from torch.utils.data import IterableDataset as _Iterable
    except ModuleNotFoundError:
        _Iterable = object


class PositionDataset(_Iterable):
    """Batches of positions to learn from, in another random order in each pass.

    Row groups come in random order, and the rows of some of them are mixed. Workers of a DataLoader share the row
    groups; processes of a distributed training do not, so each needs a folder of its own. `ox88 dataset` writes row
    groups of 131,072 rows, of which each takes 25 MB in memory.

    Args:
        path: The folder; its columns are as for `ox88.read_training`.
        batch_size: Rows in a batch; the last one, of each worker, may have fewer.
        make: What a batch becomes: a function of its TrainingData, such as arrays for a network. By default the
            TrainingData itself.
        seed: Equal seeds give equal orders; with workers, torch's own seed counts too.
        mixed: Number of row groups whose rows are mixed.

    Raises:
        Ox88Error: The folder has no such files. Iteration raises it for a damaged file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        batch_size: int = 1024,
        *,
        make: Callable[[TrainingData], Any] | None = None,
        seed: int = 0,
        mixed: int = 4,
    ) -> None:
        check_number("batch_size", batch_size, 1)
        check_number("seed", seed, 0)
        check_number("mixed", mixed, 1)
        self._groups = row_groups(Path(path))
        self._batch_size, self._make, self._seed, self._mixed = batch_size, make, seed, mixed
        self._passes = 0

    def __iter__(self) -> Iterator[Any]:
        worker, workers, seed = _worker(self._passes)
        self._passes += 1
        chance = np.random.default_rng((self._seed, seed))
        order = chance.permutation(len(self._groups))[worker::workers]  # The same permutation in all workers.
        rest: list[TrainingData] = []
        for first in range(0, len(order), self._mixed):
            groups = (self._groups[number] for number in order[first : first + self._mixed])
            data = joined([*rest, *(read_group(file, group, threads=1) for file, group in groups)])
            data = data[chance.permutation(len(data))]
            whole = len(data) - len(data) % self._batch_size
            for at in range(0, whole, self._batch_size):
                yield self._made(data[at : at + self._batch_size])
            rest = [data[whole:]]
        yield from (self._made(data) for data in rest if len(data))

    def _made(self, data: TrainingData) -> Any:
        return data if self._make is None else self._make(data)


def _worker(passes: int) -> tuple[int, int, int]:
    """(the number of this worker of torch's, how many there are, a seed that all of them have in this pass)."""
    if _Iterable is not object:
        from torch.utils.data import get_worker_info

        if (info := get_worker_info()) is not None:
            return info.id, info.num_workers, info.seed - info.id + passes  # Persistent workers keep their seeds.
    return 0, 1, passes
