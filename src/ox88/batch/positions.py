"""The class Positions: many positions in one array, with methods that compute results for all of them."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ox88.batch import engine, features, legal_moves, packed, packed_file, planes, policy, polyglot, san, status
from ox88.batch import moves as board_moves
from ox88.batch.arguments import RowError, View, as_moves, as_rows, is_row
from ox88.batch.fens import Errors, Fens, FenTexts, fen_texts, from_fens, to_fens
from ox88.batch.legal_moves import LegalMoves
from ox88.bitboard.position import make_position, to_setup
from ox88.bitboard.records import POSITION
from ox88.types import IllegalPositionError, Setup

if TYPE_CHECKING:
    import chess


class Positions:
    """Many positions in one array. A method computes its result for all of them, in compiled code and on all cores.

    Positions behave as a NumPy array of one dimension: a slice (which shares memory), an array of rows or a mask gives
    Positions, one row gives an `ox88.Setup`, and iteration gives Setups. `+` joins two Positions; `==` is True if all
    their rows are equal. Positions never change: a method that plays moves returns new ones.

    The properties are read-only arrays with a row for each of the n positions. Methods with the argument `threads` use
    that number of threads, all cores by default; the result does not depend on it, and Ctrl-C ends the call.
    """

    __slots__ = ("_records",)
    __hash__ = None  # type: ignore[assignment]  # An array has no hash either.

    _records: Any  # A contiguous recarray of POSITION[n].

    # --- Constructors -------------------------------------------------------------------------------------------------

    def __init__(self, setups: Iterable[Setup] = ()) -> None:
        """Make Positions from Setups. Raises RowError for an illegal setup, TypeError for anything else."""
        rows = list(setups)
        self._records = np.zeros(len(rows), POSITION).view(np.recarray)
        for row, setup in enumerate(rows):
            if not isinstance(setup, Setup):
                raise TypeError(f"row {row} is of type {type(setup).__name__}: an ox88.Setup is expected")
            try:
                self._records[row] = make_position(setup)
            except IllegalPositionError as error:
                raise RowError(row, error) from None

    @classmethod
    def _of(cls, records: NDArray[Any]) -> "Positions":
        """Wrap POSITION records that are known to be legal, for use within Ox88."""
        positions = cls.__new__(cls)
        positions._records = np.ascontiguousarray(records).view(np.recarray)
        return positions

    @classmethod
    def from_fens(cls, fens: Fens, *, errors: Errors = "raise", threads: int | None = None) -> "Positions":
        """Read FENs, X-FENs, Shredder-FENs or EPDs.

        Args:
            fens: A list of FENs, a text (str or bytes) with one on each line, or the pathlib.Path of such a file.
            errors: What to do with a row that is not a legal position: "raise" its RowError, "skip" it, or a function
                that is called with its RowError before it is skipped.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A row, counted from 0, is not a legal position.
            TypeError: `fens` is of another type.
            OSError: The file cannot be read.
        """
        return cls._of(from_fens(fens, errors, threads))

    @classmethod
    def from_boards(cls, boards: Iterable["chess.Board"], *, threads: int | None = None) -> "Positions":
        """Convert python-chess boards, without their move stacks.

        Args:
            boards: The boards.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A board is not a legal position, or a clock is more than 65,535.
            TypeError: An item is not a chess.Board.
        """
        from ox88.batch.boards import from_boards

        return cls._of(from_boards(boards, threads))

    @classmethod
    def from_packed(cls, array: NDArray[Any], *, threads: int | None = None) -> "Positions":
        """Unpack positions.

        Args:
            array: PACKED[n], as `pack` returns it.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A row is not a legal position.
            TypeError: The array is of another type.
        """
        return cls._of(packed.unpack(packed.checked(array), threads))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, threads: int | None = None) -> "Positions":
        """Read all positions of a file that `save` has written; `ox88.PositionFile` reads parts of one.

        Raises:
            PositionFileError: The file is not a file of positions, or not complete.
            RowError: A row of it is not a legal position.
        """
        return cls.from_packed(packed_file.open_packed(path), threads=threads)

    @classmethod
    def concatenate(cls, parts: Iterable["Positions"]) -> "Positions":
        """Join Positions, in their order."""
        rows = [part._records for part in parts]
        return cls._of(np.concatenate(rows)) if rows else cls()

    # --- As an array --------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, rows: int) -> Setup: ...

    @overload
    def __getitem__(self, rows: slice | ArrayLike) -> "Positions": ...

    def __getitem__(self, rows: Any) -> "Setup | Positions":
        """A Setup for one row, else Positions. Raises IndexError, TypeError."""
        if is_row(rows):
            return to_setup(self._records[rows])
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
        """A copy with its own memory. (A slice keeps the whole array in memory.)"""
        return Positions._of(self._records.copy())

    # --- The fields of the records, read-only -------------------------------------------------------------------------

    @property
    def records(self) -> NDArray[Any]:
        """POSITION[n]: a structured array of all fields below (ox88.bitboard.records)."""
        records: NDArray[Any] = self._records.view(np.ndarray)
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
        """uint8[n]: 0 where White is to move, 1 for Black."""
        return self.records["turn"]

    @property
    def castling(self) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the rooks that have castling rights."""
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

    # --- Conversions --------------------------------------------------------------------------------------------------

    def fens(self, *, shredder: bool = False, threads: int | None = None) -> list[str]:
        """The FENs, as X-FEN where castling rights need it.

        Args:
            shredder: True to write castling rights as the files of the rooks, as Shredder-FEN does.
            threads: Number of threads; all cores by default.
        """
        return to_fens(self._records, shredder, threads)

    def fen_texts(self, *, threads: int | None = None) -> FenTexts:
        """The FENs as arrays, without a Python object for each: (data: uint8[total], offsets: int64[n + 1]).

        FEN i is `data[offsets[i]:offsets[i + 1]]` in ASCII: the layout of strings in Arrow.
        """
        return fen_texts(self._records, threads)

    def boards(self) -> "list[chess.Board]":
        """python-chess boards, in Chess960 mode where castling rights need it."""
        from ox88.batch.boards import to_boards

        return to_boards(self._records)

    def pack(self, *, threads: int | None = None) -> NDArray[Any]:
        """PACKED[n]: 32 bytes for each position (ox88.batch.packed); `from_packed` reads them."""
        return packed.pack(self._records, threads)

    def save(self, path: str | os.PathLike[str], *, threads: int | None = None) -> None:
        """Write a file of 32 bytes for each position, which `load` and `ox88.PositionFile` read. Raises OSError."""
        packed_file.save(self._records, path, threads)

    # --- Moves --------------------------------------------------------------------------------------------------------

    def legal_moves(self, *, threads: int | None = None) -> LegalMoves:
        """All legal moves: (moves: uint16[total], offsets: int64[n + 1]).

        Those of position i are `moves[offsets[i]:offsets[i + 1]]`. `ox88.to_uci` writes a move; ox88.types describes
        its bits.
        """
        return legal_moves.legal_moves(self._records, threads)

    def is_legal(self, moves: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] is a legal move in position i.

        Args:
            moves: uint16[n], legal or not, or whole numbers from 0 to 65,535.
            threads: Number of threads; all cores by default.
        """
        return board_moves.is_legal(self._records, as_moves(moves, len(self)), threads)

    def push(self, moves: ArrayLike, *, threads: int | None = None) -> "Positions":
        """Play moves[i] in position i.

        Args:
            moves: uint16[n], or whole numbers from 0 to 65,535.
            threads: Number of threads; all cores by default.

        Returns:
            New Positions.

        Raises:
            IllegalMoveError: A move is not legal; the error has its row.
        """
        return Positions._of(board_moves.push(self._records, as_moves(moves, len(self)), threads))

    def san(self, moves: ArrayLike, *, threads: int | None = None) -> list[str]:
        """The SAN of moves[i] in position i, such as `Nf3`, `exd8=Q#` or `O-O`.

        Args:
            moves: uint16[n], or whole numbers from 0 to 65,535.
            threads: Number of threads; all cores by default.

        Raises:
            IllegalMoveError: A move is not legal; the error has its row.
        """
        return san.sans(self._records, as_moves(moves, len(self)), threads)

    def see(self, moves: ArrayLike, *, threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: static exchange evaluation of moves[i] in position i, in centipawns (ox88.bitboard.see).

        Args:
            moves: uint16[n], or whole numbers from 0 to 65,535.
            threads: Number of threads; all cores by default.

        Raises:
            IllegalMoveError: A move is not legal; the error has its row.
        """
        return board_moves.see(self._records, as_moves(moves, len(self)), threads)

    def perft(self, depth: int, *, threads: int | None = None) -> NDArray[np.int64]:
        """int64[n]: perft, the number of sequences of legal moves of a given length from each position.

        Args:
            depth: The length in plies, 0 to 100.
            threads: Number of threads; all cores by default.
        """
        return board_moves.perft(self._records, depth, threads)

    # --- Attacks and outcomes -----------------------------------------------------------------------------------------

    def checkers(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that give check to the side to move."""
        return status.checkers(self._records, threads)

    def in_check(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is in check."""
        return np.not_equal(self.checkers(threads=threads), 0)

    def attacks(self, colour: ArrayLike | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the squares that a side attacks, including those of its own protected pieces.

        Args:
            colour: 0 for White, 1 for Black, or an array of these; by default the side to move.
            threads: Number of threads; all cores by default.
        """
        return status.attacks(self._records, self.turn if colour is None else colour, threads)

    def outcome(self, *, claim_draw: bool = False, threads: int | None = None) -> NDArray[np.int8]:
        """int8[n]: the `ox88.Outcome` of each position, 0 if the game goes on. Repetitions are not found.

        Args:
            claim_draw: True to count fifty moves without capture or pawn move as a draw, as seventy-five always do.
            threads: Number of threads; all cores by default.
        """
        return status.outcome(self._records, claim_draw, threads)

    # --- For machine learning -----------------------------------------------------------------------------------------

    def planes(
        self,
        dtype: DTypeLike = np.float32,
        *,
        view: View = "white",
        out: NDArray[Any] | None = None,
        threads: int | None = None,
    ) -> NDArray[Any]:
        """Input planes for a convolutional network: pieces, castling, en passant, side to move (ox88.batch.planes).

        Args:
            dtype: bool, or a type of whole or floating-point numbers of at most 64 bits.
            view: "white", or "mover" to flip the board where Black is to move.
            out: dtype[n, 18, 8, 8], an array to write to and return, which is faster than a new one.
            threads: Number of threads; all cores by default.

        Returns:
            dtype[n, 18, 8, 8]. `torch.from_dlpack` and `jax.numpy.from_dlpack` take it without a copy.

        Raises:
            TypeError: `dtype` is not such a type, or `out` has another dtype.
            Ox88Error: `out` has another shape, or `view` is unknown.
        """
        return planes.planes(self._records, dtype, view, out, threads)

    def features(self, kind: str = "768", *, threads: int | None = None) -> features.Features:
        """The pieces as sparse inputs of a network like NNUE's, for the side to move and for the other side.

        Args:
            kind: "768", "halfkp" or "halfka" (ox88.batch.features).
            threads: Number of threads; all cores by default.

        Returns:
            (indices: int32[2, total], offsets: int64[n + 1]). Those of position i are
            `indices[:, offsets[i]:offsets[i + 1]]`.

        Raises:
            Ox88Error: `kind` is unknown.
        """
        return features.features(self._records, kind, threads)

    def policy_index(
        self, moves: ArrayLike | LegalMoves, layout: str = "az", *, threads: int | None = None
    ) -> NDArray[np.int64]:
        """The policy indices of moves (ox88.batch.policy).

        Args:
            moves: One legal move for each position, uint16[n], or the result of `legal_moves`.
            layout: "az" for AlphaZero's 8 x 8 x 73, "compact" for the 1,858 of Leela Chess Zero.
            threads: Number of threads; all cores by default.

        Returns:
            int64[number of moves].

        Raises:
            IllegalMoveError: A move is not legal.
            Ox88Error: `layout` is unknown, or the number of moves is wrong.
        """
        return policy.policy_index(self._records, moves, layout, threads)

    def policy_move(self, indices: ArrayLike, layout: str = "az", *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the legal move of position i with the policy index indices[i].

        Args:
            indices: Whole numbers, as `policy_index` returns them.
            layout: "az" or "compact".
            threads: Number of threads; all cores by default.

        Raises:
            IndexError: The layout has no such index.
            RowError: No legal move of the position has the index.
        """
        return policy.policy_move(self._records, indices, layout, threads)

    def policy_mask(self, layout: str = "az", *, threads: int | None = None) -> NDArray[np.bool_]:
        """A mask that is True at the policy indices of the legal moves.

        Args:
            layout: "az" or "compact".
            threads: Number of threads; all cores by default.

        Returns:
            bool[n, 4672] for "az", bool[n, 1858] for "compact".
        """
        return policy.policy_mask(self._records, layout, threads)

    def polyglot_key(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the keys of Polyglot opening books, as chess.polyglot.zobrist_hash computes them."""
        return polyglot.polyglot_key(self._records, threads)

    # --- The strong engine --------------------------------------------------------------------------------------------

    def evaluate(self, *, view: View = "white", threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: the static evaluation of the strong engine, in centipawns.

        Args:
            view: "white", or "mover" for evaluations for the side to move.
            threads: Number of threads; all cores by default.
        """
        return engine.evaluate(self._records, view, threads)

    def search(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        view: View = "white",
        hash_megabytes: int = 1,
        threads: int | None = None,
    ) -> engine.SearchResults:
        """Search every position until a limit is reached, each in one thread and with an empty hash table.

        Args:
            depth: Limit for each position in plies, at most 126.
            nodes: Limit for each position in nodes, which is never exceeded.
            view: "white", or "mover" for scores for the side to move.
            hash_megabytes: Size of the hash table of each thread.
            threads: Number of threads; all cores by default.

        Returns:
            (scores: int16[n], moves: uint16[n], depths: uint8[n], nodes: int64[n]). Scores are centipawns; mate in n
            plies is 31000 - n. The move is 0 if there is none.

        Raises:
            Ox88Error: Neither depth nor nodes is given, or a limit is out of range.
        """
        return engine.search(self._records, depth, nodes, view, hash_megabytes, threads)
