"""The open set, as a trainer asks for it."""

import functools
import random
from collections.abc import Collection
from typing import Final

from ox88.apps.puzzles.puzzle import Puzzle

_NEAREST: Final = 30  # Puzzles among which chance chooses.
_SAMPLE: Final = (
    ("APop0", "rn3rk1/p1q2pp1/3b3p/1B1p4/3P4/5N2/PPPQ2PP/2KR3R w - - 1 16", "b5a4 d6f4 d2f4 c7f4", 995, "middlegame pin short"),  # noqa: E501
    ("2IKce", "8/Q6p/p5pk/P2Pqp2/8/2p2B1P/P4PP1/6K1 w - - 2 40", "a7e3 e5e3 f2e3 c3c2", 1377, "advancedPawn crushing short"),  # noqa: E501
    ("V0wWL", "r1b1k2r/5ppp/2pb1n2/3pq3/4P3/2NB4/PP3PPP/R1BQ1RK1 w kq - 1 13", "e4d5 e5h2", 804, "mate mateIn1 oneMove"),  # noqa: E501
    ("XAH9b", "8/4k3/p1P1pn1P/1p3pp1/1P4P1/3B4/4K3/8 b - - 0 36", "f5g4 h6h7 f6h7 d3h7 e7d6 h7e4", 1558, "advancedPawn long"),  # noqa: E501
    ("ZCelD", "r5k1/pp3pp1/1np4p/3pn1q1/6b1/P1NBP2P/1P2QPP1/R4R1K w - - 8 25", "h3g4 g5h4 h1g1 e5g4 e2g4 h4g4", 1525, "intermezzo long"),  # noqa: E501
)  # fmt: skip


class OpenPuzzles:
    """The puzzles, read when they are first needed."""

    @functools.cached_property
    def _all(self) -> list[Puzzle]:
        return [Puzzle(key, fen, tuple(m.split()), rating, tuple(t.split())) for key, fen, m, rating, t in _SAMPLE]

    def themes(self) -> list[str]:
        return sorted({theme for puzzle in self._all for theme in puzzle.themes})

    def choose(self, rating: float, theme: str, seen: Collection[str], chance: random.Random) -> Puzzle | None:
        """A puzzle near a rating, of a theme unless it is "", that is not among those seen; None if there is none."""
        fitting = [p for p in self._all if p.id not in seen and (not theme or theme in p.themes)]
        nearest = sorted(fitting, key=lambda puzzle: abs(puzzle.rating - rating))[:_NEAREST]
        return chance.choice(nearest) if nearest else None
