"""Time controls: the tag's own words, and classes by how long a game may take, as Lichess has them."""

import re
from collections.abc import Sequence
from typing import Final

# The name, and the seconds below which it ends: of the clock and 40 increments (https://lichess.org/faq#time-controls).
_ENDS: Final = {"ultrabullet": 30, "bullet": 180, "blitz": 480, "rapid": 1500}
_LONGEST: Final = "classical"
_CORRESPONDENCE: Final = "correspondence"
CLASSES: Final = (*_ENDS, _LONGEST, _CORRESPONDENCE)
_MOVES: Final = 40
_PERIODS: Final = re.compile(r"(?:(\d{1,4})/)?(\d{1,9})(?:\+(\d{1,9}))?", re.ASCII)
_DAY: Final = 86_400


def fits(tag: str, wanted: Sequence[str]) -> bool:
    """Whether a TimeControl tag is one of the wanted: classes, or tags as they stand, such as 300+3."""
    return tag in wanted or time_class(tag) in wanted


def time_class(tag: str) -> str | None:
    """None for what is unknown. Of several periods the first counts: 40/7200:3600 is 7200 seconds."""
    if tag == "-":
        return _CORRESPONDENCE
    match = _PERIODS.fullmatch(tag.split(":")[0].strip())
    if match is None:
        return None
    moves, seconds, increment = (int(group or 0) for group in match.groups())
    if seconds >= _DAY and moves:
        return _CORRESPONDENCE
    total = seconds + _MOVES * increment
    return next((name for name, end in _ENDS.items() if total < end), _LONGEST)


def is_time_control(word: str) -> bool:
    """Whether a word of the command line can be meant: a class, or a tag."""
    return word in CLASSES or word == "?" or time_class(word) is not None
