"""The README's Python runs as it stands."""

import re
import textwrap
from pathlib import Path
from typing import Final

import chess
import pytest

README: Final = (Path(__file__).parents[1] / "README.md").read_text()


def code_of(heading: str) -> str:
    """The indented blocks of a section, one after the other."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return textwrap.dedent("".join(re.findall(r"^    .*\n|^\n(?=    )", section, re.M)))


def test_in_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    exec(code_of("In a script"), {})  # noqa: S102
    move, *lines, score = capsys.readouterr().out.splitlines()
    assert chess.Board().is_legal(chess.Move.from_uci(move))
    assert len(lines) == 3
    for line in lines:
        assert re.match(r"[+-]?\d+ 1\. \S+ \S+", line)
    assert re.fullmatch(r"[+-]?\d+", score)
