"""The names of files that are downloaded."""

import pytest

from tests.apps.web.browser.conftest import Tab
from tests.apps.web.browser.test_saved_analyses import save

SCRIPT = "async ([name, words]) => (await import('/static/pgn.js'))[name](...words)"
DATED = '[Event "Club"]\n[Date "2026.11.29"]\n[White "Smith, \\"J\\""]\n[Black "O\'Neill/\u0141"]\n\n1. e4 *'


def test_a_name_that_all_systems_allow(study: Tab) -> None:
    names = {
        "Mine": "Mine.pgn",
        'a<b>c:d"e/f\\g|h?i*j': "a b c d e f g h i j.pgn",
        "..\\..\\x": "x.pgn",
        "Ends with dots ...": "Ends with dots.pgn",
        "Ko\u0308nig \u68cb 1\n2\0\u202e": "K\u00f6nig \u68cb 1 2.pgn",
        "NUL": "Ox88 NUL.pgn",
        "com1": "Ox88 com1.pgn",
        "console": "console.pgn",
        "x" * 300: f"{'x' * 100}.pgn",
        "?": "ox88.pgn",
        "": "ox88.pgn",
    }
    assert {name: study.page.evaluate(SCRIPT, ["fileOf", [name]]) for name in names} == names


@pytest.mark.parametrize(
    ("tags", "other", "expected"),
    [
        ({"White": "Smith", "Black": "Jones", "Date": "2026.11.29", "Event": "Club"}, "", "2026-11-29 Smith - Jones"),
        ({"White": "Smith", "Black": "?", "Date": "2026.??.??"}, "Mine", "2026 Smith - Black"),
        ({"White": "?", "Date": "????.??.??"}, "Mine", "Mine"),
        ({"ChapterName": "Trap", "Event": "Club"}, "Mine", "Trap"),
        ({"Event": "Club", "Date": "2026.11.??"}, "", "2026-11 Club"),
        ({}, "", "ox88"),
    ],
)
def test_a_game_is_named_by_what_is_known(study: Tab, tags: dict[str, str], other: str, expected: str) -> None:
    assert study.page.evaluate(SCRIPT, ["fileOfGame", [tags, other]]) == f"{expected}.pgn"


def downloaded(tab: Tab) -> str:
    with tab.page.expect_download() as download:
        tab.press("Download PGN")
    return str(download.value.suggested_filename)


def test_a_download_is_named_by_its_game(study: Tab) -> None:
    study.open_pgn(DATED, moves=1)
    assert downloaded(study) == "2026-11-29 Smith J - O Neill \u0141.pgn"
    study.open_pgn("1. e4 c5 *", moves=2)
    study.keys("End")
    assert downloaded(study) == "B20 Sicilian Defense.pgn"
    save(study, "Traps: 1/2")
    assert downloaded(study) == "Traps 1 2.pgn"
