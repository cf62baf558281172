"""Reading test suites: the forms of real files, and bad lines."""

from collections.abc import Iterable
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.epd.suite import Case, parse_case, parse_suite, read_suite
from ox88.errors import Ox88Error
from ox88.fen import parse_operations
from ox88.setup import parse_uci
from ox88.types import format_uci

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
WAC = '3r1rk1/p3qp1p/2bb2p1/2p5/3P4/1P6/PBQN1PPP/2R2RK1 b - - bm Bxg2 Bxh2+; id "WAC.297";'
STS = (
    '1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id "STS(v1.0) Undermine.001"; '
    'c0 "f5=100, Bf2=46, Bg4=23"; c7 "f5 Bf2 Bg4"; c8 "100 46 23"; c9 "f4f5 d4f2 f3g4"; Ae "Stockish 15";'
)


def case_of(operations: str, position: str = START) -> Case:
    return parse_case("some.epd", 1, f"{position} {operations}")


def names(moves: Iterable[int]) -> set[str]:
    return {format_uci(move) for move in moves}


def points_of(case: Case) -> dict[str, int]:
    return {format_uci(move): points for move, points in case.points.items()}


@pytest.mark.parametrize("line", [WAC, STS])
def test_real_lines_as_python_chess_reads_them(line: str) -> None:
    board, operations = chess.Board.from_epd(line)
    case = parse_case("some.epd", 297, line)
    assert (case.suite, case.line, case.name) == ("some.epd", 297, operations["id"])
    assert names(case.best) == {move.uci() for move in operations["bm"]}  # type: ignore[union-attr]
    assert chess.Board(case.fen).board_fen() == board.board_fen()
    assert (case.theme, case.most_points) == (("WAC", 0) if line == WAC else ("STS(v1.0) Undermine", 100))
    assert points_of(case) == ({} if line == WAC else {"f4f5": 100, "d4f2": 46, "f3g4": 23})


@pytest.mark.parametrize(
    "operations", ['c8 "10 3"; c9 "e2e4 g1f3"', 'c7 "e4 Nf3"; c8 "10 3";', 'c0 "e4=10, Nf3=3"', "c0 e4=10,Nf3=3;;"]
)
def test_every_form_of_points(operations: str) -> None:
    case = case_of(operations)
    assert points_of(case) == {"e2e4": 10, "g1f3": 3}
    assert case.points_of(parse_uci("h2h3", case.setup)) == 0


def test_what_people_write() -> None:
    case = case_of(';bm  e4! , Nf3;; am a3??; id "a;b = \\"; c0 "a comment; with = signs";ce +12')
    assert (names(case.best), names(case.avoid)) == ({"e2e4", "g1f3"}, {"a2a3"})
    assert (case.name, case.points) == ("a;b = \\", {})
    assert case_of("bm e4").name == "line 1"
    assert names(case_of("0 1 bm e4").best) == {"e2e4"}
    assert case_of('bm e4; id "tab\tescape\x1b[0m"').name == "tab?escape?[0m"
    assert names(case_of("bm O-O", "4k3/8/8/8/8/8/8/4K2R w K -").best) == {"e1g1"}


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ("", "it has no solution: bm, am or points are expected"),
        ('id "x"; c0 "no points"; pv e4;', "it has no solution"),
        ("bm;", "it has no solution"),
        ("bm e5", "bm e5: no pawn of White can go to e5"),
        ("am Rh3", "am Rh3"),
        ("bm --", "passing is not a move"),
        ("bm 0000", "passing is not a move"),
        ("bm best", "bm 'best' is not a move"),
        ('bm e4; id "unended', "'id \"unended' is not an EPD operation"),
        ("bm e4; 17;", "'17' is not an EPD operation"),
        ('c8 "10 3"; c9 "e2e4"', "c8 '10 3' is not a number for each of the 1 moves of c9"),
        ('c8 "ten"; c9 "e2e4"', "c8 'ten' is not a number"),
        ('c8 "10"; c9 "e2e5"', "c9 e2e5: the pawn on e2 cannot reach e5"),
        ('c0 "Nf6=10"', "c0 Nf6"),
    ],
)
def test_what_is_refused(operations: str, reason: str) -> None:
    with pytest.raises(Ox88Error, match=reason):
        case_of(operations)


def test_bad_lines_are_skipped_and_named() -> None:
    cases, bad_lines = parse_suite("some.epd", ["# a comment", "", WAC, "nonsense", f"{START} bm Ke2;", STS])
    assert [case.line for case in cases] == [3, 6]
    assert [bad_line.split(": ")[0] for bad_line in bad_lines] == ["some.epd:4", "some.epd:5"]


def test_files_without_a_case(tmp_path: Path) -> None:
    path = tmp_path / "some.epd"
    with pytest.raises(Ox88Error, match=r"some\.epd cannot be read"):
        read_suite(path)
    with pytest.raises(Ox88Error, match="cannot be read"):
        read_suite(tmp_path)
    for text in (b"", b"\n\n", f"{START} ;D1 20".encode(), b"\xff\x00", f"{START} id x;".encode()):
        path.write_bytes(text)
        with pytest.raises(Ox88Error, match=r"some\.epd is not a test suite: no line of it has a position with bm, am"):
            read_suite(path)


@pytest.mark.parametrize(
    ("operations", "solved", "unsolved"),
    [
        ("bm e4 d4", ["e2e4", "d2d4"], ["g1f3"]),
        ("am e4 d4", ["g1f3"], ["e2e4", "d2d4"]),
        ("bm e4 d4; am d4", ["e2e4"], ["d2d4", "g1f3"]),
        ('c0 "e4=7, d4=7, a3=1"', ["e2e4", "d2d4"], ["a2a3", "g1f3"]),
        ('bm d4; c0 "e4=7, d4=5"', ["d2d4"], ["e2e4"]),
    ],
)
def test_what_solves_a_case(operations: str, solved: list[str], unsolved: list[str]) -> None:
    case = case_of(operations)
    assert all(case.is_solved_by(parse_uci(move, case.setup)) for move in solved)
    assert not any(case.is_solved_by(parse_uci(move, case.setup)) for move in unsolved)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9]{0,6}", fullmatch=True),
        st.text(st.characters(codec="ascii", exclude_characters='"\n\r\x0b\x0c\x1c\x1d\x1e\x1f', min_codepoint=32)),
        max_size=5,
    )
)
def test_operations_are_read_as_they_were_written(operations: dict[str, str]) -> None:
    text = " ".join(f'{opcode} "{operand}";' for opcode, operand in operations.items())
    assert dict(parse_operations(text)) == operations
