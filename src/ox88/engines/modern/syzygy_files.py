"""python-chess's prober of Syzygy tables, which looks at the head of a file before it uses it."""

from collections import Counter
from pathlib import Path
from typing import Final

import chess
import chess.syzygy

_HEAD: Final = 5  # Bytes before the pieces: a magic number and the flags.
_PIECES: Final = "PNBRQK"
_BLACK: Final = 8  # A black piece has the number of the white one plus this.


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
