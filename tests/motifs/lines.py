import chess

from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line


def read_line(fen: str, moves: str) -> Line:
    """A line in SAN, from a position or after a first move of the opponent in parentheses."""
    board = chess.Board(fen)
    texts = moves.split()
    if texts[0].startswith("("):
        board.push_san(texts.pop(0).strip("()"))
    after = board.copy()
    return Line(board, [after.push_san(text) for text in texts])


def found(line: Line, theme: str) -> tuple[int, str] | None:
    """The step and the names of the squares of a theme, if it is found."""
    motif = next((motif for motif in find_motifs(line) if motif.theme == theme), None)
    return (motif.step, " ".join(map(chess.square_name, motif.squares))) if motif else None
