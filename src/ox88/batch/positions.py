"""Positions: many of them in one array, and what can be asked of all at once."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ox88.batch.evaluation import evaluations
from ox88.batch.features import Features, features
from ox88.batch.legal_moves import LegalMoves, legal_moves
from ox88.batch.planes import planes
from ox88.batch.policy import policy_indices, policy_mask, policy_moves
from ox88.batch.polyglot import polyglot_keys
from ox88.batch.search import Searched, search
from ox88.batch.views import View
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

    # --- For learning -----------------------------------------------------------------------------------------------

    def planes(
        self,
        dtype: DTypeLike = np.float32,
        view: View = "white",
        out: NDArray[Any] | None = None,
        threads: int | None = None,
    ) -> NDArray[Any]:
        """dtype[n, 18, 8, 8]: each position as 18 pictures of the board, which ox88.batch.planes describes.

        In the mover's view Black's positions are turned round. out: an array to write to, which saves the time of a new
        one. `torch.from_dlpack` and JAX take the result without a copy. Raises TypeError for a dtype that is no number.
        """
        return planes(self._records, dtype, view, out, threads)

    def features(self, kind: str = "768", threads: int | None = None) -> Features:
        """The pieces as indices of sparse inputs, (indices: int32[2, total], offsets: int64[n + 1]), for both sides.

        kind: "768", "halfkp" or "halfka", which ox88.batch.features describes.
        """
        return features(self._records, kind, threads)

    def policy_indices(
        self, moves: NDArray[np.uint16] | LegalMoves, layout: str = "az", threads: int | None = None
    ) -> NDArray[np.int64]:
        """The number that a policy head has for each move: int64[n] of a move a position, or of all `legal_moves`.

        layout: "az", AlphaZero's 8 x 8 x 73, or "compact", Leela's 1,858; ox88.batch.policy describes both. Raises
        Ox88Error naming row and move for one that is illegal.
        """
        return policy_indices(self._records, moves, layout, threads)

    def policy_moves(self, indices: NDArray[Any], layout: str = "az", threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the legal moves that have these numbers. Raises IndexError, and Ox88Error where there is none."""
        return policy_moves(self._records, indices, layout, threads)

    def policy_mask(self, layout: str = "az", threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n, 4672 or 1858]: true for the numbers of the legal moves."""
        return policy_mask(self._records, layout, threads)

    def polyglot_keys(self, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the keys of opening books, equal to chess.polyglot.zobrist_hash."""
        return polyglot_keys(self._records, threads)

    def evaluate(self, view: View = "white", threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: what the engine's evaluation says without a search, in centipawns."""
        return evaluations(self._records, view, threads)

    def search(
        self,
        depth: int | None = None,
        nodes: int | None = None,
        view: View = "white",
        hash_megabytes: int = 1,
        threads: int | None = None,
    ) -> Searched:
        """Search each position to a depth in plies or a number of nodes: (scores, moves, depths, nodes).

        Each is searched in one thread, with a table of its own, so that the number of threads changes nothing.
        """
        return search(self._records, depth, nodes, view, hash_megabytes, threads)


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
