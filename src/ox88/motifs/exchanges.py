"""What a capture would win: which pieces stand unprotected, are attacked by lesser ones, or cannot get away.

The rules of thumb are those of Lichess's tagger (lichess-puzzler, `tagger`), with more care for pins and kings. Nothing
is searched.
"""

import chess

from ox88.motifs.line import VALUES


def value_at(board: chess.Board, square: chess.Square) -> int:
    """The worth of the piece on a square, 0 if it is empty."""
    kind = board.piece_type_at(square)
    return VALUES[kind] if kind else 0


def takers(board: chess.Board, square: chess.Square) -> int:
    """The mask of the pieces that attack the piece on a square, but for pinned ones that may not take it."""
    colour = not board.color_at(square)
    return _unpinned(board, board.attackers_mask(colour, square), colour, square)


def _unpinned(board: chess.Board, pieces: int, colour: chess.Color, square: chess.Square) -> int:
    """The pieces of a colour that no pin to their king keeps from a square."""
    return sum(
        chess.BB_SQUARES[piece]
        for piece in chess.scan_forward(pieces)
        if board.pin_mask(colour, piece) & chess.BB_SQUARES[square]
    )


def guards(board: chess.Board, guard: chess.Square, square: chess.Square) -> bool:
    """Whether the piece on one square attacks or protects the other square."""
    return bool(board.attacks_mask(guard) & chess.BB_SQUARES[square])


def is_protected(board: chess.Board, square: chess.Square) -> bool:
    """Whether a piece of its own side could retake on a square, also through the line piece that takes.

    A pinned piece could not, but keeps a king from taking. The king could not if more than one piece takes.
    """
    colour = bool(board.color_at(square))
    by = takers(board, square)
    sliders = by & (board.bishops | board.rooks | board.queens)
    protectors = board.attackers_mask(colour, square, board.occupied & ~sliders)
    if not by & ~board.kings:
        return bool(protectors)
    if by.bit_count() > 1:
        protectors &= ~board.kings
    return bool(_unpinned(board, protectors, colour, square))


def is_attacked_by_lesser(board: chess.Board, square: chess.Square) -> bool:
    """Whether a piece of less worth could take the piece on a square. The king counts as worth more than any."""
    worth = value_at(board, square)
    lesser = board.pawns if worth > VALUES[chess.PAWN] else 0
    if worth > VALUES[chess.BISHOP]:
        lesser |= board.knights | board.bishops
    if worth > VALUES[chess.ROOK]:
        lesser |= board.rooks
    return bool(lesser and lesser & takers(board, square))


def is_in_danger(board: chess.Board, square: chess.Square) -> bool:
    """Whether taking the piece on a square wins material: it is unprotected, or worth more than the taker."""
    if not takers(board, square):
        return False
    return is_attacked_by_lesser(board, square) or not is_protected(board, square)


def is_trapped(board: chess.Board, square: chess.Square) -> bool:
    """Whether a piece of the side to move is in danger and has no move that is safe or takes as much as it is worth."""
    kind = board.piece_type_at(square)
    if kind in (None, chess.PAWN, chess.KING) or board.is_check() or board.is_pinned(board.turn, square):
        return False
    return is_in_danger(board, square) and not any(
        _gets_away(board, move) for move in board.generate_legal_moves(from_mask=chess.BB_SQUARES[square])
    )


def _gets_away(board: chess.Board, move: chess.Move) -> bool:
    if value_at(board, move.to_square) >= value_at(board, move.from_square):
        return True
    after = board.copy(stack=False)
    after.push(move)
    return not is_in_danger(after, move.to_square)
