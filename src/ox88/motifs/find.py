"""All finders, and what they find in a line."""

from typing import Final

from ox88.motifs import mates
from ox88.motifs.line import Finder, Line, Motif

FINDERS: Final[dict[str, Finder]] = mates.FINDERS


def find_motifs(line: Line) -> list[Motif]:
    """The motifs of a line, in the order of the finders."""
    return [motif for finder in FINDERS.values() if (motif := finder(line)) is not None]
