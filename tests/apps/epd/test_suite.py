"""Reading test suites: the forms of real files, and bad lines."""

from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.epd.suite import Case, parse_case, parse_operations, parse_suite, read_suite
from ox88.errors import Ox88Error
from ox88.fen import FenError
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


def names(moves: object) -> set[str]:
    assert isinstance(moves, (frozenset, dict))
    return {format_uci(move) for move in moves}


def test_best_moves() -> None:
    case = parse_case("wac.epd", 297, WAC)
    assert (case.name, case.theme, case.line, case.suite) == ("WAC.297", "WAC", 297, "wac.epd")
    assert names(case.best) == {"c6g2", "d6h2"}
    assert (case.avoid, case.points, case.most_points) == (frozenset(), {}, 0)


def test_points() -> None:
    case = parse_case("sts.epd", 1, STS)
    assert (case.name, case.theme) == ("STS(v1.0) Undermine.001", "STS(v1.0) Undermine")
    assert {format_uci(move): points for move, points in case.points.items()} == {"f4f5": 100, "d4f2": 46, "f3g4": 23}
    assert names(case.best) == {"f4f5"}
    assert case.most_points == 100


@pytest.mark.parametrize(
    "operations", ['c8 "10 3"; c9 "e2e4 g1f3"', 'c7 "e4 Nf3"; c8 "10 3";', 'c0 "e4=10, Nf3=3"', "c0 e4=10,Nf3=3;;"]
)
def test_every_form_of_points(operations: str) -> None:
    assert {format_uci(move): points for move, points in case_of(operations).points.items()} == {"e2e4": 10, "g1f3": 3}


def test_what_people_write() -> None:
    case = case_of(';bm  e4! , Nf3;; am a3??; id "a;b = \\"; c0 "a comment; with = signs";ce +12')
    assert names(case.best) == {"e2e4", "g1f3"}
    assert names(case.avoid) == {"a2a3"}
    assert case.name == "a;b = \\"
    assert case.points == {}
    assert case_of("bm e4").name == "line 1"
    assert case_of("0 1 bm e4").best == case.best - {parse_uci("g1f3", case.setup)}
    assert case_of('bm e4; id "tab\tescape\x1b[0m"').name == "tab?escape?[0m"
    assert case_of("bm O-O", "4k3/8/8/8/8/8/8/4K2R w K -").best == {
        parse_uci("e1g1", case_of("bm Kf1", CASTLING).setup)
    }


CASTLING = "4k3/8/8/8/8/8/8/4K2R w K -"


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


def test_illegal_positions_are_refused() -> None:
    with pytest.raises(Ox88Error, match="White has no king"):
        case_of("bm e4", "4k3/8/8/8/8/8/8/8 w - -")
    with pytest.raises(FenError, match="the board has 1 rank, not 8"):
        case_of("bm e4", "nonsense")


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
    for text in (b"", b"\n\n", f"{START} ;D1 20".encode(), b"\xff\xfe\x00", f"{START} id x;".encode()):
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
    assert [case.is_solved_by(parse_uci(move, case.setup)) for move in solved + unsolved] == [True] * len(solved) + [
        False
    ] * len(unsolved)


def test_points_of_moves() -> None:
    case = case_of('c0 "e4=7, a3=1"')
    assert [case.points_of(parse_uci(move, case.setup)) for move in ("e2e4", "a2a3", "h2h3")] == [7, 1, 0]


@given(
    st.lists(st.sampled_from([WAC, STS, START, "bm", "id", '"', ";", "e4", "c8", "c9", "=", " ", "10"]), max_size=12)
)
def test_noise_is_refused_or_read(parts: list[str]) -> None:
    cases, bad_lines = parse_suite("noise.epd", [" ".join(parts)])
    assert len(cases) + len(bad_lines) == bool(" ".join(parts).strip())


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


def test_bm_agrees_with_python_chess() -> None:
    for line in (WAC, STS):
        board, operations = chess.Board.from_epd(line)
        case = parse_case("some.epd", 1, line)
        assert names(case.best) == {move.uci() for move in operations["bm"]}  # type: ignore[union-attr]
        assert case.name == operations["id"]
        assert chess.Board(case.fen).board_fen() == board.board_fen()
