"""Reads UCI's `go` and makes a `Limit` of it."""

import math
import re
from dataclasses import dataclass, field
from typing import Final

from ox88.engines.base import Clock, Limit
from ox88.types import WHITE

NUMBERS: Final = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
FLAGS: Final = ("infinite", "ponder")
_WORDS: Final = (*NUMBERS, *FLAGS, "searchmoves")
_LIMITS: Final = ("wtime", "btime", "depth", "nodes", "mate", "movetime")
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_LARGEST: Final = 10**18  # Milliseconds, nodes or plies: more than anyone waits for.


@dataclass(slots=True)
class Go:
    """The words of a `go`, read. moves: the words after searchmoves. remarks: what could not be read."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    moves: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def ponders(self) -> bool:
        return "ponder" in self.flags

    @property
    def is_endless(self) -> bool:
        """True if only `stop` ends the search: with `infinite`, or without any limit."""
        return "infinite" in self.flags or not any(name in self.numbers for name in _LIMITS)

    def limit(self, turn: int, moves: tuple[int, ...] = ()) -> Limit:
        """The limit for the side to move. moves: the legal ones of searchmoves."""
        time = self._at_least("movetime", 0)
        return Limit(
            nodes=self._at_least("nodes", 1),
            time=math.inf if self.is_endless else None if time is None else time / 1000,
            depth=self._at_least("depth", 1),
            mate=self._at_least("mate", 1),
            clock=None if self.is_endless else self._clock(turn),
            ponder=self.ponders,
            moves=moves,
        )

    def _at_least(self, name: str, minimum: int) -> int | None:
        number = self.numbers.get(name)
        return None if number is None else max(number, minimum)

    def _clock(self, turn: int) -> Clock | None:
        """The mover's clock, or the opponent's if no other is given. Negative times count as 0."""
        own, other = ("w", "b") if turn == WHITE else ("b", "w")
        for colour in (own, other):
            remaining = self._at_least(colour + "time", 0)
            if remaining is not None:
                increment = self._at_least(colour + "inc", 0) or 0
                moves_to_go = self._at_least("movestogo", 0) or None
                return Clock(remaining / 1000, increment / 1000, moves_to_go)
        return None


def parse_go(text: str) -> Go:
    """Read the words after `go`, in any order. Words that make no sense are left out, with a remark."""
    go = Go()
    words = text.split()
    while words:
        word = words.pop(0)
        if word in FLAGS:
            go.flags.add(word)
        elif word == "searchmoves":
            while words and words[0] not in _WORDS:
                go.moves.append(words.pop(0))
        elif word not in NUMBERS:
            go.remarks.append(f"go: {word[:40]!r} is none of {', '.join(_WORDS)}")
        elif words and _INTEGER.fullmatch(words[0]):
            go.numbers[word] = _to_number(words.pop(0))
        else:
            found = f"{words[0][:40]!r}, no number" if words else "no number"
            go.remarks.append(f"go: {word} is followed by {found}")
            if words and words[0] not in _WORDS:
                words.pop(0)
    return go


def _to_number(text: str) -> int:
    """The integer that a text means, however long, clamped to what all code can calculate with."""
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    return sign * (_LARGEST if len(digits) > len(str(_LARGEST)) else min(int(digits), _LARGEST))
