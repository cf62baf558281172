"""The argument `moves` of many methods: one move for each position, as a number or a text, or all legal moves."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.arguments import IllegalMoveError, RowError, as_numbers
from ox88.batch.chunks import in_chunks
from ox88.batch.legal_moves import LegalMoves
from ox88.batch.move_reader import read_sans, read_ucis
from ox88.batch.pgn.errors import AMBIGUOUS_MOVE, ILLEGAL_MOVE
from ox88.batch.pgn.records import PADDING
from ox88.batch.pgn.text import characters
from ox88.bitboard.position import to_setup
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from ox88.setup import format_fen, parse_uci
from ox88.types import NO_MOVE

Numbers = Sequence[int] | Sequence[np.integer[Any]] | NDArray[np.integer[Any]]
Texts = list[str] | tuple[str, ...] | Sequence[chess.Move] | NDArray[np.str_ | np.object_]
Moves = Numbers | Texts | LegalMoves

MAX_MOVE: Final = 0xFFFF
_EXPECTED: Final = "uint16 is expected, as legal_moves returns them, or texts such as 'e2e4' and 'Nf3'"
_TEXT_KINDS: Final = "OTU"  # Of NumPy's dtypes.


class EachMove(NamedTuple):
    """The moves of n positions; those of position i are `numbers[offsets[i]:offsets[i + 1]]`."""

    numbers: NDArray[np.uint16]
    offsets: NDArray[np.int64]

    def of(self, rows: slice) -> NDArray[np.int64]:
        """The offsets for a chunk of positions."""
        return self.offsets[rows.start : rows.stop + 1]

    def row_of(self, place: int) -> int:
        """The row of the position that a move belongs to."""
        return int(np.searchsorted(self.offsets, place, "right")) - 1


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
    return np.require(array, np.uint16, ["C", "W"])


def are_texts(moves: Any) -> bool:
    """True if the first of the moves is a text, or a chess.Move. Raises TypeError for a single text."""
    if isinstance(moves, str):
        raise TypeError(f"moves is the text {moves!r}: a list with one text for each position is expected")
    if isinstance(moves, (list, tuple)):
        return bool(moves) and isinstance(moves[0], (str, chess.Move))
    array = np.asarray(moves)
    return array.ndim == 1 and array.dtype.kind in _TEXT_KINDS


# --- Reading texts ----------------------------------------------------------------------------------------------------


def parse_sans(
    records: NDArray[Any], texts: Any, threads: int | None, may_be_illegal: bool = False
) -> NDArray[np.uint16]:
    """uint16[n]: legal moves and null moves, in SAN or UCI's notation. Raises TypeError, Ox88Error, RowError."""
    lines, text, starts, ends = _joined(texts, len(records))
    found = np.empty(len(records), np.int64)

    def work(rows: slice) -> None:
        read_sans(text, starts[rows], ends[rows], records[rows], board_tables(), characters(), found[rows])

    in_chunks(work, len(records), threads)
    if may_be_illegal:
        found[found == -ILLEGAL_MOVE] = NO_MOVE
    for row in map(int, np.flatnonzero(found < 0)[:1]):
        if found[row] == -ILLEGAL_MOVE:
            raise IllegalMoveError(row, lines[row], records[row])
        if found[row] == -AMBIGUOUS_MOVE:
            fen = format_fen(to_setup(records[row]))
            raise RowError(row, f"{lines[row]!r} fits more than one legal move in {fen}")
        raise RowError(row, f"{lines[row]!r} is not a move: SAN such as 'Nf3', or 'e2e4' is expected")
    return found.astype(np.uint16)


def parse_ucis(records: NDArray[Any], texts: Any, threads: int | None) -> NDArray[np.uint16]:
    """uint16[n]: moves in UCI's notation, legal or not. Raises TypeError, Ox88Error, RowError."""
    lines, text, starts, ends = _joined(texts, len(records))
    found = np.empty(len(records), np.int64)
    in_chunks(lambda some: read_ucis(text, starts[some], ends[some], records[some], found[some]), len(records), threads)
    for row in map(int, np.flatnonzero(found < 0)[:1]):
        try:
            parse_uci(lines[row], to_setup(records[row]))
        except Ox88Error as error:
            raise RowError(row, error) from None
    return found.astype(np.uint16)


def _joined(texts: Any, count: int) -> tuple[list[str], NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """(the texts, all of them as bytes, where each begins, where each ends). Raises TypeError, Ox88Error."""
    if isinstance(texts, str) or not hasattr(texts, "__iter__"):
        raise TypeError(f"moves of type {type(texts).__name__}: a list with one text for each position is expected")
    items = texts.tolist() if isinstance(texts, np.ndarray) else texts
    lines = [move if isinstance(move, str) else _uci_of(row, move) for row, move in enumerate(items)]
    if len(lines) != count:
        raise Ox88Error(f"{len(lines)} moves for {count} positions: one for each is expected")
    # A character that is not ASCII becomes a ?, which no move contains.
    text = np.frombuffer("\n".join(lines).encode("ascii", "replace") + bytes(PADDING), np.uint8)
    lengths = np.fromiter(map(len, lines), np.int64, count)
    ends = np.cumsum(lengths + 1) - 1
    return lines, text, ends - lengths, ends


def _uci_of(row: int, move: Any) -> str:
    """The text of a chess.Move."""
    if not isinstance(move, chess.Move):
        raise TypeError(f"moves with {type(move).__name__} in row {row}: texts such as 'e2e4' are expected")
    return move.uci()
