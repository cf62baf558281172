"""The open set, as a trainer asks for it."""

import functools
import random
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from ox88.apps.puzzles.puzzle import Puzzle

if TYPE_CHECKING:
    from ox88.apps.puzzles.puzzles import Puzzles

_NEAREST: Final = 30  # Puzzles among which chance chooses.


class OpenPuzzles:
    """The puzzles, read when they are first needed."""

    @functools.cached_property
    def _all(self) -> "Puzzles":
        from ox88.apps.puzzles.open_set import load  # Reads the file, which a start need not wait for.

        return load()

    @functools.cached_property
    def themes(self) -> list[str]:
        return sorted({theme for themes in self._all.column("themes") for theme in themes.split()})

    def choose(self, rating: float, theme: str, seen: Collection[str], chance: random.Random) -> Puzzle | None:
        """A puzzle near a rating, of a theme unless it is "", that is not among those seen; None if there is none."""
        keys, themes = self._all.column("id"), self._all.column("themes")
        nearest = []
        for row in abs(self._all.column("rating") - rating).argsort(kind="stable"):
            if keys[row] not in seen and (not theme or theme in themes[row].split()):
                nearest.append(row)
                if len(nearest) == _NEAREST:
                    break
        return self._all[int(chance.choice(nearest))] if nearest else None
