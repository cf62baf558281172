"""Reads the first positions of games from their FEN tags."""

import functools
import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.fen_reader import board_symbols, read_fens
from ox88.batch.pgn.columns import decode
from ox88.bitboard.position import set_position
from ox88.bitboard.records import POSITION
from ox88.bitboard.tables import board_tables
from ox88.fen import STARTPOS, FenError, parse_fen
from ox88.types import IllegalPositionError, Ox88Error, Setup

# Values of the tag Variant for games that follow the rules of chess, in lower case.
CHESS: Final = (
    "",
    "chess",
    "standard",
    "classical",
    "normal",
    "illegal",
    "from position",
    "chess960",
    "chess 960",
    "fischerandom",
    "fischerrandom",
    "fischer random",
    *(f"wild/{number}" for number in (*range(9), "8a")),
)
_CASTLING: Final = re.compile("-|[KQA-H]{0,2}[kqa-h]{0,2}")
_EN_PASSANT: Final = re.compile("-|[a-h][1-8]")


def first_positions(text: NDArray[np.uint8], places: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """(POSITION[n + 1], the start position and one for each FEN; int64[n], the row of each FEN, -1 if it is illegal).

    places: int64[n, 2], where each FEN begins and ends in the text.
    """
    records = np.zeros(len(places) + 1, POSITION).view(np.recarray)
    set_position(records[0], parse_fen(STARTPOS))
    is_read = np.zeros(len(places), np.bool_)
    starts, ends = np.ascontiguousarray(places.T)
    read_fens(text, starts, ends, board_symbols(), board_tables(), records[1:], is_read)
    for row in np.flatnonzero(~is_read):
        setup = _setup_of(text[starts[row] : ends[row]].tobytes())
        if setup is not None:
            set_position(records[row + 1], setup)
            is_read[row] = True
    return records, np.where(is_read, np.arange(1, len(records)), -1)


@functools.lru_cache(4096)
def _setup_of(fen: bytes) -> Setup | None:
    try:
        return read_setup(decode(fen))
    except Ox88Error:
        return None


def read_setup(fen: str) -> Setup:
    """The setup of a FEN tag. As in python-chess, impossible castling rights and en passant squares are ignored."""
    try:
        return parse_fen(fen).check()
    except Ox88Error:
        fields = fen.split()
        if len(fields) < 4 or not (_CASTLING.fullmatch(fields[2]) and _EN_PASSANT.fullmatch(fields[3])):
            raise
        placement, turn, castling, en_passant, *clocks = fields
        kept = "".join(letter for letter in castling if _is_right(placement, letter)) or "-"
        try:
            return parse_fen(" ".join((placement, turn, kept, en_passant, *clocks))).check()
        except Ox88Error:
            return parse_fen(" ".join((placement, turn, kept, "-", *clocks))).check()


def _is_right(placement: str, letter: str) -> bool:
    """True if king and rook stand where a castling right requires."""
    try:
        rules = parse_fen(f"{placement} w {letter} - 0 1").broken_rules()
    except FenError:
        return False
    return not any("castl" in rule for rule in rules)


def illegal_because(fen: str) -> str:
    try:
        read_setup(fen)
    except FenError as error:
        return error.reason
    except IllegalPositionError as error:
        return "; ".join(error.rules)
    raise AssertionError(f"{fen!r} is a legal position")
