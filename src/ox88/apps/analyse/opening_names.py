"""Names of openings by FEN: the names of ox88.batch.pgn.openings, for boards of python-chess."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Opening:
    """eco: its code, such as C41."""

    eco: str
    name: str


class OpeningNames:
    """Openings by position."""

    def __init__(self, openings: dict[str, Opening]) -> None:
        self._openings = openings

    @classmethod
    def load(cls) -> Self:
        from ox88.batch.pgn.openings import named_positions  # Imports the compiler, which would delay the start.

        named = named_positions()
        fens = named.positions.fens(en_passant="legal", threads=1)
        openings = map(Opening, named.ecos, named.names)
        return cls(dict(zip(map(_key, fens), openings, strict=True)))

    def of_game(self, fens: Sequence[str]) -> Opening | None:
        """The opening of the last position that has a name, so the order of the moves does not matter."""
        return next(filter(None, map(self.of_position, reversed(fens))), None)

    def of_position(self, fen: str) -> Opening | None:
        return self._openings.get(_key(fen))


def _key(fen: str) -> str:
    """A FEN without the counts of moves."""
    return " ".join(fen.split()[:4])
