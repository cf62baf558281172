"""Syzygy tables at the root, probed by python-chess: moves are ranked by their result, then by their progress."""

import math
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from ox88.convert import to_chess_board, to_chess_move
from ox88.engines.base import EngineError, MissingEngineFileError
from ox88.setup import Setup

if TYPE_CHECKING:
    import chess

# What the prober raises if a table is missing (KeyError) or damaged.
_DAMAGED: Final = (
    KeyError,
    OSError,
    ValueError,
    AssertionError,
    IndexError,
    OverflowError,
    RecursionError,
    struct.error,
)
_FIFTY_MOVES: Final = 100  # Plies.
_MATE: Final = 3  # A result beyond python-chess's 2, a win.
_AS_BEFORE: Final = "the tables stay as they are"
SLOW_PROBE: Final = 0.02  # Seconds that one probe may take, most of all the first one of a file.


class Looked(NamedTuple):
    """What the tables know of a root.

    moves: the best ones first, at least as many as were wanted if there are so many. hits: number of positions looked
    up. ranks: of each move, 0 for the best; moves of equal result and progress have equal ranks. Empty if nothing is
    known. results: of each move, 1 for a win, 0 for a draw, -1 for a loss; a move whose result is not sure is left out.
    """

    moves: tuple[int, ...]
    hits: int = 0
    ranks: Mapping[int, int] = MappingProxyType({})
    results: Mapping[int, int] = MappingProxyType({})


class Tablebase:
    """The Syzygy tables of some folders."""

    def __init__(self, path: str) -> None:
        """path: folders, separated as in PATH. Raises EngineError if there is no table, or a folder cannot be read."""
        import os

        from ox88.engines.modern.syzygy_files import CheckedTablebase

        self._tables = CheckedTablebase()
        found = 0
        for folder in filter(None, path.split(os.pathsep)):
            try:
                is_there = Path(folder).is_dir()
                found += self._tables.add_directory(folder) if is_there else 0
            except OSError as error:
                told = f"SyzygyPath: {folder!r} cannot be read: {error.strerror}; {_AS_BEFORE}"
                raise EngineError(told) from None
            if not is_there:
                raise MissingEngineFileError(f"SyzygyPath: there is no folder {folder!r}; {_AS_BEFORE}")
        if not found:
            raise EngineError(f"SyzygyPath: no Syzygy tables (.rtbw, .rtbz) in {path!r}; {_AS_BEFORE}")
        self._max_pieces = max(len(name) - 1 for name in self._tables.wdl) if self._tables.wdl else 0

    def look_up(self, setup: Setup, moves: Sequence[int], seconds: float = math.inf, wanted: int = 1) -> Looked:
        """Look up the positions after some moves; all moves are kept if the position is not in the tables.

        seconds: the time for it, since the prober is slow. No probe begins in the last SLOW_PROBE seconds. When the
        time is over, moves with the same result are equal, whatever their progress, or all moves if even the results
        are not known. wanted: how many moves are to be ranked; the others are left out, except moves as good as the
        last of these.
        """
        import chess

        board = to_chess_board(setup)
        if chess.popcount(board.occupied) > self._max_pieces or board.castling_rights:
            return Looked(tuple(moves))
        last_start = time.perf_counter() + seconds - SLOW_PROBE
        found: dict[int, int] = {}
        ranks: dict[int, int] = {}
        results: dict[int, int] = {}
        try:
            for move in moves:
                if time.perf_counter() > last_start:
                    return Looked(tuple(moves))
                found[move] = self._result_after(board, to_chess_move(move, board))
            for result in sorted(set(found.values()), reverse=True):
                if len(ranks) >= wanted:
                    break
                equal = [move for move in moves if found[move] == result]
                progress = self._progress_of(equal, board, result, last_start)
                if progress is None:
                    ranks |= dict.fromkeys(equal, len(ranks))
                    continue
                for most in sorted(set(progress.values()), reverse=True):
                    if len(ranks) >= wanted:
                        break
                    furthest = [move for move in equal if progress[move] == most]
                    ranks |= dict.fromkeys(furthest, len(ranks))
                    sure = _result(setup, result, most)
                    results |= dict.fromkeys(furthest, sure) if sure is not None else {}
        except _DAMAGED:
            return Looked(tuple(moves))
        return Looked(tuple(ranks), len(moves), ranks, results)

    def _result_after(self, board: "chess.Board", move: "chess.Move") -> int:
        """The result of a move: 3 for mate, 2 for a win, 1 for one that the fifty-move rule prevents; 0, -1, -2."""
        board.push(move)
        try:
            return _MATE if board.is_checkmate() else -self._tables.probe_wdl(board)
        finally:
            board.pop()

    def _progress_of(
        self, moves: list[int], board: "chess.Board", result: int, last_start: float
    ) -> dict[int, int] | None:
        """The progress of moves that have a result; None if the time is not enough for all moves."""
        progress: dict[int, int] = {}
        for move in moves:
            if time.perf_counter() > last_start:
                return None
            progress[move] = self._progress_after(board, to_chess_move(move, board), result)
        return progress

    def _progress_after(self, board: "chess.Board", move: "chess.Move", result: int) -> int:
        """The progress of a move with a result; greater is better. A loser wants the next capture or pawn move late."""
        if result in (0, _MATE):
            return 0
        board.push(move)
        try:
            distance = 0 if board.halfmove_clock == 0 else abs(self._tables.probe_dtz(board))
            return -distance if result > 0 else distance
        finally:
            board.pop()


def _result(setup: Setup, result: int, progress: int) -> int | None:
    """The result of a move at the root. Nobody wins after fifty moves without progress. None if it is not sure."""
    if abs(result) < 2:  # A draw, or a win that the fifty-move rule prevents.
        return 0
    is_in_time = setup.halfmove_clock + abs(progress) < _FIFTY_MOVES
    return (1 if result > 0 else -1) if is_in_time else None
