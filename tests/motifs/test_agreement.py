"""Precision and recall on the open set. No finder was written while looking at its puzzles: docs/reasons.md."""

from collections import Counter
from typing import Final

import pytest

from ox88.apps.puzzles import open_set
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line

LEAST: Final = {  # Precision and recall, two hundredths below what was measured.
    "fork": (0.87, 0.98),
    "pin": (0.83, 0.78),
    "skewer": (0.89, 0.98),
    "hangingPiece": (0.88, 0.98),
    "discoveredAttack": (0.93, 0.94),
    "doubleCheck": (0.98, 0.98),
    "xRayAttack": (0.98, 0.98),
    "trappedPiece": (0.97, 0.98),
    "promotion": (0.96, 0.98),
    "mateIn1": (0.90, 0.98),
    "mateIn2": (0.97, 0.98),
    "mateIn3": (0.98, 0.98),
    "mateIn4": (0.98, 0.98),
    "mateIn5": (0.98, 0.98),
    "backRankMate": (0.96, 0.98),
    "smotheredMate": (0.97, 0.98),
    "capturingDefender": (0.94, 0.98),
    "deflection": (0.74, 0.97),
    "attraction": (0.97, 0.98),
    "sacrifice": (0.97, 0.98),
    "intermezzo": (0.83, 0.98),
}


@pytest.mark.slow
def test_finders_agree_with_the_tagger_of_lichess() -> None:
    ours, theirs, both = Counter[str](), Counter[str](), Counter[str]()
    for puzzle in open_set.load():
        found = {motif.theme for motif in find_motifs(Line(puzzle.board(), puzzle.solution))}
        ours.update(found)
        theirs.update(puzzle.themes)
        both.update(found.intersection(puzzle.themes))
    measured = {theme: (both[theme] / ours[theme], both[theme] / theirs[theme]) for theme in LEAST}
    assert {
        theme: values
        for theme, values in measured.items()
        if any(value < least for value, least in zip(values, LEAST[theme], strict=True))
    } == {}
