"""`ox88.show`: its pictures and its errors."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import chess
import chess.svg
import pytest

import ox88

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"


def parsed(picture: ox88.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture._repr_svg_())  # noqa: S314 - Our own.


def test_kinds_of_positions() -> None:
    board = chess.Board(FEN)
    drawn = chess.svg.board(board, size=360)
    for position in (FEN, board, ox88.parse_fen(FEN)):
        assert str(ox88.show(position)) == drawn
    assert ox88.Setup(FEN)._repr_svg_() == drawn
    assert ox88.show()._repr_svg_() == chess.svg.board(chess.Board(), size=360) == str(ox88.show("startpos"))


def test_moves_are_played_and_the_last_is_marked() -> None:
    board = chess.Board(FEN)
    for move in ("d7d6", "f3f7"):
        board.push_uci(move)
    drawn = chess.svg.board(board, size=360, lastmove=board.peek(), check=chess.E8)
    assert str(ox88.show(board)) == drawn
    moves: Any
    for moves in ("d6 Qxf7#", ["d6", "f3f7"], ["d7d6", chess.Move.from_uci("f3f7")]):
        assert str(ox88.show(FEN, moves=moves)) == drawn
    assert chess.Board(FEN).fen() == FEN


def test_arrows_squares_and_sides() -> None:
    arrow = chess.svg.Arrow(chess.F3, chess.F7)
    drawn = str(ox88.show(FEN, arrows=[arrow], squares=["f7"], flipped=True, size=99))
    assert 'width="99"' in drawn
    for same in ("f3f7", ("f3", "f7"), chess.Move.from_uci("f3f7")):
        assert str(ox88.show(FEN, arrows=[same], squares=["f7"], flipped=True, size=99)) == drawn
    others: list[dict[str, Any]] = [{}, {"flipped": True}, {"arrows": [arrow]}]
    assert len({drawn, *(str(ox88.show(FEN, size=99, **other)) for other in others)}) == 4


@pytest.mark.parametrize(("count", "width", "height"), [(0, 200, 200), (1, 360, 360), (3, 616, 200), (9, 824, 616)])
def test_positions_side_by_side(count: int, width: int, height: int) -> None:
    picture = parsed(ox88.show(ox88.Positions.from_fens([FEN] * count)))
    assert (picture.get("width"), picture.get("height")) == (str(width), str(height))
    places = {(board.get("x"), board.get("y")) for board in picture}
    assert len(places) == len(picture) == count


def test_files(tmp_path: Path) -> None:
    picture = ox88.show(FEN)
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == str(picture)
    assert repr(picture) == f"<Picture: SVG, {len(str(picture))} bytes>"
    with pytest.raises(ox88.Ox88Error, match="cannot be written: No such file"):
        picture.save(tmp_path / "none" / "board.svg")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"position": 5}, "the position is of type int: expected a FEN, a chess.Board"),
        ({"position": "8/8 w"}, "8/8 w"),
        ({"moves": "e5"}, "e5: no pawn of White can go to e5"),
        ({"moves": [chess.Move.from_uci("e2e5")]}, "e2e5: the pawn on e2 cannot reach e5"),
        ({"arrows": ["e2"]}, "'' is not a square: expected e4, say"),
        ({"squares": ["i9"]}, "'i9' is not a square"),
        ({"position": ox88.Positions.from_fens([FEN] * 65)}, "65 positions are too many to show: take 64"),
    ],
)
def test_what_is_refused(words: dict[str, Any], reason: str) -> None:
    with pytest.raises(ox88.Ox88Error, match=reason):
        ox88.show(**words)
