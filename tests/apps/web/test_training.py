"""Training, through the WebSocket."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from starlette.testclient import TestClient
from websockets.sync.client import connect

from ox88.apps.puzzles import making
from ox88.apps.store import Store
from ox88.apps.train.records import Records
from ox88.apps.train.sessions import Drill, Trainer
from ox88.apps.web.game import Opponent, PlayedGame
from tests.apps.train.conftest import FORK, Clock, named
from tests.apps.web.conftest import FAMOUS, OpenPage, Page
from tests.apps.web.test_command import data, serving  # noqa: F401 - A fixture.


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Tests move it, so that no day ends while one runs. The puzzles are the same each time."""
    clock = Clock()
    monkeypatch.setattr("ox88.apps.web.session.Trainer", lambda store: Trainer(store, clock, random.Random(1)))
    return clock


@pytest.fixture
def cards(store: Store) -> None:
    """Two mistakes."""
    Records(store).keep([named("a"), named("b")])


@pytest.mark.usefixtures("cards")
def test_a_mistake_is_tried_hinted_and_solved(page: Page) -> None:
    drill = page.ask("train", "drill", what="mistakes")
    puzzle, start = drill["puzzle"], FORK.board()
    assert puzzle["position"].pop("dests")["d6"]
    assert puzzle.pop("played")["san"] == "Qa5"
    assert puzzle == {
        "key": "a", "kind": "mistake", "fen": FORK.fen, "previous": "b5a4", "start": start.fen(), "side": "black",
        "rating": 1000, "again": False, "source": "a game", "moves": [], "hint": "", "missed": False,
        "position": {"fen": start.fen(), "turn": "black", "check": False, "ending": None},
    }  # fmt: skip
    session = {"what": "mistakes", "theme": "", "place": 1, "length": 2, "right": 0, "wrong": 0, "grades": [],
               "change": 0, "back": [], "best": 0, "seconds": None,
               "over": False}  # fmt: skip
    assert (drill["session"], drill["answer"], drill["due"]) == (session, None, 0)
    tried = page.ask("try", "tried", key="a", move="Qa5")
    assert (tried["verdict"], tried["move"]["uci"], tried["moves"]) == ("wrong", "c7a5", [])
    assert tried["session"]["grades"] == ["again"]
    assert page.ask("reveal", "revealed", key="a", what="hint")["hint"] == "d6"
    tried = page.ask("try", "tried", key="a", move="d6f4")
    assert [tried["verdict"], *(move["san"] for move in tried["moves"]), tried["answer"]] == [
        "right", "Bf4", "Qxf4", None,
    ]  # fmt: skip
    tried = page.ask("try", "tried", key="a", move="Qxf4+")
    answer = tried["answer"]
    assert tried["verdict"] == "solved"
    assert [move["san"] for move in answer["solution"]] == ["Bf4", "Qxf4", "Qxf4+"]
    assert (answer["grade"], answer["themes"], answer["reason"]) == ("hard", ["pin", "short"], FORK.reason)
    assert (tried["session"]["grades"], tried["session"]["back"]) == (["hard"], [answer["due"]])
    assert page.ask("next", "drill", done="a")["puzzle"]["key"] == "b"
    revealed = page.ask("reveal", "revealed", key="b", what="solution")
    assert (revealed["hint"], revealed["answer"]["grade"]) == ("d6", "again")
    over = page.ask("next", "drill", done="b")
    assert (over["puzzle"], over["session"]["over"], over["session"]["wrong"]) == (None, True, 2)
    said = page.ask("statistics", "statistics")
    assert (said["days"][:3], said["due"], said["fresh"], said["today"]) == ([0, 2, 0], 0, 0, 2)
    assert said["themes"] == [{"theme": theme, "seen": 2, "right": 0} for theme in ("pin", "short")]
    assert said["session"] is None


def test_other_moves_that_are_right_are_told(page: Page, store: Store) -> None:
    Records(store).keep([replace(named("a"), also=("d6h2", "c7c4"))])
    page.ask("train", "drill", what="mistakes")
    assert page.ask("try", "tried", key="a", move="a7a6")["answer"] is None
    assert page.ask("reveal", "revealed", key="a", what="solution")["answer"]["also"] == ["Bxh2", "Qc4"]


def test_a_page_that_comes_back_goes_on(page: Page, open_page: OpenPage) -> None:
    puzzle = page.ask("train", "drill", what="open")["puzzle"]
    page.ask("reveal", "revealed", key=puzzle["key"], what="hint")
    other = open_page()
    session = other.ask("statistics", "statistics")["session"]
    again = other.ask("next", "drill")
    assert (again["session"], again["puzzle"]) == (session, puzzle | {"hint": again["puzzle"]["hint"]})
    assert again["puzzle"]["hint"]
    shown = page.ask("reveal", "revealed", key=puzzle["key"], what="solution")
    again = other.ask("next", "drill")
    assert again["answer"] == shown["answer"]
    assert again["puzzle"]["position"]["dests"] == {}


def test_a_rush_counts_its_seconds(page: Page) -> None:
    session = page.ask("train", "drill", what="rush")["session"]
    assert session["seconds"] == 180
    assert session["length"] == 0
    puzzle = page.ask("next", "drill")["puzzle"]
    tried = page.ask("reveal", "revealed", key=puzzle["key"], what="solution")
    assert tried["session"]["wrong"] == 1


def test_the_best_rush_is_kept(page: Page, client: TestClient, clock: Clock) -> None:
    trainer = client.app.state.shared.trainer  # type: ignore[attr-defined]
    for right in (2, 1):
        key = page.ask("train", "drill", what="rush")["puzzle"]["key"]
        for _ in range(right):
            for move in trainer.drill.puzzle.moves[1::2]:
                page.ask("try", "tried", key=key, move=move)
            key = page.ask("next", "drill", done=key)["puzzle"]["key"]
        assert page.ask("try", "tried", key=key, move=wrong_move(trainer.drill))["session"]["right"] == right
        clock.now += 200
    assert page.ask("statistics", "statistics")["best"] == 2


def wrong_move(drill: Drill) -> str:
    return next(str(move) for move in drill.board.legal_moves if move != drill.expected)


def test_what_is_refused(page: Page) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("next", {}, "there is no session: begin one"),
        ("try", {"key": "a", "move": "e4"}, "there is no session"),
        ("train", {"what": "mistakes"}, "no mistake is due, and there are no new ones: learn from a game first"),
        ("train", {"what": "theme", "theme": "spoon"}, "the open set has no puzzles of the theme 'spoon'"),
        ("train", {"what": "chess"}, "what is 'chess': one of mistakes, open, theme, rush is expected"),
        ("train", {"what": "open", "length": 0}, "length is 0: a whole number from 1 to 100 is expected"),
        ("reveal", {"key": "a", "what": "all"}, "what is 'all': one of hint, solution is expected"),
        ("try", {"key": "a"}, "move is missing"),
    ]
    for kind, fields, words in cases:
        assert words in page.ask(kind, "error", **fields)["message"], fields


@pytest.mark.usefixtures("cards")
def test_an_illegal_move_is_no_try(page: Page) -> None:
    page.ask("train", "drill", what="mistakes")
    assert "Ke2" in page.ask("try", "error", key="a", move="Ke2")["message"]
    assert "this puzzle is over" in page.ask("try", "error", key="b", move="Bf4")["message"]
    assert page.ask("next", "drill")["session"]["wrong"] == 0


@pytest.mark.usefixtures("cards")
def test_all_of_it_as_a_file(page: Page, client: TestClient) -> None:
    page.ask("train", "drill", what="mistakes")
    page.ask("reveal", "revealed", key="a", what="solution")
    response = client.get("/training.json")
    assert re.fullmatch(
        r'attachment; filename="ox88-training-\d{4}-\d\d-\d\d\.json"', response.headers["content-disposition"]
    )
    file = response.json()
    assert [len(file["cards"]), len(file["answers"])] == [2, 1]
    assert client.post("/training.json", content=response.content).json() == {"cards": 0, "answers": 0}
    file["cards"][0]["id"] = file["answers"][0]["id"] = "new"
    assert client.post("/training.json", content=json.dumps(file)).json() == {"cards": 1, "answers": 1}
    refused = client.post("/training.json", content=b"{}")
    assert (refused.status_code, refused.text[:37]) == (400, "this is no training that was exported")


SCHOLAR = ["e4 e5", "Bc4 Nc6", "Qh5 Nf6", "Qe2 d6"]  # White misses mate.


def test_mistakes_of_a_pgn_and_of_games_played_here_are_learnt(
    page: Page, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "NODES", 500)
    pgn = '[White "A"]\n[Black "B"]\n\n' + " ".join(f"{n}. {moves}" for n, moves in enumerate(SCHOLAR, 1))
    twice = page.ask("learn", "learnt", text=f"{pgn} *\n\n{pgn} *", player="a")
    assert (len(twice["keys"]), twice["games"], twice["wrong"]) == (1, 2, "")
    page.say("learn", text=pgn, player="a")
    assert page.hear("progress", lambda said: said.get("done", 0) >= 4)["total"] == 8
    learnt = page.hear("learnt")
    assert (len(learnt["keys"]), learnt["games"]) == (1, 1)
    puzzle = page.ask("train", "drill", what="mistakes", keys=learnt["keys"])["puzzle"]
    assert (puzzle["played"]["san"], puzzle["source"]) == ("Qe2", "A - B")
    game = PlayedGame.begin("lost", Opponent("Ox88", 1500, 3.0), "white", "startpos", None)
    for move in " ".join(SCHOLAR).split():
        game.play(move, 0)
    game.resign(chess.WHITE)
    store.games.save("lost", game.save(0))
    store.games.save("begun", PlayedGame.begin("begun", game.opponent, "white", "startpos", None).save(0))
    store.games.save("later", {"version": 9})
    assert page.ask("learn", "learnt", games=["lost"], most=3) == learnt | {"keys": learnt["keys"]}
    assert page.ask("learn", "learnt")["games"] == 1
    assert page.ask("learn", "learnt")["games"] == 0  # It is known.
    assert page.ask("learn", "learnt", games=["begun"])["keys"] == []


def test_games_that_cannot_be_learnt_from(page: Page) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"games": ["none"]}, "there is no game 'none'"),
        ({"text": "1. e4 e5", "player": "Tal"}, "there is no game of 'Tal' that can be read: the players are ?"),
        ({"most": 0}, "most is 0"),
    ]
    for fields, words in cases:
        assert words in page.ask("learn", "error", **fields)["message"], fields


def test_learning_can_be_ended(page: Page) -> None:
    page.say("learn", text=FAMOUS.read_text(), player="Kasparov, Garry")
    page.hear("progress", lambda said: "done" in said)
    page.say("cancel", what="learn")
    page.ask("statistics", "statistics")
    page.say("learn", text="1. e4", player="A")
    while (said := page.socket.receive_json())["type"] == "progress":
        pass
    assert said["type"] == "error"  # Nothing was learnt meanwhile.


@pytest.mark.slow
def test_a_server_that_is_killed_has_lost_no_answer_and_goes_on_with_the_session(data: Path) -> None:  # noqa: F811
    with Store(data / "games.sqlite3") as store:
        Records(store).keep([named("a"), named("b")])

    def say(socket: Any, kind: str, **fields: Any) -> Any:
        socket.send(json.dumps({"type": kind} | fields))
        while (said := json.loads(socket.recv()))["type"] == "welcome":
            pass
        return said

    with serving(data) as (process, url), connect(url.replace("http", "ws") + "socket") as socket:
        say(socket, "train", what="mistakes")
        assert say(socket, "try", key="a", move="Qa5")["verdict"] == "wrong"
        process.kill()
    with serving(data) as (_, url), connect(url.replace("http", "ws") + "socket") as socket:
        said = say(socket, "statistics")
        assert (said["today"], said["days"][1], said["session"]["grades"]) == (1, 1, ["again"])
        assert said["session"] == say(socket, "next")["session"]
        assert say(socket, "try", key="a", move="Bf4")["verdict"] == "right"
        assert say(socket, "try", key="a", move="Qxf4")["session"]["grades"] == ["hard"]
        drill = say(socket, "next", done="a")
        assert (drill["puzzle"]["key"], drill["session"]["place"], drill["session"]["length"]) == ("b", 2, 2)
        assert say(socket, "statistics")["today"] == 1
