"""`ox88.Puzzles`: an array, and its three formats."""

import contextlib
import io
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ox88 import Ox88Error, Puzzles
from ox88.apps.puzzles.puzzle import Puzzle

FORK = Puzzle(
    "e9DiH", "r1bqr1k1/2p2ppp/p7/1pbpP3/3N2n1/8/PPB2PPP/RNBQR1K1 w - - 1 13", ("d1d3", "d8h4"), 1747, ("fork", "short")
)
OWN = Puzzle(
    "own1",
    "r3k2r/1P6/8/8/8/8/8/4K3 b kq - 0 1",
    ("e8g8", "b7a8q", "f8a8"),
    900,
    ("promotion",),
    "https://lichess.org/abcd1234",
    "b7b8q",
    'It says "Queen", not rook; 1. bxa8=Q is better.',
)
LICHESS = """PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
e9DiH,r1bqr1k1/2p2ppp/p7/1pbpP3/3N2n1/8/PPB2PPP/RNBQR1K1 w - - 1 13,d1d3 d8h4,1747,75,-3,128,fork short,,
"""
KINDS = ("csv", "csv.zst", "csv.gz", "pgn", "pgn.zst", "parquet")


def puzzle_of(board: chess.Board, plies: list[int], text: str) -> Puzzle:
    """The puzzle whose moves are those with some numbers in the lists of legal moves."""
    fen, moves = board.fen(), []
    for number in plies:
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        if legal:
            moves.append(legal[number % len(legal)])
            board.push(moves[-1])
    return Puzzle(
        text, fen, tuple(map(chess.Move.uci, moves)), len(text), ("fork", "short"), text, moves[1].uci(), text
    )


@pytest.mark.parametrize("kind", KINDS)
def test_files_keep_all(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"puzzles.{kind}"
    Puzzles([FORK, OWN]).write(path)
    puzzles = Puzzles.read(path)
    assert list(puzzles) == [FORK, OWN]
    assert puzzles == Puzzles([FORK, OWN])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(
    st.lists(
        st.builds(
            lambda plies, text: puzzle_of(chess.Board(), plies, text),
            st.lists(st.integers(0, 99), min_size=2, max_size=40),
            st.text(st.characters(categories=("L", "N", "P", "S")), max_size=20),
        ),
        max_size=5,
    )
)
def test_any_puzzles_are_read_as_they_were_written(tmp_path: Path, some: list[Puzzle]) -> None:
    for kind in ("csv", "pgn", "parquet"):
        path = tmp_path / f"puzzles.{kind}"
        Puzzles(some).write(path)
        assert list(Puzzles.read(path)) == some


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_cannot_be_written_is_unchanged(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"puzzles.{kind}"
    Puzzles([FORK]).write(path)
    before = path.read_bytes()
    with pytest.raises(Ox88Error, match=r"puzzle 1 \('own1'\): source is '\\ud800', with half of a surrogate pair"):
        Puzzles([FORK, replace(OWN, source="\ud800")]).write(path)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])


def test_lichess_csv_is_written_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(LICHESS)
    puzzles = Puzzles.read(tmp_path / "in.csv")
    assert list(puzzles) == [FORK]
    assert puzzles.column("popularity").tolist() == [-3]
    puzzles.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == LICHESS


def test_a_table_in_lichess_names_and_lists(tmp_path: Path) -> None:
    """As the most common table of Lichess's puzzles has them."""
    columns = {"PuzzleId": ["e9DiH"], "FEN": [FORK.fen], "Moves": ["d1d3 d8h4"], "Rating": [1747]}
    pyarrow.parquet.write_table(pyarrow.table(columns | {"Themes": [["fork", "short"]]}), tmp_path / "p.parquet")
    assert list(Puzzles.read(tmp_path / "p.parquet")) == [FORK]


def test_python_chess_plays_the_pgn(tmp_path: Path) -> None:
    Puzzles([FORK, OWN]).write(tmp_path / "p.pgn")
    stream = io.StringIO((tmp_path / "p.pgn").read_text())
    for puzzle in (FORK, OWN):
        game = chess.pgn.read_game(stream)
        assert game is not None
        assert not game.errors
        assert game.board().fen() == puzzle.fen
        assert tuple(move.uci() for move in game.mainline_moves()) == puzzle.moves


def test_an_array() -> None:
    puzzles = Puzzles([FORK, OWN])
    assert (len(puzzles), puzzles[1], puzzles[-2]) == (2, OWN, FORK)
    assert puzzles[1:] == Puzzles([OWN]) == puzzles[[1]] == puzzles[puzzles.column("rating") < 1000]
    assert puzzles[:1] + puzzles[1:] == puzzles
    assert puzzles != puzzles[:1]
    assert puzzles.rated(900, 900) == puzzles.with_theme("promotion") == puzzles[1:]
    assert puzzles.with_theme("fork", "short") == puzzles[:1]
    assert len(puzzles.with_theme("fork", "promotion")) == 0
    assert puzzles.positions.fens(en_passant="legal") == [FORK.board().fen(), OWN.board().fen()]
    with pytest.raises(Ox88Error, match="there is no column 'colour': the columns are id, fen"):
        puzzles.column("colour")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("b,8/8/8/8/8/8/8/8 w - - 0 1,e2e4 e7e5,1500,", "White has no king"),
        ("b,what,e2e4 e7e5,1500,", "line 3: .*what"),
        ("b,{fen},d1d3 d8h5,1500,", "line 3: 'd8h5.* is not legal in|line 3: d8h5.* is not legal"),
        ("b,{fen},d1d3 d8,1500,", "line 3: 'd8' is not a move"),
        ("b,{fen},d1d3,1500,", "line 3: the moves are d1d3: the opponent's move and the solution are expected"),
        ("b,{fen},,1500,", "line 3: the moves are none"),
        ("b,{fen},d1d3 d8h4,high,", "line 3: rating is 'high': a whole number is expected"),
        ("b,{fen},d1d3 d8h4,99999999999,", "line 3: rating is 99999999999: a number up to"),
        ("b,{fen},d1d3 d8h4,1500", "line 3: 4 columns, and not 5 as in line 1"),
        ('b,"{fen}', "line 3: unexpected end of data"),
        ("b,1k1r4/8/8/8/8/8/8/1K1R4 w Dd - 0 1,d1d2 d8d7,1500,", "line 3: its castling rights are those of Chess960"),
    ],
)
def test_bad_rows_are_named(row: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    good = f"a,{FORK.fen},d1d3 d8h4,1500,\n"
    path.write_text(f"PuzzleId,FEN,Moves,Rating,Themes\n{good}{row.format(fen=FORK.fen)}\n")
    with pytest.raises(Ox88Error, match=f"bad.csv, line 3.*({said})" if "line" not in said else said):
        Puzzles.read(path)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"played": "zz"}, r"puzzle 1 \(own1\): 'zz' is not a move"),
        ({"played": "b7b6"}, r"puzzle 1 \(own1\): b7b6"),
        ({"rating": 900.5}, r"puzzle 1 \(own1\): rating is 900.5: a whole number is expected"),
        ({"rating": math.nan}, r"puzzle 1 \(own1\): rating is nan: a whole number is expected"),
        ({"moves": (1, 2)}, r"puzzle 1 \(own1\): moves is \(1, 2\): a tuple of texts is expected"),
        ({"moves": None}, r"puzzle 1 \(own1\): moves is None"),
        ({"themes": "fork"}, r"puzzle 1 \(own1\): themes is 'fork': a tuple of texts is expected"),
    ],
)
def test_bad_puzzles_are_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(Ox88Error, match=said):
        Puzzles([FORK, replace(OWN, **wrong)])


def test_bad_arguments() -> None:
    puzzles = Puzzles([FORK, OWN])
    some: list[Any] = [FORK, 5]
    with pytest.raises(TypeError, match="puzzle 1 is 5: a Puzzle is expected"):
        Puzzles(some)
    bounds: list[tuple[Any, Any]] = [(math.nan, 1), (1, math.nan), ("a", 5), (None, 1), (1, None), (0.5, 1)]
    for low, high in bounds:
        with pytest.raises(TypeError, match=r"(low|high) is .*: a whole number is expected"):
            puzzles.rated(low, high)
    with pytest.raises(Ox88Error, match="low is 1500, and high 1400: low is expected to be at most high"):
        puzzles.rated(1500, 1400)
    assert puzzles.rated(0, 10**30) == puzzles.rated(-1, 10**9) == puzzles
    themes: list[Any] = [5, None, ["fork"], "", "fork short"]
    for theme in themes:
        with pytest.raises(Ox88Error, match="is no theme: a word is expected, such as 'fork'"):
            puzzles.with_theme("fork", theme)


def test_other_files(tmp_path: Path) -> None:
    for name, content, said in (
        ("p.csv", "a,b\n1,2\n", "line 1: Lichess's columns of puzzles are expected: PuzzleId, FEN.* missing"),
        ("p.parquet", "PAR1", "cannot be read as Parquet"),
        ("p.pgn", '[FEN "8/8 w"]\n\n1. e4 *', "p.pgn, game 1, line 1: the FEN '8/8 w' is not a legal position"),
        ("p.pgn", "1. e4 *", "p.pgn, game 1: the moves are e2e4"),
        ("p.txt", "", "p.txt: puzzles are .parquet, .csv or .pgn"),
        ("p.parquet.gz", "", "p.parquet.gz: puzzles are"),
    ):
        (tmp_path / name).write_text(content)
        with pytest.raises(Ox88Error, match=said):
            Puzzles.read(tmp_path / name)
    for name in ("none.csv", "none.pgn", "none.parquet"):
        with pytest.raises(FileNotFoundError, match=name):
            Puzzles.read(tmp_path / name)
    pyarrow.parquet.write_table(pyarrow.table({"id": [1]}), tmp_path / "q.parquet")
    with pytest.raises(Ox88Error, match=r"q\.parquet is no table of puzzles: fen, moves, rating, themes missing"):
        Puzzles.read(tmp_path / "q.parquet")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.sampled_from(["csv", "pgn", "parquet"]), st.binary(max_size=60), st.integers(0, 400), st.booleans())
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, kind: str, noise: bytes, at: int, cut: bool) -> None:
    path = tmp_path / f"damaged.{kind}"
    Puzzles([FORK, OWN]).write(path)
    data = path.read_bytes()
    at = at * len(data) // 400
    path.write_bytes(data[:at] + noise + (b"" if cut else data[at:]))
    puzzles = Puzzles()
    with contextlib.suppress(Ox88Error):
        puzzles = Puzzles.read(path)
    for puzzle in puzzles:
        board = puzzle.board()
        for move in puzzle.solution:
            assert move in board.legal_moves
            board.push(move)
