"""The lines of the board: rays of rooks and bishops, the squares between two squares, the line through them."""

from typing import Any

ROOK_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))  # Files and ranks.
BISHOP_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def fill_lines(tables: Any) -> None:
    for square in range(64):
        for rays, steps in ((tables.rook_rays, ROOK_STEPS), (tables.bishop_rays, BISHOP_STEPS)):
            for file_step, rank_step in steps:
                rays[square] |= _fill_ray(tables, square, file_step, rank_step)


def _fill_ray(tables: Any, square: int, file_step: int, rank_step: int) -> int:
    """Fill what lies between a square and each square of a ray, and their line; returns the ray."""
    ray = walk(square, file_step, rank_step)
    line = _set_of(ray) | _set_of(walk(square, -file_step, -rank_step)) | 1 << square
    for length, target in enumerate(ray):
        tables.between[square, target] = _set_of(ray[:length])
        tables.line[square, target] = line
    return _set_of(ray)


def walk(square: int, file_step: int, rank_step: int) -> list[int]:
    """The squares from a square, without it, along a step to the edge of the board."""
    file, rank = (square & 7) + file_step, (square >> 3) + rank_step
    squares = []
    while 0 <= file < 8 and 0 <= rank < 8:
        squares.append(rank * 8 + file)
        file, rank = file + file_step, rank + rank_step
    return squares


def _set_of(squares: list[int]) -> int:
    return sum(1 << square for square in squares)
