"""`ox88 dataset` killed and run again: byte for byte what an undisturbed run writes."""

import os
import signal
from pathlib import Path

import pytest

from ox88.apps.dataset import output, wanted
from ox88.apps.dataset.output import Output
from tests.apps.dataset.conftest import Run
from tests.conftest import RunPython

WORDS = ("--columns", "game,fen,White,move,clock", "--sample", "0.9", "--unique", "--result", "1-0,*,0-1,1/2-1/2")

# Runs the command with small groups, and kills itself at the call that is named.
DYING = """
import os, signal, sys
import ox88.batch.pgn.reading
from ox88 import cli
from ox88.apps.dataset import command, duplicates, output, wanted

wanted.GROUP_ROWS, output._PATIENCE, ox88.batch.pgn.reading.BLOCK = 40, 0.0, 1500
where, count = sys.argv[1], int(sys.argv[2])
sys.argv[:3] = ["ox88", "dataset"]

def dying(function):
    def call(*arguments):
        global count
        if count == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        count -= 1
        return function(*arguments)
    return call

match where:
    case "add": output.Output.add = dying(output.Output.add)
    case "keys": duplicates._mark_first = dying(duplicates._mark_first)
    case "journal": command.Journal.add = dying(command.Journal.add)
    case "replace": output.os.replace = dying(output.os.replace)
    case "remove": command.Journal.remove = dying(command.Journal.remove)
cli.main()
"""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wanted, "GROUP_ROWS", 40)
    monkeypatch.setattr(output, "_PATIENCE", 0.0)


@pytest.fixture
def undisturbed(small: None, run: Run, pgn: Path, tmp_path: Path) -> bytes:
    del small
    path = tmp_path / "undisturbed"
    assert run(pgn, "-o", path, *WORDS)[0] == 0
    data = path.read_bytes()
    path.unlink()
    return data


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize(
    ("where", "count", "is_begun"),
    [
        ("keys", 0, False),
        ("add", 0, False),
        ("add", 5, True),
        ("journal", 4, True),
        ("replace", 1, True),
        ("remove", 0, True),
    ],
)
def test_killed(
    where: str,
    count: int,
    is_begun: bool,
    run: Run,
    run_python: RunPython,
    pgn: Path,
    tmp_path: Path,
    undisturbed: bytes,
) -> None:
    path = tmp_path / "out.parquet"
    ended = run_python("-c", DYING, where, str(count), str(pgn), "-o", str(path), *WORDS)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert path.exists() == (where == "remove")
    code, said, errors = run(pgn, "-o", path, *WORDS)
    assert (code, "going on behind" in errors) == (0, is_begun)
    assert path.read_bytes() == undisturbed
    assert f" {len(__import__('pyarrow.parquet').parquet.read_table(path))} rows" in said
    assert [found.name for found in tmp_path.iterdir()] == ["out.parquet"]


def test_interrupted(
    small: None, run: Run, pgn: Path, tmp_path: Path, undisturbed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    del small
    path = tmp_path / "out.parquet"
    add = Output.add

    def interrupted(table: Output, *arguments: object) -> None:
        add(table, *arguments)  # type: ignore[arg-type]
        if table.rows >= 200:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Output, "add", interrupted)
        patch.setattr(output, "_PATIENCE", 1e9)  # What is not saved by the clock is saved at the end.
        code, said, errors = run(pgn, "-o", path, *WORDS)
    assert (code, said) == (130, "")
    assert errors.strip() == "ox88: 200 rows are done; the same command goes on from there"
    assert not path.exists()
    code, _, errors = run(pgn, "-o", path, *WORDS)
    assert (code, errors) == (0, "ox88: going on behind 200 rows\n")
    assert path.read_bytes() == undisturbed


def test_interrupted_where_open_files_cannot_be_removed(
    small: None, run: Run, pgn: Path, tmp_path: Path, undisturbed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where what an error's frames have in memory is an open file."""
    del small
    path = tmp_path / "out.parquet"
    unlink = Path.unlink

    def refusing(path: Path, missing_ok: bool = False) -> None:
        if path.name.endswith(".first"):
            raise PermissionError(13, "used by another process")
        unlink(path, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refusing)
        patch.setattr(Output, "add", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert run(pgn, "-o", path, *WORDS) == (130, "", "\n")
    assert run(pgn, "-o", path, *WORDS)[0] == 0
    assert path.read_bytes() == undisturbed
    assert [found.name for found in tmp_path.iterdir()] == ["out.parquet"]


def test_other_work_is_refused(
    small: None, run: Run, pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del small
    path = tmp_path / "out.parquet"
    with monkeypatch.context() as patch:
        patch.setattr(Output, "finish", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert run(pgn, "-o", path, *WORDS)[0] == 130
    code, _, errors = run(pgn, "-o", path)
    assert code == 2
    assert "holds what is finished of other work" in errors
    (tmp_path / "out.parquet.part").write_bytes(b"PAR1")
    code, _, errors = run(pgn, "-o", path, *WORDS)
    assert code == 2
    assert "is not what its journal says" in errors
