"""Errors in other processes: what pickle and copy make of them is the error itself."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import ox88
from ox88.errors import FileError

ERRORS = {
    ox88.Ox88Error: lambda: ox88.Setup([0] * 63),
    ox88.FenError: lambda: ox88.parse_fen("4k3/8 w"),
    ox88.IllegalPositionError: lambda: ox88.Setup("8/8/8/8/8/8/8/8 w - - 0 1").check(),
    ox88.RowError: lambda: ox88.Positions.from_fens(["4k3/8 w"]),
    ox88.IllegalMoveError: lambda: ox88.Positions.from_fens([ox88.STARTPOS]).push(["e2e5"]),
    ox88.MissingFileError: lambda: ox88.read_pgn(Path("nowhere.pgn")),
    ox88.NetworkError: lambda: ox88.read_network(Path(__file__)),
    ox88.PositionFileError: lambda: ox88.PositionFile(Path(__file__)),
    FileError: lambda: ox88.PositionFile(Path(__file__).parent),
}


ATTRIBUTES = ("errno", "fen", "filename", "move", "reason", "row", "rules")


def shown(error: Exception) -> list[str]:
    return [str(error), *(str(getattr(error, name, "")) for name in ATTRIBUTES)]


@pytest.mark.parametrize(("kind", "fail"), ERRORS.items(), ids=lambda kind: getattr(kind, "__name__", None))
@pytest.mark.parametrize("copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])  # noqa: S301
def test_an_error_can_be_pickled_and_copied(
    kind: type[Exception], fail: Callable[[], object], copied: Callable[[Exception], Exception]
) -> None:
    with pytest.raises(kind) as raised:
        fail()
    error = copied(raised.value)
    assert type(error) is type(raised.value) is kind
    assert shown(error) == shown(raised.value)


def test_every_exported_error_is_tried() -> None:
    exported = {value for name in dir(ox88) if isinstance(value := getattr(ox88, name), type)}
    assert {kind for kind in exported if issubclass(kind, Exception)} <= set(ERRORS)
