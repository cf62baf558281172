"""Test suites: EPD files read into cases.

Operations that say what is expected (the EPD standard, section 16.2 of the PGN specification by S. Edwards, 1994):

    bm Qg6 Rd1;        best moves, in SAN
    am Rxb2;           moves to avoid
    id "WAC.001";      the name; what stands before its last dot is the theme
    c8 "100 46"; c9 "f4f5 d4f2";    points of moves in UCI (Strategic Test Suite), of those in SAN in c7 without c9
    c0 "f5=10, Bf2=4";              the same in the suite's older form
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import chess

from ox88.convert import from_chess_move, to_chess_board
from ox88.fen import format_fen, parse_epd
from ox88.rules import parse_move
from ox88.types import Ox88Error, Setup

_OPERATION: Final = re.compile(r'[\s;]*([A-Za-z]\w*)((?:[^";]|"[^"]*")*)(?:;|$)')
_POINTS_BY_MOVE: Final = re.compile(r"(\S+)=(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Case:
    """A position with what is expected: moves to find, moves to avoid, points for moves; at least one is not empty."""

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
        """What stands before the last dot of the name: `WAC` of `WAC.001`."""
        return self.name.rpartition(".")[0]

    @property
    def most_points(self) -> int:
        return max(self.points.values(), default=0)

    def is_solved_by(self, move: int) -> bool:
        """Whether a move is among the best, or none to avoid; or, where only points are given, has the most."""
        if self.best or self.avoid:
            return (not self.best or move in self.best) and move not in self.avoid
        return self.points_of(move) == self.most_points

    def points_of(self, move: int) -> int:
        """The points of a move; those that are not named have none."""
        return self.points.get(move, 0)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no case; the error says why."""

    suite: str
    line: int
    error: Ox88Error

    def __str__(self) -> str:
        return f"{self.suite}:{self.line}: {self.error}"


def read_suite(path: Path) -> tuple[list[Case], list[BadLine]]:
    """The cases of a file, and its lines that are none. Raises Ox88Error where it cannot be read or has no case."""
    try:
        lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    except OSError as error:
        raise Ox88Error(f"{path} cannot be read: {error.strerror or error}") from None
    cases, bad_lines = parse_suite(str(path), lines)
    if not cases:
        first = f"; the first line that is none: {bad_lines[0]}" if bad_lines else ""
        raise Ox88Error(f"{path} is no test suite: no line of it has a position with bm, am or points (c8){first}")
    return cases, bad_lines


def parse_suite(suite: str, lines: Iterable[str]) -> tuple[list[Case], list[BadLine]]:
    """The cases of some lines, and the lines that are none. Empty lines and those that begin with # are neither."""
    cases: list[Case] = []
    bad_lines: list[BadLine] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            cases.append(parse_case(suite, number, line))
        except Ox88Error as error:
            bad_lines.append(BadLine(suite, number, error))
    return cases, bad_lines


def parse_case(suite: str, number: int, line: str) -> Case:
    """The case of an EPD line. Raises Ox88Error for a position or a move that is not legal, and for no expectation."""
    setup, text = parse_epd(line)
    operations = dict(parse_operations(text))
    board = to_chess_board(setup.check())
    case = Case(
        suite,
        number,
        name=_printable(operations.get("id", "")) or f"line {number}",
        setup=setup,
        best=_read_moves(operations, "bm", board),
        avoid=_read_moves(operations, "am", board),
        points=_read_points(operations, board),
    )
    if not (case.best or case.avoid or case.points):
        raise Ox88Error("nothing is expected here: bm, am or points are missing, such as: bm Qg6;")
    return case


def parse_operations(text: str) -> Iterator[tuple[str, str]]:
    """Opcode and operand of each operation; the quotes around an operand are left out. Raises Ox88Error."""
    place = 0
    while text[place:].strip(" \t;"):
        match = _OPERATION.match(text, place)
        if match is None:
            raise Ox88Error(
                f"{text[place:].strip()[:40]!r} is no EPD operation: a word, what it says, and ; are expected"
            )
        operand = match[2].strip()
        yield match[1], operand[1:-1] if re.fullmatch(r'"[^"]*"', operand) else operand
        place = match.end()


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
            raise Ox88Error(
                f"c8 {operations['c8'][:40]!r} is not a number for each of the {len(moves)} moves of {opcode}"
            )
        return {_read_move(opcode, move, board): int(number) for move, number in zip(moves, points, strict=True)}
    found = [_POINTS_BY_MOVE.fullmatch(part.strip()) for part in operations.get("c0", "").split(",")]
    if not all(found):  # Any other comment.
        return {}
    return {_read_move("c0", match[1], board): int(match[2]) for match in found if match}


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text.strip())


def themes(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """The cases of each theme, in the order in which themes first come."""
    ordered: dict[str, list[Case]] = {}
    for theme, group in itertools.groupby(cases, lambda case: case.theme):
        ordered.setdefault(theme, []).extend(group)
    return ordered
