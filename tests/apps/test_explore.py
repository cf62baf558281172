"""`ox88 explore`: what it prints, as a table and as JSON; which words are files and which are moves; errors."""

import json
from pathlib import Path

import pytest

from ox88.apps import explore
from ox88.batch.pgn import explorer
from tests.conftest import DATA, RunPython

FAMOUS = DATA / "games/famous.pgn"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(explorer, "default_root", lambda: tmp_path / "cache")


def test_a_table(call_ox88: RunPython, tmp_path: Path) -> None:
    more = tmp_path / "more.pgn"
    more.write_text(
        '[White "\x1b[31mRed"]\n[WhiteElo "2500"]\n[BlackElo "2400?"]\n[Date "2024.05.12"]\n\n1. e4 e5 2. f4 1-0\n\n'
        '[White "Ann"]\n[WhiteElo "2600"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n'
        '[Event "Club"]\n[Site "?"]\n[White "?"]\n[Black "?"]\n\n1. e4 e5 2. Bc4 *\n',
        encoding="utf-8",
    )
    process = call_ox88("explore", more, FAMOUS, "1.", "e4", "e5", "--games", "2")
    assert (process.returncode, process.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in process.stdout.splitlines()]
    assert lines[0] == "C20 King's Pawn Game"
    assert "f4 2 100% 0% 0% 2500 2024.05.12 C30 King's Gambit" in lines
    assert "Nf3 2 50% 50% 0% 2600 1858 C40 King's Knight Opening" in lines
    assert "all 5 75% 25% 0% 2550 2024.05.12 C20 King's Pawn Game" in lines
    assert "?[31mRed 2500 2400 1-0 2024.05.12 more.pgn 1" in lines
    assert "Ann 2600 1/2-1/2 more.pgn 2" in lines
    assert "\x1b" not in process.stdout
    again = call_ox88("explore", more, FAMOUS, "e2e4 e7e5", "--json", "--games", 1)
    found = json.loads(again.stdout)
    assert (found["count"], found["white"], found["rating"], found["opening"]) == (5, 3, 2550, "C20 King's Pawn Game")
    assert [(move["uci"], move["count"]) for move in found["moves"]] == [("g1f3", 2), ("f2f4", 2), ("f1c4", 1)]
    assert found["games"] == [
        {"game": 0, "white": "\x1b[31mRed", "black": "", "event": "", "ratings": [2500, 2400], "result": "1-0"}
        | {"date": "2024.05.12", "file": "more.pgn", "number": 1}
    ]
    unknown = call_ox88("explore", more, "e4 e5 Bc4").stdout
    assert "Club * more.pgn 3" in [" ".join(line.split()) for line in unknown.splitlines()]


def test_a_position_without_games(call_ox88: RunPython) -> None:
    process = call_ox88("explore", FAMOUS, "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O")
    assert (process.returncode, process.stdout) == (0, "No game has this position, of 3.\n")


@pytest.mark.parametrize(
    "words", ["e4", "1.e4 e5", "1.", "1. d4", "e7e8q", "bxa8=Q+", "Nbd7", "O-O", "0-0-0#", "exd5", ""]
)
def test_moves_are_told_from_files(words: str) -> None:
    assert explore._MOVES.match(words)


@pytest.mark.parametrize("word", ["e4.pgn", "1.pgn", "2024.best.pgn", "c3-sicilian.zst", "games", "./e4", "O-O.pgn"])
def test_files_are_told_from_moves(word: str) -> None:
    assert not explore._MOVES.match(word)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["e4"], 'name a PGN file before the moves, such as: ox88 explore games.pgn "1. e4 c5"'),
        (["gmaes.pgn"], "'gmaes.pgn' cannot be opened: No such file or directory"),
        ([FAMOUS, "e5"], "e5: no pawn of White can go to e5"),
        ([FAMOUS, "e4", FAMOUS], "is not a move; write it as e2e4, e7e8n, Nf3 or O-O"),
        ([FAMOUS, "--fen", "x"], "FEN 'x': the board has 1 rank, not 8"),
        ([DATA], "is not a file: write the games into one"),
        ([DATA.parent / "__init__.py"], "there is no game in"),
        ([FAMOUS, "--games", "-1"], "is not in the range 0<=x<=1000"),
    ],
)
def test_wrong_input_is_named(words: list[object], message: str, call_ox88: RunPython) -> None:
    process = call_ox88("explore", *words)
    assert (process.returncode, process.stdout) == (2, "")
    assert message in process.stderr
    assert "Traceback" not in process.stderr
