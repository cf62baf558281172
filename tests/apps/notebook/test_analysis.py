"""`ox88.analyse`: one game of any kind, as a graph."""

import io
from typing import Any
from xml.etree import ElementTree

import chess
import chess.pgn
import chess.svg
import pytest

import ox88

PGN = '[White "A & <b>"]\n[Black "C"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


@pytest.fixture(scope="module")
def analysis() -> ox88.Analysis:
    return ox88.analyse(PGN, nodes=2000)


def test_what_is_found(analysis: ox88.Analysis) -> None:
    assert [move["san"] for move in analysis.moves] == ["f3", "e5", "g4", "Qh4#"]
    assert 2 in analysis.moments
    assert analysis.describe(2).startswith("2. g4?? (#-1), where ")
    assert analysis.describe(3) == "2... Qh4# (#0)"
    assert repr(analysis) == f"<Analysis: A & <b> - C, 4 moves, {len(analysis.moments)} of them bad>"


def test_the_graph(analysis: ox88.Analysis) -> None:
    """The curve has a point for each position, and each error has a mark that names it."""
    graph = ElementTree.fromstring(analysis._repr_svg_())  # noqa: S314 - Our own.
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text or "" for text in graph.iter(f"{space}text")]
    assert texts[0].startswith("Black: C · accuracy 9")
    assert texts[1].startswith("White: A & <b> · accuracy ")
    curve = next(path.get("d") or "" for path in graph.iter(f"{space}path") if path.get("fill") == "none")
    points = [[float(value) for value in point.split()] for point in curve.removeprefix("M").split("L")]
    start = analysis.record["start"]
    assert start is not None
    wins = [start["win"], *(move["win"] for move in analysis.moves)]
    assert points == [[160 * ply, round(160 - 1.6 * win, 1)] for ply, win in enumerate(wins)]
    marks = [mark[0].text for mark in graph.iter(f"{space}circle")]
    assert marks == [analysis.describe(number) for number in analysis.moments]


def test_a_moment(analysis: ox88.Analysis) -> None:
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


def test_kinds_of_games(analysis: ox88.Analysis) -> None:
    game = chess.pgn.read_game(io.StringIO(PGN))
    assert game is not None
    for same in (game, ox88.read_pgn(io.StringIO(PGN)), ox88.read_pgn(io.StringIO(PGN))[0], game.end().board()):
        assert ox88.analyse(same, nodes=2000).moves == analysis.moves


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (5, "the game is of type int: expected PGN, a chess.pgn.Game"),
        ("", "the game cannot be analysed: "),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', "the game cannot be analysed: "),
        (chess.Board(), "the game cannot be analysed: it has no moves"),
        (ox88.read_pgn(io.StringIO(PGN + "\n" + PGN)), "there are 2 games, and one is expected"),
    ],
)
def test_what_is_refused(game: Any, reason: str) -> None:
    with pytest.raises(ox88.Ox88Error, match=reason):
        ox88.analyse(game, nodes=100)


def test_options_are_those_of_the_engine() -> None:
    with pytest.raises(ox88.Ox88Error, match="Nonsense"):
        ox88.analyse(PGN, nodes=100, options={"Nonsense": 1})
