"""All finders, and what they find in a line."""

from typing import Final

from ox88.motifs import defenders, endings, forks, hanging, kings, mates, moves, rays, sacrifices, tempo
from ox88.motifs.line import Finder, Line, Motif

_FAMILIES: Final = (mates, hanging, forks, rays, defenders, sacrifices, tempo, kings, moves, endings)
FINDERS: Final[dict[str, Finder]] = {theme: finder for family in _FAMILIES for theme, finder in family.FINDERS.items()}


def find_motifs(line: Line) -> list[Motif]:
    """The motifs of a line, in the order of the finders."""
    return [motif for finder in FINDERS.values() if (motif := finder(line)) is not None]
