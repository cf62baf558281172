"""A board as text: plain letters, or figures on coloured squares for a terminal that can show them."""

from typing import TYPE_CHECKING, Final

import chess

from ox88.apps.show.picture import FIGURES

if TYPE_CHECKING:  # Imported only for a terminal, so that a pipe starts faster.
    from rich.text import Text

_SQUARES: Final = {True: "on #c8a36d", False: "on #9a7047"}  # By whether the square is light.
_LAST_MOVE: Final = {True: "on #cfc56a", False: "on #a89a3c"}
_PIECES: Final = {chess.WHITE: "bold #ffffff", chess.BLACK: "bold #000000"}
_MARGIN: Final = " " * 4


def plain_board(board: chess.Board, flipped: bool = False) -> str:
    """Eight ranks of letters, White's in capitals, with the names of ranks and files."""
    letters = str(board).splitlines()  # From rank 8 on, with spaces between.
    rows = [f"  {rank + 1}  {letters[7 - rank][:: -1 if flipped else 1]}" for rank in _ranks(flipped)]
    return "\n".join([*rows, "", f"     {' '.join(_files(flipped))}"])


def coloured_board(board: chess.Board, flipped: bool = False, figures: bool = True, columns: int = 80) -> "Text":
    """The board on coloured squares with the last move marked.

    figures: draw figures; False draws letters. columns: of the terminal. In a narrow one the squares are narrower.
    """
    from rich.text import Text

    last = board.move_stack[-1] if board.move_stack else chess.Move.null()
    marked = {last.from_square, last.to_square} if last else set()
    text, width = Text(), min(max((columns - len(_MARGIN)) // 8, 1), 3)
    for rank in _ranks(flipped):
        text.append(f"{rank + 1:>3} ")
        for file in _files(flipped):
            square = chess.parse_square(f"{file}{rank + 1}")
            is_light = bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])
            background = (_LAST_MOVE if square in marked else _SQUARES)[is_light]
            symbol, style = _cell(board.piece_at(square), background, figures)
            text.append(f"{symbol:^{width}}", style)
        text.append("\n")
    return text.append(_MARGIN + "".join(f"{file:^{width}}" for file in _files(flipped)))


def _ranks(flipped: bool) -> range:
    return range(8) if flipped else range(7, -1, -1)


def _files(flipped: bool) -> str:
    return "hgfedcba" if flipped else "abcdefgh"


def _cell(piece: chess.Piece | None, background: str, figures: bool) -> tuple[str, str]:
    if piece is None:
        return " ", background
    symbol = FIGURES[piece.symbol()] if figures else piece.symbol()
    return symbol, f"{_PIECES[piece.color]} {background}"
