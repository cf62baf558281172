"""The steps of the pieces, and the tables made from them: leapers' attacks, rays, the lines between two squares."""

from collections.abc import Sequence
from typing import Any

KNIGHT_STEPS = (-17, -15, -6, 10, 17, 15, 6, -10)
KING_STEPS = (-9, -8, -7, -1, 1, 7, 8, 9)
PAWN_STEPS = ((7, 9), (-9, -7))  # Captures, by colour.
KNIGHT_REACH = 2
KING_REACH = 1

ROOK_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))  # Files and ranks.
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def fill_leapers(tables: Any) -> None:
    for square in range(64):
        tables.knight_attacks[square] = leaper_attacks(square, KNIGHT_STEPS, KNIGHT_REACH)
        tables.king_attacks[square] = leaper_attacks(square, KING_STEPS, KING_REACH)
        for colour, steps in enumerate(PAWN_STEPS):
            tables.pawn_attacks[colour, square] = leaper_attacks(square, steps, KING_REACH)


def leaper_attacks(square: int, steps: Sequence[int], reach: int) -> int:
    """Bitboard of the squares a step away. A step that is longer than `reach` has crossed the edge of the board."""
    targets = (square + step for step in steps)
    return sum(1 << target for target in targets if 0 <= target < 64 and distance(square, target) <= reach)


def distance(square: int, other: int) -> int:
    """The number of king's steps between two squares."""
    return max(abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3)))


def fill_lines(tables: Any) -> None:
    for square in range(64):
        for rays, steps in ((tables.rook_rays, ROOK_STEPS), (tables.bishop_rays, BISHOP_STEPS)):
            for file_step, rank_step in steps:
                rays[square] |= _fill_ray(tables, square, file_step, rank_step)


def _fill_ray(tables: Any, square: int, file_step: int, rank_step: int) -> int:
    """Fill `between` and `line` from a square to each square of a ray; returns the ray."""
    ray = walk(square, file_step, rank_step)
    line = _set_of(ray) | _set_of(walk(square, -file_step, -rank_step)) | 1 << square
    for length, target in enumerate(ray):
        tables.between[square, target] = _set_of(ray[:length])
        tables.line[square, target] = line
    return _set_of(ray)


def walk(square: int, file_step: int, rank_step: int) -> list[int]:
    """The squares from a square along a step to the edge of the board, without the first."""
    file, rank = (square & 7) + file_step, (square >> 3) + rank_step
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + file_step, rank + rank_step
    return squares


def _set_of(squares: list[int]) -> int:
    return sum(1 << square for square in squares)
