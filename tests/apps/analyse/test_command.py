"""`ox88 analyse`: what it writes, says and refuses."""

import io
import json
from pathlib import Path

import chess.pgn
import pytest

from tests.conftest import DATA, RunPython

FAMOUS = DATA / "games" / "famous.pgn"
SHORT = """\
[Event "Fool's mate"]
[White "Mr \\"A\\""]
[Black "<b>"]
[Result "0-1"]

1. f3 { [%clk 0:01:00] hm } 1... e5 2. g4?! $10 ( 2. e4 Nc6 ) 2... Qh4# 0-1
"""
FEW = ["--nodes", "500"]


def read_games(path: Path) -> list[chess.pgn.Game]:
    stream = io.StringIO(path.read_text(encoding="utf-8"))
    return list(iter(lambda: chess.pgn.read_game(stream), None))


@pytest.fixture
def short(tmp_path: Path) -> Path:
    path = tmp_path / "short.pgn"
    path.write_text(SHORT)
    return path


def test_an_annotated_game(short: Path, tmp_path: Path, run_ox88: RunPython) -> None:
    output = tmp_path / "out.pgn"
    process = run_ox88("analyse", str(short), "-o", str(output), *FEW)
    assert (process.returncode, process.stderr) == (0, "")
    (game,) = read_games(output)
    assert not game.errors
    first, second, third, last = game.mainline()
    assert "[%clk 0:01:00]" in first.comment
    assert "hm" in first.comment
    assert second.eval() is not None
    assert third.nags == {4, 10}
    assert "Blunder" in third.comment
    assert third.comment.startswith("[%eval #-1]")
    assert [variation.san() for variation in second.variations][:2] == ["g4", "e4"]
    assert last.comment == ""
    assert game.headers["White"] == 'Mr \\"A\\"'
    assert float(game.headers["WhiteAccuracy"]) < 50 < float(game.headers["BlackAccuracy"])
    assert int(game.headers["WhiteACPL"]) > int(game.headers["BlackACPL"])
    assert game.headers["ECO"] == "A00"
    assert "Fool's Mate" in game.headers["Opening"]
    assert game.headers["Annotator"].startswith("Ox88 ")
    assert not list(tmp_path.glob("*.journal*"))


@pytest.mark.parametrize("engine", ["Ox88", "micro-Max"])
def test_the_same_output_from_any_number_of_workers(engine: str, tmp_path: Path, run_ox88: RunPython) -> None:
    def analyse(workers: int) -> list[bytes]:
        files = [tmp_path / f"{workers}.{ending}" for ending in ("pgn", "json")]
        options = ["-o", str(files[0]), "--json", str(files[1]), "--workers", str(workers), "--engine", engine]
        assert run_ox88("analyse", str(FAMOUS), *options, "--nodes", "200").returncode == 0
        return [file.read_bytes() for file in files]

    one = analyse(1)
    assert analyse(2) == one
    assert len(one[1].splitlines()) == 3


def test_json(short: Path, tmp_path: Path, run_ox88: RunPython) -> None:
    json_file = tmp_path / "out.json"
    options = ["-o", str(tmp_path / "out.pgn"), "--json", str(json_file), "--multipv", "2"]
    assert run_ox88("analyse", str(short), *options, *FEW).returncode == 0
    game = json.loads(json_file.read_text())
    assert (game["number"], game["file"], game["line"], game["errors"]) == (1, str(short), 1, [])
    assert game["opening"]["eco"] == "A00"
    assert [move["uci"] for move in game["moves"]] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert [move["judgement"] for move in game["moves"]][2:] == ["blunder", None]
    assert game["moves"][0]["clock"] == 60
    assert game["moves"][3]["eval"] == {"mate": 0}
    assert [len(move["lines"]) for move in game["moves"]] == [2, 2, 2, 2]
    assert game["moves"][3]["lines"][0]["san"] == ["Qh4#"]
    assert game["white"]["blunders"] == 1
    assert game["nodes"] <= 500 * 5
