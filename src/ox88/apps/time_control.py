"""Time controls such as 5+0.05, 40/60 or 1:30+1; the time that is left; the classes of PGN's tag TimeControl."""

import functools
import re
from dataclasses import dataclass
from typing import Final

from ox88.errors import Ox88Error

_EXPECTED: Final = "expected SECONDS+INCREMENT, such as 5+0.05, 40/60 for sixty seconds every 40 moves, or 1:30+1"
_WHOLE: Final = r"\d{1,6}"
_NUMBER: Final = rf"{_WHOLE}(?:\.\d{{0,9}})?|\.\d{{1,9}}"
_CLOCK: Final = re.compile(
    rf"(?:(?P<moves>{_WHOLE})/)?(?:(?P<minutes>{_WHOLE}):)?(?P<seconds>{_NUMBER})(?:\+(?P<increment>{_NUMBER}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """seconds: for `moves` moves, or for the whole game if `moves` is 0. increment: seconds that each move adds."""

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


class RemainingTime:
    """The time of one side under a time control. seconds: the time left."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._moves = 0
        self.seconds = control.seconds

    @property
    def increment(self) -> float | None:
        return self._control.increment or None

    @property
    def sent_seconds(self) -> float:
        """The seconds that an engine is sent: above 0, because python-chess takes 0 for no clock."""
        return max(0.001, self.seconds)

    @property
    def moves_to_go(self) -> int | None:
        control = self._control
        return control.moves - self._moves % control.moves if control.moves else None

    def spend(self, seconds: float, margin: float) -> bool:
        """Subtract the seconds of a move; then add the increment, and the time of the next period if it begins.

        Returns False if the move took longer than the time left and the margin.
        """
        self.seconds -= seconds
        if self.seconds < -margin:
            return False
        self._moves += 1
        renewed = self._control.seconds if self.moves_to_go == self._control.moves else 0.0
        self.seconds = max(0.0, self.seconds) + self._control.increment + renewed
        return True


# Where each class ends: seconds of the clock and 40 increments (https://lichess.org/faq#time-controls).
_CLASS_ENDS: Final = {"ultrabullet": 30, "bullet": 180, "blitz": 480, "rapid": 1500}
_CORRESPONDENCE: Final = "correspondence"
TIME_CLASSES: Final = (*_CLASS_ENDS, "classical", _CORRESPONDENCE)
_INCREMENTS: Final = 40
_DAY: Final = 86_400  # Seconds.
_SECONDS: Final = r"(\d{1,9}(?:\.\d{1,9})?)"  # Matches of engines have parts of a second, as in 10+0.1.
_TAG: Final = re.compile(rf"(?:(\d{{1,4}})/)?{_SECONDS}(?:\+{_SECONDS})?", re.ASCII)


@functools.lru_cache(maxsize=1 << 12)
def fits_time_control(tag: str, words: tuple[str, ...]) -> bool:
    """True if a TimeControl tag, or its class, is among the words."""
    return tag in words or time_class(tag) in words


def time_class(tag: str) -> str | None:
    """The class of a TimeControl tag, None if it is unknown. The first period counts: 7200 seconds in 40/7200:3600."""
    if tag == "-":
        return _CORRESPONDENCE
    match = _TAG.fullmatch(tag.split(":")[0].strip())
    if match is None:
        return None
    moves, seconds, increment = (float(group or 0) for group in match.groups())
    if seconds >= _DAY and moves:
        return _CORRESPONDENCE
    total = seconds + _INCREMENTS * increment
    return next((name for name, end in _CLASS_ENDS.items() if total < end), "classical")


def is_time_filter(word: str) -> bool:
    """True if a word is a class, or a TimeControl tag."""
    return word in TIME_CLASSES or word == "?" or time_class(word) is not None
