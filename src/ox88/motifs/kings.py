"""Kings under attack: mates and two of their patterns; kings that are exposed, on a wing, or still at home."""

import functools
from collections.abc import Iterator
from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif, MoveFinder, Squares, Step

_LONGEST: Final = 5  # Moves. Lichess has no theme for longer mates than this, and calls all of them a mate in five.


def mates(line: Line) -> Iterator[Motif]:
    """A mate, the number of the solver's moves, such as `mateIn2`, and a pattern: back rank or smothered."""
    board, last = line.boards[-1], line.steps[-1].number
    if not board.is_checkmate():
        return
    yield Motif("mate", last)
    yield Motif(f"mateIn{min(len(line.own_steps), _LONGEST)}", last)
    king, checkers = _king(board, board.turn), board.checkers_mask()
    squares = (king, *chess.scan_forward(checkers))
    if _is_back_rank(board, king, checkers):
        yield Motif("backRankMate", last, squares)
    elif not chess.BB_KING_ATTACKS[king] & ~board.occupied_co[board.turn]:
        yield Motif("smotheredMate", last, squares)


def _king(board: chess.Board, side: chess.Color) -> chess.Square:
    return chess.msb(board.kings & board.occupied_co[side])


def _is_back_rank(board: chess.Board, king: chess.Square, checkers: int) -> bool:
    """Whether the check comes along the king's first rank, and only its own pieces keep it from the next one."""
    home, ahead = (chess.BB_RANK_1, chess.BB_RANK_2) if board.turn else (chess.BB_RANK_8, chess.BB_RANK_7)
    exits = chess.BB_KING_ATTACKS[king] & ahead
    return (
        bool(home & chess.BB_SQUARES[king] and home & checkers)
        and not exits & ~board.occupied_co[board.turn]
        and not any(board.attackers_mask(not board.turn, square) for square in chess.scan_forward(exits))
    )


def exposed_king(line: Line, step: Step) -> Squares | None:
    """A king on its three ranks, with no own pawn beside it, is checked within the line."""
    if step.number == 0 or line.next_own(step) is None or not step.after.is_check():
        return None
    board, side = line.boards[0], not line.solver
    king = _king(board, side)
    is_home = chess.square_rank(king) in ((5, 6, 7), (0, 1, 2))[side]
    shield = chess.BB_KING_ATTACKS[king] & board.pawns & board.occupied_co[side]
    return (king,) if is_home and not shield else None


def attacking_f2_f7(line: Line, step: Step) -> Squares | None:
    """A capture on the square of a pawn that only the king at home protects by itself."""
    square, home = (chess.F7, chess.E8) if line.solver else (chess.F2, chess.E1)
    is_there = step.move.to_square == square and step.before.king(not line.solver) == home
    return (square, home) if is_there and step.captured else None


def _wing_attack(line: Line, step: Step, files: str, corner: str, fewest_pieces: int) -> Squares | None:
    """Checks of a king on the back rank of a wing, and captures near it; a far move counts against them."""
    board, rank = line.boards[0], "18"[line.solver]
    king = _king(board, not line.solver)
    is_there = chess.square_name(king)[0] in files and chess.square_name(king)[1] == rank
    if not step.after.is_check() or not is_there or board.occupied.bit_count() < fewest_pieces:
        return None
    count = sum(own.after.is_check() for own in line.own_steps)
    for own in line.own_steps:
        distance = chess.square_distance(chess.parse_square(corner + rank), own.move.to_square)
        count += 1 if own.captured and distance <= 3 else -1 if distance >= 5 else 0
    return (king,) if count >= 2 else None


MOVES: Final[dict[str, MoveFinder]] = {
    "exposedKing": exposed_king,
    "attackingF2F7": attacking_f2_f7,
    "kingsideAttack": functools.partial(_wing_attack, files="gh", corner="h", fewest_pieces=20),
    "queensideAttack": functools.partial(_wing_attack, files="abc", corner="a", fewest_pieces=18),
}
LINES: Final[tuple[Finder, ...]] = (mates,)
