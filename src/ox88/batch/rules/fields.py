"""The fields of many positions, as read-only arrays."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ox88.batch.rows.chunks import in_chunks
from ox88.types import WHITE


class Fields:
    """n positions in one array of records, and the fields of the records as properties."""

    __slots__ = ("_records",)

    _records: Any  # A contiguous recarray of POSITION[n].

    @classmethod
    def _of(cls, records: NDArray[Any]) -> Self:
        """Wrap POSITION records that are known to be legal, for use within Ox88."""
        positions = cls.__new__(cls)
        positions._records = np.ascontiguousarray(records).view(np.recarray)
        return positions

    def _each(
        self, write: Callable[[slice, Any], object], dtype: DTypeLike, threads: int | None, size: int | None = None
    ) -> NDArray[Any]:
        """dtype[n]: what `write(rows, found)` writes to `found` for some rows, at most `size` at a time."""
        found = np.empty(len(self), dtype)
        in_chunks(lambda rows: write(rows, found[rows]), len(self), threads, size)
        return found

    def __len__(self) -> int:
        return len(self._records)

    @property
    def shape(self) -> tuple[int]:
        """(n,), as of an array of one dimension."""
        return (len(self),)

    @property
    def records(self) -> NDArray[np.void]:
        """POSITION[n]: a structured array of all fields below (ox88.bitboard.records)."""
        records: NDArray[np.void] = self._records.view(np.ndarray)
        records.flags.writeable = False
        return records

    @property
    def board(self) -> NDArray[np.uint8]:
        """uint8[n, 64]: the piece on each square, a1 first.

        0 is an empty square, 1 to 6 are White's pawn, knight, bishop, rook, queen and king, 9 to 14 Black's.
        """
        return self.records["board"]

    @property
    def kinds(self) -> NDArray[np.uint64]:
        """uint64[n, 7]: bitboards by kind of piece, from 1 for pawns to 6 for kings; a1 is the lowest bit."""
        return self.records["kinds"]

    @property
    def colours(self) -> NDArray[np.uint64]:
        """uint64[n, 2]: bitboards of White's and of Black's pieces."""
        return self.records["colours"]

    @property
    def turn(self) -> NDArray[np.uint8]:
        """uint8[n]: `ox88.WHITE` = 0 where White is to move, `ox88.BLACK` = 1 where Black is."""
        return self.records["turn"]

    @property
    def white_to_move(self) -> NDArray[np.bool_]:
        """bool[n]: True where White is to move, as `turn` of a python-chess board is."""
        found: NDArray[np.bool_] = self.records["turn"] == WHITE
        found.flags.writeable = False
        return found

    @property
    def castling_rights(self) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the rooks that have castling rights, as python-chess's."""
        return self.records["castling"]

    @property
    def en_passant(self) -> NDArray[np.uint8]:
        """uint8[n]: the square that a pawn's double step has just passed, even if nothing can capture there; or 0."""
        return self.records["en_passant"]

    @property
    def halfmove_clock(self) -> NDArray[np.uint16]:
        """uint16[n]: plies since the last capture or pawn move."""
        return self.records["halfmove_clock"]

    @property
    def fullmove_number(self) -> NDArray[np.uint16]:
        """uint16[n]: the move number, as in FEN."""
        return self.records["fullmove_number"]

    @property
    def material(self) -> NDArray[np.int16]:
        """int16[n]: White's material minus Black's in centipawns; pieces count 100, 300, 300, 500 and 900."""
        return self.records["material"]

    @property
    def key(self) -> NDArray[np.uint64]:
        """uint64[n]: Zobrist keys (ox88.zobrist), which do not depend on the clocks.

        They depend on the en passant square only if a pawn stands next to the pawn that it could capture.
        """
        return self.records["key"]
