"""Converts FENs to POSITION records and back, in bulk."""

from __future__ import annotations

import codecs
import functools
import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import Errors, check_errors, report
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import Ragged, to_offsets
from ox88.batch.rules.fields import Fields
from ox88.batch.text.fen_reader import board_symbols, read_fens
from ox88.batch.text.fen_writer import EN_PASSANT, MAX_LENGTH, piece_letters, write_fens
from ox88.bitboard.position import make_position
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.errors import IllegalPositionError, Ox88Error, unreadable
from ox88.fen import EnPassant, FenError, check_en_passant
from ox88.setup import parse_fen

Fens = Iterable[str] | str | bytes | bytearray | memoryview | os.PathLike[str]
_Numbers = NDArray[np.int64]
_Part = TypeVar("_Part")

_FILE_NAME: Final = re.compile(r"\S+\.[A-Za-z]\w*")  # FENs have no point.
_BLOCK: Final = 1 << 20  # Bytes.
_CHUNK: Final = 4096  # Positions. Their FENs fit into a core's cache, from which strings are then made.
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")


class FenTexts(Ragged[np.uint8]):
    """n FENs as bytes; `texts[i]` is FEN i in ASCII."""

    __slots__ = ()

    @property
    def data(self) -> NDArray[np.uint8]:
        """uint8[total]: FEN i is `data[offsets[i]:offsets[i + 1]]`."""
        return self._values


class WithFens(Fields):
    """Positions that are read from FENs, and written as FENs."""

    __slots__ = ()

    @classmethod
    def from_fens(cls, fens: Fens, *, errors: Errors = "raise", threads: int | None = None) -> Self:
        """Read FENs, X-FENs, Shredder-FENs or EPDs.

        Args:
            fens: A list of FENs, a text (str or bytes) with one on each line, or the pathlib.Path of such a file.
            errors: What to do with a row that is not a legal position: "raise" its RowError, "skip" it, or a function
                that is called with its RowError before it is skipped.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A row, counted from 0, is not a legal position.
            TypeError: `fens` is of another type.
            Ox88Error: The file cannot be read. It is an OSError too, and a FileNotFoundError if there is none.
        """
        if isinstance(fens, os.PathLike):
            path = Path(fens)
            try:
                fens = path.read_bytes()
            except OSError as error:
                raise unreadable(str(path), error) from error
        if isinstance(fens, str) and _FILE_NAME.fullmatch(fens):
            raise Ox88Error(f"{fens!r} is no FEN; for the name of a file, pathlib.Path({fens!r}) is expected")
        if isinstance(fens, (str, bytes, bytearray, memoryview)):
            text = as_text(fens.encode(errors="replace") if isinstance(fens, str) else fens)
            if text[: len(codecs.BOM_UTF8)].tobytes() == codecs.BOM_UTF8:  # Some editors begin a file with it.
                text = text[len(codecs.BOM_UTF8) :]
            return cls._of(read_lines(text, *_lines(text, threads), errors, threads))
        lines, text = _join(fens)
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        ends = np.cumsum(lengths + 1) - 1
        return cls._of(_read(text, ends - lengths, ends, lines.__getitem__, errors, threads))

    def fens(self, *, shredder: bool = False, en_passant: EnPassant = "fen", threads: int | None = None) -> list[str]:
        """The FENs, as X-FEN where castling rights need it.

        Args:
            shredder: True to write castling rights as the files of the rooks, as Shredder-FEN does.
            en_passant: When to write the en passant square: "fen" after every double step; "xfen" if a pawn stands
                beside the one that has passed; "legal" if it can be captured, which is python-chess's default.
            threads: Number of threads; all cores by default.
        """
        form = shredder, en_passant, _NEWLINE
        parts, _ = _write(self._records, *form, threads, lambda text: text[:-1].decode("ascii").split("\n"))
        return list(chain.from_iterable(parts))

    def fen_texts(
        self, *, shredder: bool = False, en_passant: EnPassant = "fen", threads: int | None = None
    ) -> FenTexts:
        """The FENs as bytes, without a Python object for each: `data` uint8[total] and `offsets` int64[n + 1].

        FEN i is `data[offsets[i]:offsets[i + 1]]` in ASCII: the layout of strings in Arrow. The arguments are as for
        `fens`.
        """
        parts, lengths = _write(self._records, shredder, en_passant, 0, threads, bytes)
        return FenTexts(np.frombuffer(bytearray().join(parts), np.uint8), to_offsets(lengths))


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_lines(
    text: NDArray[np.uint8], starts: _Numbers, ends: _Numbers, errors: Errors, threads: int | None
) -> NDArray[Any]:
    """POSITION[n] of the FENs text[starts[i]:ends[i]]. The text is read-only."""

    def line(row: int) -> str:
        return text[starts[row] : ends[row]].tobytes().decode(errors="backslashreplace")

    return _read(text, starts, ends, line, errors, threads)


def as_text(text: Any) -> NDArray[np.uint8]:
    """The bytes of a buffer, read-only."""
    array = np.frombuffer(text, np.uint8)
    array.flags.writeable = False  # Like every text, so that kernels have one signature.
    return array


def _join(fens: Iterable[str]) -> tuple[list[str], NDArray[np.uint8]]:
    """(the list of FENs, all of them as bytes, of which there is one for a character that is not ASCII)."""
    try:
        lines = list(fens)
        joined = "\n".join(lines)
        return lines, as_text((joined if joined.isascii() else _NOT_ASCII.sub("\x80", joined)).encode("latin-1"))
    except TypeError:
        raise TypeError(f"FENs as {_type_name(fens)}: a list of str, a text or a pathlib.Path is expected") from None


def _type_name(fens: Any) -> str:
    if not isinstance(fens, Sequence):
        return type(fens).__name__
    row = next(row for row, fen in enumerate(fens) if not isinstance(fen, str))
    return f"a {type(fens).__name__} with {type(fens[row]).__name__} in row {row}"


def _lines(text: NDArray[np.uint8], threads: int | None) -> tuple[_Numbers, _Numbers]:
    """Where each line starts and ends, without its newline, which may be missing at the end of the text."""
    found: dict[int, _Numbers] = {}

    def find(block: slice) -> None:
        found[block.start] = np.flatnonzero(text[block] == _NEWLINE) + block.start

    in_chunks(find, len(text), threads, _BLOCK)
    ends = np.concatenate([*(found[start] for start in sorted(found)), np.array([len(text)], np.int64)])
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    if starts[-1] == len(text):
        starts, ends = starts[:-1], ends[:-1]
    returns = np.zeros(len(ends), np.bool_)
    returns[ends > starts] = text[ends[ends > starts] - 1] == _RETURN
    return starts, ends - returns


def _read(
    text: NDArray[np.uint8],
    starts: _Numbers,
    ends: _Numbers,
    line: Callable[[int], str],
    errors: Errors,
    threads: int | None,
) -> NDArray[Any]:
    check_errors(errors)
    records = np.empty(len(starts), POSITION).view(np.recarray)
    is_read = np.empty(len(starts), np.bool_)
    symbols, tables = board_symbols(), board_tables()

    def read(rows: slice) -> None:
        read_fens(text, starts[rows], ends[rows], symbols, tables, records[rows], is_read[rows])

    in_chunks(read, len(starts), threads)
    read_unusual(text, starts, ends, line, records, is_read)
    report(errors, np.flatnonzero(~is_read), lambda row: str(FenError(line(row).strip(), why_illegal(line(row)))))
    return records if is_read.all() else records[is_read]


def read_unusual(
    text: NDArray[np.uint8],
    starts: _Numbers,
    ends: _Numbers,
    line: Callable[[int], str],
    records: Any,
    is_read: NDArray[np.bool_],
) -> None:
    """Read rows that the kernel refuses, but `ox88.fen` may know: with the word `startpos`, or not in ASCII."""
    for row in np.flatnonzero(~is_read).tolist():
        fen = text[starts[row] : ends[row]].tobytes()
        if (b"startpos" in fen or not fen.isascii()) and (position := _position_of(line(row))) is not None:
            records[row], is_read[row] = position, True


@functools.lru_cache(4096)
def _position_of(fen: str) -> Any | None:
    try:
        return make_position(parse_fen(fen))
    except Ox88Error:
        return None


def why_illegal(fen: str) -> str:
    """What is wrong with a FEN that is refused, in the words of `ox88.fen` and `Setup.check`."""
    try:
        parse_fen(fen).check()
    except FenError as error:
        return error.reason
    except IllegalPositionError as error:
        return str(error)
    raise AssertionError(f"{fen!r} is a legal position")


# --- Writing ----------------------------------------------------------------------------------------------------------


def _write(
    records: NDArray[Any],
    shredder: bool,
    en_passant: EnPassant,
    separator: int,
    threads: int | None,
    convert: Callable[[bytes], _Part],
) -> tuple[list[_Part], _Numbers]:
    """(what `convert` makes of the bytes of each chunk; the length of each FEN in bytes)."""
    check_en_passant(en_passant)
    letters, lengths = piece_letters(), np.empty(len(records), np.int64)
    options = np.int64(shredder), EN_PASSANT[en_passant], np.int64(separator)
    parts: dict[int, _Part] = {}

    def write(rows: slice) -> None:
        text = np.empty((rows.stop - rows.start) * MAX_LENGTH, np.uint8)
        length = write_fens(records[rows], board_tables(), letters, *options, text, lengths[rows])
        parts[rows.start] = convert(text[:length].tobytes())

    in_chunks(write, len(records), threads, _CHUNK)
    return [parts[start] for start in sorted(parts)], lengths
