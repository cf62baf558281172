"""What can be wrong with a game, in words."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ox88.batch.pgn.records import (
    AMBIGUOUS_MOVE,
    BAD_TAG,
    CUT_OFF,
    ILLEGAL_FEN,
    ILLEGAL_MOVE,
    NOTHING_READ,
    NULL_MOVE_IN_CHECK,
    OPEN_COMMENT,
    OPEN_VARIATION,
    OTHER_VARIANT,
    TOO_LONG,
    UNKNOWN_DROP,
)
from ox88.batch.pgn.setups import illegal_because

_SHOWN: Final = 100  # Characters of a text at fault.

_WORDS: Final = {
    BAD_TAG: 'the tag {text!r} cannot be read: [Name "value"] is expected',
    OPEN_VARIATION: "the variation that begins here does not end",
    OPEN_COMMENT: "the comment that begins here does not end",
    NOTHING_READ: "there is no tag, move or result in it",
    ILLEGAL_MOVE: "no legal move is {text!r}",
    AMBIGUOUS_MOVE: "more than one legal move is {text!r}",
    NULL_MOVE_IN_CHECK: "{text!r} passes while in check",
    UNKNOWN_DROP: "{text!r} drops a piece, which chess does not know",
    ILLEGAL_FEN: "the FEN {text!r} is no legal position: {why}",
    OTHER_VARIANT: "the variant {text!r} is not chess",
    TOO_LONG: "it is longer than a game can be",
    CUT_OFF: "the compressed file ends within it",
}


@dataclass(frozen=True, slots=True)
class GameError:
    """What is wrong with one game of a file. Its moves up to there are kept.

    number: of the game in the file, from 0. line: of the file, from 1. reason: in words.
    """

    number: int
    line: int
    reason: str

    def __str__(self) -> str:
        return f"game {self.number}, line {self.line}: {self.reason}"


def word_fault(fault: np.int64, text: str) -> str:
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    why = illegal_because(text) if fault == ILLEGAL_FEN else ""
    return _WORDS[fault].format(text=shown, why=why)
