"""Positions: many of them in one array, and what can be asked of all at once."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.legal_moves import LegalMoves, legal_moves
from ox88.bitboard.position import set_position, to_setup
from ox88.bitboard.records import POSITION, make_record
from ox88.fen import format_fen, parse_fen
from ox88.types import Ox88Error, Setup


class Positions:
    """An array of positions. No method changes it: those that play moves return new Positions.

    `len`, slices, arrays of rows and masks work as on a NumPy array, `+` joins two; one row alone is a `Setup`.

    Each field of the POSITION record is an array with a row for each position, which cannot be written to:

        board            uint8[n, 64]   the piece on each square, a1 first: kind 1 to 6 (pawn, knight, bishop, rook,
                                        queen, king), and 8 more for Black; 0 is empty
        kinds            uint64[n, 7]   by kind, the squares of both colours' pieces as bits; kinds[:, 0] is unused
        colours          uint64[n, 2]   the squares of White's and of Black's pieces
        turn             uint8[n]       0 for White to move, 1 for Black
        castling         uint64[n]      the squares of the rooks that may still castle
        en_passant       uint8[n]       the square that a double step has just passed; 0 for none
        halfmove_clock   uint16[n]
        fullmove_number  uint16[n]
        material         int16[n]       White's pieces less Black's, in hundredths of a pawn: 1, 3, 3, 5, 9
        key              uint64[n]      the Zobrist key
    """

    __slots__ = ("_records",)
    __hash__ = None  # type: ignore[assignment]  # As of any array.

    def __init__(self, setups: Iterable[Setup] = ()) -> None:
        self._records = _to_records(list(setups))

    @classmethod
    def _of(cls, records: NDArray[Any]) -> "Positions":
        """Around POSITION records that are known to be right: for the package's own use."""
        positions = cls.__new__(cls)
        positions._records = np.ascontiguousarray(records).view(np.recarray)
        return positions

    @classmethod
    def from_fens(cls, fens: Sequence[str]) -> "Positions":
        return cls(parse_fen(fen) for fen in fens)

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, rows: Any) -> Any:
        found = self._records[rows]
        return to_setup(found) if isinstance(found, np.record) else Positions._of(found)

    def __iter__(self) -> Iterator[Setup]:
        return (to_setup(record) for record in self._records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Positions) and bool(np.array_equal(self._records, other._records))

    def __add__(self, other: "Positions") -> "Positions":
        return Positions._of(np.concatenate([self._records, other._records]))

    def __repr__(self) -> str:
        return f"<Positions: {len(self)}>"

    @property
    def records(self) -> NDArray[Any]:
        """POSITION[n], which cannot be written to."""
        view: NDArray[Any] = self._records.view(np.ndarray)
        view.flags.writeable = False
        return view

    def fens(self) -> list[str]:
        return [format_fen(setup) for setup in self]

    def legal_moves(self, threads: int | None = None) -> LegalMoves:
        """All legal moves: (moves: uint16[total], offsets: int64[n + 1])."""
        return legal_moves(self._records, threads)


def _to_records(setups: list[Setup]) -> Any:
    records = np.zeros(len(setups), POSITION).view(np.recarray)
    for row, setup in enumerate(setups):
        record = make_record(POSITION)
        try:
            set_position(record, setup)
        except Ox88Error as error:
            raise Ox88Error(f"row {row}: {error}") from None
        records[row] = record
    return records
