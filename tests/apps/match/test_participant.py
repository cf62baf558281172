"""The command line of a match, read into participants, openings and rules."""

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.match.game import NO_ADJUDICATION, Adjudication, Rules
from ox88.apps.match.match import (
    Match,
    default_concurrency,
    read_match,
    read_openings,
    read_participants,
    read_sprt,
)
from ox88.apps.match.openings import Book, Opening, RandomOpenings
from ox88.apps.match.participant import Limits, Participant, command_line, read_participant, with_distinct_names
from ox88.apps.match.statistics import Sprt
from ox88.apps.time_control import TimeControl
from ox88.errors import Ox88Error

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


def test_common_options_and_names_that_two_bear() -> None:
    first, second = read_participants(["Ox88", "x"], NODES, ["Hash = 4", "Style=a=b", "Clear"])
    assert first.common_options == second.common_options == (("Hash", "4"), ("Style", "a=b"), ("Clear", ""))
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


@pytest.mark.parametrize(
    ("options", "games"),
    [({}, 6), ({"Threads": "2"}, 3), ({"cores": "4"}, 1), ({"threads": "all"}, 6), ({"Threads": "9999"}, 1)],
)
def test_as_many_games_as_cores_allow(options: dict[str, str], games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.match.match.cores", lambda: 6)
    participants = [Participant("a", NODES), Participant("b", NODES, options=tuple(options.items()))]
    assert default_concurrency(participants) == games


def test_openings_without_a_file() -> None:
    assert read_openings("random", 3, chess960=False)[1] == "8 random plies, seed 3"
    assert read_openings("random", 3, chess960=True)[1] == "8 random plies, seed 3 (Chess960)"
    start, name = read_openings("none", 3, chess960=False)
    assert name == "the start"
    assert start.opening(1) == Opening()
    starts, name = read_openings("none", 3, chess960=True)
    assert name == "the starts of Chess960, seed 3"
    assert starts.opening(0).moves == ()
    assert starts.opening(0).chess960
    assert starts.opening(0) != starts.opening(1)


@pytest.mark.parametrize("elos", [(5, 0), (5, 5), (0, 2000), (-2000, 0), (float("nan"), 5), (0, float("inf"))])
def test_sequential_tests_of_nothing(elos: tuple[float, float]) -> None:
    with pytest.raises(Ox88Error, match="the smaller comes first, and both are from -1000 to 1000"):
        read_sprt(elos, 2)
    with pytest.raises(Ox88Error, match="--sprt is a test of two engines, not of 3"):
        read_sprt((0, 5), 3)


SETTINGS: dict[str, Any] = {
    "engines": ["Ox88; nodes=7", "x"],
    "games": None,
    "tc": "1+1",
    "seconds": None,
    "nodes": None,
    "depth": None,
    "options": [],
    "openings": "none",
    "seed": 0,
    "chess960": False,
    "gauntlet": False,
    "sprt": None,
    "draw": (40, 8, 8),
    "win": (6, 900),
    "no_adjudication": False,
    "margin": 50,
    "timeout": 60.0,
}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({}, lambda match: match.names == ["Ox88", "x"] and match.games == 100 and match.sprt is None),
        ({}, lambda match: [p.limits for p in match.participants] == [Limits(nodes=7), Limits(TimeControl(1, 1))]),
        ({}, lambda match: match.rules == Rules(Adjudication(40, 8, 8, 6, 900), 0.05) and match.form == "round-robin"),
        ({"games": 7}, lambda match: match.games == 7),
        ({"tc": None, "seconds": 2.0}, lambda match: match.participants[1].limits == Limits(seconds=2.0)),
        ({"nodes": 9}, lambda match: match.participants[1].limits == Limits(TimeControl(1, 1), nodes=9)),
        ({"depth": 8}, lambda match: match.participants[1].limits == Limits(TimeControl(1, 1), depth=8)),
        ({"options": ["A=1"]}, lambda match: {p.common_options for p in match.participants} == {(("A", "1"),)}),
        ({}, lambda match: match.openings.opening(5) == Opening() and match.openings_name == "the start"),
        ({"openings": "random", "seed": 5}, lambda match: match.openings.identity == RandomOpenings(5).identity),
        ({"chess960": True, "seed": 5}, lambda match: match.openings.opening(0).chess960),
        ({"gauntlet": True}, lambda match: match.form == "gauntlet"),
        ({"sprt": (0, 5)}, lambda match: match.sprt == Sprt(0, 5) and match.games == 1_000_000),
        ({"draw": (1, 2, 3)}, lambda match: match.rules.adjudication == Adjudication(1, 2, 3, 6, 900)),
        ({"win": (1, 2)}, lambda match: match.rules.adjudication == Adjudication(40, 8, 8, 1, 2)),
        ({"no_adjudication": True}, lambda match: match.rules == Rules(NO_ADJUDICATION, 0.05)),
        ({"margin": 0}, lambda match: match.rules.margin == 0),
        ({"timeout": 3.0}, lambda match: match.rules.patience == 3),
        ({"timeout": 3.0}, lambda match: match.id == read_match(**SETTINGS).id),  # So a match may go on with another.
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",  # A function's address is another in each process.
)
def test_each_option_reaches_the_match(given: dict[str, Any], read: Callable[[Match], bool]) -> None:
    assert read(read_match(**SETTINGS | given))


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("chess960", [False, True])
def test_a_book_gets_seed_and_variant(tmp_path: Path, seed: int, chess960: bool) -> None:
    path = tmp_path / "book.epd"
    path.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n")
    match = read_match(**SETTINGS | {"openings": str(path), "seed": seed, "chess960": chess960})
    assert match.openings.identity == Book(path, seed, chess960).identity
    assert match.openings_name == f"book.epd, seed {seed}{' (Chess960)' * chess960}"
    assert len({Book(path, *arguments).identity for arguments in itertools.product((0, 7), (False, True))}) == 4
