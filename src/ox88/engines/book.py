"""Opening books in Polyglot's format. python-chess reads them; it is loaded at the first question."""

import errno
import random
from pathlib import Path
from typing import TYPE_CHECKING

from ox88.errors import unreadable
from ox88.types import NO_MOVE

if TYPE_CHECKING:
    import chess


def book_move(path: str, board: "chess.Board") -> int:
    """A random move of the book, drawn by the weights; NO_MOVE where the book has none. Raises as `book_moves`."""
    moves = book_moves(path, board)
    if not moves:
        return NO_MOVE
    (chosen,) = random.choices([move for move, _ in moves], [weight for _, weight in moves])  # noqa: S311 - No secret.
    return chosen


def book_moves(path: str, board: "chess.Board") -> list[tuple[int, int]]:
    """The book's moves in a position with their weights, the heaviest first. Raises FileError for a bad file."""
    import chess.polyglot

    from ox88.convert import from_chess_move

    try:
        if not Path(path).is_file():  # python-chess takes a folder for an empty book.
            raise FileNotFoundError(errno.ENOENT, "there is no such file", path)
        with chess.polyglot.open_reader(path) as book:
            moves = [(from_chess_move(entry.move, board), entry.weight) for entry in book.find_all(board)]
    except OSError as error:
        if error.strerror is None:
            error.strerror = "it is no Polyglot book, which has entries of 16 bytes"
        raise unreadable(f"the book {path[:200]!r}", error, "cannot be read") from None
    return sorted(moves, key=lambda move: -move[1])
