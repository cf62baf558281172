"""Boards as pictures, drawn by python-chess."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import chess
import chess.svg

from ox88.apps.files import explained
from ox88.batch.positions.positions import Positions
from ox88.convert import to_chess_board
from ox88.errors import Ox88Error
from ox88.rules import parse_move
from ox88.setup import Setup, parse_fen

MAX_BOARDS: Final = 64
_COLUMNS: Final = 4
_GAP: Final = 8
_SIZE: Final = 360  # Pixels of a single board.
_SMALL: Final = 200  # Pixels of a board among several.
_MARKED: Final = "#e8b23ccc"

Drawable = str | chess.Board | Setup | Positions
Moves = str | Iterable[str | chess.Move]
Arrow = str | chess.Move | tuple[str, str] | chess.svg.Arrow


class Picture:
    """An SVG. A notebook draws it; `str` gives its text."""

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return self._svg

    def __repr__(self) -> str:
        return f"<Picture: SVG, {len(self._svg)} bytes>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file. Raises Ox88Error if it cannot be written."""
        with explained(Path(path)):
            Path(path).write_text(self._svg, encoding="utf-8")


def show(
    position: Drawable = "startpos",
    *,
    moves: Moves = (),
    arrows: Iterable[Arrow] = (),
    squares: Iterable[str] = (),
    flipped: bool = False,
    size: int | None = None,
) -> Picture:
    """Draw a position, or several side by side, for a notebook.

    Args:
        position: a FEN, "startpos", a chess.Board (its last move is marked), an ox88.Setup, or up to 64 ox88.Positions.
        moves: to play first, in SAN or UCI's notation, as a text or a list; the last one is marked.
        arrows: such as "e2e4", ("e2", "e4"), a chess.Move or a chess.svg.Arrow.
        squares: to mark, such as "e4".
        flipped: True to draw the board from Black's side.
        size: of one board in pixels; 360 by default, or 200 if there are several.

    Returns:
        A picture; `save` writes it to a file.

    Raises:
        Ox88Error: the position cannot be drawn, a move is illegal, or there is no such square.
    """
    played = moves.split() if isinstance(moves, str) else list(moves)
    marks = [_arrow(arrow) for arrow in arrows]
    fill = dict.fromkeys(map(_square, squares), _MARKED)
    if not isinstance(position, Positions):
        return Picture(_draw(_board(position), played, marks, fill, flipped, size or _SIZE))
    if len(position) > MAX_BOARDS:
        raise Ox88Error(f"{len(position)} positions are too many to show: take {MAX_BOARDS}, by positions[:64]")
    size = size or (_SIZE if len(position) == 1 else _SMALL)
    drawings = [_draw(board, played, marks, fill, flipped, size) for board in position.boards()]
    return Picture(_side_by_side(drawings, size))


def _side_by_side(drawings: Sequence[str], size: int) -> str:
    step, columns = size + _GAP, max(1, min(len(drawings), _COLUMNS))
    width, height = columns * step - _GAP, max(1, -(-len(drawings) // columns)) * step - _GAP
    placed = [
        drawing.replace("<svg ", f'<svg x="{number % columns * step}" y="{number // columns * step}" ', 1)
        for number, drawing in enumerate(drawings)
    ]
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return frame + "".join(placed) + "</svg>"


def _board(position: object) -> chess.Board:
    if isinstance(position, chess.Board):
        return position.copy()
    if isinstance(position, str):
        return to_chess_board(parse_fen(position))
    if isinstance(position, Setup):
        return to_chess_board(position)
    kinds = "a FEN, a chess.Board, an ox88.Setup or ox88.Positions"
    raise Ox88Error(f"the position is of type {type(position).__name__}: expected {kinds}")


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
        raise Ox88Error(f"{name!r} is not a square: expected e4, say, or for an arrow e2e4") from None


def _draw(
    board: chess.Board,
    moves: Iterable[str | chess.Move],
    arrows: Sequence[chess.svg.Arrow],
    fill: dict[chess.Square, str],
    flipped: bool,
    size: int,
) -> str:
    for move in moves:
        board.push(parse_move(str(move), board))
    return chess.svg.board(
        board,
        orientation=not flipped,
        lastmove=board.peek() if board.move_stack else None,
        check=board.king(board.turn) if board.is_check() else None,
        arrows=arrows,
        fill=fill,
        size=size,
    )
