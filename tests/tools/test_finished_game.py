"""The tool that checks games saved by XBoard."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.finished_game import main

MATE = "1. f3 e5 2. g4 Qh4#"
SHUFFLED = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"


def pgn(moves: str, result: str, fen: str = "") -> str:
    setup = f'[SetUp "1"]\n[FEN "{fen}"]\n' if fen else ""
    return f'[White "A"]\n[Black "B"]\n[Result "{result}"]\n{setup}\n{moves} {result}\n\n'


def check(path: Path, text: str) -> tuple[int, list[str]]:
    (path / "game.pgn").write_text(text)
    result = CliRunner().invoke(main, [str(path / "game.pgn")])
    return result.exit_code, result.output.splitlines()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (pgn(MATE, "0-1"), "move 2: 0-1 by checkmate"),
        (pgn(SHUFFLED, "1/2-1/2"), "move 4: 1/2-1/2 by threefold repetition"),
        (pgn("1. Qf7", "1/2-1/2", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1"), "move 1: 1/2-1/2 by stalemate"),
        (pgn("80. Qg7#", "1-0", "7k/5Q2/6K1/8/8/8/8/8 w - - 99 80"), "move 80: 1-0 by checkmate"),
        (pgn(MATE, "1-0"), "move 2: 0-1 by checkmate, but the file says 1-0"),
        (pgn(MATE, "*"), "move 2: 0-1 by checkmate, but the file says *"),
        (pgn("1. f3 e5 2. g4", "0-1"), "move 2: not finished, rnbqkbnr/"),
        (pgn("1. f3 e5 2. g4 Qh5", "0-1"), "move 2: illegal san: 'Qh5'"),
        ("No game at all\n", "move 0: not finished, rnbqkbnr/"),
    ],
)
def test_a_game(text: str, words: str, tmp_path: Path) -> None:
    code, (line,) = check(tmp_path, text)
    is_right = re.search(" by [a-z ]+$", words) is not None
    assert code == (0 if is_right else 1)
    assert line == f"A - B, {words}" if is_right else words in line


def test_one_bad_game_of_several(tmp_path: Path) -> None:
    code, lines = check(tmp_path, pgn(MATE, "0-1") + pgn(MATE, "1/2-1/2") + pgn(SHUFFLED, "1/2-1/2"))
    assert code == 1
    assert [line.endswith("but the file says 1/2-1/2") for line in lines] == [False, True, False]


def test_no_game(tmp_path: Path) -> None:
    code, lines = check(tmp_path, "")
    assert code == 2
    assert lines[-1].startswith("Error: there is no game in ")
    assert CliRunner().invoke(main, [str(tmp_path / "nothing.pgn")]).exit_code == 2
