"""Whole games, with variations, read as strictly as main lines."""

import pytest

from ox88.batch.pgn.checking import check_game

SF6 = "move 1...: 'Sf6' is not a move in PGN, where the pieces are K, Q, R, B and N; read_pgn(letters=) reads others"
EARLY = "move 1...: a variation begins before the first move of another one"


@pytest.mark.parametrize(
    ("text", "left", "errors"),
    [
        ("1. e4 (1. d4 (1. c4)) e5 (1... c5)", "1. e4 (1. d4 (1. c4)) e5 (1... c5)", []),
        ("1. e4 e5\n2. Nf6 ) (2. d4) Nc6 *", "1. e4 e5\n2. ", [(2, "move 2: 'Nf6' is not a legal move")]),
        ("1. e4 e5 (1... Nf3 (1... c5) 2. d4) 2. c4", "1. e4 e5 (1... ) 2. c4", [
            (1, "move 1...: 'Nf3' is not a legal move"),
        ]),
        ("1. e4 (1. d4 d5 (1... Ke7) c4) e5", "1. e4 (1. d4 d5 (1... ) c4) e5", [
            (1, "move 1...: 'Ke7' is not a legal move"),
        ]),
        ("1. e4 (1. d4 Sf6 {)} 2. c4) e5", "1. e4 (1. d4 ) e5", [(1, SF6)]),
        ("1. e4 (1. d4\n(1. Ke5)\nKe4 2. x) e5", "1. e4 (1. d4\n(1. )\n) e5", [
            (2, "move 1: 'Ke5' is not a legal move"), (3, "move 1...: 'Ke4' is not a legal move"),
        ]),
        ("1. e4 e5 ( ( 1... c5 ) 1... c6 ) 2. Nf3", "1. e4 e5 ( ) 2. Nf3", [(1, EARLY)]),
        ("(1. e4 (1. d4) e5", "(1. e4 (1. d4) e5", []),  # No move before the first parenthesis.
        ('[A "b"]\r\n\r\n1. e4\r1... Ke5', '[A "b"]\n\n1. e4\n1... ', [(4, "move 1...: 'Ke5' is not a legal move")]),
        ("1. e4\n(1. d4\n(1. c4", "1. e4\n(1. d4\n(1. c4", [(n, "a variation is not closed") for n in (2, 3)]),
        ("1. e4 ; {\n1... e5 { x } {\nb", "1. e4 ; {\n1... e5 { x } {\nb", [(2, "a comment is not closed")]),
        ("1. e4 (1. d4 {\n", "1. e4 (1. d4 {", [(1, f"a {what} is not closed") for what in ("variation", "comment")]),
        ('[A "b]\n[C "d"]\n\n1. e4 O-', '[A "b]\n[C "d"]\n\n1. e4 ', [
            (1, """'[A "b]' is not a tag: [Name "value"] is expected"""),
            (4, "move 1...: the game ends within a move: 'O-'"),
        ]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_left_out(text: str, left: str, errors: list[tuple[int, str]]) -> None:
    checked = check_game(text)
    assert [(error.line, error.reason) for error in checked.errors] == errors
    assert checked.text == left
    assert checked.is_readable


@pytest.mark.parametrize("text", ["nothing", '[Variant "Atomic"] *', '[FEN "8/8 w - -"] *'])
def test_what_is_no_chess(text: str) -> None:
    checked = check_game(text)
    assert (checked.is_readable, len(checked.errors)) == (False, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. e4 (1. Ke2) e5 *", ""),
        ("1. e4 (1. Ke2) Ke6 *", "'Ke6' is not a legal move"),
    ],
)
def test_an_error_in_a_variation_does_not_end_the_main_line(text: str, reason: str) -> None:
    assert check_game(text).reason == reason


@pytest.mark.parametrize(
    ("text", "has_words"),
    [
        ("1. e4 {what} e5 ; what\n$1 2. d4! (2. d3) 1-0", False),
        ("1. e4 what e5 *", True),
        ("1. e4 (1. d4 what) e5 *", True),
        ("1. e4 Novelty e5 *", True),
    ],
)
def test_words_that_are_no_moves(text: str, has_words: bool) -> None:
    checked = check_game(text)
    assert (checked.has_words, checked.errors) == (has_words, [])
