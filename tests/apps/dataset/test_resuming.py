"""`ox88 dataset` ended and run again: byte for byte what an undisturbed run writes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from ox88.apps.dataset import pipeline
from ox88.apps.dataset.parts import PartFolder
from ox88.apps.journal import Journal
from tests.apps.dataset.conftest import PART_ROWS, contents
from tests.apps.inline import Run

WORDS = ("--columns", "game,fen,White,move,clock", "--sample", "0.9", "--unique", "--result", "1-0,*,0-1,1/2-1/2")
posix = pytest.mark.posix("signals, and copies of open files")


@pytest.fixture
def undisturbed(small_parts: None, run: Run, pgn: Path, output: Path) -> dict[str, bytes]:
    del small_parts
    assert run(pgn, "-o", output, *WORDS)[0] == 0
    found = contents(output)
    assert len(found) > 3
    shutil.rmtree(output)
    return found


@posix
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_anywhere(
    step: int, run: Run, pgn: Path, output: Path, undisturbed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder as it is before and after each step: a rerun resumes from each of these states."""
    states: list[dict[Path, bytes | None]] = []  # Files, and folders as None.

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            copy()
            result = function(*arguments, **options)
            copy()
            return result

        return call

    def copy() -> None:
        state = {path.relative_to(output): path.read_bytes() if path.is_file() else None for path in output.rglob("*")}
        if output.exists() and state not in states:
            states.append(state)

    with monkeypatch.context() as patch:
        steps = ((PartFolder, "add"), (PartFolder, "close"), (Journal, "add"), (pipeline, "_sort_into_files"))
        for owner, name in steps:
            patch.setattr(owner, name, watched(getattr(owner, name)))
        assert run(pgn, "-o", output, *WORDS)[0] == 0
    assert len(states) > 2 * len(undisturbed)
    for state in states[::step]:
        shutil.rmtree(output)
        output.mkdir()
        for path, content in state.items():
            (output / path).mkdir() if content is None else (output / path).write_bytes(content)
        assert run(pgn, "-o", output, *WORDS)[0] == 0
        assert contents(output) == undisturbed


@pytest.mark.parametrize("rows", [0, 2 * PART_ROWS])
def test_interrupted(
    rows: int, run: Run, pgn: Path, output: Path, undisturbed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if open files cannot be removed, as on Windows."""
    add, unlink = PartFolder.add, os.unlink

    def interrupted(folder: PartFolder, state: dict[str, Any]) -> None:
        if folder.state.get("rows", 0) == rows:
            raise KeyboardInterrupt
        add(folder, state)

    def refusing(file: Any, **options: Any) -> None:
        if str(file).endswith("first"):
            raise PermissionError(13, "used by another process")
        unlink(file, **options)

    with monkeypatch.context() as patch:
        patch.setattr(PartFolder, "add", interrupted)
        patch.setattr(os, "unlink", refusing)
        code, said, errors = run(pgn, "-o", output, *WORDS)
    assert (code, said) == (130, "")
    assert errors.strip() == (f"ox88: {rows} rows are done; the same command resumes from there" if rows else "")
    if rows:
        code, _, errors = run(pgn, "-o", output)
        assert code == 2
        assert "was made with other settings: columns " in errors
    code, _, errors = run(pgn, "-o", output, *WORDS)
    assert (code, errors) == (0, f"ox88: resuming after {rows} rows\n" if rows else "")
    assert contents(output) == undisturbed


def test_a_finished_set(run: Run, pgn: Path, output: Path) -> None:
    code, said, _ = run(pgn, "-o", output)
    before = contents(output)
    assert run(pgn, "-o", output) == (code, said, f"ox88: {output} is finished; nothing is left to do\n")
    for words, reason in (
        (("--columns", "fen"), 'columns "game,ply,position,move,result,eval,clock,WhiteElo,BlackElo", and now "fen"'),
        (("--min-rating", "1000"), "min rating none, and now 1000"),
        (("--nodes", "10"), "nodes none, and now 10; engine none, and now "),
    ):
        code, _, errors = run(pgn, "-o", output, *words)
        assert code == 2
        assert f"{output} was made with other settings: " in errors
        assert reason in errors
    assert contents(output) == before


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("train.parquet", "has train.parquet where part-00000.parquet is expected: name another folder"),
        ("part-00001.parquet", "has part-00001.parquet where part-00000.parquet is expected: name another folder"),
        ("part-00000.parquet", "part-00000.parquet is not part of a data set that ox88 has made: name another folder"),
    ],
)
@pytest.mark.parametrize("is_parquet", [True, False])
def test_files_of_others(name: str, reason: str, is_parquet: bool, run: Run, pgn: Path, output: Path) -> None:
    output.mkdir()
    if is_parquet:
        pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), output / name)
    else:
        (output / name).write_bytes(b"PAR1")
    before = (output / name).read_bytes()
    code, _, errors = run(pgn, "-o", output)
    assert code == 2
    assert reason in errors
    assert (output / name).read_bytes() == before
