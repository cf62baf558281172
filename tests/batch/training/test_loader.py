"""Shuffled batches, with and without torch, and Hugging Face's `datasets`.

PyTorch and `datasets` are not among what tests install: with all that they need they are larger than the rest.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import ox88
from ox88.errors import Ox88Error
from tests.conftest import DATA, RunPython

ROWS = 1000

COMMON = """
import sys, numpy as np, ox88
folder = sys.argv[1]
from ox88.batch.training.loader import PositionDataset
"""
PLAIN = (
    """
import sys
sys.modules["torch"] = sys.modules["torch.utils"] = sys.modules["torch.utils.data"] = None
"""
    + COMMON
    + """
assert PositionDataset.__mro__[1:] == (object,)
dataset = PositionDataset(folder, 64, seed=1, mixed=2)
one, two = ([data.plies for data in dataset] for _ in range(2))
assert [len(plies) for plies in one] == [64] * 15 + [40]
assert sorted(np.concatenate(one)) == sorted(np.concatenate(two)) == list(range(1000))
assert not np.array_equal(np.concatenate(one), np.concatenate(two))
again = PositionDataset(folder, 64, seed=1, mixed=2)
assert np.array_equal(np.concatenate([data.plies for data in again]), np.concatenate(one))
assert len(set(np.concatenate(one)[:64] // 100)) == 2  # Rows of two row groups are mixed.
assert list(np.concatenate(one)[:64]) != sorted(np.concatenate(one)[:64])
"""
)
TORCH = (
    COMMON
    + """
import torch
from torch.utils.data import DataLoader, IterableDataset

def as_planes(data):
    return data.positions.planes("float32"), torch.from_numpy(data.plies.astype("int64"))

if __name__ == "__main__":
    dataset = PositionDataset(folder, 64, make=as_planes)
    assert isinstance(dataset, IterableDataset)
    torch.manual_seed(5)
    for workers, persist in ((0, False), (2, False), (2, True)):
        loader = DataLoader(dataset, batch_size=None, num_workers=workers, persistent_workers=persist)
        passes = []
        for _ in range(2):
            batches = list(loader)
            assert batches[0][0].shape == (64, 18, 8, 8) and batches[0][0].dtype == torch.float32
            passes.append(torch.cat([plies for _, plies in batches]).tolist())
        assert sorted(passes[0]) == sorted(passes[1]) == list(range(1000)), workers
        assert passes[0] != passes[1]
"""
)
DATASETS = (
    COMMON
    + """
import datasets
rows = datasets.load_dataset("parquet", data_files=folder + "/*.parquet", split="train", cache_dir=folder + "/cache")
for batch in rows.with_format("arrow").iter(batch_size=100):
    positions = ox88.Positions.from_arrow(batch)
    assert positions.planes().shape == (100, 18, 8, 8)
assert ox88.Positions.from_arrow(rows.with_format("arrow")[:]) == ox88.read_training(folder).positions
assert rows["ply"][:] == ox88.read_training(folder).plies.tolist()
"""
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """1,000 rows in ten row groups of two files; the plies are their numbers."""
    some = ox88.read_training(DATA / "training" / "games.plain")
    data = some[np.arange(ROWS) % len(some)]
    numbered = ox88.TrainingData(data.positions, data.moves, data.scores, data.results, np.arange(ROWS))
    ox88.write_training(tmp_path / "x", numbered)
    table = pyarrow.parquet.read_table(tmp_path / "x" / "part-00000.parquet")
    for number, rows in enumerate((table[:600], table[600:])):
        pyarrow.parquet.write_table(rows, tmp_path / "x" / f"part-{number:05}.parquet", row_group_size=100)
    return tmp_path / "x"


def test_batches_without_torch(folder: Path, run_python: RunPython) -> None:
    done = run_python("-c", PLAIN, str(folder))
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("name", "code"), [("torch", TORCH), ("datasets", DATASETS)])
def test_batches_in_a_library(name: str, code: str, folder: Path, run_python: RunPython, tmp_path: Path) -> None:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    (tmp_path / "main.py").write_text(code)  # Workers of torch import it.
    done = run_python(str(tmp_path / "main.py"), str(folder), env={"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr


def test_what_is_wrong_is_said(folder: Path, tmp_path: Path) -> None:
    from ox88.batch.training.loader import PositionDataset

    with pytest.raises(Ox88Error, match=r"batch_size is 0: at least 1 is expected"):
        PositionDataset(folder, 0)
    with pytest.raises(Ox88Error, match=r"a folder with files .parquet is expected"):
        PositionDataset(tmp_path / "none")
    table = pyarrow.parquet.read_table(folder / "part-00000.parquet")
    moves = pyarrow.array(["e2e9"] * len(table))
    pyarrow.parquet.write_table(table.set_column(2, "move", moves), folder / "part-00000.parquet")
    with pytest.raises(Ox88Error, match=r"part-00000.parquet: row group 0: row 0: "):
        list(PositionDataset(folder))
