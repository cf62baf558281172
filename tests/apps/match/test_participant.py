"""The command line of a match, read into participants, openings and rules."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.match.game import NO_ADJUDICATION, Adjudication, Rules
from ox88.apps.match.match import Match
from ox88.apps.match.openings import RandomOpenings
from ox88.apps.match.participant import Limits, Participant, command_line, read_participant, with_distinct_names
from ox88.apps.match.statistics import Sprt
from ox88.apps.time_control import TimeControl
from ox88.errors import Ox88Error
from tests.conftest import RunPython

NODES = Limits(nodes=100)


def test_all_settings() -> None:
    command = "/usr/bin/crafty -x 'a b'; name=Crafty 25; protocol=xboard"
    limits = "tc=40/60; nodes=5; depth=6; time=0.5"
    assert read_participant(f"{command}; {limits}; Hash=16; A b=c=d;", NODES, (("Threads", "2"),)) == Participant(
        name="Crafty 25",
        limits=Limits(TimeControl(60, 0, 40), 5, 6, 0.5),
        command=("/usr/bin/crafty", "-x", "a b"),
        protocol="xboard",
        options=(("Hash", "16"), ("A b", "c=d")),
        common_options=(("Threads", "2"),),
    )
    fruit = Participant("fruit", NODES, command=("engines/fruit.exe", "--uci"))
    assert read_participant("engines/fruit.exe --uci", NODES) == fruit


def test_a_program_whose_path_has_spaces_needs_no_quotes(tmp_path: Path) -> None:
    path = tmp_path / "it's a folder" / "my engine.exe"
    path.parent.mkdir()
    path.touch()
    assert read_participant(f"{path}; Hash=1", NODES).command == (str(path),)


@pytest.mark.parametrize(("text", "name"), [("Ox88", "Ox88"), ("ox88 ; Hash=1", "Ox88"), ("MICRO-MAX", "micro-Max")])
def test_engines_of_ox88(text: str, name: str) -> None:
    participant = read_participant(text, NODES)
    assert (participant.builtin, participant.name, participant.command) == (name, name, ())
    words, _ = command_line(participant)
    assert words[:7] == [sys.executable, "-P", "-m", "ox88", "uci", "--engine", name]
    words, _ = command_line(read_participant(f"{text}; protocol=xboard", NODES))
    assert words[:7] == [sys.executable, "-P", "-m", "ox88", "xboard", "--engine", name]


def test_another_checkout_of_ox88(tmp_path: Path) -> None:
    (tmp_path / "old" / "src" / "ox88").mkdir(parents=True)
    participant = read_participant(f"{tmp_path}/old; Hash=1", NODES)
    assert (participant.name, participant.builtin, participant.source) == ("old", "Ox88", str(tmp_path / "old"))
    words, environment = command_line(participant)
    assert words[-1] == "--expert"
    assert environment["PYTHONPATH"] == str(tmp_path / "old" / "src")
    with pytest.raises(Ox88Error, match="is a folder without src/ox88: an engine, or a checkout of Ox88, is expected"):
        read_participant(str(tmp_path), NODES)


def test_home_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert read_participant("~/engine", NODES).command == (str(tmp_path / "engine"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' names no engine: COMMAND; name=NAME;"),
        ("; name=x", "'; name=x' names no engine: COMMAND;"),
        ("sf; Hash", "'Hash' in 'sf; Hash' is not a setting: expected COMMAND;"),
        ("sf; =5", "'=5' in 'sf; =5' is not a setting: expected COMMAND;"),
        ("sf; protocol=cecp", "the protocol 'cecp' is unknown: it is uci or xboard"),
        ("sf; nodes=0", "nodes=0 is not a limit: expected a whole number from 1 on"),
        ("sf; nodes=1e6", "nodes=1e6 is not a limit"),
        ("sf; depth=-3", "depth=-3 is not a limit"),
        ("sf; depth=99999999999999999999", "depth=99999999999999999999 is not a limit"),
        ("sf; time=long", "time=long is not a limit: expected seconds per move, such as 0.1"),
        ("sf; time=nan", "nan is not a time for a move"),
        ("sf; tc=soon", "the time control 'soon' cannot be read"),
        ("'sf", "cannot be read: No closing quotation"),
    ],
)
def test_engines_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(Ox88Error) as error:
        read_participant(text, NODES)
    assert message in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@given(st.text(max_size=30) | st.text("ab;=' \"\\~/\n", max_size=20))
def test_any_text_is_an_engine_or_refused(text: str) -> None:
    try:
        participant = read_participant(text, NODES)
    except Ox88Error:
        return
    assert participant.name
    assert participant.name.isprintable()
    assert '"' not in participant.name


def test_names_that_two_bear() -> None:
    names = ["a", "a", "a (2)", "b", "a"]
    distinct = with_distinct_names([Participant(name, NODES) for name in names])
    assert [participant.name for participant in distinct] == ["a", "a (2)", "a (2) (2)", "b", "a (3)"]


def test_limits_as_text() -> None:
    assert str(Limits(TimeControl(5, 0.05), nodes=1000)) == "5+0.05, 1000 nodes"
    assert str(Limits(TimeControl(300, 3, 40))) == "40/300+3"
    assert str(Limits(depth=8, seconds=0.1)) == "depth 8, 0.1 seconds a move"
    assert str(Limits(nodes=12_345_678)) == "12345678 nodes"
    assert not Limits()
    assert Limits(nodes=1)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 1e7])
def test_seconds_that_are_no_limit(seconds: float) -> None:
    with pytest.raises(Ox88Error, match="is not a time for a move: expected seconds above 0"):
        Limits(seconds=seconds)


Read = Callable[..., tuple[Match, int, dict[str, Any]]]


@pytest.fixture
def read(call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Read:
    """What a command line asks for: the match, how many games at a time, and the other arguments of `run_match`."""
    asked = []

    def run_match(match: Match, concurrency: int, **outputs: Any) -> int:
        asked.append((match, concurrency, outputs))
        return 0

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ox88.apps.match.match.cores", lambda: 6)
    monkeypatch.setattr("ox88.apps.match.match.run_match", run_match)

    def run(*words: object) -> tuple[Match, int, dict[str, Any]]:
        assert call_ox88("match", "Ox88; nodes=7", "x", *words).returncode == 0
        return asked.pop()

    return run


def test_what_is_played_by_default(read: Read) -> None:
    match, concurrency, outputs = read("--tc", "1+1")
    assert [participant.limits for participant in match.participants] == [Limits(nodes=7), Limits(TimeControl(1, 1))]
    assert (match.names, match.games, match.form, match.sprt) == (["Ox88", "x"], 100, "round-robin", None)
    assert match.rules == Rules(Adjudication(40, 8, 8, 6, 900), 0.02)
    assert match.openings.identity == RandomOpenings(0).identity
    assert match.openings.name == "8 random plies, seed 0"
    assert (concurrency, outputs) == (6, {"scheduler": None, "pgn": None, "json_path": None})


def test_each_option_reaches_the_match(read: Read) -> None:
    limits = ("--tc", "1+1", "--time", 2, "--nodes", 9, "--depth", 8)
    numbers = ("--games", 7, "--draw", 1, 2, 3, "--win", 4, 5, "--margin", 50, "--timeout", 3, "--concurrency", 9)
    files = {"scheduler": "tcp://a:1", "pgn": Path("a.pgn"), "json_path": Path("a.json")}
    words = ("--scheduler", "tcp://a:1", "--pgn", "a.pgn", "--json", "a.json", "--chess960", "--seed", 5, "--gauntlet")
    match, concurrency, outputs = read(*limits, *numbers, *words, "--option", "A=1", "--option", "B")
    assert match.participants[1].limits == Limits(TimeControl(1, 1), 9, 8, 2)
    assert {participant.common_options for participant in match.participants} == {(("A", "1"), ("B", ""))}
    assert (match.games, match.form, concurrency, outputs) == (7, "gauntlet", 9, files)
    assert match.rules == Rules(Adjudication(1, 2, 3, 4, 5), 0.05, 3)
    assert match.openings.identity == RandomOpenings(5, chess960=True).identity
    match, _, _ = read("--nodes", 1, "--no-adjudication", "--sprt", 0, 5)
    assert (match.sprt, match.games, match.rules) == (Sprt(0, 5), 1_000_000, Rules(NO_ADJUDICATION, 0.02))
    assert read("--nodes", 1)[0].id == read("--nodes", 1, "--timeout", 3)[0].id  # So a match may go on with another.


@pytest.mark.parametrize(
    ("setting", "games"), [("Threads=2", 3), ("cores=4", 1), ("threads=all", 6), ("Threads=9999", 1)]
)
def test_as_many_games_as_cores_allow(setting: str, games: int, read: Read) -> None:
    assert read("--nodes", 1, "--option", setting)[1] == read(f"y; {setting}", "--nodes", 1)[1] == games


@pytest.mark.parametrize(
    ("openings", "chess960", "name", "identity"),
    [
        ("none", False, "the start", "random 0"),
        ("none", True, "the starts of Chess960", "random 0"),
        ("random", True, "8 random plies", "random 8"),
        ("book.epd", False, "book.epd", "book 73cf"),
        ("book.epd", True, "book.epd", "book 73cf"),
    ],
)
def test_openings_and_their_names(openings: str, chess960: bool, name: str, identity: str, read: Read) -> None:
    Path("book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n")
    match, _, _ = read("--nodes", 1, "--seed", 3, "--openings", openings, *["--chess960"] * chess960)
    variant = " (Chess960)" if chess960 and openings != "none" else ""
    assert match.openings.name == ("the start" if name == "the start" else f"{name}, seed 3{variant}")
    found = re.sub("(?<=[0-9a-f]{4})[0-9a-f]{60}", "", match.openings.identity)
    assert found == f"{identity}, seed 3, chess960 {chess960}"
