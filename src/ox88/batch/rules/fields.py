"""What is so in many positions: their fields, checks, attacked squares, pinned pieces, and the ends of games."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ox88.batch.rows.arguments import Colours, as_colours
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import EachMove
from ox88.bitboard import attacks
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.counting import count_legal
from ox88.bitboard.position import is_insufficient
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import all_tables
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.types import WHITE

# A row as bytes: NumPy copies these at once, and a record field by field, which takes eight times as long.
BYTES = np.dtype((np.void, POSITION.itemsize))

_FIFTY, _SEVENTYFIVE = np.int64(100), np.int64(150)  # Plies.


class Outcome(IntEnum):
    """How a game has ended. The last two are for `ox88.Env` alone: a position has no history."""

    NONE = 0
    CHECKMATE = 1  # The side to move has lost. All other outcomes are draws.
    STALEMATE = 2
    INSUFFICIENT_MATERIAL = 3
    SEVENTYFIVE_MOVES = 4
    FIFTY_MOVES = 5  # A draw if a player claims it.
    REPETITION = 6
    PLY_LIMIT = 7


NO_OUTCOME, CHECKMATE, STALEMATE, INSUFFICIENT_MATERIAL, SEVENTYFIVE_MOVES, FIFTY_MOVES, REPETITION, PLY_LIMIT = (
    np.int64(outcome) for outcome in Outcome
)


class Fields:
    """n positions in one array of records: the fields of the records as properties, and what follows from them."""

    __slots__ = ("_origins", "_records")

    _records: NDArray[Any]  # A contiguous array of POSITION[n].
    _origins: Callable[[], NDArray[np.int64]] | NDArray[np.int64] | None  # int64[n, 2], games and plies.

    @classmethod
    def _of(
        cls, records: NDArray[Any], origins: Callable[[], NDArray[np.int64]] | NDArray[np.int64] | None = None
    ) -> Self:
        """Wrap POSITION records that are known to be legal, or their bytes, for use within Ox88.

        origins: the game and the ply of each, or a function that finds them when somebody asks.
        """
        positions = cls.__new__(cls)
        positions._records, positions._origins = np.ascontiguousarray(records).view(POSITION), origins
        return positions

    def _each(
        self,
        write: Callable[[Any, slice, NDArray[Any]], object],
        out: DTypeLike | NDArray[Any],
        threads: int | None,
        size: int | None = None,
    ) -> NDArray[Any]:
        """What `write(records, rows, found)` writes to `found` for some rows, at most `size` at a time.

        out: the type of the numbers to return, one for each position, or an array to write to and return.
        """
        found = out if isinstance(out, np.ndarray) else np.empty(len(self), out)
        in_chunks(lambda rows: write(self._records[rows], rows, found[rows]), len(self), threads, size)
        return found

    def _each_move(
        self, moves: EachMove, write: Callable[..., object], dtype: DTypeLike, threads: int | None
    ) -> NDArray[Any]:
        """dtype[number of moves]: what `write(records, offsets, moves, found)` writes, for some positions at a time."""
        found = np.empty(len(moves.numbers), dtype)
        in_chunks(lambda rows: write(self._records[rows], moves.of(rows), moves.numbers, found), len(self), threads)
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
        records = self._records.view()
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
        """int16[n]: White's material minus Black's in centipawns; pieces count 100, 300, 300, 500 and 900.

        `piece_counts() @ [1, 3, 3, 5, 9, 0]` has the material of each side.
        """
        return self.records["material"]

    @property
    def game(self) -> NDArray[np.int64]:
        """int64[n]: the row of each position's game in the `Games` whose method `positions` made the positions.

        An index, a slice, `take` and `copy` keep `game` and `ply`. Rows that were replaced have -1 in both. Positions
        that came about otherwise, joined, pushed or loaded ones among them, have neither: Ox88Error is raised.
        """
        return self._origin(0)

    @property
    def ply(self) -> NDArray[np.int64]:
        """int64[n]: the number of moves that were played in the game before each position. See `game`."""
        return self._origin(1)

    def _origin(self, column: int) -> NDArray[np.int64]:
        origins = self._known_origins()
        if origins is None:
            raise Ox88Error("these positions have no game and no ply: only those of Games.positions have")
        found = origins[:, column]
        found.flags.writeable = False
        return found

    def _known_origins(self) -> NDArray[np.int64] | None:
        """int64[n, 2]: the game and the ply of each position, if they are known."""
        if callable(self._origins):
            self._origins = self._origins()
        return self._origins

    @property
    def key(self) -> NDArray[np.uint64]:
        """uint64[n]: Zobrist keys (ox88.zobrist), which do not depend on the clocks.

        They depend on the en passant square only if a pawn stands next to the pawn that it could capture.
        """
        return self.records["key"]

    def piece_counts(self, *, threads: int | None = None) -> NDArray[np.uint8]:
        """uint8[n, 2, 6]: how many pawns, knights, bishops, rooks, queens and kings White (0) and Black (1) have."""

        def count(some: NDArray[Any], _: slice, found: NDArray[np.uint8]) -> None:
            np.bitwise_count(some["colours"][:, :, None] & some["kinds"][:, None, 1:], out=found)

        return self._each(count, np.empty((len(self), 2, 6), np.uint8), threads)

    # --- Checks, attacks, pins and ends -------------------------------------------------------------------------------

    def checkers(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that give check to the side to move."""
        return self._each(lambda some, _, found: find_checkers(some, all_tables(), found), np.uint64, threads)

    def is_check(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is in check."""
        return np.not_equal(self.checkers(threads=threads), 0)

    def is_checkmate(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is checkmated."""
        return np.equal(self.outcome(threads=threads), Outcome.CHECKMATE)

    def is_stalemate(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move has no legal move and is not in check."""
        return np.equal(self.outcome(threads=threads), Outcome.STALEMATE)

    def outcome(self, *, claim_draw: bool = False, threads: int | None = None) -> NDArray[np.int8]:
        """int8[n]: the `ox88.Outcome` of each position, 0 if the game goes on.

        Repetitions are not found: `Games.repetitions` counts them.

        Args:
            claim_draw: True to count fifty moves without capture or pawn move as a draw, as seventy-five always do.
                They must have been played; python-chess counts the move to come, too.
            threads: Number of threads; all cores by default.
        """
        claims = np.int64(claim_draw)
        return self._each(lambda some, _, found: find_outcomes(some, all_tables(), claims, found), np.int8, threads)

    def attacks(self, colour: Colours | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the squares that a side attacks, including those of its own protected pieces.

        Args:
            colour: `ox88.WHITE` = 0, `ox88.BLACK` = 1, python-chess's `chess.WHITE` or `chess.BLACK`, or n of these; by
                default the side to move.
            threads: Number of threads; all cores by default.

        Raises:
            TypeError: `colour` is an array of bools, which could mean either convention, or something else.
        """
        return self._each_side(find_attacks, colour, threads)

    def pinned(self, colour: Colours | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that are pinned to their own king. `colour` is as for `attacks`."""
        return self._each_side(find_pinned, colour, threads)

    def _each_side(
        self, find: Callable[..., object], colour: Colours | None, threads: int | None
    ) -> NDArray[np.uint64]:
        """uint64[n]: what a kernel finds for the pieces of a colour."""
        colours = as_colours(self.turn if colour is None else colour, len(self))
        return self._each(lambda some, rows, found: find(some, all_tables(), colours[rows], found), np.uint64, threads)


@kernel
def find_checkers(positions, all_tables, found):
    for row in range(len(positions)):
        found[row] = attacks.checkers(positions[row], all_tables[0])


@kernel
def find_attacks(positions, all_tables, colours, found):
    for row in range(len(positions)):
        position = positions[row]
        occupied = attacks.occupied_squares(position)
        found[row] = attacks.attacked_by(position, all_tables[0], np.int64(colours[row]), occupied)


@kernel
def find_pinned(positions, all_tables, colours, found):
    for row in range(len(positions)):
        found[row] = attacks.pinned(positions[row], all_tables[0], np.int64(colours[row]))


@kernel
def find_outcomes(positions, all_tables, claims, found):
    """Write the Outcome of each position. claims: 1 to count fifty moves as a draw."""
    for row in range(len(positions)):
        found[row] = outcome_with(positions[row], all_tables[0], count_legal(positions[row], all_tables[0]), claims)


@kernel
def outcome_with(position, tables, moves, claims):
    """The Outcome of a position with so many legal moves."""
    if moves == 0:
        return CHECKMATE if attacks.checkers(position, tables) != NO_SQUARES else STALEMATE
    if is_insufficient(position):
        return INSUFFICIENT_MATERIAL
    if position.halfmove_clock >= _SEVENTYFIVE:
        return SEVENTYFIVE_MOVES
    return FIFTY_MOVES if position.halfmove_clock >= _FIFTY and claims != 0 else NO_OUTCOME
