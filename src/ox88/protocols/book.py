"""An opening book in Polyglot's format, read by python-chess, which is loaded when a book is first asked."""

from pathlib import Path

from ox88.fen import STARTPOS, parse_fen
from ox88.types import NO_MOVE, Ox88Error, Setup


def book_move(path: str, setup: Setup) -> int:
    """A move of the book in a position, the more often the heavier it weighs; NO_MOVE where the book has none.

    Raises Ox88Error for a file that is no book.
    """
    import chess.polyglot

    from ox88.convert import from_chess_move, to_chess_board

    board = to_chess_board(setup)
    try:
        _check_file(path)
        with chess.polyglot.open_reader(path) as book:
            return from_chess_move(book.weighted_choice(board).move, board)
    except IndexError:
        return NO_MOVE
    except OSError as error:
        reason = error.strerror or "it is no Polyglot book, which has entries of 16 bytes"
        raise Ox88Error(f"the book {path[:200]!r} cannot be read: {reason}") from None


def check_book(path: str) -> None:
    """Raises Ox88Error for a file that is no book."""
    book_move(path, parse_fen(STARTPOS))


def _check_file(path: str) -> None:
    """python-chess takes a folder for an empty book."""
    if not Path(path).is_file():
        raise OSError(0, "there is no such file")
