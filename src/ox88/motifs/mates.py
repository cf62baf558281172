"""Mates: in how many moves, and their patterns."""

from typing import Final

from ox88.motifs.line import Finder, Line, Motif

_LONGEST: Final = 5  # Moves. Lichess has no theme for longer mates than this, and calls all of them a mate in five.


def mate(line: Line) -> Motif | None:
    last = line.steps[-1]
    return Motif("mate", last.number) if last.after.is_checkmate() else None


def mate_in(line: Line) -> Motif | None:
    """The theme is named for the number of the solver's moves, such as `mateIn2`."""
    found = mate(line)
    return found and Motif(f"mateIn{min(len(line.own_steps), _LONGEST)}", found.step)


FINDERS: Final[dict[str, Finder]] = {"mate": mate, "mateIn": mate_in}
