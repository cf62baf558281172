"""Ox88: chess at the speed of C, written in Python.

The public names are imported when they are first used, so that `import ox88` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ox88.apps.notebook.analysis import Analysis, analyse
    from ox88.apps.notebook.boards import show
    from ox88.apps.notebook.picture import Picture
    from ox88.batch.files import PositionFileError
    from ox88.batch.notation import san
    from ox88.batch.outcomes import Outcome
    from ox88.batch.pgn.errors import GameError
    from ox88.batch.pgn.games import Games
    from ox88.batch.pgn.reading import iter_pgn, read_pgn
    from ox88.batch.playing import IllegalMoveError
    from ox88.batch.position_file import PositionFile
    from ox88.batch.positions import Positions
    from ox88.batch.rows import RowError
    from ox88.fen import STARTPOS, FenError, format_fen, parse_fen
    from ox88.simple.engines import Engine, MicroMax
    from ox88.types import IllegalPositionError, Ox88Error, Setup, from_uci, to_uci

_HOMES = {
    "STARTPOS": "ox88.fen",
    "Analysis": "ox88.apps.notebook.analysis",
    "Engine": "ox88.simple.engines",
    "FenError": "ox88.fen",
    "GameError": "ox88.batch.pgn.errors",
    "Games": "ox88.batch.pgn.games",
    "IllegalMoveError": "ox88.batch.playing",
    "IllegalPositionError": "ox88.types",
    "MicroMax": "ox88.simple.engines",
    "Outcome": "ox88.batch.outcomes",
    "Ox88Error": "ox88.types",
    "PositionFile": "ox88.batch.position_file",
    "PositionFileError": "ox88.batch.files",
    "Picture": "ox88.apps.notebook.picture",
    "Positions": "ox88.batch.positions",
    "RowError": "ox88.batch.rows",
    "Setup": "ox88.types",
    "analyse": "ox88.apps.notebook.analysis",
    "format_fen": "ox88.fen",
    "from_uci": "ox88.types",
    "iter_pgn": "ox88.batch.pgn.reading",
    "parse_fen": "ox88.fen",
    "read_pgn": "ox88.batch.pgn.reading",
    "san": "ox88.batch.notation",
    "show": "ox88.apps.notebook.boards",
    "to_uci": "ox88.types",
}

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
    if name not in _HOMES:
        raise AttributeError(f"module 'ox88' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
