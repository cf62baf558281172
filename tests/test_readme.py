"""The README's Python runs as it stands."""

import re
import textwrap
from pathlib import Path
from typing import Final

import chess
import pytest

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text()


def code_of(heading: str) -> str:
    """The indented blocks of a section, one after the other."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return textwrap.dedent("".join(re.findall(r"^    .*\n|^\n(?=    )", section, re.M)))


def test_an_engine_in_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    exec(code_of("An engine in a script"), {})  # noqa: S102
    move, *lines = capsys.readouterr().out.splitlines()
    assert chess.Board().is_legal(chess.Move.from_uci(move))
    assert len(lines) == 3
    for line in lines:
        assert re.match(r"[+-]?\d+ 1\. \S+ \S+", line)


def test_millions_of_positions(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(code_of("Millions of positions"), {})  # noqa: S102
    first, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\['f2f3', 'e7e5', 'g2g3', 'a7a6'\] \S+ \[\]", first)
    count, checks, fen = last.split(maxsplit=2)
    assert int(count) > 400_000
    assert 0 < float(checks) < 0.2
    assert chess.Board(fen).is_valid()


def test_features_for_learning(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(code_of("Features for learning"), {})  # noqa: S102
    total, shape = capsys.readouterr().out.split(maxsplit=1)
    assert int(total) > 20_000
    assert shape == "(1000,)\n"
