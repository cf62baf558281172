"""`ox88.analyse_game`: one game of any kind, as a graph."""

import gzip
import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import chess.pgn
import chess.svg
import pytest

import ox88
from tests.conftest import DATA

FAMOUS = DATA / "games" / "famous.pgn"
PGN = '[White "A & <b>"]\n[Black "C"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


@pytest.fixture(scope="module")
def analysis() -> ox88.GameAnalysis:
    return ox88.analyse_game(PGN, nodes=2000)


def test_what_is_found(analysis: ox88.GameAnalysis) -> None:
    assert [move["san"] for move in analysis.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert 2 in analysis.moments
    assert analysis.describe(2).startswith("2. g4?? (#-1), where ")
    assert analysis.describe(3) == "2... Qh4# (#0)"
    assert repr(analysis) == f"<GameAnalysis: A & <b> - C, 4 moves, {len(analysis.moments)} of them bad>"


def test_the_graph(analysis: ox88.GameAnalysis) -> None:
    """The curve has a point for each position, and each error has a mark that names it."""
    graph = ElementTree.fromstring(analysis._repr_svg_())  # noqa: S314 - Our own.
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text or "" for text in graph.iter(f"{space}text")]
    white, black = analysis.record["white"], analysis.record["black"]
    assert white is not None
    assert black is not None
    assert texts[0].startswith(f"Black: C · accuracy {black['accuracy']:.0f} %")
    assert texts[1].startswith(f"White: A & <b> · accuracy {white['accuracy']:.0f} %")
    assert (white["accuracy"] or 0) < 50 < 90 <= (black["accuracy"] or 0)
    curve = next(path.get("d") or "" for path in graph.iter(f"{space}path") if path.get("fill") == "none")
    points = [[float(value) for value in point.split()] for point in curve.removeprefix("M").split("L")]
    start = analysis.record["start"]
    assert start is not None
    wins = [start["win"], *(move["win"] for move in analysis.moves)]
    assert points == [[160 * ply, round(160 - 1.6 * win, 1)] for ply, win in enumerate(wins)]
    marks = [mark[0].text for mark in graph.iter(f"{space}circle")]
    assert marks == [analysis.describe(number) for number in analysis.moments]


def test_a_moment(analysis: ox88.GameAnalysis) -> None:
    board = chess.Board()
    for move in analysis.moves[:2]:
        board.push_uci(move["uci"])
    better = chess.Move.from_uci(analysis.moves[2]["lines"][0]["moves"][0])
    arrows = [
        chess.svg.Arrow(chess.G2, chess.G4, color="#c2282ecc"),
        chess.svg.Arrow(better.from_square, better.to_square, color="#1f7a6dcc"),
    ]
    assert str(analysis.show(2)) == str(analysis.show(-2)) == str(ox88.show(board.fen(), arrows=arrows))
    good = [chess.svg.Arrow(chess.D8, chess.H4, color="#1f7a6dcc")]
    assert str(analysis.show(3)) == str(ox88.show(analysis.moves[2]["fen"], arrows=good))
    assert str(analysis.show(-4)) == str(analysis.show(0))
    with pytest.raises(IndexError):
        analysis.show(4)


def test_kinds_of_games(analysis: ox88.GameAnalysis, tmp_path: Path) -> None:
    game = chess.pgn.read_game(io.StringIO(PGN))
    assert game is not None
    path, packed = tmp_path / "game.pgn", tmp_path / "game.pgn.gz"
    path.write_text(PGN)
    packed.write_bytes(gzip.compress(PGN.encode()))
    files = (path, packed, PGN.encode(), packed.read_bytes(), io.StringIO(PGN), io.BytesIO(PGN.encode()))
    for same in (*files, game, game.end().board(), ox88.read_pgn_text(PGN), ox88.read_pgn_text(PGN)[0]):
        assert ox88.analyse_game(same, nodes=2000).moves == analysis.moves
    with pytest.raises(ox88.Ox88Error, match="the game cannot be analysed: the file breaks off in line"):
        ox88.analyse_game(packed.read_bytes()[:-9])


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("nowhere/games.pgn.gz", "there is no file 'nowhere/games.pgn.gz', and as PGN the text has no moves"),
        ("C:\\game.PGN.gz", "there is no file"),
        (str(FAMOUS), r"famous\.pgn', a name of a file: pathlib\.Path\(.*famous\.pgn'\) or its text is expected"),
        (FAMOUS, r"there are several games in the PGN, and one is expected.*ox88\.read_pgn\(path\)\[0\]"),
        (ox88.Setup(ox88.STARTPOS), "the game is of type Setup: expected PGN, the pathlib.Path of a file"),
        (PGN + "\n" + PGN, "there are several games in the PGN, and one is expected"),
        ("", "there is no game in the PGN"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', "the game cannot be analysed: "),
        (chess.Board(), "the game cannot be analysed: it has no moves"),
        (ox88.read_pgn_text(PGN + "\n" + PGN), "there are 2 games, and one is expected"),
    ],
)
def test_what_is_refused(game: Any, reason: str) -> None:
    with pytest.raises(ox88.Ox88Error, match=reason):
        ox88.analyse_game(game, nodes=100)


def test_options_are_those_of_the_engine() -> None:
    with pytest.raises(ox88.Ox88Error, match="Nonsense"):
        ox88.analyse_game(PGN, nodes=100, options={"Nonsense": 1})
