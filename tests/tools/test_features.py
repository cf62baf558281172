"""The tool that measures ideas: it has all of them, and writes its tables into the page."""

import json
from pathlib import Path

import pytest

from ox88.apps.match.participant import Limits, read_participant
from ox88.engines.modern.options import OPTIONS, SWITCHES, TERM_SWITCHES
from tools import features
from tools.matches import replace_section

NOT_PLAYED = {"use_aspiration", "use_quiescence"}  # Counted in nodes alone.


def test_every_switch_is_in_a_group() -> None:
    grouped = [f"use_{name}" for group in features.GROUPS.values() for name in group]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) == {switch.name for switch in (*SWITCHES, *TERM_SWITCHES)} - NOT_PLAYED | {"use_network"}


@pytest.mark.parametrize(
    ("features_off", "whole", "without"),
    [
        (("killers", "history"), "", "; use_killers=0; use_history=0"),
        (("mobility", "threats"), "; Use NNUE=false", "; Use NNUE=false; use_mobility=0; use_threats=0"),
        (("network",), "", "; Use NNUE=false"),
    ],
)
def test_who_plays(features_off: tuple[str, ...], whole: str, without: str) -> None:
    assert features.participants(features_off) == (f"Ox88; name=whole{whole}", f"Ox88; name=without{without}")
    for text in features.participants(features_off):
        options = {option.name for option in OPTIONS}
        assert {name for name, _ in read_participant(text, Limits(nodes=1)).options} <= options


def test_the_page_has_the_marks() -> None:
    page = features.PAGE.read_text(encoding="utf-8")
    for name in ("games", "nodes"):
        assert replace_section(page, name, "new\n").count(f"<!-- {name} -->\nnew\n<!-- end of {name} -->") == 1
    with pytest.raises(ValueError, match="must have the marks <!-- games"):
        replace_section("nothing", "games", "")


def test_the_tables_say_what_the_results_say(tmp_path: Path) -> None:
    tally = {
        "wins": 6,
        "draws": 3,
        "losses": 1,
        "games": 10,
        "pentanomial": [0, 1, 2, 1, 1],
        "elo": [20.0, 190.0, 400.0],
    }
    (tmp_path / "null-move.json").write_text(json.dumps({"pairings": [tally]}))
    (tmp_path / "nodes.json").write_text(json.dumps({"counts": {"": 1000, "use_a": 500, "use_b": 2500}}))
    page = "| null move (`null_move`) | old |\n| pieces (`pieces`) | kept |\n"
    games = features.games_table(tmp_path, page).splitlines()
    assert games[2:] == [
        "| null move (`null_move`) | 10 | 6, 3, 1 | 0, 1, 2, 1, 1 | +190 ± 190 |",
        "| pieces (`pieces`) | kept |",
    ]
    nodes = features.nodes_table(tmp_path).splitlines()
    assert nodes[2:] == ["| (nothing) | 1,000 | 1.00 |", "| `use_b` | 2,500 | 2.50 |", "| `use_a` | 500 | 0.50 |"]
