"""A stream of blocks cut into pieces that hold whole games."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.boundaries import find_games
from ox88.batch.pgn.characters import characters
from ox88.batch.pgn.files import CutOffError
from ox88.batch.pgn.records import CUT_OFF, NO_FAULT, PADDING, TOO_LONG

# Bytes of a game, beyond which it is given up: what is kept of a file has a bound.
LONGEST_GAME: Final = 1 << 24


class Piece(NamedTuple):
    """Some games as text: game i is `text[starts[i]:starts[i + 1]]`, and there are PADDING bytes more.

    lines: int64[n + 1], the line in the file that each begins with, from 0. number: of the first game, in the file.
    last_fault: what is wrong with the last game, if the file or its room ends within it.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lines: NDArray[np.int64]
    number: int
    last_fault: np.int64


def cut_into_pieces(texts: Iterator[Iterator[bytes]], longest: int = LONGEST_GAME) -> Iterator[Piece]:
    """The games of some texts, which count through. Each text ends its last game."""
    cutter = _Cutter()
    for blocks in texts:
        fault = NO_FAULT
        try:
            for block in blocks:
                yield cutter.cut(block)
                if len(cutter.rest) > longest:
                    yield from cutter.give_up()
        except CutOffError:
            fault = CUT_OFF
        yield cutter.end(fault)


class _Cutter:
    def __init__(self) -> None:
        self.rest = b""  # The game that the text read so far ends in.
        self._number = 0
        self._line = 0
        self._is_skipping = False

    def cut(self, block: bytes, is_final: bool = False) -> Piece:
        """The games that end with a block of text, or before; all of them if it is the last."""
        data = self.rest + block
        text = _padded(data)
        starts, lines = (np.empty(len(data) // 2 + 2, np.int64) for _ in range(2))
        count = find_games(text, *map(np.int64, (len(data), is_final, self._is_skipping)), characters(), starts, lines)
        piece = Piece(text, starts[: count + 1].copy(), lines[: count + 1] + self._line, self._number, NO_FAULT)
        self.rest = data[int(starts[count]) :]
        self._number += count
        self._line = int(piece.lines[-1])
        self._is_skipping = self._is_skipping and count == 0 and not is_final
        return piece

    def end(self, fault: np.int64) -> Piece:
        """The games up to the end of a text. Where that comes too early there is one more, empty perhaps."""
        piece = self.cut(b"", is_final=True)._replace(last_fault=fault)
        if fault == NO_FAULT or len(piece.starts) > 1:
            return piece
        self._number += 1
        return piece._replace(starts=np.repeat(piece.starts, 2), lines=np.repeat(piece.lines, 2))

    def give_up(self) -> Iterator[Piece]:
        """The game that the text has come to, as far as it goes; what follows of it is skipped."""
        if self._is_skipping:
            self.rest = b""
        else:
            yield self.end(TOO_LONG)
            self._is_skipping = True


def _padded(data: bytes) -> NDArray[np.uint8]:
    text = np.empty(len(data) + PADDING, np.uint8)
    text[: len(data)] = np.frombuffer(data, np.uint8)
    text[len(data) :] = 0
    text.flags.writeable = False  # As of all texts, so that kernels meet one type of them.
    return text
