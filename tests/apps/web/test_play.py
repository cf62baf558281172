"""Games against the engines, through the WebSocket."""

import io

import chess
import chess.pgn
import pytest
from starlette.testclient import TestClient

from ox88.types import Ox88Error
from tests.apps.web.conftest import SOCKET, Page

BEFORE_MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
BEFORE_PROMOTION = "7k/P7/8/8/8/8/7p/K7 w - - 0 1"


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


def test_with_black_the_engine_begins(page: Page) -> None:
    page.say("new", engine="Ox88", elo=500, side="black")
    game = page.hear("game", lambda game: bool(game["moves"]))
    assert game["position"]["turn"] == "black"


def test_a_mate_ends_the_game(page: Page, client: TestClient) -> None:
    page.new(fen=BEFORE_MATE)
    game = page.move("Ra8")
    assert game["ending"] == "checkmate, 1-0"
    assert game["position"]["dests"] == {}
    assert page.ask("move", "error", move="Kf1")["message"] == "Kf1: the game is over (checkmate, 1-0)"
    response = client.get(f"/game/{game['game']}.pgn")
    read = chess.pgn.read_game(io.StringIO(response.text))
    assert read is not None
    assert read.headers["Result"] == "1-0"
    assert read.end().board().is_checkmate()
    assert "attachment" in response.headers["content-disposition"]


def test_a_promotion(page: Page) -> None:
    page.new(fen=BEFORE_PROMOTION)
    assert page.move("a7a8n")["moves"][0]["san"] == "a8=N"


def test_moves_are_taken_back(page: Page) -> None:
    page.new()
    assert page.ask("takeback", "error")["message"] == "there is no move of yours to take back"
    page.move("e4")
    page.move("d4")
    assert len(page.ask("takeback", "game")["moves"]) == 2
    assert len(page.ask("takeback", "game")["moves"]) == 0


def test_a_move_is_taken_back_while_the_engine_thinks(page: Page) -> None:
    page.new(elo=None, seconds=60)
    page.say("move", move="e4")
    page.hear("game", lambda game: game["thinking"])
    page.say("takeback")
    game = page.hear("game", lambda game: not game["moves"])
    assert not game["thinking"]


def test_the_person_resigns(page: Page) -> None:
    page.new()
    page.move("e4")
    assert page.ask("resign", "game")["ending"] == "White resigns, 0-1"
    assert page.ask("resign", "error")["message"] == "the game is over (White resigns, 0-1)"


def test_the_same_game_after_a_new_connection(page: Page, client: TestClient) -> None:
    played = page.new(initial=300, increment=3) and page.move("e4")
    page.socket.close()
    with client.websocket_connect(SOCKET) as socket:
        again = Page(socket).ask("join", "game", game=played["game"])
    assert [move["uci"] for move in again["moves"]] == [move["uci"] for move in played["moves"]]
    assert again["clock"]["black"] == pytest.approx(played["clock"]["black"])
    assert again["clock"]["white"] <= played["clock"]["white"]


def test_a_draw_needs_no_claim(page: Page) -> None:
    page.new(fen="6k1/8/8/8/8/8/8/K6R w - - 99 90")
    assert page.move("Rh2")["ending"] == "fifty-move rule, 1/2-1/2"


def test_castling_in_chess960(page: Page) -> None:
    game = page.new(fen="rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1")
    assert "e1" in game["position"]["dests"]["b1"]
    game = page.move("b1e1")
    assert (game["moves"][0]["san"], game["moves"][0]["uci"]) == ("O-O", "b1e1")
    assert game["moves"][0]["fen"].split()[0].endswith("/R4RK1")


def test_two_pages_see_one_game(page: Page, client: TestClient) -> None:
    game = page.new()
    with client.websocket_connect(SOCKET) as socket:
        other = Page(socket)
        other.ask("join", "game", game=game["game"])
        page.say("move", move="e4")
        assert other.hear("game", lambda game: len(game["moves"]) == 2)["moves"][0]["san"] == "e4"


def test_the_engine_keeps_to_its_clock(page: Page) -> None:
    page.new(side="black", elo=None, initial=10, increment=0)
    game = page.hear("game", lambda game: bool(game["moves"]))
    assert 5 < game["clock"]["white"] < 10
    assert game["clock"]["running"] == "black"
    assert game["clocks"] == [pytest.approx(game["clock"]["white"], abs=0.01)]


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"engine": "Fritz"}, "engine is 'Fritz': one of Ox88, micro-Max is expected"),
        ({"engine": "micro-Max"}, "micro-Max plays at one strength"),
        ({"elo": 100}, "elo is 100: a number from 500 to 2800 is expected"),
        ({"elo": 1500.5}, "elo is 1500.5: a whole number is expected"),
        ({"side": "red"}, "side is 'red'"),
        ({"initial": 1, "increment": 0}, "initial is 1"),
        ({"initial": 300}, "increment is missing"),
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "White has no king"),
        ({"fen": "x"}, "FEN 'x'"),
        ({"fen": "x" * 1000}, "fen has 1000 characters"),
    ],
)
def test_a_game_that_cannot_be(page: Page, fields: dict[str, object], part: str) -> None:
    page.say("new", **{"engine": "Ox88", "elo": 1500, "side": "white"} | fields)
    said = page.hear("error")
    assert part in said["message"]
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
    def fail(*_: object) -> None:
        raise Ox88Error("games cannot be kept: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("ox88.apps.web.store.GameStore.save", fail)
        page.new()
        game = page.move("e4")
        assert game["notice"] == "games cannot be kept: the disk is full"
    assert page.move("d4")["notice"] == ""


def test_micromax_plays_one_game_at_a_time(page: Page, client: TestClient) -> None:
    page.say("new", engine="micro-Max", side="black", seconds=60)
    page.hear("game", lambda game: game["thinking"] and not game["notice"])
    with client.websocket_connect(SOCKET) as socket:
        other = Page(socket)
        other.say("new", engine="micro-Max", side="black", seconds=0.1)
        other.hear("game", lambda game: "waiting for it" in game["notice"])
        page.socket.close()
        assert other.hear("game", lambda game: bool(game["moves"]))
