"""Positions in 32 bytes each, with the contents of a FEN; and files of them.

Each occupied square has 4 bits in `pieces`, a1 first, the low half of a byte first: the kind, 1 for a pawn to 6 for a
king, or 7 for a rook with a castling right; and 8 more for a Black piece. Unused bits are zero.

A file of positions has a header of 64 bytes, then PACKED records:

    bytes 0-7     `OX88POS` and the byte 0x88, which no text has
    bytes 8-11    version, 1
    bytes 12-15   bytes of each position, 32
    bytes 16-23   number of positions
    bytes 24-63   zeros

All numbers are little-endian.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import Errors, check_errors, report
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rules.fields import Fields
from ox88.bitboard.attacks import occupied_squares
from ox88.bitboard.bits import NO_SQUARES, mask, without_lowest
from ox88.bitboard.position import fill_boards, is_valid, to_setup
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error, unreadable
from ox88.jit import kernel, lowest_bit, popcount
from ox88.replacing import replaced
from ox88.types import EMPTY, ROOK

PACKED = np.dtype(
    [
        ("occupied", "<u8"),  # A bitboard.
        ("pieces", "u1", 16),
        ("halfmove_clock", "<u2"),
        ("fullmove_number", "<u2"),
        ("turn", "u1"),
        ("en_passant", "u1"),  # A square, or 0 for none.
        ("unused", "<u2"),
    ]
)
MAX_PIECES = 32
CASTLING_ROOK = 7


def unpack(packed: NDArray[Any], threads: int | None, errors: Errors = "raise") -> NDArray[Any]:
    """The records of PACKED[n], which may be memory-mapped."""
    check_errors(errors)
    records = np.empty(len(packed), POSITION).view(np.recarray)
    is_read = np.empty(len(packed), np.bool_)

    def work(rows: slice) -> None:
        some = np.array(packed[rows], PACKED).view(np.recarray)
        unpack_positions(some, records[rows], board_tables(), is_read[rows])

    in_chunks(work, len(packed), threads)
    report(errors, np.flatnonzero(~is_read), lambda row: _why_illegal(packed[row], records[row]))
    return records if is_read.all() else records[is_read]


def _why_illegal(packed: Any, record: Any) -> str:
    """What is wrong with a packed position. record: the position, as far as it could be unpacked."""
    count = int(packed["occupied"]).bit_count()
    if not count:
        return "not a legal position: it is empty"
    is_readable = count <= MAX_PIECES and packed["turn"] < 2 and packed["en_passant"] < 64
    try:
        rules = replace(to_setup(record)).broken_rules() if is_readable else ()  # A new Setup checks its fields.
    except Ox88Error:  # A piece that is none.
        rules = ()
    return f"not a legal position: {'; '.join(rules) or 'its 32 bytes are malformed'}"


@kernel
def pack_positions(positions, packed):
    """Write positions to PACKED records."""
    for row in range(len(positions)):
        pack_position(positions[row], packed[row])


@kernel
def pack_position(position, packed):
    packed.occupied = occupied_squares(position)
    packed.halfmove_clock = position.halfmove_clock
    packed.fullmove_number = position.fullmove_number
    packed.turn = position.turn
    packed.en_passant = position.en_passant
    squares = packed.occupied
    place = np.int64(0)
    while squares != NO_SQUARES:
        low = np.int64(position.board[lowest_bit(squares)])
        squares = without_lowest(squares)
        high = np.int64(position.board[lowest_bit(squares)]) if squares != NO_SQUARES else np.int64(0)
        squares = without_lowest(squares)
        packed.pieces[place] = low | high << 4
        place += 1
    for unused in range(place, MAX_PIECES // 2):
        packed.pieces[unused] = 0
    packed.unused = 0
    rooks = position.castling
    while rooks != NO_SQUARES:
        number = popcount(packed.occupied & (mask(lowest_bit(rooks)) - np.uint64(1)))
        packed.pieces[number >> 1] += (CASTLING_ROOK - ROOK) << 4 * (number & 1)
        rooks = without_lowest(rooks)


@kernel
def unpack_positions(packed, positions, tables, is_read):
    """Write PACKED records to positions. is_read: bool[n], set to True for a legal position."""
    for row in range(len(packed)):
        is_read[row] = unpack_position(packed[row], positions[row], tables) and is_valid(positions[row], tables)


@kernel
def unpack_position(packed, position, tables):
    """True if the bytes are well-formed; `is_valid` checks legality."""
    position.castling = NO_SQUARES
    position.halfmove_clock = packed.halfmove_clock
    position.fullmove_number = packed.fullmove_number
    position.turn = packed.turn & 1
    position.en_passant = packed.en_passant & 63
    is_right = packed.unused == 0 and packed.turn < 2 and packed.en_passant < 64
    for square in range(64):
        position.board[square] = EMPTY
    squares = packed.occupied
    is_right &= popcount(squares) <= MAX_PIECES
    for number in range(MAX_PIECES):
        nibble = np.int64(packed.pieces[number >> 1]) >> 4 * (number & 1) & 15
        is_right &= nibble & 7 != EMPTY if squares != NO_SQUARES else nibble == 0
        if squares != NO_SQUARES:
            square = lowest_bit(squares)
            if nibble & 7 == CASTLING_ROOK:
                nibble -= CASTLING_ROOK - ROOK
                position.castling |= mask(square)
            position.board[square] = nibble
            squares = without_lowest(squares)
    fill_boards(position, tables)
    return is_right


# --- Files ------------------------------------------------------------------------------------------------------------


MAGIC: Final = b"OX88POS\x88"
VERSION: Final = 1
HEADER: Final = np.dtype(
    [("magic", "V8"), ("version", "<u4"), ("itemsize", "<u4"), ("count", "<u8"), ("unused", "V40")]
)
_BLOCK: Final = 1 << 20  # Positions packed at a time.


class PositionFileError(Ox88Error):
    """A file is not a file of positions, or is incomplete.

    Attributes:
        path: The file.
        reason: A description of the error.
    """

    def __init__(self, path: os.PathLike[str] | str, reason: str) -> None:
        super().__init__(f"{os.fspath(path)}: {reason}")
        self.path: Path = Path(path)
        self.reason = reason


def open_packed(path: os.PathLike[str] | str) -> NDArray[Any]:
    """PACKED[n], memory-mapped. Raises PositionFileError, and FileError if it cannot be read."""
    try:
        size = Path(path).stat().st_size
        with Path(path).open("rb") as file:
            start = file.read(HEADER.itemsize)
    except OSError as error:
        raise unreadable(os.fspath(path), error) from error
    if not start.startswith(MAGIC):
        raise PositionFileError(path, f"not a file of positions: {MAGIC!r} is expected at its beginning")
    if len(start) < HEADER.itemsize:
        raise PositionFileError(path, f"cut off: it has {size} bytes, less than its header of {HEADER.itemsize}")
    header = np.frombuffer(start, HEADER)[0]
    if header["version"] != VERSION or header["itemsize"] != PACKED.itemsize:
        found = f"version {header['version']} with {header['itemsize']} bytes a position"
        raise PositionFileError(path, f"{found}: version {VERSION} with {PACKED.itemsize} is expected")
    expected = HEADER.itemsize + int(header["count"]) * PACKED.itemsize
    if size != expected:
        what = "cut off" if size < expected else "too long"
        raise PositionFileError(path, f"{what}: it has {size} bytes, and {header['count']} positions take {expected}")
    if header["count"] == 0:
        return np.empty(0, PACKED)
    return np.memmap(path, PACKED, "r", HEADER.itemsize, int(header["count"]))


# --- For all positions ------------------------------------------------------------------------------------------------


class WithPacked(Fields):
    """Positions that are packed and unpacked, in memory and in files."""

    __slots__ = ()

    @classmethod
    def from_packed(cls, array: NDArray[np.void], *, threads: int | None = None) -> Self:
        """Unpack PACKED[n], as `pack` returns it. Raises RowError for a row that is not a legal position, TypeError."""
        if not isinstance(array, np.ndarray) or array.dtype != PACKED:
            kind = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
            raise TypeError(f"packed positions as {kind}: an array as from pack is expected, of {PACKED}")
        if array.ndim != 1:
            raise Ox88Error(f"packed positions of shape {array.shape}: one dimension is expected")
        return cls._of(unpack(array, threads))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, threads: int | None = None) -> Self:
        """Read all positions of a file that `save` has written; `ox88.PositionFile` reads parts of one.

        Raises:
            PositionFileError: The file is not a file of positions, or not complete.
            Ox88Error: The file cannot be read. It is an OSError too, and a FileNotFoundError if there is none.
            RowError: A row of it is not a legal position.
        """
        return cls.from_packed(open_packed(path), threads=threads)

    def pack(self, *, threads: int | None = None) -> NDArray[np.void]:
        """PACKED[n]: 32 bytes for each position (ox88.batch.positions.packed); `from_packed` reads them."""
        return self._each(lambda some, _, found: pack_positions(some, found.view(np.recarray)), PACKED, threads)

    def save(self, path: str | os.PathLike[str], *, threads: int | None = None) -> None:
        """Write a file of 32 bytes for each position, which `load` and `ox88.PositionFile` read.

        Raises Ox88Error, which is an OSError too, if it cannot be written.
        """
        header = np.zeros(1, HEADER)
        header["magic"] = np.void(MAGIC)
        header["version"], header["itemsize"], header["count"] = VERSION, PACKED.itemsize, len(self)
        try:
            with replaced(Path(path)) as file:
                file.write(header.tobytes())
                for first in range(0, len(self), _BLOCK):
                    file.write(self._of(self._records[first : first + _BLOCK]).pack(threads=threads).data)
        except OSError as error:
            raise unreadable(os.fspath(path), error, "cannot be written") from error
