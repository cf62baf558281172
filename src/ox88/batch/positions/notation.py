"""Moves as texts: `format_uci`, `parse_uci`, `format_san` and `parse_san`, for one position or for many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ox88 import types
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import Row, RowError, check_number, is_row
from ox88.batch.rules.legal_moves import LegalMoves
from ox88.batch.rules.moves import MAX_MOVE, Moves, Numbers, Texts, as_moves
from ox88.batch.text.uci import texts_of
from ox88.errors import Ox88Error
from ox88.setup import Setup, check_setup
from ox88.setup import parse_uci as read_uci

_Result = TypeVar("_Result")


@overload
def format_uci(move: Row, chess960: bool = False) -> str: ...


@overload
def format_uci(move: Numbers | LegalMoves, chess960: bool = False) -> list[str]: ...


def format_uci(move: Any, chess960: bool = False) -> str | list[str]:
    """Write a move in UCI's notation: `e2e4`, `e7e8q`, `0000` for no move; or many moves.

    Args:
        move: One move as a number, or uint16[m] such as `games.moves` and `legal[0]`.
        chess960: True to write castling as the king capturing its rook, `e1h1`, rather than as `e1g1`.
            `Positions.format_uci` does so where the position needs it.

    Returns:
        A text, or a list of m texts.

    Raises:
        TypeError: The move is no whole number.
        Ox88Error: It is not from 0 to 65,535, or the array has not one dimension.
    """
    if is_row(move):
        check_number("move", move, 0, MAX_MOVE)
        return types.format_uci(int(move), chess960)
    numbers = move.moves if isinstance(move, LegalMoves) else move
    if isinstance(numbers, (str, bool)) or not hasattr(numbers, "__len__"):
        raise TypeError(f"the move is {numbers!r}: a number is expected, as parse_uci and legal_moves return it")
    return texts_of(as_moves(numbers, len(numbers)), chess960)


@overload
def parse_uci(text: str, position: Setup) -> int: ...


@overload
def parse_uci(text: Texts, position: Positions) -> NDArray[np.uint16]: ...


def parse_uci(text: Any, position: Setup | Positions) -> int | NDArray[np.uint16]:
    """Read a move in UCI's notation, or one for each of n positions. It need not be legal.

    Args:
        text: Such as `e2e4` or `e7e8q`; castling as `e1g1` or `e1h1`; `0000` for no move. For Positions a list of n.
        position: The Setup or Positions before the move, which show whether a king's move is castling.

    Returns:
        The move as a number of 16 bits (ox88.types describes them), or uint16[n].

    Raises:
        Ox88Error: The text is not a move; for Positions its RowError.
        TypeError: An argument has the wrong type.
    """
    if isinstance(position, Positions):
        return position.parse_uci(text)
    return read_uci(text, position)


@overload
def format_san(move: Row | str, position: Setup) -> str: ...


@overload
def format_san(move: Moves, position: Positions) -> list[str]: ...


def format_san(move: Any, position: Setup | Positions) -> str | list[str]:
    """Write a legal move in SAN, such as `Nf3`, `exd8=Q#` or `O-O`; or one for each of n positions.

    Args:
        move: The move, as `parse_uci` and `parse_san` return it. For Positions all that `Positions.format_san` takes.
        position: The Setup or Positions before the move.

    Returns:
        A text, or a list of texts.

    Raises:
        Ox88Error: The position or the move is not legal; for Positions the IllegalMoveError of a row.
        TypeError: An argument has the wrong type.
    """
    if isinstance(position, Positions):
        return position.format_san(move)
    check_setup(position)
    return _of_one(lambda positions: positions.format_san([move]), position)


@overload
def parse_san(text: str, position: Setup) -> int: ...


@overload
def parse_san(text: Texts, position: Positions) -> NDArray[np.uint16]: ...


def parse_san(text: Any, position: Setup | Positions) -> int | NDArray[np.uint16]:
    """Read a legal move in SAN or in UCI's notation, or one for each of n positions.

    Args:
        text: Such as `Nf3`, `exd8=Q#`, `O-O`, `0-0`, `Ng1f3` or `g1f3`; `--` and `0000` for a null move, which is 0.
            For Positions a list of n.
        position: The Setup or Positions before the move.

    Returns:
        The move as a number of 16 bits (ox88.types describes them), or uint16[n].

    Raises:
        Ox88Error: The position is not legal, or the text is no move, fits none or several; for Positions a RowError.
        TypeError: An argument has the wrong type.
    """
    if isinstance(position, Positions):
        return position.parse_san(text)
    check_setup(position)
    if not isinstance(text, str):
        raise TypeError(f"the move is {text!r}: a text is expected, such as 'Nf3'")
    return int(_of_one(lambda positions: positions.parse_san([text]).tolist(), position))


def _of_one(work: Callable[[Positions], Sequence[_Result]], setup: Setup) -> _Result:
    """The result for a single position; its error has no row. Raises Ox88Error."""
    positions = Positions([setup.check()])
    try:
        return work(positions)[0]
    except RowError as error:
        raise Ox88Error(error.reason) from None
