"""Lines of moves, and what finders have to find in them."""

import chess

from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line

Cases = dict[str, list[tuple[str, str, tuple[int, str] | None]]]
"""Positions and lines by theme, with the step that shows it and the squares that are meant; None if it does not."""


def read_line(fen: str, moves: str) -> Line:
    """A line in SAN, from a position or after a first move of the opponent in parentheses."""
    board = chess.Board(fen)
    texts = moves.split()
    if texts[0].startswith("("):
        board.push_san(texts.pop(0).strip("()"))
    after = board.copy()
    return Line(board, [after.push_san(text) for text in texts])


def check(theme: str, cases: list[tuple[str, str, tuple[int, str] | None]]) -> None:
    for fen, moves, expected in cases:
        motif = next((motif for motif in find_motifs(read_line(fen, moves)) if motif.theme == theme), None)
        found = (motif.step, " ".join(map(chess.square_name, motif.squares))) if motif else None
        assert found == expected, (fen, moves)
