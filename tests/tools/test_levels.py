"""The tool that measures levels: its matches and its table."""

import json
from pathlib import Path

from tools import levels
from tools.matches import replace_section


def test_the_page_has_the_marks() -> None:
    page = levels.PAGE.read_text(encoding="utf-8")
    assert replace_section(page, "games", "new\n").count("<!-- games -->\nnew\n<!-- end of games -->") == 1


def test_every_level_but_the_lowest_plays_the_one_below() -> None:
    assert list(levels.LEVELS) == [700, 900, 1100, 1300, 1500, 1700, 1900, 2100, 2300, 2500, 2700]
    assert "UCI_LimitStrength=true; UCI_Elo=900" in levels.engine_text(900)


def test_the_table_says_what_the_results_say(tmp_path: Path) -> None:
    tally = {"wins": 6, "draws": 3, "losses": 1, "games": 10, "points": 7.5, "pentanomial": [0, 0, 2, 1, 2]}
    (tmp_path / "level-900.json").write_text(json.dumps({"pairings": [tally]}))
    assert levels.table(tmp_path).splitlines()[2:] == ["| 900 | 700 | 10 | 6, 3, 1 | 75.0% | +190.8 ±229.9 |"]
