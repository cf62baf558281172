"""Ox88: chess at the speed of C, written in Python.

The public names are imported when they are first used, so that `import ox88` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ox88.apps.notebook.analysis import Analysis, analyse
    from ox88.apps.notebook.boards import Picture, show
    from ox88.batch.arguments import IllegalMoveError, RowError
    from ox88.batch.packed_file import PositionFileError
    from ox88.batch.pgn.errors import GameError
    from ox88.batch.pgn.games import Games
    from ox88.batch.pgn.reading import iter_pgn, read_pgn
    from ox88.batch.position_file import PositionFile
    from ox88.batch.positions import Positions
    from ox88.batch.san import san
    from ox88.batch.status import Outcome
    from ox88.fen import STARTPOS, FenError, format_fen, parse_fen
    from ox88.simple.engines import Engine, MicroMax
    from ox88.types import IllegalPositionError, Ox88Error, Setup, from_uci, to_uci

_NAMES = {
    "ox88.apps.notebook.analysis": "Analysis analyse",
    "ox88.apps.notebook.boards": "Picture show",
    "ox88.batch.arguments": "IllegalMoveError RowError",
    "ox88.batch.pgn.errors": "GameError",
    "ox88.batch.pgn.games": "Games",
    "ox88.batch.pgn.reading": "iter_pgn read_pgn",
    "ox88.batch.packed_file": "PositionFileError",
    "ox88.batch.position_file": "PositionFile",
    "ox88.batch.positions": "Positions",
    "ox88.batch.san": "san",
    "ox88.batch.status": "Outcome",
    "ox88.fen": "STARTPOS FenError format_fen parse_fen",
    "ox88.simple.engines": "Engine MicroMax",
    "ox88.types": "IllegalPositionError Ox88Error Setup from_uci to_uci",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "STARTPOS",
    "Analysis",
    "Engine",
    "FenError",
    "GameError",
    "Games",
    "IllegalMoveError",
    "IllegalPositionError",
    "MicroMax",
    "Outcome",
    "Ox88Error",
    "Picture",
    "PositionFile",
    "PositionFileError",
    "Positions",
    "RowError",
    "Setup",
    "analyse",
    "format_fen",
    "from_uci",
    "iter_pgn",
    "parse_fen",
    "read_pgn",
    "san",
    "show",
    "to_uci",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("ox88")
    if name not in __all__:
        raise AttributeError(f"module 'ox88' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
