"""The columns of puzzles: their names in each format, made of texts, and checked in bulk."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.errors import Ox88Error

if TYPE_CHECKING:
    from ox88.batch.positions.positions import Positions

Columns = dict[str, NDArray[Any]]
Place = Callable[[int], str]  # Where the puzzle of a row stands in a file, such as `puzzles.csv, line 3`.


class Column(NamedTuple):
    """lichess: its name in Lichess's CSV. tag: in a PGN. kind: str, or int for numbers."""

    name: str
    lichess: str
    tag: str
    kind: type = str


COLUMNS: Final = (
    Column("id", "PuzzleId", "PuzzleId"),
    Column("fen", "FEN", "FEN"),
    Column("moves", "Moves", ""),
    Column("rating", "Rating", "PuzzleRating", int),
    Column("deviation", "RatingDeviation", "PuzzleDeviation", int),
    Column("popularity", "Popularity", "PuzzlePopularity", int),
    Column("plays", "NbPlays", "PuzzlePlays", int),
    Column("themes", "Themes", "PuzzleThemes"),
    Column("source", "GameUrl", "Site"),
    Column("openings", "OpeningTags", "PuzzleOpenings"),
    Column("played", "Played", "PuzzlePlayed"),
    Column("reason", "Reason", "PuzzleReason"),
)
OWN: Final = ("played", "reason")  # Lichess's CSV does not have these.
NEEDED: Final = ("id", "fen", "moves", "rating", "themes")
_LARGEST: Final = 2**31 - 1
_SHORTEST: Final = 2  # Moves.


def make_columns(
    values: Mapping[str, Sequence[Any] | NDArray[Any]], count: int, place: Place, check: bool = True
) -> Columns:
    """Arrays of int32 and of str, of values that may be texts. Columns that are not given are empty.

    Raises Ox88Error, which names the place, for what is no number, no legal position or no legal move.
    """
    columns: Columns = {}
    for name, _, _, kind in COLUMNS:
        given = values.get(name)
        if given is None:
            columns[name] = np.full(count, kind(), object if kind is str else np.int32)
        elif kind is str:
            columns[name] = np.array([_text(name, *row, place) for row in enumerate(given)], object)
        else:
            columns[name] = np.array([_number(name, *row, place) for row in enumerate(given)], np.int32)
    if check:
        _check_legal(columns, place)
    return columns


def _text(name: str, row: int, value: Any, place: Place) -> str:
    if not isinstance(value, str):
        raise Ox88Error(f"{place(row)}: {name} is {value!r}: a text is expected")
    return value


def _number(name: str, row: int, value: Any, place: Place) -> int:
    try:
        number = int(value or 0)
    except (TypeError, ValueError, OverflowError):
        raise Ox88Error(f"{place(row)}: {name} is {value!r}: a whole number is expected") from None
    if abs(number) > _LARGEST:
        raise Ox88Error(f"{place(row)}: {name} is {number}: a number up to {_LARGEST} is expected")
    return number


def positions_to_solve(columns: Columns) -> "Positions":
    """The Positions after the opponent's moves."""
    from ox88.batch.positions.positions import Positions  # Imports the compiler.

    positions = Positions.from_fens(columns["fen"].tolist())
    return positions.push(positions.parse_uci([text.split(" ", 1)[0] for text in columns["moves"]]))


def _check_legal(columns: Columns, place: Place) -> None:
    """Play all moves of all puzzles, a ply of all of them at a time. Both are then as python-chess writes them."""
    from ox88.batch.positions.positions import Positions
    from ox88.batch.rows.arguments import RowError

    moves = [text.split() for text in columns["moves"]]
    lengths = np.array(list(map(len, moves)), np.intp)
    for row in np.flatnonzero(lengths < _SHORTEST)[:1]:
        found = " ".join(moves[row]) or "none"
        raise Ox88Error(f"{place(int(row))}: the moves are {found}: the opponent's move and the solution are expected")
    rows = np.arange(len(moves))
    try:
        positions = Positions.from_fens(columns["fen"].tolist())
        for row in np.flatnonzero(_need_chess960(positions))[:1]:
            raise Ox88Error(
                f"{place(int(row))}: its castling rights are those of Chess960: a puzzle of chess is expected"
            )
        columns["fen"] = np.array(positions.fens(en_passant="legal"), object)
        for ply in range(max(lengths, default=0)):
            goes_on = lengths[rows] > ply
            rows, positions = rows[goes_on], positions[goes_on]
            played = positions.parse_uci([moves[row][ply] for row in rows])
            for row, text in zip(rows, positions.format_uci(played), strict=True):
                moves[row][ply] = text
            positions = positions.push(played)
    except RowError as error:
        raise Ox88Error(f"{place(int(rows[error.row]))}: {error.reason}") from None
    columns["moves"] = np.array(list(map(" ".join, moves)), object)


def _need_chess960(positions: "Positions") -> NDArray[np.bool_]:
    rights, kings = positions.castling_rights, positions.kinds[:, chess.KING]
    of_white, of_black = ((rights & np.uint64(rank)) != 0 for rank in (chess.BB_RANK_1, chess.BB_RANK_8))
    strays = of_white & ((kings & np.uint64(chess.BB_E1)) == 0) | of_black & ((kings & np.uint64(chess.BB_E8)) == 0)
    found: NDArray[np.bool_] = strays | ((rights & ~np.uint64(chess.BB_CORNERS)) != 0)
    return found
