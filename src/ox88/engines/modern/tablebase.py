"""Syzygy tables at the root, probed by python-chess: only moves that keep the best result are searched."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ox88.convert import to_chess_board, to_chess_move
from ox88.engines.base import EngineError
from ox88.types import Setup

if TYPE_CHECKING:
    import chess
    import chess.syzygy

# What the prober raises if a table is missing (KeyError) or damaged.
_DAMAGED: Final = (KeyError, OSError, ValueError, AssertionError, IndexError, RecursionError, struct.error)


class Tablebase:
    """The Syzygy tables of some folders."""

    def __init__(self, path: str) -> None:
        """path: folders, separated as in PATH. Raises EngineError if a folder is missing or no table is found."""
        import os

        import chess.syzygy

        self._tables = chess.syzygy.Tablebase()
        found = 0
        for folder in filter(None, path.split(os.pathsep)):
            if not Path(folder).is_dir():
                raise EngineError(f"SyzygyPath: there is no folder {folder!r}; Syzygy tables are not used")
            found += self._tables.add_directory(folder)
        if not found:
            raise EngineError(f"SyzygyPath: no Syzygy tables (.rtbw, .rtbz) in {path!r}; none are used")
        self._max_pieces = max(len(name) - 1 for name in self._tables.wdl) if self._tables.wdl else 0

    def keep_best(self, setup: Setup, moves: Sequence[int]) -> tuple[tuple[int, ...], int]:
        """(the moves that keep the best result with the most progress, number of positions looked up).

        All moves and 0 if the position is not in the tables.
        """
        import chess

        board = to_chess_board(setup)
        if chess.popcount(board.occupied) > self._max_pieces or board.castling_rights:
            return tuple(moves), 0
        try:
            ranks = {move: self._rank(board, to_chess_move(move, board)) for move in moves}
        except _DAMAGED:
            return tuple(moves), 0
        best = max(ranks.values())
        return tuple(move for move in moves if ranks[move] == best), len(moves)

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
