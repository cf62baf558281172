"""Games against the engines, through the WebSocket."""

import asyncio
import io
import math
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.pgn
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.game import ChessClock
from ox88.apps.store import Store
from ox88.apps.web.app import make_app
from ox88.apps.web.engine_pool import Lease, PooledEngine
from ox88.apps.web.messages import LONGEST_MESSAGE
from ox88.apps.web.positions import MoveData, describe_move
from ox88.apps.web.saved import Summary, find_games
from ox88.apps.web.session import AppState
from ox88.engines.base import Clock, Limit, Score
from ox88.engines.registry import MODERN
from tests.apps.web.conftest import SOCKET, OpenPage, Page
from tests.processes import PATIENCE, wait_until

BEFORE_MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def test_a_game_is_played_and_answered(page: Page) -> None:
    game = page.new()
    assert set(game["position"]["dests"]["e2"]) == {"e3", "e4"}
    assert game["players"] == {"white": "You", "black": "Ox88 (1500)"}
    game = page.move("e2e4")
    board = chess.Board()
    for move in game["moves"]:
        assert move["san"] == board.san(chess.Move.from_uci(move["uci"]))
        board.push_uci(move["uci"])
        assert move["fen"] == board.fen()
    assert len(game["moves"]) == 2
    assert game["position"]["fen"] == board.fen()


def test_a_mate_ends_the_game(page: Page, client: TestClient) -> None:
    page.new(fen=BEFORE_MATE)
    game = page.move("Ra8")
    assert game["ending"] == "checkmate, 1-0"
    assert game["position"]["dests"] == {}
    assert page.ask("move", "error", move="Kf1")["message"] == "Kf1: the game is over (checkmate, 1-0)"
    response = client.get(f"/game/{game['game']}.pgn")
    read = chess.pgn.read_game(io.StringIO(response.text))
    assert read is not None
    assert read.end().board().is_checkmate()
    assert [read.headers[name] for name in ("White", "Black", "Result")] == ["You", "Ox88 (1500)", "1-0"]
    day = read.headers["Date"].replace(".", "-")
    assert response.headers["content-disposition"] == f'attachment; filename="ox88-{day}.pgn"'
    assert response.headers["content-type"].startswith("application/x-chess-pgn")


@pytest.mark.parametrize(
    ("fen", "move", "san", "ending"),
    [
        ("7k/P7/8/8/8/8/7p/K7 w - - 0 1", "a7a8n", "a8=N", None),
        ("6k1/8/8/8/8/8/8/K6R w - - 99 90", "Rh2", "Rh2", "fifty-move rule, 1/2-1/2"),  # It needs no claim.
    ],
)
def test_a_single_move(page: Page, fen: str, move: str, san: str, ending: str | None) -> None:
    page.new(fen=fen)
    game = page.move(move)
    assert (game["moves"][0]["san"], game["ending"]) == (san, ending)


def test_castling_in_chess960(page: Page) -> None:
    game = page.new(fen="rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1")
    assert "e1" in game["position"]["dests"]["b1"]
    move = page.move("b1e1")["moves"][0]
    assert (move["san"], move["uci"], move["fen"].split("/")[7][:6]) == ("O-O", "b1e1", "R4RK1 ")


def test_a_move_is_taken_back_while_the_engine_thinks(page: Page) -> None:
    page.new(elo=None, seconds=60)
    page.say("move", move="e4")
    page.hear("game", lambda game: game["thinking"])
    page.say("takeback")
    game = page.hear("game", lambda game: not game["moves"])
    assert not game["thinking"]


def test_a_hint_is_marked_in_the_game(page: Page, open_page: OpenPage, client: TestClient) -> None:
    """At the move that was asked about, also when it is taken back and put back, but not at another move."""
    played = page.new(initial=300, increment=3)
    page.move("e4")
    best = page.ask("hint", "hinted")["move"]
    assert (
        chess.Move.from_uci(best)
        in chess.Board(page.ask("join", "game", game=played["game"])["position"]["fen"]).legal_moves
    )
    page.move("d4")
    page.ask("takeback", "game")
    moves = page.ask("putback", "game")["moves"]
    assert [move.get("comment") for move in moves] == [None, None, "hint", None]
    page.close()
    assert open_page().ask("join", "game", game=played["game"])["moves"] == moves
    game = chess.pgn.read_game(io.StringIO(client.get(f"/game/{played['game']}.pgn").text))
    assert game is not None
    assert [node.comment.startswith("hint") for node in game.mainline()] == [False, False, True, False]
    again = open_page()
    again.ask("join", "game", game=played["game"])
    for _ in range(2):
        again.ask("takeback", "game")
    assert "comment" not in again.move("e4")["moves"][0]
    assert not any("comment" in move for move in again.move("d4")["moves"])


def test_a_move_for_an_earlier_position_is_refused(page: Page) -> None:
    """As when two pages show one game, and the engine has answered meanwhile."""
    page.new()
    page.move("e4")
    assert page.ask("move", "error", move="d4", ply=1)["message"] == "the game has continued meanwhile"
    assert len(page.ask("move", "game", move="d4", ply=2)["moves"]) == 3


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that games' clocks show, which tests move. The timers of the event loop do not see it: they are late."""
    now = [1000.0]
    monkeypatch.setattr("ox88.apps.web.session.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_a_game_that_is_left_stands_still(
    page: Page, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, now: list[float]
) -> None:
    """What was used of the clock until then is used, and the engine thinks no more."""
    stopped: list[bool] = []

    def find_move(engine: PooledEngine, board: chess.Board, _: Limit) -> tuple[chess.Move, Score]:
        if len(board.move_stack) > 1:
            stopped.append(engine._stopped.wait(PATIENCE))
        return next(iter(board.legal_moves)), Score(0)

    monkeypatch.setattr(PooledEngine, "find_move", find_move)
    game = page.new(initial=300, increment=3) and page.move("e4")
    now[0] += 20
    page.say("move", move="d4")
    page.hear("game", lambda game: game["clock"]["running"] == "black")
    now[0] += 30
    page.close()
    again = open_page().ask("join", "game", game=game["game"])
    wait_until(lambda: stopped[:1] == [True])
    assert len(again["moves"]) == 3
    assert again["clock"] == {"white": 303 - 20 + 3, "black": 303 - 30, "running": None}


def test_a_first_move_begins_the_game(page: Page) -> None:
    page.say("new", engine="Ox88", elo=1500, side="white", move="e2e4")
    game = page.hear("game")
    assert [move["san"] for move in game["moves"]] == ["e4"]
    assert game["thinking"]
    assert len(page.hear("game", lambda game: not game["thinking"])["moves"]) == 2


def test_a_rematch_is_another_game(page: Page) -> None:
    first = page.new(fen=BEFORE_MATE, initial=60, increment=1, engine_initial=30, engine_increment=0)
    page.move("Ra8")
    again = page.ask("rematch", "game", colours="same")
    assert again["game"] != first["game"]
    assert (again["start"], again["side"], again["moves"]) == (first["start"], "white", [])
    assert again["clock"] == {"white": 60, "black": 30, "running": None}
    page.say("rematch", colours="swapped")
    swapped = page.hear("game", lambda game: game["side"] == "black")
    assert (swapped["clock"]["white"], swapped["clock"]["black"]) == (30, 60)
    assert page.ask("rematch", "error", colours="red")["about"] == "rematch"


@pytest.mark.parametrize(
    ("fen", "move", "kind", "words"),
    [
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "Qd2", "game", "draw agreed, 1/2-1/2"),
        ("3qk3/8/8/8/8/8/7P/4K3 w - - 0 1", "h3", "error", "Ox88 declines"),
    ],
)
def test_the_engine_takes_a_draw_unless_it_is_better(
    page: Page, monkeypatch: pytest.MonkeyPatch, fen: str, move: str, kind: str, words: str
) -> None:
    monkeypatch.setattr("ox88.engines.base.DRAWN_MOVES", 1)
    page.new(fen=fen)
    page.move(move)
    said = page.ask("draw", kind)
    assert words in said["ending" if kind == "game" else "message"]


def test_my_games(page: Page, client: TestClient) -> None:
    won = page.new(fen=BEFORE_MATE)["game"]
    page.move("Ra8")
    lost = page.new(elo=500)["game"]
    page.move("e4")
    page.ask("resign", "game")
    page.ask("join", "game", game=won)  # Looking at a game does not change it.
    said = page.ask("library", "library", id=4)
    assert (said["id"], said["count"]) == (4, 2)
    assert [(game["id"], game["outcome"], game["engine"]) for game in said["games"]] == [
        (lost, "lost", "Ox88 (500)"),
        (won, "won", "Ox88 (1500)"),
    ]
    for wish in ({"search": "checkmate"}, {"outcome": "won"}, {"outcome": "won", "engine": "Ox88"}):
        assert [game["id"] for game in page.ask("library", "library", **wish)["games"]] == [won]
    assert page.ask("library", "library", search="xyzzy") == {
        "type": "library", "about": "library", "games": [], "count": 0
    }  # fmt: skip
    assert page.ask("delete", "deleted", game=won)["game"] == won
    assert page.ask("delete", "error", game=won)["message"] == f"there is no game {won!r}"
    assert [game["id"] for game in page.ask("library", "library")["games"]] == [lost]
    assert client.get(f"/game/{won}.pgn").status_code == 404


def test_a_game_that_is_deleted_while_it_is_played(page: Page, open_page: OpenPage) -> None:
    game = page.new(elo=None, seconds=60)["game"]
    page.say("move", move="e4")
    page.hear("game", lambda game: game["thinking"])
    other = open_page()
    other.ask("delete", "deleted", game=game)
    assert page.hear("deleted")["game"] == game
    for action in ({"kind": "move", "move": "d4"}, {"kind": "takeback"}, {"kind": "rematch", "colours": "same"}):
        assert page.ask(answer="error", **action)["message"] == f"there is no game {game!r}"
    page.new()
    assert game not in [known["id"] for known in other.ask("library", "library")["games"]]


def test_a_game_that_is_brought_back_goes_on_for_all_its_pages(page: Page, open_page: OpenPage) -> None:
    """The page that had it when it was deleted does not take it from those that come after."""
    other, third = open_page(), open_page()
    game = page.new(initial=60)["game"]
    before = page.move("e4")
    other.ask("delete", "deleted", game=game)
    other.ask("restore", "restored", item=game)
    assert other.ask("join", "game", game=game)["moves"] == before["moves"]
    page.ask("join", "game", game=game)
    third.ask("join", "game", game=game)
    page.ask("resign", "game")
    for each in (other, third):
        assert each.ask("join", "game", game=game)["ending"] == "White resigns, 0-1"


def test_the_games_are_listed_though_the_names_of_openings_cannot_be_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def games() -> list[Summary]:
        state = AppState(store, 2, is_shared=False)
        preparing = asyncio.create_task(state.prepare())
        try:
            async with asyncio.timeout(PATIENCE):
                return await find_games(state, "", "", "", [])
        finally:
            preparing.cancel()
            state.close()

    monkeypatch.setattr(OpeningNames, "load", lambda: 1 / 0)
    assert asyncio.run(games()) == []


def test_openings_are_named_in_a_game_that_was_opened_before_their_names_were_read(
    store: Store, board: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, is_due = OpeningNames.load(), threading.Event()
    monkeypatch.setattr(OpeningNames, "load", lambda: is_due.wait(PATIENCE) and names)
    app = make_app(store, board, {"localhost"}, 2)
    with (
        TestClient(app, base_url="http://localhost") as client,
        client.websocket_connect(SOCKET) as socket,
        client.websocket_connect(SOCKET) as another,
    ):
        page, page_without = Page(socket), Page(another)
        page.new()
        page_without.new(fen="4k3/8/8/8/8/8/8/3QK3 w - - 0 1")
        assert "opening" not in page.move("e4")["moves"][0]
        is_due.set()
        assert page.hear("game")["moves"][0]["opening"] == "B00 King's Pawn Game"
        page_without.say("library")
        assert another.receive_json()["type"] == "library"


def test_not_all_of_many_games_are_sent(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest are, and all are counted."""
    monkeypatch.setattr("ox88.apps.web.saved.MOST_LISTED", 2)
    games = []
    for _ in range(3):
        games.append(page.new()["game"])
        page.move("e4")
    page.new()  # Nobody has moved in it, so it is not listed.
    said = page.ask("library", "library")
    assert ([game["id"] for game in said["games"]], said["count"]) == ([games[2], games[1]], 3)


def test_too_many_pages_are_refused(open_page: OpenPage, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until one of them is left."""
    monkeypatch.setattr("ox88.apps.web.app.MOST_CONNECTIONS", 2)
    for _ in range(2):
        pages = open_page(), open_page()
        with client.websocket_connect(SOCKET) as third, pytest.raises(WebSocketDisconnect) as refusal:
            third.receive_json()
        assert (refusal.value.code, refusal.value.reason) == (1013, "too many pages are open")
        for page in pages:
            page.close()
        wait_until(lambda: client.app.state.connections == 0)  # type: ignore[attr-defined]


def test_on_a_shared_server_a_page_is_shown_the_games_that_it_knows(store: Store, board: Path) -> None:
    app = make_app(store, board, {"localhost", "192.168.1.5"}, 2)
    with TestClient(app, base_url="http://localhost") as client, client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        known = page.new()["game"]
        page.move("e4")
        page.new()
        page.move("e4")
        assert page.ask("library", "library")["count"] == 0
        assert [game["id"] for game in page.ask("library", "library", games=[known, "x"])["games"]] == [known]
        assert client.get("/games.pgn").text == ""
        known_pgn = client.get(f"/game/{known}.pgn").text
        assert client.post("/games.pgn", json={"games": [known, "x"]}).text == f"{known_pgn}\n"


def test_all_games_are_exported(page: Page, client: TestClient) -> None:
    games = []
    for move in ("d4", "e4"):
        games.append(page.new()["game"])
        page.move(move)
    page.ask("resign", "game")
    texts = [client.get(f"/game/{game}.pgn").text for game in reversed(games)]
    response = client.get("/games.pgn")
    assert response.text == "".join(f"{text}\n" for text in texts)
    assert response.headers["content-type"].startswith("application/x-chess-pgn")
    assert client.post("/games.pgn", json={"outcome": "lost"}).text == f"{texts[0]}\n"
    refused = client.post("/games.pgn", json={"outcome": "none"})
    assert refused.status_code == 400
    assert refused.text.startswith("outcome is 'none': one of ")
    assert client.post("/games.pgn", content=b"x" * (LONGEST_MESSAGE + 1)).status_code == 413


def test_each_move_of_a_long_game_is_described_once(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """If each step described all moves, a game of hundreds of moves would wait a tenth of a second a step."""
    described: list[str] = []

    def describe(board: chess.Board, move: chess.Move, names: OpeningNames) -> MoveData:
        described.append(board.san(move))
        return describe_move(board, move, names)

    monkeypatch.setattr("ox88.apps.web.positions.describe_move", describe)
    page.new()
    for move in ("e4", "d4", "Nf3"):
        page.move(move)
    assert len(described) == 6
    assert len(page.ask("takeback", "game")["moves"]) == 4
    game = page.move("Nc3")
    assert len(described) == 8
    assert [move["san"] for move in game["moves"]] == [*described[:4], *described[6:]]


def test_a_start_position_of_chess960(page: Page) -> None:
    for number, row in ((0, "bbqnnrkr"), (518, "rnbqkbnr"), (959, "rkrnnqbb")):
        said = page.ask("chess960", "chess960", number=number)
        assert (said["number"], said["start"].split("/")[0]) == (number, row)
    random = page.ask("chess960", "chess960")
    assert random["start"] == page.ask("chess960", "chess960", number=random["number"])["start"]
    game = page.new(fen=random["start"])
    assert game["start"] == random["start"]


def test_two_pages_see_one_game(page: Page, open_page: OpenPage) -> None:
    game, other = page.new(), open_page()
    other.ask("join", "game", game=game["game"])
    page.say("move", move="e4")
    assert other.hear("game", lambda game: len(game["moves"]) == 2)["moves"][0]["san"] == "e4"


def test_the_engine_s_clock_runs_while_it_thinks(page: Page) -> None:
    page.new(elo=None, initial=10, increment=0)
    page.say("move", move="e4")
    running: list[str | None] = []

    def is_answered(game: dict[str, Any]) -> bool:
        running.append(game["clock"]["running"])
        return len(game["moves"]) == 2

    game = page.hear("game", is_answered)
    assert running[-2:] == ["black", "white"]
    assert 0 < game["clock"]["black"] < 10
    assert game["clocks"] == [10, pytest.approx(game["clock"]["black"], abs=0.01)]


@pytest.mark.parametrize(
    ("side", "elo", "fields", "limit"),
    [
        ("white", None, {"initial": 60, "increment": 2}, Limit(clock=Clock(60, 2))),
        ("black", 700, {"initial": 60, "increment": 2, "engine_initial": 30, "engine_increment": 1},
         Limit(clock=Clock(30, 1))),
        ("white", 700, {"initial": 60, "increment": 2, "engine_initial": 30, "engine_increment": 1},
         Limit(clock=Clock(30, 1))),
        ("black", None, {"seconds": 7}, Limit(time=7)),
        ("white", 700, {}, Limit(time=3)),
    ],
)  # fmt: skip
def test_what_the_engine_is_asked(
    page: Page, monkeypatch: pytest.MonkeyPatch, side: str, elo: int | None, fields: dict[str, float], limit: Limit
) -> None:
    """The engine gets its own clock and level on either side. A game is served before analyses."""
    asked: list[Limit] = []
    leases: list[Lease] = []

    def find_move(_: PooledEngine, board: chess.Board, limit: Limit) -> tuple[chess.Move, Score]:
        asked.append(limit)
        return next(iter(board.legal_moves)), Score(0)

    monkeypatch.setattr(PooledEngine, "find_move", find_move)
    monkeypatch.setattr(PooledEngine, "prepare", lambda _, lease: leases.append(lease))
    game = page.new(elo=elo, side=side, **fields)
    if side == "white":
        page.say("move", move="e4")
    page.hear("game", lambda game: not game["thinking"] and bool(game["moves"]))
    (found,) = asked
    if found.clock is not None:
        found = replace(found, clock=replace(found.clock, remaining=math.ceil(found.clock.remaining)))
    assert found == limit
    settings = {} if elo is None else {"UCI_LimitStrength": True, "UCI_Elo": elo}
    assert leases[-1] == Lease(MODERN, game["game"], settings, is_analysis=False)
    assert (game["elo"], game["engine"], game["side"]) == (elo, "Ox88", side)


@pytest.mark.parametrize("action", [{"kind": "move", "move": "Qh4"}, {"kind": "resign"}, {"kind": "draw"}])
def test_nothing_counts_after_the_flag_has_fallen(page: Page, now: list[float], action: dict[str, str]) -> None:
    page.new(fen="4k3/8/8/8/8/8/8/3QK3 w - - 0 1", initial=10, increment=5)
    page.move("Qd2")
    now[0] += 20
    page.say(**action)
    game = page.hear("game")
    assert game["ending"] == "White's time is out; the other side cannot mate, 1/2-1/2"
    assert game["clock"] == {"white": 0, "black": 15, "running": None}
    assert len(game["clocks"]) == 2
    assert "the game is over (White's time is out" in page.hear("error")["message"]


def test_a_flag_falls_by_itself(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody does anything any more, and the page is told."""
    clock = ChessClock(0.2, 0, control_of_black=(10, 0))
    monkeypatch.setattr("ox88.apps.web.playing.ChessClock", lambda *_, **__: clock)
    page.new(initial=10)
    page.say("move", move="e4")
    assert page.hear("game", lambda game: bool(game["ending"]))["ending"] == "White's time is out, 0-1"


def test_an_engine_that_answers_after_its_flag_has_fallen_loses(
    page: Page, monkeypatch: pytest.MonkeyPatch, now: list[float]
) -> None:
    find_move = PooledEngine.find_move

    def find_late(engine: PooledEngine, board: chess.Board, limit: Limit) -> tuple[chess.Move, Score]:
        found = find_move(engine, board, limit)
        now[0] += 11
        return found

    monkeypatch.setattr(PooledEngine, "find_move", find_late)
    page.new(initial=10, increment=5)
    game = page.move("e4")
    assert (len(game["moves"]), game["ending"]) == (1, "Black's time is out, 1-0")


def test_a_game_that_cannot_be(page: Page) -> None:
    cases: list[tuple[dict[str, object], str]] = [
        ({"engine": "Fritz"}, "engine is 'Fritz': one of Ox88, micro-Max is expected"),
        ({"engine": "micro-Max"}, "micro-Max plays at one strength"),
        ({"elo": 100}, "elo is 100: a whole number from 400 to 3000 is expected"),
        ({"elo": 1500.5}, "elo is 1500.5: a whole number from 400"),
        ({"side": "red"}, "side is 'red'"),
        ({"initial": 1, "increment": 0}, "initial is 1"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "White has no king"),
        ({"fen": "x"}, "FEN 'x'"),
        ({"fen": "x" * 1000}, "fen is 'xxxx"),
        ({"initial": 60, "increment": 0, "engine_initial": 5, "engine_increment": 0}, "engine_initial is 5"),
        ({"move": "e5"}, "e5: no pawn of White can go to e5"),
        ({"move": "e4", "side": "black"}, "e4: it is Ox88's move"),
    ]
    for fields, part in cases:
        page.say("new", **{"engine": "Ox88", "elo": 1500, "side": "white"} | fields)
        said = page.hear("error")
        assert part in said["message"], fields
        assert said["about"] == "new"


def test_an_engine_that_fails_is_replaced(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("ox88.apps.web.engine_pool.PooledEngine.find_move", lambda *_: 1 / 0)
        page.new()
        page.say("move", move="e4")
        game = page.hear("game", lambda game: "has failed" in game["notice"])
        assert not game["thinking"]
    page.ask("takeback", "game")
    assert len(page.move("e4")["moves"]) == 2


def test_a_game_that_cannot_be_saved_goes_on(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("ox88.apps.store._SAVE", "no statement of SQL")
        page.new()
        assert "syntax error" in page.move("e4")["notice"]
    assert page.move("d4")["notice"] == ""


def test_micromax_plays_one_game_at_a_time(page: Page, open_page: OpenPage) -> None:
    page.say("new", engine="micro-Max", side="black", seconds=60)
    page.hear("game", lambda game: game["thinking"] and not game["notice"])
    other = open_page()
    other.say("new", engine="micro-Max", side="black", seconds=0.1)
    other.hear("game", lambda game: "waiting for it" in game["notice"])
    page.close()
    assert other.hear("game", lambda game: bool(game["moves"]))
