"""Moves in bulk: which are legal, what they are and win, moves played, perft, moves as texts.

Most methods take `moves` in one of these forms, with one move for each position:

    uint16[n]     numbers, as `legal_moves`, `parse_san` and `search` return them; any whole numbers from 0 to 65,535
    texts         a list of n texts in UCI's notation or SAN, such as ["e2e4", "Nf6"], or of chess.Moves
    LegalMoves    all legal moves of the positions; then the result has a row for each of these moves

`each_move` reads this argument.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final, Self

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import IllegalMoveError, RowError, as_numbers, check_number
from ox88.batch.rows.chunks import in_chunks
from ox88.batch.rows.ragged import EachMove
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.legal_moves import LegalMoves, legal_moves
from ox88.batch.text.san_reader import parse_sans
from ox88.batch.text.san_writer import format_sans
from ox88.batch.text.uci import format_ucis, parse_ucis
from ox88.bitboard import legality
from ox88.bitboard import see as board_see
from ox88.bitboard.attacks import checkers
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.moves import do_move, do_null_move
from ox88.bitboard.perft import NO_TABLE, PERFT_STATE, perft
from ox88.bitboard.position import copy_position
from ox88.bitboard.records import POSITION, UNDO, make_record
from ox88.bitboard.tables import all_tables, board_tables
from ox88.errors import Ox88Error
from ox88.jit import kernel
from ox88.perft import MAX_DEPTH
from ox88.types import CASTLING_FLAG, NO_MOVE

Numbers = Sequence[int] | Sequence[np.integer[Any]] | NDArray[np.integer[Any]]
Texts = list[str] | tuple[str, ...] | Sequence[chess.Move] | NDArray[np.str_ | np.object_]
Moves = Numbers | Texts | LegalMoves

MAX_MOVE: Final = 0xFFFF
_EXPECTED: Final = "uint16 is expected, as legal_moves returns them, or texts such as 'e2e4' and 'Nf3'"
_TEXT_KINDS: Final = "OTU"  # Of NumPy's dtypes.

# What a move is: bits of a uint8. ILLEGAL is none of them.
ILLEGAL, LEGAL, CAPTURE, EN_PASSANT, CASTLING, CHECK = (np.int64(kind) for kind in (0, 1, 2, 4, 8, 16))

_SHALLOW = 2  # Plies; perft to this depth takes microseconds a position.
_SHALLOW_CHUNK = 256  # Positions.


# --- The argument `moves` ---------------------------------------------------------------------------------------------


def each_move(records: NDArray[Any], moves: Any, threads: int | None, may_be_illegal: bool = False) -> EachMove:
    """The moves of all positions, which are not checked unless they are texts. Raises TypeError, Ox88Error, RowError.

    may_be_illegal: True to read the text of an illegal move as 0.
    """
    if isinstance(moves, LegalMoves):
        if len(moves) != len(records):
            raise Ox88Error(f"the legal moves of {len(moves)} positions: those of {len(records)} are expected")
        return EachMove(as_moves(moves.moves, len(moves.moves)), moves._offsets)
    count = len(records)
    numbers = parse_sans(records, moves, threads, may_be_illegal) if are_texts(moves) else as_moves(moves, count)
    return EachMove(numbers, np.arange(count + 1, dtype=np.int64))


def as_moves(moves: Any, count: int) -> NDArray[np.uint16]:
    """Numbers of moves as uint16[count]. Raises TypeError, Ox88Error, RowError."""
    array = as_numbers("moves", moves, count, _EXPECTED)
    if array.dtype != np.uint16:
        for row in np.flatnonzero((array < 0) | (array > MAX_MOVE))[:1]:
            raise RowError(int(row), f"{array[row]} is not a move: a number from 0 to {MAX_MOVE} is expected")
    array = np.ascontiguousarray(array, np.uint16)
    return array if array.flags.writeable else array.copy()


def are_texts(moves: Any) -> bool:
    """True if the first of the moves is a text, or a chess.Move. Raises TypeError for a single text."""
    if isinstance(moves, str):
        raise TypeError(f"moves is the text {moves!r}: a list with one text for each position is expected")
    if isinstance(moves, (list, tuple)):
        return bool(moves) and isinstance(moves[0], (str, chess.Move))
    array = np.asarray(moves)
    return array.ndim == 1 and array.dtype.kind in _TEXT_KINDS


# --- For all positions ------------------------------------------------------------------------------------------------


class Playing(Fields):
    """Positions in which moves are found, judged, played, read and written."""

    __slots__ = ()

    def legal_moves(self, *, captures: bool = False, threads: int | None = None) -> LegalMoves:
        """All legal moves: `legal[i]` is uint16[k], the moves of position i, and `legal.moves` has those of all.

        With `captures`, captures alone, en passant among them. `format_uci` and `format_san` write moves; ox88.types
        describes their bits.
        """
        return legal_moves(self._records, threads, captures)

    def push(self, moves: Moves, *, null_moves: bool = False, threads: int | None = None) -> Self:
        """Play moves[i] in position i; with LegalMoves, every legal move.

        Args:
            moves: uint16[n], texts such as ["e2e4", "Nf6"], or LegalMoves.
            null_moves: True to let the side to move pass where its move is 0 (as text 0000 or --). In check it cannot.
            threads: Number of threads; all cores by default.

        Returns:
            New Positions, one for each move.

        Raises:
            IllegalMoveError: A move is not legal; the error has its row.
            RowError: A text is not a move, or fits several.
            TypeError: `moves` is of another type.
        """
        each = each_move(self._records, moves, threads)
        pushed, nulls = np.empty(len(each.numbers), POSITION), np.int64(null_moves)
        illegal: list[int] = []  # The place of the first illegal move of each chunk.

        def work(rows: slice) -> None:
            scratch = np.empty(1, UNDO)
            place = play(all_tables(), scratch, nulls, self._records[rows], each.of(rows), each.numbers, pushed)
            if place >= 0:
                illegal.append(int(place))

        in_chunks(work, len(self), threads)
        if illegal:
            raise self._illegal(each, min(illegal), null_moves)
        return self._of(pushed)

    def is_legal(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] is a legal move in position i.

        `moves` is as for `push`. Raises RowError if a text is not a move, or fits several.
        """
        each = each_move(self._records, moves, threads, may_be_illegal=True)
        return self._kinds(each, LEGAL, threads).astype(np.bool_)

    def is_capture(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] captures, perhaps en passant. Takes and raises what `push` does."""
        return self._are(CAPTURE, moves, threads)

    def is_en_passant(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] captures en passant. Takes and raises what `push` does."""
        return self._are(EN_PASSANT, moves, threads)

    def is_castling(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] is castling. Takes and raises what `push` does."""
        return self._are(CASTLING, moves, threads)

    def gives_check(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the other side is in check after moves[i]. Takes and raises what `push` does."""
        return self._are(CHECK, moves, threads)

    def see(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: static exchange evaluation of moves[i] in position i, in centipawns (ox88.bitboard.see).

        Takes and raises what `push` does.
        """
        each = each_move(self._records, moves, threads)
        self._check_legal(each, LEGAL, threads)
        return self._each_move(each, lambda *some: find_exchanges(all_tables(), *some), np.int16, threads)

    def perft(self, depth: int, *, threads: int | None = None) -> NDArray[np.int64]:
        """int64[n]: perft, the number of sequences of `depth` legal moves, 0 to 100, from each position."""
        check_number("depth", depth, 0, MAX_DEPTH)
        counts = np.ones(len(self), np.int64)
        states: list[Any] = []
        local = threading.local()

        def work(rows: slice) -> None:
            if not hasattr(local, "state"):
                local.state = make_record(PERFT_STATE)
                states.append(local.state)
            count_all(self._records[rows], board_tables(), NO_TABLE, local.state, np.int64(depth), counts[rows])

        def stop() -> None:
            for state in states:
                state.stop = 1

        if depth > 0:
            in_chunks(work, len(self), threads, _SHALLOW_CHUNK if depth <= _SHALLOW else 1, stop)
        return counts

    def format_uci(self, moves: Moves, *, threads: int | None = None) -> list[str]:
        """Each move in UCI's notation, such as `e2e4`, `e7e8q`, or `0000` for no move. It need not be legal.

        Castling is written as `e1g1`, or as `e1h1` in positions that only Chess960 has. `moves` is as for `push`.
        """
        return format_ucis(self._records, each_move(self._records, moves, threads))

    def parse_uci(self, texts: Texts, *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the moves that n texts such as `e2e4` or `e7e8q` name in UCI's notation. They need not be legal.

        Castling is read as `e1g1` or `e1h1`; `0000`, for no move, is 0. Raises RowError if a text is not a move.
        """
        return parse_ucis(self._records, texts, threads)

    def format_san(self, moves: Moves, *, threads: int | None = None) -> list[str]:
        """The SAN of each move, such as `Nf3`, `exd8=Q#` or `O-O`. Takes and raises what `push` does."""
        each = each_move(self._records, moves, threads)
        self._check_legal(each, LEGAL, threads)
        return format_sans(self._records, each, threads)

    def parse_san(self, texts: Texts, *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the legal moves that are written in SAN or in UCI's notation, as python-chess reads them.

        Such as `Nf3`, `exd8=Q#`, `O-O`, `0-0`, `Ng1f3` or `g1f3`; `--` and `0000`, for a null move, are read as 0.

        Raises:
            IllegalMoveError: A text fits no legal move; the error has its row.
            RowError: A text is not a move, or fits several.
        """
        return parse_sans(self._records, texts, threads)

    def _are(self, kind: np.int64, moves: Moves, threads: int | None) -> NDArray[np.bool_]:
        kinds = self._check_legal(each_move(self._records, moves, threads), kind, threads)
        return (kinds & np.uint8(kind)).astype(np.bool_)

    def _check_legal(self, moves: EachMove, asked: np.int64, threads: int | None) -> NDArray[np.uint8]:
        """What each move is, as far as `asked`. Raises IllegalMoveError for the first move that is not legal."""
        kinds = self._kinds(moves, asked, threads)
        if np.count_nonzero(kinds) < len(kinds):
            raise self._illegal(moves, int(np.argmin(kinds)))
        return kinds

    def _illegal(self, moves: EachMove, place: int, null_moves: bool = False) -> IllegalMoveError:
        row, move = moves.row_of(place), int(moves.numbers[place])
        why = ": a null move is illegal in check" if null_moves and move == NO_MOVE else ""
        return IllegalMoveError(row, move, self._records[row], why)

    def _kinds(self, moves: EachMove, asked: np.int64, threads: int | None) -> NDArray[np.uint8]:
        """uint8[number of moves]: what each move is. asked: CHECK to look for checks, which costs time."""
        return self._each_move(moves, lambda *some: find_kinds(all_tables(), asked, *some), np.uint8, threads)


@kernel
def find_kinds(all_tables, asked, positions, offsets, moves, kinds):
    """Write what the moves moves[offsets[i]:offsets[i + 1]] of each position i are. all_tables: an array of one."""
    tables = all_tables[0]
    for row in range(len(positions)):
        position = positions[row]
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            if legality.is_legal(position, tables, move):
                kinds[place] = kind_of(position, tables, move, asked)
            else:
                kinds[place] = ILLEGAL


@kernel
def kind_of(position, tables, move, asked):
    kind = LEGAL
    if legality.is_capture(position, move):
        kind |= CAPTURE
        if legality.is_en_passant(position, move):
            kind |= EN_PASSANT
    if move & CASTLING_FLAG != 0:
        kind |= CASTLING
    if asked == CHECK and legality.gives_check(position, tables, move):
        kind |= CHECK
    return kind


@kernel
def play(all_tables, undos, nulls, positions, offsets, moves, pushed):
    """Play the moves moves[offsets[i]:offsets[i + 1]] of each position i, up to the first illegal one.

    nulls: 1 to allow null moves. pushed: the positions after all moves. Returns the place of the illegal move, or -1.
    """
    tables, undo = all_tables[0], undos[0]
    for row in range(len(positions)):
        position = positions[row]
        for place in range(offsets[row], offsets[row + 1]):
            move = np.int64(moves[place])
            pushed[place] = position
            if move == NO_MOVE and nulls != 0 and checkers(position, tables) == NO_SQUARES:
                do_null_move(pushed[place], tables, undo)
            elif legality.is_legal(position, tables, move):
                do_move(pushed[place], tables, undo, move)
            else:
                return np.int64(place)
    return np.int64(-1)


@kernel
def find_exchanges(all_tables, positions, offsets, moves, found):
    for row in range(len(positions)):
        for place in range(offsets[row], offsets[row + 1]):
            found[place] = board_see.see(positions[row], all_tables[0], np.int64(moves[place]))


@kernel
def count_all(positions, tables, table, state, depth, counts):
    """Write the perft of each position; the counts are wrong once state.stop is set."""
    for row in range(len(positions)):
        copy_position(positions[row], state.position)
        counts[row] = perft(state, tables, table, depth)
