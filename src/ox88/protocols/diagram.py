"""A position for people: drawn in letters, and turned round."""

from ox88.fen import format_fen
from ox88.types import BLACK_BIT, EMPTY, PIECE_SYMBOLS, Setup, make_square

_RULE = " +---+---+---+---+---+---+---+---+"


def diagram(setup: Setup) -> list[str]:
    """Lines that show the board, a8 first, and the FEN."""
    lines = [_RULE]
    for rank in range(7, -1, -1):
        row = (PIECE_SYMBOLS[setup.board[make_square(file, rank)]].replace(".", " ") for file in range(8))
        lines += [" | " + " | ".join(row) + f" | {rank + 1}", _RULE]
    lines += ["   " + "   ".join("abcdefgh"), "", f"Fen: {format_fen(setup, shredder=setup.is_chess960())}"]
    return lines


def flipped(setup: Setup) -> Setup:
    """The same position with the colours exchanged, seen from the other side. An engine must think the same of it."""
    return Setup(
        board=tuple(_recoloured(setup.board[square ^ 56]) for square in range(64)),
        turn=1 - setup.turn,
        castling=frozenset(rook ^ 56 for rook in setup.castling),
        en_passant=None if setup.en_passant is None else setup.en_passant ^ 56,
        halfmove_clock=setup.halfmove_clock,
        fullmove_number=setup.fullmove_number,
    )


def _recoloured(piece: int) -> int:
    return piece if piece == EMPTY else piece ^ BLACK_BIT
