"""Stockfish's .plain: six lines a position, as text.

    fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    move e2e4
    score 25
    ply 0
    result 1
    e

Score and result are for the side to move. Source: the tools in the branch tools of
github.com/official-stockfish/Stockfish.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import RowError
from ox88.batch.training.entries import TrainingData
from ox88.errors import Ox88Error, unreadable

_LINES: Final = {  # What each line must be, in words and as a pattern.
    "fen and a FEN": rb"fen ([^\r\n]+)",
    "move and a move such as e2e4": rb"move (\w+)",
    "score and a whole number from -32768 to 32767": rb"score (-?\d{1,5})",
    "ply and a whole number from 0 to 65535": rb"ply (\d{1,5})",
    "result and 1, 0 or -1": rb"result (-?[01])",
    "e": rb"e",
}
_PATTERNS: Final = {words: re.compile(line + rb"(?:\r?\n|\Z)") for words, line in _LINES.items()}
_ENTRY: Final = re.compile(b"".join(pattern.pattern for pattern in _PATTERNS.values()))
_LEAST: Final = 4  # Bytes: a position takes more.
_BLOCK: Final = 1 << 24  # Bytes, far more than a position takes.
_SHOWN: Final = 60  # Characters of a line that an error quotes.


def read_plain(path: Path, threads: int | None = None) -> Iterator[TrainingData]:
    """The positions of a file, some at a time. Raises Ox88Error."""
    line = 1
    for text in _blocks(path):
        yield _read_block(path, line, text, threads)
        line += text.count(b"\n")


def _blocks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, in blocks that end with a whole position."""
    rest = b""
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                rest += block
                cut = max(rest.rfind(b"\ne\n") + 3, rest.rfind(b"\ne\r\n") + 4)
                cut = cut if cut > _LEAST else len(rest) if len(rest) > _BLOCK else 0
                if cut:
                    yield rest[:cut]
                rest = rest[cut:]
    except OSError as error:
        raise unreadable(str(path), error) from None
    if rest.strip():
        yield rest


def _read_block(path: Path, line: int, text: bytes, threads: int | None) -> TrainingData:
    """The positions of a block. line: the number of its first line."""
    rows, at = [], 0
    for found in _ENTRY.finditer(text):
        if found.start() != at:
            break
        rows.append(found.groups())
        at = found.end()
    if text[at:].strip():
        raise _wrong(path, line + len(_LINES) * len(rows), text, at)
    fens, moves, *numbers = zip(*rows, strict=True)
    line_of = 0  # Of the six of a position, the one that is read.
    try:
        positions = Positions.from_fens([fen.decode("latin-1") for fen in fens], threads=threads)
        line_of = 1
        played = positions.parse_uci([move.decode("latin-1") for move in moves], threads=threads)
        scores, plies, results = (np.array(values, np.bytes_).astype(np.int64) for values in numbers)
        line_of = 2
        _check_range(scores, np.int16)
        line_of = 3
        _check_range(plies, np.uint16)
    except RowError as error:
        raise Ox88Error(f"{path}: line {line + error.row * len(_LINES) + line_of}: {error.reason}") from None
    return TrainingData(positions, played, scores, results, plies)


def _check_range(values: NDArray[np.int64], kind: type[np.integer[Any]]) -> None:
    """Raises RowError for the first number that is not of a kind."""
    for row in np.flatnonzero(values != values.astype(kind))[:1].tolist():
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        raise RowError(row, f"{values[row]}: a whole number from {low} to {high} is expected")


def _wrong(path: Path, line: int, text: bytes, at: int) -> Ox88Error:
    """The error of the first wrong line of the position that begins at a place of the text."""
    for words, pattern in _PATTERNS.items():
        found = pattern.match(text, at)
        if found is None:
            shown = text[at:].split(b"\n", 1)[0][:_SHOWN].decode("utf-8", "backslashreplace").rstrip()
            what = repr(shown) if at < len(text) else "the file ends within a position"
            return Ox88Error(f"{path}: line {line}: {what}: {words} is expected")
        line, at = line + 1, found.end()
    raise AssertionError("the position is right")


def write_plain(parts: Iterable[TrainingData]) -> Iterator[bytes]:
    """The bytes of a file."""
    for part in parts:
        fens, moves = part.positions.fens(), part.positions.format_uci(part.moves)
        numbers = (part.scores.tolist(), part.plies.tolist(), part.results.tolist())
        lines = (
            f"fen {fen}\nmove {move}\nscore {score}\nply {ply}\nresult {result}\ne\n"
            for fen, move, score, ply, result in zip(fens, moves, *numbers, strict=True)
        )
        yield "".join(lines).encode()
