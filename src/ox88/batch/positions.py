"""Positions: many of them in one array, and what can be asked of all at once."""

import operator
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ox88.batch import (
    checks,
    evaluation,
    exchanges,
    features,
    files,
    legal_moves,
    outcomes,
    packed,
    perft,
    planes,
    playing,
    policy,
    polyglot,
    san,
    search,
)
from ox88.batch.fens import Errors, Fens, FenTexts, fen_texts, from_fens, to_fens
from ox88.batch.legal_moves import LegalMoves
from ox88.batch.moves import one_each
from ox88.batch.rows import RowError, as_rows
from ox88.batch.views import View
from ox88.bitboard.position import set_position, to_setup
from ox88.bitboard.records import POSITION, make_record
from ox88.types import IllegalPositionError, Setup

if TYPE_CHECKING:
    import chess


class Positions:
    """An array of positions, on which every method works at once, in compiled code and on all cores.

    It behaves as a NumPy array of one dimension: `len`, slices (which share memory), arrays of rows, masks. One row is
    an `ox88.Setup`, and so is each item of an iteration. `+` joins two, `==` compares all rows. No method changes
    positions: those that play moves return new ones.

    What the records hold can be looked at as arrays with a row for each position: see the properties below. Methods
    take `threads`, by default all cores; the results are the same whatever their number, and Ctrl-C ends the work.
    """

    __slots__ = ("_records",)
    __hash__ = None  # type: ignore[assignment]  # As of any array.

    _records: Any  # A recarray of POSITIONs, in one piece.

    # --- Made of something ------------------------------------------------------------------------------------------

    def __init__(self, setups: Iterable[Setup] = ()) -> None:
        """Raises RowError for a setup that is illegal."""
        rows = list(setups)
        self._records = np.zeros(len(rows), POSITION).view(np.recarray)
        for row, setup in enumerate(rows):
            if not isinstance(setup, Setup):
                raise TypeError(f"row {row} is of type {type(setup).__name__}: an ox88.Setup is expected")
            self._records[row] = _make_record(row, setup)

    @classmethod
    def _of(cls, records: NDArray[Any]) -> "Positions":
        """Around POSITION records that are known to be right: for the package's own use."""
        positions = cls.__new__(cls)
        positions._records = np.ascontiguousarray(records).view(np.recarray)
        return positions

    @classmethod
    def from_fens(cls, fens: Fens, *, errors: Errors = "raise", threads: int | None = None) -> "Positions":
        """Of FENs, X-FENs, Shredder-FENs or EPDs: a list of them, a text with one a line, or the Path of such a file.

        errors: "raise" a RowError for the first row that is no legal position, "skip" such rows, or a function that is
        called with the RowError of each, which is then left out. Rows, and lines, count from 0.
        """
        return cls._of(from_fens(fens, errors, threads))

    @classmethod
    def from_boards(cls, boards: Iterable["chess.Board"], *, threads: int | None = None) -> "Positions":
        """Of python-chess's boards, without their past. Raises RowError for a board that is illegal."""
        from ox88.batch.boards import from_boards

        return cls._of(from_boards(boards, threads))

    @classmethod
    def from_packed(cls, array: NDArray[Any], *, threads: int | None = None) -> "Positions":
        """Of what `pack` returns. Raises RowError for what is no position."""
        return cls._of(packed.unpack(packed.checked(array), threads))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, threads: int | None = None) -> "Positions":
        """All positions of a file; `PositionFile` reads parts of one. Raises PositionFileError, RowError."""
        return cls.from_packed(files.open_packed(path), threads=threads)

    @classmethod
    def concatenate(cls, parts: Iterable["Positions"]) -> "Positions":
        """All rows of some Positions."""
        rows = [part._records for part in parts]
        return cls._of(np.concatenate(rows)) if rows else cls()

    # --- An array ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, rows: int) -> Setup: ...

    @overload
    def __getitem__(self, rows: slice | ArrayLike) -> "Positions": ...

    def __getitem__(self, rows: Any) -> "Setup | Positions":
        """A Setup for one number, else Positions. Raises IndexError for a row that is not there, TypeError."""
        if isinstance(rows, (int, np.integer)) and not isinstance(rows, bool):
            return to_setup(self._records[operator.index(rows)])
        return Positions._of(self._records[as_rows(rows)])

    def __iter__(self) -> Iterator[Setup]:
        return (to_setup(record) for record in self._records)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return bool(np.array_equal(self._records.view(np.uint8), other._records.view(np.uint8)))

    def __add__(self, other: "Positions") -> "Positions":
        return Positions.concatenate((self, other)) if isinstance(other, Positions) else NotImplemented

    def __repr__(self) -> str:
        shown = self[:3].fens(threads=1)
        more = f", ... {len(self):,} in all" if len(self) > len(shown) else ""
        return f"<Positions: {', '.join(shown) or 'none'}{more}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Positions.from_packed, (self.pack(),)

    def copy(self) -> "Positions":
        """With memory of its own: a slice keeps all that it was cut from."""
        return Positions._of(self._records.copy())

    # --- Looked at as arrays, which cannot be written to ------------------------------------------------------------

    @property
    def records(self) -> NDArray[Any]:
        """POSITION[n], a structured array of all the fields below."""
        records: NDArray[Any] = self._records.view(np.ndarray)
        records.flags.writeable = False
        return records

    @property
    def board(self) -> NDArray[np.uint8]:
        """uint8[n, 64]: the piece on each square, a1 first.

        0 is empty, 1 to 6 are pawn, knight, bishop, rook, queen and king; 8 more are Black's.
        """
        return self.records["board"]

    @property
    def kinds(self) -> NDArray[np.uint64]:
        """uint64[n, 7]: by kind, the squares of both sides' pieces as bits, a1 the lowest; kind 0 is always 0."""
        return self.records["kinds"]

    @property
    def colours(self) -> NDArray[np.uint64]:
        """uint64[n, 2]: the squares of White's and of Black's pieces as bits."""
        return self.records["colours"]

    @property
    def turn(self) -> NDArray[np.uint8]:
        """uint8[n]: 0 where White is to move, 1 for Black."""
        return self.records["turn"]

    @property
    def castling(self) -> NDArray[np.uint64]:
        """uint64[n]: the squares of the rooks that may still castle, as bits."""
        return self.records["castling"]

    @property
    def en_passant(self) -> NDArray[np.uint8]:
        """uint8[n]: the square that a pawn's double step has just passed, whoever could capture there; 0 for none."""
        return self.records["en_passant"]

    @property
    def halfmove_clock(self) -> NDArray[np.uint16]:
        """uint16[n]: plies since the last capture or pawn's move."""
        return self.records["halfmove_clock"]

    @property
    def fullmove_number(self) -> NDArray[np.uint16]:
        """uint16[n]: the number of the move, as in FEN."""
        return self.records["fullmove_number"]

    @property
    def material(self) -> NDArray[np.int16]:
        """int16[n]: White's pieces less Black's in hundredths of a pawn, which count 1, 3, 3, 5 and 9 pawns."""
        return self.records["material"]

    @property
    def key(self) -> NDArray[np.uint64]:
        """uint64[n]: the Zobrist key. Equal positions have equal keys: clocks do not count, nor does an en passant
        square that no pawn stands ready to capture on. (ox88.zobrist)
        """
        return self.records["key"]

    # --- Written ----------------------------------------------------------------------------------------------------

    def fens(self, *, shredder: bool = False, threads: int | None = None) -> list[str]:
        """The FEN of each, as X-FEN where castling needs it; shredder: castling always by the rooks' files."""
        return to_fens(self._records, shredder, threads)

    def fen_texts(self, *, threads: int | None = None) -> FenTexts:
        """The same FENs as one array of bytes, without an object for each: (data: uint8[total], offsets: int64[n + 1]).

        FEN i is `data[offsets[i]:offsets[i + 1]]`, as Arrow keeps strings.
        """
        return fen_texts(self._records, threads)

    def boards(self) -> "list[chess.Board]":
        """A python-chess board of each, in Chess960 mode where castling needs it."""
        from ox88.batch.boards import to_boards

        return to_boards(self._records)

    def pack(self, *, threads: int | None = None) -> NDArray[Any]:
        """PACKED[n], 32 bytes a position (ox88.batch.packed); `from_packed` takes it."""
        return packed.pack(self._records, threads)

    def save(self, path: str | os.PathLike[str], *, threads: int | None = None) -> None:
        """Write a file of 32 bytes a position, for `load` and `PositionFile` (ox88.batch.files)."""
        files.save(self._records, path, threads)

    # --- Moves ------------------------------------------------------------------------------------------------------

    def legal_moves(self, *, threads: int | None = None) -> LegalMoves:
        """All legal moves: (moves: uint16[total], offsets: int64[n + 1]).

        Those of position i are `moves[offsets[i]:offsets[i + 1]]`. `ox88.to_uci` writes one, ox88.types describes them.
        """
        return legal_moves.legal_moves(self._records, threads)

    def is_legal(self, moves: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: whether moves[i], any number of 16 bits, is a legal move of position i."""
        return playing.is_legal(self._records, one_each(moves, len(self)), threads)

    def push(self, moves: ArrayLike, *, threads: int | None = None) -> "Positions":
        """New positions, after moves[i] in position i: uint16[n].

        Raises IllegalMoveError, naming row and move, for the first that is not legal.
        """
        return Positions._of(playing.push(self._records, one_each(moves, len(self)), threads))

    def san(self, moves: ArrayLike, *, threads: int | None = None) -> list[str]:
        """moves[i] as it is written in position i: `Nf3`, `exd8=Q#`, `O-O`. Raises IllegalMoveError."""
        return san.san(self._records, one_each(moves, len(self)), threads)

    def see(self, moves: ArrayLike, *, threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: what moves[i] wins or loses by captures on its square, in hundredths of a pawn.

        Static exchange evaluation (ox88.bitboard.see). Raises IllegalMoveError.
        """
        return exchanges.see(self._records, one_each(moves, len(self)), threads)

    def perft(self, depth: int, *, threads: int | None = None) -> NDArray[np.int64]:
        """int64[n]: the number of games of `depth` plies from each position."""
        return perft.perft(self._records, depth, threads)

    # --- Attacks and ends -------------------------------------------------------------------------------------------

    def checkers(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the pieces that give check to the side to move, as bits."""
        return checks.checkers(self._records, threads)

    def in_check(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: whether the side to move is in check."""
        return np.not_equal(self.checkers(threads=threads), 0)

    def attacks(self, colour: ArrayLike | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: all squares that a side attacks, as bits; 0 for White, 1 for Black, or an array of these.

        By default the side to move. Its own pieces' squares are attacked too, if they are protected.
        """
        return checks.attacks(self._records, self.turn if colour is None else colour, threads)

    def outcome(self, *, claim_draw: bool = False, threads: int | None = None) -> NDArray[np.int8]:
        """int8[n]: an ox88.Outcome each, 0 where the game goes on; claim_draw: fifty moves end it too."""
        return outcomes.outcome(self._records, claim_draw, threads)

    # --- For learning -----------------------------------------------------------------------------------------------

    def planes(
        self,
        dtype: DTypeLike = np.float32,
        *,
        view: View = "white",
        out: NDArray[Any] | None = None,
        threads: int | None = None,
    ) -> NDArray[Any]:
        """dtype[n, 18, 8, 8]: each position as pictures of the board: pieces, castling, en passant, side.

        ox88.batch.planes says which is which. In the "mover" view Black's positions are turned round. out: an array to
        write to, which saves the time of a new one. Raises TypeError for a dtype that is no number.

        `torch.from_dlpack` and `jax.numpy.from_dlpack` take the result without a copy.
        """
        return planes.planes(self._records, dtype, view, out, threads)

    def features(self, kind: str = "768", *, threads: int | None = None) -> features.Features:
        """The pieces as indices of sparse inputs, as both sides see them.

        Returns (indices: int32[2, total], offsets: int64[n + 1]). kind: "768", "halfkp" or "halfka", which
        ox88.batch.features describes.
        """
        return features.features(self._records, kind, threads)

    def policy_index(
        self, moves: ArrayLike | LegalMoves, layout: str = "az", *, threads: int | None = None
    ) -> NDArray[np.int64]:
        """int64[n]: the number that a policy head has for moves[i] in position i; or of all that `legal_moves` found.

        layout: "az", AlphaZero's 8 x 8 x 73, or "compact", Leela's 1,858; ox88.batch.policy describes both. Raises
        IllegalMoveError.
        """
        return policy.policy_index(self._records, moves, layout, threads)

    def policy_move(self, indices: ArrayLike, layout: str = "az", *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the legal move of position i that has the number indices[i].

        Raises IndexError for a number that the layout does not have, RowError where no legal move has it.
        """
        return policy.policy_move(self._records, indices, layout, threads)

    def policy_mask(self, layout: str = "az", *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n, 4672 or 1858]: true for the numbers of the legal moves."""
        return policy.policy_mask(self._records, layout, threads)

    def polyglot_key(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the keys of opening books, equal to chess.polyglot.zobrist_hash."""
        return polyglot.polyglot_key(self._records, threads)

    # --- The strong engine ------------------------------------------------------------------------------------------

    def evaluate(self, *, view: View = "white", threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: what the engine says without a search, in centipawns; view: "white", or "mover" for its side."""
        return evaluation.evaluate(self._records, view, threads)

    def search(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        view: View = "white",
        hash_megabytes: int = 1,
        threads: int | None = None,
    ) -> search.Searched:
        """Search each position to a depth in plies, for a number of nodes, or for what ends first.

        Returns (scores, moves, depths, nodes), one each a position. Each is searched in one thread, with a hash table
        of its own, so that the result does not depend on the number of threads.
        """
        return search.search(self._records, depth, nodes, view, hash_megabytes, threads)


def _make_record(row: int, setup: Setup) -> Any:
    record = make_record(POSITION)
    try:
        set_position(record, setup)
    except IllegalPositionError as error:
        raise RowError(row, error) from None
    return record
