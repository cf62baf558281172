"""The files of the viewer, the pieces of its boards, and its modules as one script for a page that is a single file."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Final

from ox88.apps.show.svg import piece_picture

FOLDER: Final = Path(str(files("ox88.apps.viewer"))) / "static"
_IMPORT: Final = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(?:\./|/viewer/)(\w+\.js)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:const|(?:async )?function\*?|class) (\w+))", re.MULTILINE)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def read_file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def piece_definitions() -> str:
    """python-chess's pictures of the pieces, for an SVG's `defs`. diagram.js draws them by their names."""
    return "".join(f'<g id="piece-{letter}">{piece_picture(letter)}</g>' for letter in "KQRBNPkqrbnp")


def piece_file() -> str:
    """The pieces as a file of their own."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{piece_definitions()}</defs></svg>'


def bundle(text: str) -> str:
    """A module that imports modules of the viewer as one script. Each module is a function, which returns its exports.

    Raises ValueError if a module imports or exports in another way than these do, or if they import in a circle.
    """
    functions: dict[str, str] = {}
    main = _as_function("the page's script", text, functions, ())
    calls = "".join(f'modules["{name}"] = {function};\n' for name, function in functions.items())
    return f'"use strict";\n{{\nconst modules = {{}};\n{calls}{main};\n}}\n'


def _as_function(name: str, text: str, functions: dict[str, str], waiting: tuple[str, ...]) -> str:
    """The call of a module as a function. The modules that it imports are put before it."""
    for _, other in _IMPORT.findall(text):
        if other in waiting:
            raise ValueError(f"modules import each other in a circle: {' -> '.join((*waiting, other))}")
        if other not in functions:
            functions[other] = _as_function(other, read_file(other), functions, (*waiting, other))
    exported = _EXPORT.findall(text)
    text = _EXPORT.sub("", _IMPORT.sub(_as_declaration, text))
    if other := _OTHER.search(text):
        raise ValueError(f"{name} has {other[0]!r}: only imports by name and exported declarations are put together")
    return f"(() => {{\n{text}return {{ {', '.join(exported)} }};\n}})()"


def _as_declaration(found: re.Match[str]) -> str:
    names = found[1].removeprefix("* as ").replace(" as ", ": ")
    return f'const {names} = modules["{found[2]}"];'
