"""Syzygy tables at the root, probed by python-chess: only moves that keep the best result are searched."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ox88.convert import to_chess_board, to_chess_move
from ox88.engines.base import EngineError, MissingEngineFileError
from ox88.types import Setup

if TYPE_CHECKING:
    import chess

# What the prober raises if a table is missing (KeyError) or damaged.
_DAMAGED: Final = (KeyError, OSError, ValueError, AssertionError, IndexError, RecursionError, struct.error)
_FIFTY_MOVES: Final = 100  # Plies.


class Looked(NamedTuple):
    """What the tables know of a root.

    moves: those that keep the best result with the most progress. hits: number of positions looked up. result: 1 for a
    win, 0 for a draw, -1 for a loss; None if it is not known.
    """

    moves: tuple[int, ...]
    hits: int
    result: int | None


class Tablebase:
    """The Syzygy tables of some folders."""

    def __init__(self, path: str) -> None:
        """path: folders, separated as in PATH. Raises EngineError if there is no table, or not even a folder."""
        import os

        from ox88.engines.modern.syzygy_files import CheckedTablebase

        self._tables = CheckedTablebase()
        found = 0
        for folder in filter(None, path.split(os.pathsep)):
            if not Path(folder).is_dir():
                raise MissingEngineFileError(f"SyzygyPath: there is no folder {folder!r}; Syzygy tables are not used")
            found += self._tables.add_directory(folder)
        if not found:
            raise EngineError(f"SyzygyPath: no Syzygy tables (.rtbw, .rtbz) in {path!r}; none are used")
        self._max_pieces = max(len(name) - 1 for name in self._tables.wdl) if self._tables.wdl else 0

    def look_up(self, setup: Setup, moves: Sequence[int]) -> Looked:
        """Look up the positions after some moves; all moves are kept if the position is not in the tables."""
        import chess

        board = to_chess_board(setup)
        if chess.popcount(board.occupied) > self._max_pieces or board.castling_rights:
            return Looked(tuple(moves), 0, None)
        try:
            ranks = {move: self._rank(board, to_chess_move(move, board)) for move in moves}
        except _DAMAGED:
            return Looked(tuple(moves), 0, None)
        best = max(ranks.values())
        return Looked(tuple(move for move in moves if ranks[move] == best), len(moves), _result(setup, *best))

    def _rank(self, board: "chess.Board", move: "chess.Move") -> tuple[int, int]:
        """(result, progress) of a move; greater is better."""
        board.push(move)
        try:
            if board.is_checkmate():
                return 3, 0
            result = -self._tables.probe_wdl(board)
            if result == 0:
                return 0, 0
            distance = 0 if board.halfmove_clock == 0 else abs(self._tables.probe_dtz(board))
            return result, -distance if result > 0 else distance
        finally:
            board.pop()


def _result(setup: Setup, result: int, progress: int) -> int | None:
    """The result of a root by the rank of its best move. Nobody wins after fifty moves without progress."""
    if abs(result) < 2:  # A draw, or a win that the fifty-move rule prevents.
        return 0
    is_in_time = setup.halfmove_clock + abs(progress) < _FIFTY_MOVES
    return (1 if result > 0 else -1) if is_in_time else None
