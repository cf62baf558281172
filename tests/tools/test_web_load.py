"""The load test of the web board, with a small load."""

import asyncio
from pathlib import Path

from ox88.apps.web.chessground import FILES
from tools.web_load import measure


def test_all_players_are_answered(tmp_path: Path) -> None:
    (tmp_path / "chessground").mkdir()
    for name in FILES:
        (tmp_path / "chessground" / Path(name).name).write_text("")
    measured = asyncio.run(measure(players=3, moves=4, elo=500, rest=0.01, data=str(tmp_path)))
    assert len(measured.answers) == 12
    assert min(measured.answers) > 0
    assert measured.peak > 1e7
