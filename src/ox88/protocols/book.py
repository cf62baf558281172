"""An opening book in Polyglot's format, read by python-chess, which is loaded when a book is first asked."""

from ox88.types import NO_MOVE, Ox88Error, Setup


def book_move(path: str, setup: Setup) -> int:
    """A move of the book in a position, the more often the heavier it weighs; NO_MOVE where the book has none.

    Raises Ox88Error for a file that is no book.
    """
    import chess.polyglot

    from ox88.convert import from_chess_move, to_chess_board

    board = to_chess_board(setup)
    try:
        with chess.polyglot.open_reader(path) as book:
            return from_chess_move(book.weighted_choice(board).move, board)
    except IndexError:
        return NO_MOVE
    except (OSError, ValueError) as error:  # ValueError: a path with a null character.
        reason = getattr(error, "strerror", None) or "it is no Polyglot book: entries of 16 bytes are expected"
        raise Ox88Error(f"the book {path[:200]!r} cannot be read: {reason}") from None


def check_book(path: str) -> None:
    """Raises Ox88Error for a file that is no book."""
    from ox88.fen import STARTPOS, parse_fen

    book_move(path, parse_fen(STARTPOS))
