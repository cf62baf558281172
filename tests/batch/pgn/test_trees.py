"""Variations, comments and NAGs in bulk, as python-chess reads them."""

from pathlib import Path
from typing import Any

import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.pgn import trees
from ox88.convert import from_chess_move
from ox88.types import NO_MOVE
from tests.batch.pgn import naive, samples
from tests.conftest import DATA

SMALL = (
    '[White "a"]\n\n{before} 1. e4! {one} {two} e5 $5 $14 ; rest\n(1... c5?! {in} 2. Nf3 (2. c3 d5!?) 2... d6)'
    ' (1... e6) {after} 2. Nf3?? (2. f4) *\n\n[White "b"]\n\n1. d4 *\n\n'
)


def sans(games: ox88.Games) -> list[str]:
    boards, lines = games.positions(final=False), naive.moves_of(games)
    words = iter(boards.format_san(games.moves))
    return [" ".join(next(words) for _ in line) for line in lines]


def test_lines_of_a_game() -> None:
    games = ox88.read_pgn_text(SMALL)
    lines = games.variations()
    assert sans(lines) == ["e4 e5 Nf3", "e4 c5 Nf3 d6", "e4 c5 c3 d5", "e4 e6", "e4 e5 f4", "d4"]
    assert lines.numbers.tolist() == [0] * 5 + [1]
    assert lines.headers["White"].tolist() == ["a"] * 5 + ["b"]
    assert lines.errors == []
    assert games.comments().tolist() == ["one two", "rest after", "", ""]
    assert [some.tolist() for some in games.nags()] == [[1], [5, 14], [4], []]
    assert sans(games[[1, 0]].variations())[:2] == ["d4", "e4 e5 Nf3"]
    assert games[[1, 0]].comments().tolist() == ["", "one two", "rest after", ""]
    for none in (games[:0], ox88.read_pgn(b"")):
        assert (len(none.variations()), len(none.comments()), len(none.nags())) == (0, 0, 0)
    made = ox88.Games.from_moves(["e4"])
    for ask in (made.variations, made.nags, made.comments):
        with pytest.raises(ox88.Ox88Error, match="the games come from no file"):
            ask()


def test_letters_are_those_by_which_the_games_were_read(tmp_path: Path) -> None:
    german, english = "1. e4 e5 2. Sf3 (2. Lc4 Sc6! {a}) Sc6? *\n\n", "1. e4 e5 2. Nf3 (2. Bc4 Nc6! {a}) Nc6? *\n\n"
    (tmp_path / "games.pgn").write_text(german)
    games = ox88.read_pgn(tmp_path / "games.pgn", letters="German")
    both = ox88.Games.concatenate([ox88.read_pgn_text(english), games, games, ox88.read_pgn_text(english)])
    assert sans(both.variations()) == ["e4 e5 Nf3 Nc6", "e4 e5 Bc4 Nc6"] * 4
    assert [some.tolist() for some in both.nags()] == [[], [], [], [2]] * 4


def test_each_sign_is_the_nag_that_python_chess_reads() -> None:
    text = "1. e4! e5? 2. d4!! d5?? 3. a3!? a6?! 4. h3!?$14 h6 ! $3 5. b3 $255 b6 $0 *"
    own = naive.read_trees(text)[0]
    assert [set(some.tolist()) for some in ox88.read_pgn_text(text).nags()] == [node.nags for node in own.mainline()]


def _lines(node: chess.pgn.GameNode, board: chess.Board, before: list[int]) -> list[list[int]]:
    """The main line after a node, then the lines of its variations, in the order of a PGN. board: of the node."""
    line, found = list(before), list[list[int]]()
    while node.variations:
        for variation in node.variations[1:]:
            after = board.copy(stack=False)
            after.push(variation.move)
            found += _lines(variation, after, [*line, from_chess_move(variation.move, board)])
        node = node.variations[0]
        line.append(from_chess_move(node.move, board))
        board.push(node.move)
    return [line, *found]


@settings(max_examples=20)
@given(st.lists(samples.SEEDS, max_size=6), st.integers(1, 5000), st.sampled_from([1, 2]))
def test_random_games_as_python_chess(seeds: list[int], block: int, threads: int) -> None:
    games = ox88.read_pgn(samples.random_games(seeds), threads=1)
    own = naive.read_trees(samples.random_games(seeds).decode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_BLOCK", block)
        lines, comments, nags = games.variations(threads=threads), games.comments(threads=threads), games.nags()
    assert naive.moves_of(lines) == [line for game in own for line in _lines(game, game.board(), [])]
    assert lines.positions(ply=0).fens() == games.positions(lines.numbers, 0).fens()
    nodes = [node for game in own for node in game.mainline()]
    assert comments.tolist() == [str(node.comment) for node in nodes]
    assert [set(some.tolist()) for some in nags] == [node.nags for node in nodes]


@settings(max_examples=50)
@given(samples.broken_texts())
def test_main_lines_of_any_text_are_those_that_are_read(text: bytes) -> None:
    games = ox88.read_pgn(text, threads=1)
    lines = games.variations(threads=1)
    mains = np.flatnonzero(np.diff(lines.numbers, prepend=-1))
    assert naive.moves_of(lines[mains]) == naive.moves_of(games)
    assert len(games.comments(threads=1)) == len(games.nags(threads=1)) == len(games.moves)
    real = lines.moves != NO_MOVE
    assert lines.positions(final=False, threads=1)[real].is_legal(lines.moves[real], threads=1).all()


@pytest.mark.parametrize(
    ("text", "lines", "errors"),
    [
        ("1. e4 e5 (1... Ke4 2. d4) 2. Nf3 *", ["e4 e5 Nf3", "e4"], ["'Ke4' is not a legal move"]),
        ("1. e4 (1. d4 d5 2. Ke4 (2. x)) e5 *", ["e4 e5", "d4 d5"], ["'Ke4' is not a legal move"]),
        ("1. e4 ((1. d4) 1. c4) e5 *", ["e4 e5", ""], ["a variation begins before the first move of another one"]),
        ("1. e4 Ke4 (1... e5)", ["e4"], ["'Ke4' is not a legal move"]),
        ("1. e4 (1. d4 {not closed (1. c4) e5", ["e4", "d4"], []),
        ("1. e4 (1. d4 (1. c4", ["e4", "d4", "c4"], []),
        ("(1. e4 e5) *", ["e4 e5"], []),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 (1. d4) *', [""], []),
        ("1. e4 (1. d4) (1. Sf3) (1. --) 1-0", ["e4", "d4", "", "--"], ["'Sf3' is not a move in PGN"]),
    ],
)
def test_lines_with_errors(text: str, lines: list[str], errors: list[str]) -> None:
    found = ox88.read_pgn_text("\n\n1. a3 *\n\n" + text).variations()
    assert [line.replace("-- ", "--") for line in _sans_with_nulls(found)][1:] == lines
    assert [error.reason[: len(reason)] for error, reason in zip(found.errors, errors, strict=True)] == errors
    assert [error.line for error in found.errors] == [5] * len(errors)


def _sans_with_nulls(games: ox88.Games) -> list[str]:
    return [sans(one)[0] if one.moves.all() else "--" for one in games]


def test_deep_variations(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "1. e4 " + "(1. d4 " * 8 + ")" * 8 + " e5 *"
    assert sans(ox88.read_pgn_text(text).variations()) == ["e4 e5", *["d4"] * 8]
    monkeypatch.setattr(trees, "_DEEPEST", 3)
    assert sans(ox88.read_pgn_text(text).variations()) == ["e4 e5", *["d4"] * 3]


def test_real_files() -> None:
    for path in (DATA / "pgn" / "odd" / name for name in ("variations.pgn", "kasparov-deep-blue.pgn")):
        games, own = ox88.read_pgn(path), naive.read_trees(path.read_text(encoding="latin-1"))
        nodes: list[Any] = [node for game in own for node in game.mainline()]
        assert naive.moves_of(games.variations()) == [line for game in own for line in _lines(game, game.board(), [])]
        assert [set(some.tolist()) for some in games.nags()] == [node.nags for node in nodes]
        comments = [" ".join(text.split()) for text in games.comments()]
        assert comments == [" ".join(node.comment.split()) for node in nodes]
