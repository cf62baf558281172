"""A match as a whole: what is played, printed, written and resumed. In most tests invented games replace real ones."""

import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from ox88.apps.match import match as match_module
from ox88.apps.match.game import FinishedGame, Fixture, Work
from ox88.apps.match.match import Form, Match, pairings, run_match, schedule
from ox88.apps.match.openings import Opening, Openings, RandomOpenings
from ox88.apps.match.participant import Limits, Participant
from ox88.apps.match.statistics import Sprt
from ox88.apps.match.workers import Check, GameJob, close_workers
from ox88.errors import Ox88Error
from ox88.rules import GameEnd
from tests.apps.inline import ThreadWorkers
from tests.apps.match.scripted import NODES, SOON_DRAWN, games_in, scripted
from tests.processes import but_compiling

PARTICIPANTS = [Participant("a", NODES), Participant("b", NODES)]


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(match_module, "make_workers", lambda *_: ThreadWorkers())
    yield
    close_workers()


class MadeUp:
    """Makes up games, and keeps their jobs. The first participant always wins."""

    def __init__(self) -> None:
        self.tasks: list[GameJob] = []

    def play(self, task: GameJob) -> FinishedGame:
        self.tasks.append(task)
        game = chess.pgn.Game.from_board(task.opening.board())
        result = "1-0" if task.white.name == "a" else "0-1"
        game.headers.update(task.tags | {"Result": result})
        return FinishedGame(GameEnd(result, "because"), str(game), work=(Work(10, 1.0, 500), Work(9, 2.0, 700)))


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    games = MadeUp()
    monkeypatch.setattr(match_module, "play_game", games.play)
    monkeypatch.setattr(match_module, "check_participant", lambda _: Check(""))
    return games


def match(games: int, sprt: Sprt | None = None, openings: Openings | None = None, **settings: Any) -> Match:
    return Match(PARTICIPANTS, games, openings or RandomOpenings(0), sprt=sprt, **settings)


def run(asked: Match, pgn: Path | None = None, json_path: Path | None = None) -> int:
    return run_match(asked, 2, None, pgn, json_path)


def rounds(path: Path) -> list[tuple[str, str, str]]:
    return sorted((game.headers["Round"], game.headers["White"], game.headers["Black"]) for game in games_in(path))


def test_pairings() -> None:
    assert pairings(4, "round-robin") == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert pairings(4, "gauntlet") == [(0, 1), (0, 2), (0, 3)]
    assert pairings(2, "gauntlet") == pairings(2, "round-robin") == [(0, 1)]


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("games", range(1, 6))
@pytest.mark.parametrize("participants", range(2, 6))
def test_every_pairing_has_its_games_and_none_is_more_than_a_pair_ahead(
    participants: int, games: int, form: Form
) -> None:
    fixtures = list(schedule(participants, form, games))
    assert len(fixtures) == games * len(pairings(participants, form))
    assert set(fixtures) == {
        Fixture(first, second, number // 2, is_reversed=number % 2 == 1)
        for first, second in pairings(participants, form)
        for number in range(games)
    }
    assert [fixture.pair for fixture in fixtures] == sorted(fixture.pair for fixture in fixtures)
    for before, fixture in itertools.pairwise(fixtures):
        assert not fixture.is_reversed or before == replace(fixture, is_reversed=False)


def test_what_is_played(made_up: MadeUp, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each pair of games has one opening, with colours reversed; different pairs have different openings."""
    assert run(match(6, rules=SOON_DRAWN), tmp_path / "games.pgn") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("6 of 6 games, 10 nodes, openings: 8 random plies, seed 0\n")
    assert "all won" in out
    assert rounds(tmp_path / "games.pgn") == [
        (f"{pair}.{number}", *names) for pair in (1, 2, 3) for number, names in ((1, "ab"), (2, "ba"))
    ]
    openings: dict[str, set[Opening]] = {}
    for task in made_up.tasks:
        openings.setdefault(task.tags["Round"][0], set()).add(task.opening)
    assert [(task.white.name, task.black.name) for task in made_up.tasks] == [
        (task.tags["White"], task.tags["Black"]) for task in made_up.tasks
    ]
    assert all(task.rules == SOON_DRAWN for task in made_up.tasks)
    assert [len(of_pair) for of_pair in openings.values()] == [1, 1, 1]
    assert len(set.union(*openings.values())) == 3


@pytest.mark.usefixtures("made_up")
def test_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    assert run(match(5, Sprt(0, 100)), json_path=path) == 0
    data = json.loads(path.read_text())
    assert (data["openings"], data["form"], data["interrupted"]) == ("8 random plies, seed 0", "round-robin", False)
    assert [participant["points"] for participant in data["participants"]] == [5, 0]
    assert data["pairings"][0]["pentanomial"] == [0, 0, 0, 0, 2]
    assert data["participants"][0]["moves"] == 3 * 10 + 2 * 9
    assert data["sprt"]["accepted"] is None
    assert 0 < data["sprt"]["ratio"] < data["sprt"]["bound"]
    assert capsys.readouterr().out.startswith("5 games, 10 nodes")
    assert run(match(2), json_path=Path("-")) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["pairings"][0]["wins"] == 2
    assert err.startswith("2 of 2 games")


def test_a_sequential_test_stops_by_itself(made_up: MadeUp, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Run again, it plays no game."""
    pgn = tmp_path / "games.pgn"
    asked = match(1_000_000, Sprt(0, 400))
    assert run(asked, pgn) == 0
    played = len(games_in(pgn))
    assert 4 < played < 40
    assert len(made_up.tasks) <= played + 4
    assert "400 Elo accepted" in capsys.readouterr().out
    content = pgn.read_bytes()
    assert run(asked, pgn) == 0
    assert pgn.read_bytes() == content
    out, err = capsys.readouterr()
    assert "400 Elo accepted" in out
    assert but_compiling(err) == f"ox88: resuming after {played} games\n"


def test_going_on(made_up: MadeUp, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With more games than before, and with none left to play."""
    pgn = tmp_path / "games.pgn"
    run(match(3), pgn)
    assert len(made_up.tasks) == 3
    run(match(8), pgn)
    assert len(made_up.tasks) == 8
    assert len(set(rounds(pgn))) == 8
    capsys.readouterr()
    run(match(8), pgn)
    out, err = capsys.readouterr()
    assert len(made_up.tasks) == 8
    assert out.startswith("8 of 8 games")
    assert but_compiling(err) == "ox88: resuming after 8 games\n"


@pytest.mark.parametrize("most", [0, 20])
def test_ctrl_c_ends_a_match_of_a_million_games(
    most: int, made_up: MadeUp, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Finished games are kept."""

    def play(task: GameJob) -> FinishedGame:
        if len(made_up.tasks) >= most:
            raise KeyboardInterrupt
        return made_up.play(task)

    monkeypatch.setattr(match_module, "play_game", play)
    pgn = tmp_path / "games.pgn"
    assert run(match(1_000_000), pgn, tmp_path / "json") == 130
    out, err = capsys.readouterr()
    played = len(games_in(pgn)) if most else 0
    assert most - 4 <= played <= most
    assert json.loads((tmp_path / "json").read_text())["interrupted"] is True
    assert out.startswith(f"{played} of 1000000 games")
    assert err == f"ox88: stopped; the same command resumes from {pgn}\n"


class Torn(RandomOpenings):
    """Openings of which one is wrong."""

    def opening(self, number: int) -> Opening:
        if number == 3:
            raise Ox88Error("the fourth opening is wrong")
        return super().opening(number)


@pytest.mark.usefixtures("made_up")
def test_an_error_on_the_way_loses_no_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pgn, path = tmp_path / "games.pgn", tmp_path / "json"
    with pytest.raises(Ox88Error, match="the fourth opening is wrong"):
        run(match(20, openings=Torn(0, plies=0)), pgn, path)
    played = len(games_in(pgn))
    assert 1 <= played <= 6
    assert capsys.readouterr().out.startswith(f"{played} of 20 games")
    assert not path.exists()


@pytest.mark.usefixtures("made_up")
def test_another_match_does_not_go_on(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    run(match(2), pgn)
    content = pgn.read_bytes()
    others = [match(2, openings=RandomOpenings(1)), match(2, form="gauntlet"), match(2, rules=SOON_DRAWN)]
    others += [replace(match(2), participants=[PARTICIPANTS[0], replace(PARTICIPANTS[1], limits=Limits(depth=1))])]
    for other in others:
        with pytest.raises(Ox88Error, match="holds games of another match, or of this one with other settings"):
            run(other, pgn)
    assert pgn.read_bytes() == content


def test_an_engine_that_cannot_play(tmp_path: Path) -> None:
    """One line before the first game, and no file is written."""
    asked = Match([scripted(), scripted("option=type", name="bad")], 2, RandomOpenings(0, plies=0))
    with pytest.raises(Ox88Error) as error:
        run(asked, tmp_path / "pgn", tmp_path / "json")
    assert str(error.value).startswith("bad cannot play: protocol error: unknown option type: ''")
    assert len(str(error.value).splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_option_that_no_engine_has(tmp_path: Path) -> None:
    common = (("Hash", "1"), ("Speed", "9"))
    one, other = (replace(scripted(name=name), common_options=common) for name in "ab")
    with pytest.raises(Ox88Error, match=r"^--option Speed: no engine of this match has it$"):
        run(Match([one, other], 2, RandomOpenings(0, plies=0)), tmp_path / "pgn")
