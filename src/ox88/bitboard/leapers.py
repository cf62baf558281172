"""Attacks of the pieces that go one step: knights, kings and pawns.

Made as the seed makes its knight table: a list of steps for each piece, and a distance test for the steps that would
leave the board on one side and come back on the other.
"""

from collections.abc import Sequence
from typing import Any

KNIGHT_STEPS = (-17, -15, -6, 10, 17, 15, 6, -10)
KING_STEPS = (-9, -8, -7, -1, 1, 7, 8, 9)
PAWN_STEPS = ((7, 9), (-9, -7))  # Captures, by colour.
KNIGHT_REACH = 2
KING_REACH = 1


def fill_leapers(tables: Any) -> None:
    for square in range(64):
        tables.knight_attacks[square] = leaper_attacks(square, KNIGHT_STEPS, KNIGHT_REACH)
        tables.king_attacks[square] = leaper_attacks(square, KING_STEPS, KING_REACH)
        for colour, steps in enumerate(PAWN_STEPS):
            tables.pawn_attacks[colour, square] = leaper_attacks(square, steps, KING_REACH)


def leaper_attacks(square: int, steps: Sequence[int], reach: int) -> int:
    """Bitboard of the squares a step away: on the board, and not farther than the piece reaches."""
    targets = (square + step for step in steps)
    return sum(1 << target for target in targets if 0 <= target < 64 and distance(square, target) <= reach)


def distance(square: int, other: int) -> int:
    """The seed's distance: of the differences in files and in ranks the greater one."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))
