"""Kings under attack: exposed, on a wing, or still at home."""

from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif


def exposed_king(line: Line) -> Motif | None:
    """A king on its three ranks, with no own pawn beside it, is checked within the line."""
    board, side = line.boards[0], not line.solver
    king = chess.msb(board.kings & board.occupied_co[side])
    if chess.square_rank(king) not in ((5, 6, 7), (0, 1, 2))[side]:
        return None
    checks = [step.number for step in line.own_steps[1:-1] if step.after.is_check()]
    if not checks or chess.BB_KING_ATTACKS[king] & board.pawns & board.occupied_co[side]:
        return None
    return Motif("exposedKing", checks[0], (king,))


def attacking_f2_f7(line: Line) -> Motif | None:
    """A capture on the square of a pawn that only the king at home protects by itself."""
    square, home = (chess.F7, chess.E8) if line.solver else (chess.F2, chess.E1)
    for step in line.own_steps:
        if step.captured and step.move.to_square == square and step.before.king(not line.solver) == home:
            return Motif("attackingF2F7", step.number, (square, home))
    return None


def _wing_attack(theme: str, files: str, corner: str, fewest_pieces: int) -> Finder:
    """Finds checks of a king on the back rank of a wing, and captures near it; a far move counts against them."""

    def find(line: Line) -> Motif | None:
        king = chess.square_name(chess.msb(line.boards[0].kings & line.boards[0].occupied_co[not line.solver]))
        rank = "18"[line.solver]
        checks = [step.number for step in line.own_steps if step.after.is_check()]
        if king[0] not in files or king[1] != rank or not checks or line.boards[0].occupied.bit_count() < fewest_pieces:
            return None
        count = len(checks)
        for step in line.own_steps:
            distance = chess.square_distance(chess.parse_square(corner + rank), step.move.to_square)
            count += 1 if step.captured and distance <= 3 else -1 if distance >= 5 else 0
        return Motif(theme, checks[0], (chess.parse_square(king),)) if count >= 2 else None

    return find


FINDERS: Final[dict[str, Finder]] = {
    "exposedKing": exposed_king,
    "attackingF2F7": attacking_f2_f7,
    "kingsideAttack": _wing_attack("kingsideAttack", "gh", "h", fewest_pieces=20),
    "queensideAttack": _wing_attack("queensideAttack", "abc", "a", fewest_pieces=18),
}
