"""What UCI lets an engine say, held against the position: lines of moves are legal, numbers are numbers."""

from collections.abc import Iterator
from typing import Final

import chess

from tools.proof.campaign import FailureError

_NUMBERS: Final = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber")
_MOST_THOUSANDTHS: Final = 1000


def check_info(line: str, board: chess.Board, lines: int) -> None:
    """An `info` line. lines: how many best lines it was asked for, at most. Raises FailureError."""
    words = iter(line.split()[1:])
    for word in words:
        if word == "string":
            return
        if word == "pv":
            check_line([*words], board)
        elif word == "score":
            _check_score(words, line)
        elif word == "currmove":
            check_line([next(words, "")], board)
        elif word in ("lowerbound", "upperbound"):
            continue
        elif word == "wdl":
            if sum(_number(next(words, ""), line) for _ in range(3)) != _MOST_THOUSANDTHS:
                raise FailureError(f"the outcomes are not {_MOST_THOUSANDTHS} together: {line}")
        elif word in _NUMBERS:
            _check_number(word, _number(next(words, ""), line), lines, line)
        else:
            raise FailureError(f"UCI does not have {word!r}: {line}")


def check_line(moves: list[str], board: chess.Board) -> None:
    """One or more moves in a row. Raises FailureError."""
    ahead = board.copy(stack=False)
    if not moves:
        raise FailureError(f"a line without a move in {board.fen()}")
    for move in moves:
        try:
            if not ahead.push_uci(move):
                raise ValueError("passing is no move")
        except ValueError as error:
            raise FailureError(f"{move} of the line {' '.join(moves)} in {board.fen()}: {error}") from None


def _check_score(words: Iterator[str], line: str) -> None:
    kind, value = next(words, ""), next(words, "")
    if kind not in ("cp", "mate") or not value.removeprefix("-").isdecimal():
        raise FailureError(f"the score {kind} {value}: {line}")


def _check_number(name: str, number: int, lines: int, line: str) -> None:
    most = {"hashfull": _MOST_THOUSANDTHS, "multipv": lines}.get(name)
    if most is not None and number > most:
        raise FailureError(f"{name} {number} is more than {most}: {line}")


def _number(text: str, line: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise FailureError(f"{text!r} is not a number: {line}")
    return int(text)
