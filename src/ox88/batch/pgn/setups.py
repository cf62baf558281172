"""Reads the first positions of games from their FEN tags."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.fen_reader import board_symbols, read_fens
from ox88.batch.fens import read_unusual
from ox88.batch.pgn.columns import decode
from ox88.bitboard.position import set_position
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.fen import STARTPOS
from ox88.setup import parse_fen

# Values of the tag Variant for games that follow the rules of Chess960, in lower case; and of any chess.
CHESS960: Final = (
    "chess960",
    "chess 960",
    "chess-960",
    "fischerandom",
    "fischerandom chess",
    "fischerrandom",
    "fischerrandom chess",
    "fischer random",
    "fischer random chess",
    "fischer-random",
    "frc",
    "double fischer random",
    "dfrc",
    "freestyle",
    "freestyle chess",
    "chess9lx",
    "chess 9lx",
)
CHESS: Final = (
    "",
    "chess",
    "standard",
    "standard chess",
    "classical",
    "normal",
    "illegal",
    "from position",
    "fromposition",
    *CHESS960,
    *(f"wild/{number}" for number in (*range(9), "8a")),
)


def first_positions(text: NDArray[np.uint8], places: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """(POSITION[n + 1], the start position and one for each FEN; int64[n], the row of each FEN, -1 if it is illegal).

    places: int64[n, 2], where each FEN begins and ends in the text.
    """
    records = np.zeros(len(places) + 1, POSITION).view(np.recarray)
    set_position(records[0], parse_fen(STARTPOS))
    is_read = np.zeros(len(places), np.bool_)
    starts, ends = np.ascontiguousarray(places.T)
    read_fens(text, starts, ends, board_symbols(), board_tables(), records[1:], is_read)
    read_unusual(text, starts, ends, lambda row: decode(text[starts[row] : ends[row]].tobytes()), records[1:], is_read)
    return records, np.where(is_read, np.arange(1, len(records)), -1)
