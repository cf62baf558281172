"""Boards as pictures, drawn by python-chess."""

from collections.abc import Iterable, Sequence
from typing import Final

import chess
import chess.svg

from ox88.apps.notebook.picture import Picture
from ox88.batch.positions import Positions
from ox88.convert import to_chess_board
from ox88.fen import parse_fen
from ox88.types import Ox88Error, Setup

MOST_BOARDS: Final = 64
_COLUMNS: Final = 4
_GAP: Final = 8
_SIZE: Final = 360  # Pixels of one board; of several together there are as many more as there is room for.
_SMALL: Final = 200
_MARKED: Final = "#e8b23ccc"

Shown = str | chess.Board | Setup | Positions
Arrow = str | chess.Move | tuple[str, str] | chess.svg.Arrow


def show(
    position: Shown = chess.STARTING_FEN,
    *,
    moves: str | Iterable[str | chess.Move] = (),
    arrows: Iterable[Arrow] = (),
    squares: Iterable[str] = (),
    flipped: bool = False,
    size: int | None = None,
) -> Picture:
    """A position as a picture that a notebook draws.

    position: a FEN, "startpos", a chess.Board, whose last move is marked, an ox88.Setup, or ox88.Positions, which are
    drawn side by side. moves: to play first, in SAN or UCI, a text or a list; the last is marked. arrows: such as
    "e2e4". squares: to mark, such as "e4". flipped: seen by Black. size: of a board, in pixels.

    Raises Ox88Error for what is none of these.
    """
    words = moves.split() if isinstance(moves, str) else list(moves)
    marks = [_arrow(arrow) for arrow in arrows]
    fill = dict.fromkeys(map(_square, squares), _MARKED)
    if not isinstance(position, Positions):
        return Picture(_draw(_played(_board(position), words), marks, fill, flipped, size or _SIZE))
    if len(position) > MOST_BOARDS:
        raise Ox88Error(f"{len(position)} positions are too many to show: take {MOST_BOARDS}, by positions[:64]")
    size = size or (_SIZE if len(position) == 1 else _SMALL)
    boards = (_played(board, words) for board in position.boards())
    return side_by_side([_draw(board, marks, fill, flipped, size) for board in boards], size)


def side_by_side(drawings: Sequence[str], size: int) -> Picture:
    """Drawings of one size in rows."""
    step, columns = size + _GAP, max(1, min(len(drawings), _COLUMNS))
    width, height = columns * step - _GAP, max(1, -(-len(drawings) // columns)) * step - _GAP
    placed = [
        drawing.replace("<svg ", f'<svg x="{number % columns * step}" y="{number // columns * step}" ', 1)
        for number, drawing in enumerate(drawings)
    ]
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return Picture(frame + "".join(placed) + "</svg>")


def _board(position: object) -> chess.Board:
    if isinstance(position, chess.Board):
        return position.copy()
    if isinstance(position, str):
        return to_chess_board(parse_fen(position))
    if isinstance(position, Setup):
        return to_chess_board(position)
    kinds = "a FEN, a chess.Board, an ox88.Setup or ox88.Positions"
    raise Ox88Error(f"a {type(position).__name__} cannot be shown: expected is {kinds}")


def _played(board: chess.Board, moves: Iterable[str | chess.Move]) -> chess.Board:
    for move in moves:
        board.push(_move(board, move))
    return board


def _move(board: chess.Board, move: str | chess.Move) -> chess.Move:
    if isinstance(move, chess.Move) and board.is_legal(move):
        return move
    for parse in (board.parse_san, board.parse_uci):
        try:
            return parse(str(move))
        except ValueError:
            continue
    raise Ox88Error(f"{str(move)!r} is no legal move in {board.fen()}")


def _arrow(arrow: Arrow) -> chess.svg.Arrow:
    if isinstance(arrow, chess.svg.Arrow):
        return arrow
    if isinstance(arrow, chess.Move):
        return chess.svg.Arrow(arrow.from_square, arrow.to_square)
    squares = (arrow[:2], arrow[2:4]) if isinstance(arrow, str) else arrow
    return chess.svg.Arrow(*(_square(square) for square in squares))


def _square(name: str) -> chess.Square:
    try:
        return chess.parse_square(name)
    except ValueError:
        raise Ox88Error(f"{name!r} is no square: expected is one such as e4, and for an arrow two, e2e4") from None


def _draw(
    board: chess.Board, arrows: Sequence[chess.svg.Arrow], fill: dict[chess.Square, str], flipped: bool, size: int
) -> str:
    return chess.svg.board(
        board,
        orientation=not flipped,
        lastmove=board.peek() if board.move_stack else None,
        check=board.king(board.turn) if board.is_check() else None,
        arrows=arrows,
        fill=fill,
        size=size,
    )
