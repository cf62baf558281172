"""A file that is not there: FileNotFoundError in Python, one line and exit code 2 on the command line."""

from collections.abc import Callable
from pathlib import Path

import chess
import chess.engine
import pytest

import ox88
from ox88.apps.epd.suite import read_suite
from ox88.apps.match.openings import OpeningFile
from ox88.batch.pgn.game_text import split_games
from ox88.engines.host import book_moves
from tests.conftest import RunPython

READERS: dict[str, Callable[[Path], object]] = {
    "read_pgn": ox88.read_pgn,
    "read_pgn of a text": lambda path: ox88.read_pgn(str(path)),
    "iter_pgn": lambda path: next(ox88.iter_pgn(path)),
    "analyse": ox88.analyse_game,
    "analyse of a text": lambda path: ox88.analyse_game(str(path)),
    "Explorer": ox88.Explorer,
    "split_games": lambda path: next(split_games(path)),
    "from_fens": ox88.Positions.from_fens,
    "load": ox88.Positions.load,
    "PositionFile": ox88.PositionFile,
    "EPD": read_suite,
    "openings": lambda path: OpeningFile(path, seed=0, chess960=False),
    "Polyglot": lambda path: book_moves(str(path), chess.Board()),
    "an engine's book": lambda path: ox88.Engine({"Book File": str(path)}),
    "an engine's tables": lambda path: ox88.Engine({"SyzygyPath": str(path)}),
    "an engine's network": lambda path: ox88.Engine({"EvalFile": str(path)}),
}


@pytest.mark.parametrize("name", READERS)
def test_in_python(name: str, tmp_path: Path) -> None:
    """An engine raises python-chess's errors, everything else Ox88's."""
    with pytest.raises(FileNotFoundError, match="missing") as raised:
        READERS[name](tmp_path / "missing.pgn")
    assert "None" not in str(raised.value)
    assert isinstance(raised.value, chess.engine.EngineError if name.startswith("an engine") else ox88.Ox88Error)


def test_what_python_asks_of_such_errors(tmp_path: Path) -> None:
    path = tmp_path / "missing.pgn"
    with pytest.raises(FileNotFoundError) as raised:
        ox88.read_pgn(path)
    assert (Path(raised.value.filename), raised.value.errno) == (path, 2)
    assert str(raised.value) == f"{str(path)!r} cannot be opened: No such file or directory"


def test_other_errors_of_files_are_no_missing_files(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Is a directory") as raised:
        ox88.Positions.from_fens(tmp_path)
    kinds = type(raised.value).mro()
    assert ox88.Ox88Error in kinds
    assert FileNotFoundError not in kinds


@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "missing.pgn", "-o", "{folder}/out.pgn"),
        ("dataset", "missing.pgn", "-o", "{folder}/out"),
        ("epd", "missing.pgn"),
        ("games", "missing.pgn", "-o", "{folder}/out.pgn"),
        ("perft", "--epd", "missing.pgn"),
    ],
)
def test_on_the_command_line(words: tuple[str, ...], call_ox88: RunPython, tmp_path: Path) -> None:
    process = call_ox88(*(word.format(folder=tmp_path) for word in words))
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.count("\n") == 1
    assert process.stderr.startswith("ox88: ")
    assert "missing.pgn" in process.stderr
    assert "No such file or directory" in process.stderr
    assert not list(tmp_path.iterdir())
