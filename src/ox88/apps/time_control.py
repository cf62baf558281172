"""Time controls as people write them: 5+0.05, 40/60, 1:30+1."""

import re
from dataclasses import dataclass
from typing import Final

from ox88.types import Ox88Error

_EXPECTED: Final = "expected is SECONDS+INCREMENT, such as 5+0.05, 40/60 for sixty seconds every 40 moves, or 1:30+1"
_WHOLE: Final = r"\d{1,6}"
_NUMBER: Final = rf"{_WHOLE}(?:\.\d{{0,9}})?|\.\d{{1,9}}"
_CLOCK: Final = re.compile(
    rf"(?:(?P<moves>{_WHOLE})/)?(?:(?P<minutes>{_WHOLE}):)?(?P<seconds>{_NUMBER})(?:\+(?P<increment>{_NUMBER}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for the game, or for so many moves if moves is not 0; and seconds more after each move."""

    seconds: float
    increment: float = 0.0
    moves: int = 0

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.seconds:.12g}+{self.increment:.12g}"


def parse_time_control(text: str) -> TimeControl:
    """Read 5+0.05, 40/60 or 1:30+1. Raises Ox88Error."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise Ox88Error(f"the time control {text[:40]!r} cannot be read: {_EXPECTED}")
    seconds = 60 * int(found["minutes"] or 0) + float(found["seconds"])
    control = TimeControl(seconds, float(found["increment"] or 0), int(found["moves"] or 0))
    if control.seconds <= 0 or (found["moves"] and not control.moves):
        raise Ox88Error(f"the time control {text[:40]!r} leaves no time to move: {_EXPECTED}")
    return control
