"""Workers keep engines running between games, and end them."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ox88.apps.match import workers
from ox88.apps.match.game import Fixture
from ox88.apps.match.openings import Opening
from ox88.apps.match.participant import Participant
from ox88.apps.match.workers import Check, GameJob, check_participant, close_workers, play_game
from tests.apps.match.scripted import SOON_DRAWN, scripted
from tests.processes import PATIENCE, is_running, wait_until

ENDGAME = Opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_workers()


def logged(tmp_path: Path, name: str, *habits: str) -> Participant:
    return scripted(f"log={tmp_path / name}", f"number={tmp_path / name}.number", *habits, name=name)


def result(white: Participant, black: Participant) -> str:
    return play_game(GameJob(Fixture(0, 1, 0, is_reversed=False), Opening(), white, black, SOON_DRAWN, {})).end.reason


def starts(tmp_path: Path, name: str) -> int:
    return (tmp_path / name).read_text().splitlines().count("uci")


def has_ended(tmp_path: Path, name: str) -> bool:
    return not is_running(int((tmp_path / f"{name}.number").read_text()))


def test_engines_play_one_game_after_another(tmp_path: Path) -> None:
    a, b = logged(tmp_path, "a"), logged(tmp_path, "b")
    assert check_participant((a, Opening())) == Check("")
    for white, black in ((a, b), (b, a)):
        assert result(white, black) == "adjudication: a draw by the scores"
    assert starts(tmp_path, "a") == starts(tmp_path, "b") == 1
    assert not has_ended(tmp_path, "a")
    close_workers()
    wait_until(lambda: has_ended(tmp_path, "a") and has_ended(tmp_path, "b"))


def test_of_many_engines_those_that_played_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MAX_ENGINES", 2)
    a, b, c = (logged(tmp_path, name) for name in "abc")
    for white, black in ((a, b), (b, c), (b, c)):
        assert result(white, black) == "adjudication: a draw by the scores"
    assert has_ended(tmp_path, "a")
    assert [starts(tmp_path, name) for name in "abc"] == [1, 1, 1]


def test_engines_end_when_no_game_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IDLE_TIMEOUT", 0.05)
    a, b = logged(tmp_path, "a"), logged(tmp_path, "b")
    for _ in range(2):
        assert result(a, b) == "adjudication: a draw by the scores"
        wait_until(lambda: has_ended(tmp_path, "a") and has_ended(tmp_path, "b"))
    assert starts(tmp_path, "a") == 2


def test_engines_end_in_the_middle_of_a_game(tmp_path: Path) -> None:
    a, b = logged(tmp_path, "a", "hang=1"), logged(tmp_path, "b")
    reasons: list[str] = []
    playing = threading.Thread(target=lambda: reasons.append(result(a, b)))
    playing.start()
    wait_until(lambda: (tmp_path / "a").exists() and "go" in (tmp_path / "a").read_text())
    close_workers()
    playing.join(PATIENCE)
    assert reasons[0].startswith("a loses by crash: it ended")
    wait_until(lambda: has_ended(tmp_path, "a") and has_ended(tmp_path, "b"))


def test_what_a_participant_cannot_do() -> None:
    fairy = scripted("nps=1", protocol="xboard")
    assert check_participant((fairy, ENDGAME)).reason.startswith("it cannot set up a position")
    participant = replace(scripted(), common_options=(("Hash", "4"), ("Speed", "9"), ("Hsah", "4")))
    assert check_participant((participant, Opening())) == Check("", frozenset({"Speed", "Hsah"}))
