"""The public names: all there, all resolved, none forgotten."""

import ast
import importlib.metadata
import inspect
import pydoc
from pathlib import Path
from typing import Any

import pytest

import ox88

NAMES: list[str] = vars(ox88)["__all__"]


def test_every_public_name_resolves() -> None:
    assert len(NAMES) > 30
    for name in NAMES:
        assert getattr(ox88, name) is not None
        assert name in dir(ox88)
    assert ox88.__version__ == importlib.metadata.version("ox88")
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ox88.nonsense  # type: ignore[attr-defined]


@pytest.mark.parametrize(("old", "new"), vars(ox88)["_OLD_NAMES"].items())
def test_an_old_name_warns_and_is_the_new_one(old: str, new: str) -> None:
    assert old not in NAMES
    with pytest.warns(DeprecationWarning, match=f"ox88.{old} is an old name, which will go: use {new}$") as warned:
        assert getattr(ox88, old) is pydoc.locate(new)
    assert warned[0].filename == __file__


def test_old_names_of_methods_warn() -> None:
    some: Any = ox88.Positions.from_fens([ox88.STARTPOS])
    for old, arguments in {"castling": None, "from_uci": [["e2e4"]], "to_uci": [["e4"]], "san": [["e2e4"]]}.items():
        with pytest.warns(DeprecationWarning, match=f"Positions.{old} is an old name, .* use Positions.") as warned:
            found = getattr(some, old)
        new = getattr(some, str(warned[0].message).rpartition(".")[2])
        assert found == new if arguments is None else list(found(*arguments)) == list(new(*arguments))
    with pytest.raises(AttributeError, match="'Positions' object has no attribute 'nonsense'"):
        _ = some.nonsense


def test_type_checkers_see_the_same_names() -> None:
    stub = ast.parse(Path(ox88.__file__).with_suffix(".pyi").read_text())
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.asname: (node.module, alias.name) for node in imports for alias in node.names}
    assert seen == {name: (vars(ox88)["_MODULES"][name], name) for name in NAMES}


def test_the_help_of_a_function_fits_a_screen() -> None:
    classes = (ox88.Positions, ox88.Games, ox88.LegalMoves, ox88.PositionFile, ox88.Setup)
    public = [getattr(ox88, name) for name in NAMES]
    functions: list[Any] = [one for one in public if inspect.isfunction(one)]
    for kind in classes:
        functions += [method for name, method in inspect.getmembers(kind, callable) if not name.startswith("_")]
    assert len(functions) > 60
    for function in functions:
        lines = pydoc.plain(pydoc.render_doc(function)).splitlines()
        assert len(lines) < 40, function
        assert max(map(len, lines)) <= 240, function
