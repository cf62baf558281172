"""Test suites: EPD files read into cases.

The operations that count (Steven Edwards, PGN specification, 1994, section 16.2; Strategic Test Suite for points):

    bm Qg6 Rd1;        best moves, in SAN
    am Rxb2;           moves to avoid
    id "WAC.001";      the name; the part before its last dot is the theme
    c8 "100 46"; c9 "f4f5 d4f2";    points for moves in UCI's notation; without c9 for the moves in SAN in c7
    c0 "f5=10, Bf2=4";              an older form of points for moves
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import chess

from ox88.apps.files import read_lines
from ox88.convert import from_chess_move, to_chess_board
from ox88.errors import Ox88Error
from ox88.fen import parse_operations
from ox88.rules import parse_move
from ox88.setup import Setup, format_fen, parse_epd

_POINTS_BY_MOVE: Final = re.compile(r"(\S+)=(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Case:
    """A position and its solution: best moves, moves to avoid, points for moves. At least one of them is not empty."""

    suite: str
    line: int
    name: str
    setup: Setup
    best: frozenset[int] = frozenset()
    avoid: frozenset[int] = frozenset()
    points: Mapping[int, int] = field(default_factory=dict)

    @property
    def fen(self) -> str:
        return format_fen(self.setup)

    @property
    def theme(self) -> str:
        """The name up to its last dot: `WAC` of `WAC.001`."""
        return self.name.rpartition(".")[0]

    @property
    def most_points(self) -> int:
        return max(self.points.values(), default=0)

    def is_solved_by(self, move: int) -> bool:
        """True if the move is a best move and no move to avoid. With points only: if no move has more points."""
        if self.best or self.avoid:
            return (not self.best or move in self.best) and move not in self.avoid
        return self.points_of(move) == self.most_points

    def points_of(self, move: int) -> int:
        return self.points.get(move, 0)


def read_suite(path: Path) -> tuple[list[Case], list[str]]:
    """The cases of a file, and a message for each bad line. Raises Ox88Error if it cannot be read or has no case."""
    cases, bad_lines = parse_suite(str(path), read_lines(path))
    if not cases:
        first = f"; the first bad line: {bad_lines[0]}" if bad_lines else ""
        raise Ox88Error(f"{path} is not a test suite: no line of it has a position with bm, am or points (c8){first}")
    return cases, bad_lines


def parse_suite(suite: str, lines: Iterable[str]) -> tuple[list[Case], list[str]]:
    """The cases of some lines, and a message for each bad line. Empty lines and comments (#) are skipped."""
    cases: list[Case] = []
    bad_lines: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            cases.append(parse_case(suite, number, line))
        except Ox88Error as error:
            bad_lines.append(f"{suite}:{number}: {error}")
    return cases, bad_lines


def parse_case(suite: str, number: int, line: str) -> Case:
    """Read an EPD line. Raises Ox88Error for an illegal position or move, and if there is no solution."""
    setup, text = parse_epd(line)
    operations = dict(parse_operations(text))
    board = to_chess_board(setup.check())
    case = Case(
        suite,
        number,
        name="".join(c if c.isprintable() else "?" for c in operations.get("id", "").strip()) or f"line {number}",
        setup=setup,
        best=_read_moves(operations, "bm", board),
        avoid=_read_moves(operations, "am", board),
        points=_read_points(operations, board),
    )
    if not (case.best or case.avoid or case.points):
        raise Ox88Error("it has no solution: bm, am or points are expected, such as bm Qg6;")
    return case


def _read_moves(operations: Mapping[str, str], opcode: str, board: chess.Board) -> frozenset[int]:
    words = operations.get(opcode, "").replace(",", " ").split()
    return frozenset(_read_move(opcode, word, board) for word in words)


def _read_move(opcode: str, text: str, board: chess.Board) -> int:
    try:
        return from_chess_move(parse_move(text.rstrip("!?"), board), board)
    except Ox88Error as error:
        raise Ox88Error(f"{opcode} {error}") from None


def _read_points(operations: Mapping[str, str], board: chess.Board) -> dict[int, int]:
    if "c8" in operations and ("c9" in operations or "c7" in operations):
        opcode = "c9" if "c9" in operations else "c7"
        moves, points = operations[opcode].split(), operations["c8"].split()
        if len(moves) != len(points) or not all(re.fullmatch(r"\d{1,6}", number) for number in points):
            found = operations["c8"][:40]
            raise Ox88Error(f"c8 {found!r} is not a number for each of the {len(moves)} moves of {opcode}")
        return {_read_move(opcode, move, board): int(number) for move, number in zip(moves, points, strict=True)}
    matches = [_POINTS_BY_MOVE.fullmatch(part.strip()) for part in operations.get("c0", "").split(",")]
    if not all(matches):  # Any other comment.
        return {}
    return {_read_move("c0", match[1], board): int(match[2]) for match in matches if match}
