"""Mates: in how many moves, and two of their patterns."""

from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif, scan

_LONGEST: Final = 5  # Moves. Lichess has no theme for longer mates than this, and calls all of them a mate in five.


def mate(line: Line) -> Motif | None:
    return Motif("mate", line.steps[-1].number) if line.mates else None


def mate_in(line: Line) -> Motif | None:
    """The theme is named for the number of the solver's moves, such as `mateIn2`."""
    found = mate(line)
    return found and Motif(f"mateIn{min(len(line.own_steps), _LONGEST)}", found.step)


def mate_pattern(line: Line) -> Motif | None:
    """The pattern that a mate has: `backRankMate` or `smotheredMate`."""
    board = line.boards[-1]
    king = board.king(board.turn)
    if king is None or not line.mates:
        return None
    checkers = board.checkers_mask()
    squares = (king, *scan(checkers))
    if _is_back_rank(board, king, checkers):
        return Motif("backRankMate", line.steps[-1].number, squares)
    if not chess.BB_KING_ATTACKS[king] & ~board.occupied_co[board.turn]:
        return Motif("smotheredMate", line.steps[-1].number, squares)
    return None


def _is_back_rank(board: chess.Board, king: chess.Square, checkers: int) -> bool:
    """Whether the check comes along the king's first rank, and only its own pieces keep it from the next one."""
    home, ahead = (chess.BB_RANK_1, chess.BB_RANK_2) if board.turn else (chess.BB_RANK_8, chess.BB_RANK_7)
    exits = chess.BB_KING_ATTACKS[king] & ahead
    return (
        bool(home & chess.BB_SQUARES[king] and home & checkers)
        and not exits & ~board.occupied_co[board.turn]
        and not any(board.attackers_mask(not board.turn, square) for square in scan(exits))
    )


FINDERS: Final[dict[str, Finder]] = {"mate": mate, "mateIn": mate_in, "matePattern": mate_pattern}
