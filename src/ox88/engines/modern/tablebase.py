"""Syzygy tables at the root, probed by python-chess: moves are ranked by their result, then by their progress."""

import math
import os
import struct
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

from ox88.convert import to_chess_board, to_chess_move
from ox88.engines.base import EngineError, MissingEngineFileError
from ox88.engines.modern.parallel_search import RootMoves
from ox88.setup import Setup

# What the prober raises if a table is missing (KeyError) or damaged.
_DAMAGED: Final = (
    KeyError, OSError, ValueError, AssertionError, IndexError, OverflowError, RecursionError, struct.error,
)  # fmt: skip
_FIFTY_MOVES: Final = 100  # Plies.
_MATE: Final = 3  # A result beyond python-chess's 2, a win.
UNKNOWN: Final = math.inf  # The progress of moves that the time was too short for.
_AS_BEFORE: Final = "the tables stay as they are"
_HEAD: Final = 5  # Bytes of a file before the pieces: a magic number and the flags.
_PIECES: Final = "PNBRQK"
_BLACK: Final = 8  # A black piece has the number of the white one plus this.
SLOW_PROBE: Final = 0.02  # Seconds that one probe may take, most of all the first one of a file.


class Tablebase:
    """The Syzygy tables of some folders."""

    def __init__(self, path: str) -> None:
        """path: folders, separated as in PATH. Raises EngineError if there is no table, or a folder cannot be read."""
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

    def look_up(self, setup: Setup, moves: Sequence[int], seconds: float = math.inf, wanted: int = 1) -> RootMoves:
        """Look up the positions after some moves; all moves are kept if the position is not in the tables.

        seconds: the time for it, since the prober is slow. No probe begins in the last SLOW_PROBE seconds. When the
        time is over, moves with the same result are equal, whatever their progress, or all moves if even the results
        are not known. wanted: how many moves are to be ranked; the others are left out, except moves as good as the
        last of these.
        """
        board = to_chess_board(setup)
        if chess.popcount(board.occupied) > self._max_pieces or board.castling_rights:
            return RootMoves(tuple(moves))
        last_start = time.perf_counter() + seconds - SLOW_PROBE
        found: dict[int, int] = {}
        ranks: dict[int, int] = {}
        results: dict[int, int] = {}
        try:
            for move in moves:
                if time.perf_counter() > last_start:
                    return RootMoves(tuple(moves))
                found[move] = self._result_after(board, to_chess_move(move, board))
            for result, progress, equal in self._groups(found, board, last_start):
                ranks |= dict.fromkeys(equal, len(ranks))
                # Nobody wins after fifty moves without progress. A draw is one, or a win that this rule prevents.
                if abs(result) < 2:
                    results |= dict.fromkeys(equal, 0)
                elif setup.halfmove_clock + abs(progress) < _FIFTY_MOVES:
                    results |= dict.fromkeys(equal, 1 if result > 0 else -1)
                if len(ranks) >= wanted:
                    break
        except _DAMAGED:
            return RootMoves(tuple(moves))
        return RootMoves(tuple(ranks), len(moves), ranks, results)

    def _result_after(self, board: chess.Board, move: chess.Move) -> int:
        """The result of a move: 3 for mate, 2 for a win, 1 for one that the fifty-move rule prevents; 0, -1, -2."""
        board.push(move)
        try:
            return _MATE if board.is_checkmate() else -self._tables.probe_wdl(board)
        finally:
            board.pop()

    def _groups(
        self, found: dict[int, int], board: chess.Board, last_start: float
    ) -> Iterator[tuple[int, float, list[int]]]:
        """(result, progress, moves) for moves of equal result and progress, the best first. found: results by move."""
        for result in sorted(set(found.values()), reverse=True):
            equal = [move for move in found if found[move] == result]
            progress = dict.fromkeys(equal, UNKNOWN)
            for move in equal:
                if time.perf_counter() > last_start:
                    progress = dict.fromkeys(equal, UNKNOWN)
                    break
                progress[move] = self._progress_after(board, to_chess_move(move, board), result)
            for most in sorted(set(progress.values()), reverse=True):
                yield result, most, [move for move in equal if progress[move] == most]

    def _progress_after(self, board: chess.Board, move: chess.Move, result: int) -> int:
        """The progress of a move with a result; greater is better. A loser wants the next capture or pawn move late."""
        if result in (0, _MATE):
            return 0
        board.push(move)
        try:
            distance = 0 if board.halfmove_clock == 0 else abs(self._tables.probe_dtz(board))
            return -distance if result > 0 else distance
        finally:
            board.pop()


# --- Files ------------------------------------------------------------------------------------------------------------


class CheckedTablebase(chess.syzygy.Tablebase):
    """Raises ValueError for a file whose pieces differ from its name, where python-chess would loop for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._checked: set[str] = set()

    def probe_wdl_table(self, board: chess.Board) -> int:
        self._check(self.wdl, board)
        return super().probe_wdl_table(board)

    def probe_dtz_table(self, board: chess.Board, wdl: int) -> tuple[int, int]:
        self._check(self.dtz, board)
        return super().probe_dtz_table(board, wdl)

    def _check(self, tables: dict[str, chess.syzygy.Table], board: chess.Board) -> None:
        table = tables.get(chess.syzygy.calc_key(board))
        if table is not None and table.path not in self._checked:
            _check_pieces(table)
            self._checked.add(table.path)


def _check_pieces(table: chess.syzygy.Table) -> None:
    """Compare the lists of pieces with the name: one list for each file of the leading pawn, if there are pawns.

    A byte has a piece of the list for each side to move; a table of distances has one side. Raises ValueError, OSError.
    """
    white, black = table.key.split("v")
    named = Counter(_numbers(white) + _numbers(black, _BLACK))
    mirrored = Counter({number ^ _BLACK: count for number, count in named.items()})
    orders = 2 if "P" in white and "P" in black else 1
    with Path(table.path).open("rb") as file:
        head = file.read(_HEAD + 4 * (orders + table.num))
    for number in range(4 if table.has_pawns else 1):
        first = _HEAD + number * (orders + table.num) + orders
        pieces = head[first : first + table.num]
        found = [Counter(piece & 0xF for piece in pieces)]
        if isinstance(table, chess.syzygy.WdlTable):
            found.append(Counter(piece >> 4 for piece in pieces))
        if found.count(found[0]) != len(found) or found[0] not in ((named,) if table.has_pawns else (named, mirrored)):
            raise ValueError(f"{table.path}: the pieces of the table differ from its name")


def _numbers(letters: str, added: int = 0) -> list[int]:
    return [_PIECES.index(letter) + 1 + added for letter in letters]
