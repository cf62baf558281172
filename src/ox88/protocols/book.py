"""An opening book in Polyglot's format, read by python-chess, which is loaded when a book is first asked."""

import random
from pathlib import Path

from ox88.fen import STARTPOS, parse_fen
from ox88.types import NO_MOVE, Ox88Error, Setup


def book_move(path: str, setup: Setup) -> int:
    """A move of the book in a position, the more often the heavier it weighs; NO_MOVE where the book has none.

    Raises Ox88Error for a file that is no book.
    """
    moves = book_moves(path, setup)
    if not moves:
        return NO_MOVE
    (chosen,) = random.choices([move for move, _ in moves], [weight for _, weight in moves])  # noqa: S311
    return chosen


def book_moves(path: str, setup: Setup) -> list[tuple[int, int]]:
    """The moves of the book in a position with their weights, the heaviest first. Raises Ox88Error as above."""
    import chess.polyglot

    from ox88.convert import from_chess_move, to_chess_board

    board = to_chess_board(setup)
    try:
        _check_file(path)
        with chess.polyglot.open_reader(path) as book:
            moves = [(from_chess_move(entry.move, board), entry.weight) for entry in book.find_all(board)]
    except OSError as error:
        reason = error.strerror or "it is no Polyglot book, which has entries of 16 bytes"
        raise Ox88Error(f"the book {path[:200]!r} cannot be read: {reason}") from None
    return sorted(moves, key=lambda move: -move[1])


def check_book(path: str) -> None:
    """Raises Ox88Error for a file that is no book."""
    book_moves(path, parse_fen(STARTPOS))


def _check_file(path: str) -> None:
    """python-chess takes a folder for an empty book."""
    if not Path(path).is_file():
        raise OSError(0, "there is no such file")
