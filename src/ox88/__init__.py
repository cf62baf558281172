"""Ox88: chess at the speed of C, written in Python.

The public names are imported when they are first used, so that `import ox88` costs next to nothing. Type
checkers read them in `__init__.pyi`.
"""

import warnings
from importlib import import_module
from typing import Any

_NAMES = {
    "ox88.apps.notebook.analysis": "GameAnalysis analyse_game",
    "ox88.apps.notebook.boards": "Picture show",
    "ox88.apps.puzzles.puzzles": "Puzzles",
    "ox88.apps.reasons.reason": "Reason explain",
    "ox88.batch.env.env": "Env Step",
    "ox88.batch.env.tree_search": "Searched TreeSearch",
    "ox88.batch.learning.engine": "SearchResults",
    "ox88.batch.learning.human_policy": "HumanPolicy",
    "ox88.batch.pgn.book": "Book",
    "ox88.batch.pgn.explorer": "Explorer",
    "ox88.batch.pgn.games": "Games",
    "ox88.batch.pgn.openings": "opening_names",
    "ox88.batch.pgn.reading": "iter_pgn read_pgn read_pgn_text",
    "ox88.batch.pgn.records": "GameError",
    "ox88.batch.positions.epd": "epd_operations",
    "ox88.batch.positions.notation": "format_san format_uci parse_san parse_uci",
    "ox88.batch.positions.packed": "PositionFileError",
    "ox88.batch.positions.positions": "PositionFile Positions",
    "ox88.batch.rows.arguments": "IllegalMoveError RowError",
    "ox88.batch.rules.legal_moves": "LegalMoves",
    "ox88.batch.rules.fields": "Outcome",
    "ox88.batch.training.entries": "TrainingData",
    "ox88.batch.training.formats": "iter_training read_training write_training",
    "ox88.engines.modern.network.file": "Network NetworkError read_network",
    "ox88.errors": "IllegalPositionError MissingFileError Ox88Error",
    "ox88.fen": "STARTPOS FenError",
    "ox88.setup": "Setup format_fen parse_fen",
    "ox88.simple.engines": "Engine MicroMax",
    "ox88.simple.human_moves": "human_moves",
    "ox88.types": "BLACK WHITE",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
_OLD_NAMES = {  # These names warn in version 1.0, and go after it.
    "Analysis": "ox88.GameAnalysis",
    "Features": "ox88.batch.learning.features.Features",
    "FenTexts": "ox88.batch.positions.fens.FenTexts",
    "OpenNode": "ox88.engines.micromax.watching.OpenNode",
    "Recording": "ox88.engines.micromax.watching.Recording",
    "TriedMove": "ox88.engines.micromax.watching.TriedMove",
    "analyse": "ox88.analyse_game",
    "from_uci": "ox88.parse_uci",
    "san": "ox88.format_san",
    "to_uci": "ox88.format_uci",
}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("ox88")
    if name in _OLD_NAMES:
        new = _OLD_NAMES[name]
        warnings.warn(f"ox88.{name} is an old name, which will go: use {new}", DeprecationWarning, stacklevel=2)
        module, _, name = new.rpartition(".")
        return getattr(import_module(module), name)
    if name not in _MODULES:
        raise AttributeError(f"module 'ox88' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
