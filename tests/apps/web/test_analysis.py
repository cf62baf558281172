"""Analysis through the WebSocket."""

from typing import Any

import chess
import hypothesis.strategies as st
import pytest
from hypothesis import given
from starlette.testclient import TestClient

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.web.positions import describe_moves
from ox88.fen import STARTPOS
from tests.apps.web.conftest import SOCKET, Page
from tests.conftest import DATA

SCHOLAR = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"


@given(st.lists(st.integers(0, 99), max_size=30), st.lists(st.integers(0, 99), max_size=30))
def test_moves_described_before_are_described_alike(first: list[int], second: list[int]) -> None:
    names = OpeningNames({})
    boards = [chess.Board(), chess.Board()]
    for board, choices in zip(boards, (first, second), strict=True):
        for choice in choices:
            moves = list(board.legal_moves)
            if moves:
                board.push(moves[choice % len(moves)])
    known = describe_moves(boards[0], names)
    assert describe_moves(boards[1], names, known) == describe_moves(boards[1], names)
    assert describe_moves(boards[0], names, known) == known


def test_a_position_after_moves(page: Page) -> None:
    said = page.ask("position", "position", start=STARTPOS, moves=["e4", "e7e5", "Nf3"], id=7)
    assert said["id"] == 7
    assert [move["san"] for move in said["moves"]] == ["e4", "e5", "Nf3"]
    board = chess.Board(said["position"]["fen"])
    told = {start + end for start, ends in said["position"]["dests"].items() for end in ends}
    assert told == {move.uci()[:4] for move in board.legal_moves}


def test_lines_get_deeper_and_are_legal(page: Page) -> None:
    page.say("analyse", start=STARTPOS, moves=["e4"], lines=3, id=5)
    said = page.hear("info", lambda info: len(info.get("lines", [])) == 3 and info["depth"] >= 6)
    assert said["id"] == 5
    for line in said["lines"]:
        board = chess.Board()
        board.push_san("e4")
        for uci, san in zip(line["moves"], line["san"], strict=True):
            assert board.san(chess.Move.from_uci(uci)) == san
            board.push_uci(uci)
        assert 0 < line["win"] < 100
    assert said["speed"] > 0
    page.say("stop")


def test_another_position_ends_the_search_of_the_first(page: Page) -> None:
    page.say("analyse", start=STARTPOS, moves=[], lines=1, id=1)
    page.hear("info", lambda info: "lines" in info)
    page.say("analyse", start="6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", moves=[], lines=1, id=2)
    said = page.hear("info", lambda info: info["id"] == 2 and bool(info.get("lines")))
    assert said["lines"][0]["eval"] == "#1"
    assert said["lines"][0]["san"] == ["Ra8#"]


def test_others_wait_and_are_told(page: Page, client: TestClient) -> None:
    """Of two slots analyses leave one for games."""
    page.say("analyse", start=STARTPOS, moves=[], lines=1)
    page.hear("info", lambda info: "lines" in info)
    with client.websocket_connect(SOCKET) as socket:
        other = Page(socket)
        other.say("analyse", start=STARTPOS, moves=[], lines=1)
        assert other.hear("info")["notice"] == "All engines are thinking: waiting for one"
        player = other.new()
        assert len(other.move("e4")["moves"]) == 2, player
        page.say("stop")
        assert other.hear("info", lambda info: "lines" in info)


def test_a_connection_takes_its_search_with_it(page: Page, client: TestClient) -> None:
    with client.websocket_connect(SOCKET) as socket:
        other = Page(socket)
        other.say("analyse", start=STARTPOS, moves=[], lines=1)
        other.hear("info", lambda info: "lines" in info)
    page.say("analyse", start=STARTPOS, moves=[], lines=1)
    assert page.hear("info", lambda info: "lines" in info)


def test_games_are_listed_and_opened(page: Page) -> None:
    text = (DATA / "games" / "famous.pgn").read_text()
    games = page.ask("games", "games", text=text)["games"]
    assert [game["tags"]["White"] for game in games] == ["Morphy, Paul", "Anderssen, Adolf", "Kasparov, Garry"]
    opened = page.ask("open", "opened", text=games[0]["text"])
    assert len(opened["moves"]) == 33
    assert opened["moves"][-1]["san"] == "Rd8#"
    assert opened["moves"][-1]["check"]


def test_a_game_with_an_error_is_opened_up_to_it(page: Page) -> None:
    opened = page.ask("open", "opened", text="1. e4 e5 2. Ke3 *")
    assert [move["san"] for move in opened["moves"]] == ["e4", "e5"]
    assert opened["errors"]


@pytest.mark.parametrize("text", ["", "hello", '[Variant "Atomic"]\n\n1. e4 *'])
def test_what_is_no_game(page: Page, text: str) -> None:
    games = page.ask("games", "error" if not text else "games", text=text)
    if text:
        assert page.ask("open", "error", text=games["games"][0]["text"])["message"]


def test_a_whole_game_is_analysed(page: Page) -> None:
    page.say("annotate", text=SCHOLAR, nodes=2000, id=3)
    done = [page.hear("progress", lambda said: "done" in said) for _ in range(8)]
    assert [said["done"] for said in done] == list(range(1, 9))
    assert done[0]["win"] > 95
    said = page.hear("annotation")
    assert said["id"] == 3
    assert [move["san"] for move in said["game"]["moves"]] == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    assert said["game"]["moves"][5]["mark"] == "blunder"
    assert said["game"]["white"]["accuracy"] > said["game"]["black"]["accuracy"]
    assert "[%eval #1]" in said["pgn"]


def test_an_analysis_is_cancelled(page: Page) -> None:
    page.say("annotate", text=SCHOLAR, nodes=2_000_000)
    page.hear("progress", lambda said: "done" in said)
    page.say("cancel")
    page.say("annotate", text="1. e4 *", nodes=100, id=9)
    assert page.hear("annotation")["id"] == 9


def test_pictures(page: Page) -> None:
    said = page.ask("show", "picture", fen=STARTPOS, view="bitboard", bits="white & pawns")
    assert said["svg"].startswith("<svg")
    assert "a2" in said["svg"] or said["title"]


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("position", {"start": "hello", "moves": []}, "FEN 'hello'"),
        ("position", {"start": "8/8/8/8/8/8/8/8 w - - 0 1", "moves": []}, "White has no king"),
        ("position", {"start": STARTPOS, "moves": ["e5"]}, "e5: "),
        ("position", {"start": STARTPOS, "moves": ["--"]}, "passing is not a move"),
        ("position", {"start": STARTPOS, "moves": [""]}, "is not a move"),
        ("annotate", {"text": "*"}, "no move"),
        ("annotate", {"text": "1. e5 *"}, "e5"),
        ("show", {"fen": STARTPOS, "view": "x-ray"}, "'x-ray' is not a view"),
        ("show", {"fen": STARTPOS, "view": "attacks", "square": "zz"}, "zz"),
        ("show", {"fen": STARTPOS, "view": "bitboard", "bits": "elephants"}, "elephants"),
        ("show", {"fen": STARTPOS, "view": "board", "square": "e4"}, "a square is for"),
        ("show", {"fen": "x", "view": "board"}, "FEN 'x'"),
    ],
)
def test_what_is_refused(page: Page, kind: str, fields: dict[str, Any], reason: str) -> None:
    assert reason in page.ask(kind, "error", **fields)["message"]
