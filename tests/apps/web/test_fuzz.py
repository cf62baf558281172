"""Random messages: the server answers and keeps running."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from starlette.testclient import TestClient, WebSocketTestSession

from ox88.apps.store import Store
from ox88.apps.web.app import make_app
from ox88.apps.web.messages import HANDLERS
from tests.apps.web.conftest import FAMOUS, SOCKET, Page

FENS = ("startpos", "8/8/8/8/8/8/8/8 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "rnbqkbnr/8 w", "\x00", "")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
fields = {
    "id": st.integers(0, 9) | json_values,
    "engine": st.sampled_from(["Ox88", "Fritz"]) | json_values,
    "elo": st.sampled_from([500, 1500, 2801]) | json_values,
    "side": st.sampled_from(["white", "black", "random"]) | json_values,
    "seconds": st.sampled_from([0.1, 0.5]),
    **dict.fromkeys(("initial", "engine_initial"), st.sampled_from([10, 60]) | json_values),
    **dict.fromkeys(("increment", "engine_increment"), st.sampled_from([0, 1]) | json_values),
    **dict.fromkeys(("fen", "start"), st.sampled_from(FENS) | json_values),
    "moves": st.lists(st.sampled_from(["e4", "e2e4", "e7e5", "Qh5", "--", "0000", "a8=Q"]), max_size=4) | json_values,
    "of": st.lists(st.sampled_from(["e4", "e2e4", "h8h1", "O-O"]), max_size=6) | json_values,
    "move": st.sampled_from(["e4", "d2d4", "Ra8", "O-O", "e7e8q"]) | json_values,
    "ply": st.integers(0, 2) | json_values,
    "lines": st.integers(0, 6) | json_values,
    "after": st.integers(-1, 5) | json_values,
    "text": st.sampled_from(["1. e4 e5 *", "1. e9", "\udfff", '[FEN "x"]\n\n*', "{", "\ufeff"]) | json_values,
    "nodes": st.sampled_from([1, 100]),
    "view": st.sampled_from(["board", "attacks", "bitboard", "rotated"]) | json_values,
    "square": st.sampled_from(["e4", "i9"]) | json_values,
    "bits": st.sampled_from(["white", "white & (", "~"]) | json_values,
    "colours": st.sampled_from(["same", "swapped"]) | json_values,
    "search": st.sampled_from(["won", "\x00"]) | json_values,
    "outcome": st.sampled_from(["won", "unfinished"]) | json_values,
    "games": st.lists(st.sampled_from(["x", "\udfff"])) | json_values,
    "number": st.integers(-1, 960) | json_values,
    "game": st.sampled_from(["x", "\ud800"]) | json_values,
    "past": st.integers(-1, 4) | st.just(1 << 53) | json_values,
    "analysis": st.sampled_from(["", "x"]) | json_values,
    "revision": st.integers(-1, 2) | json_values,
    "name": st.sampled_from(["An analysis", "\ud800"]) | json_values,
    "chapters": st.lists(st.integers(-1, 2) | st.sampled_from(["1. e4 *", "{", "\udfff"]), max_size=3) | json_values,
    "analyses": st.lists(st.sampled_from(["x", "\udfff"])) | json_values,
    "item": st.sampled_from(["x", "\ud800"]) | json_values,
    "what": st.sampled_from(["mistakes", "open", "theme", "rush", "hint", "solution", "learn"]) | json_values,
    "theme": st.sampled_from(["fork", "pin"]) | json_values,
    **dict.fromkeys(("key", "done"), st.sampled_from(["x", "\x00"]) | json_values),
    "keys": st.lists(st.sampled_from(["x", "\udfff"])) | json_values,
    **dict.fromkeys(("length", "most"), st.integers(0, 5) | json_values),
    "player": st.sampled_from(["Morphy, Paul", ""]) | json_values,
    "rating": st.integers(300, 2300) | json_values,
    "mode": st.sampled_from(["human", "quick"]) | json_values,
    "node": st.integers(-1, 50) | json_values,
    "event": st.integers(-1, 5000) | json_values,
    "aim": st.sampled_from(["over", "out", "recapture"]) | json_values,
    "depth": st.integers(0, 6) | json_values,
    "step": st.integers(-1, 9) | json_values,
    **dict.fromkeys(("from", "to"), st.integers(0, 120) | json_values),
    "without": st.lists(st.sampled_from(["hash", "best", "x"])) | json_values,
}


def messages_of(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Messages of a type, with some of its fields; seldom with one of another type."""
    declared = {name: fields[name] for name in HANDLERS[kind].fields} if kind in HANDLERS else {}
    return st.fixed_dictionaries({"type": st.just(kind)}, optional=declared | {"other": st.nothing() | json_values})


messages = st.one_of([messages_of(kind) for kind in (*HANDLERS, "fly")])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, board: Any) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch, Store(folder / "games.sqlite3") as store:
        patch.setattr("ox88.batch.pgn.explorer.default_root", lambda: folder)
        with TestClient(make_app(store, board, {"localhost"}, 2, [FAMOUS]), base_url="http://localhost") as client:
            yield client


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(messages, max_size=6))
def test_any_messages(client: TestClient, said: list[dict[str, Any]]) -> None:
    with client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        for message in said:
            socket.send_text(json.dumps(message))
        assert still_answers(page)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text() | st.binary() | json_values.map(json.dumps), max_size=5))
def test_any_frames(client: TestClient, frames: list[str | bytes]) -> None:
    with client.websocket_connect(SOCKET) as socket:
        page = Page(socket)
        send_frames(socket, frames)
        assert still_answers(page)


def send_frames(socket: WebSocketTestSession, frames: Iterable[str | bytes]) -> None:
    """Send texts and bytes as they are."""
    for frame in frames:
        if isinstance(frame, bytes):
            socket.send_bytes(frame)
        else:
            socket.send_text(frame)


LAST: Final = 4_711_000_815  # No fuzzed message has this number.


def still_answers(page: Page) -> bool:
    """True if a last message is answered. No answer before may report an error in the server."""
    page.say("position", start="startpos", moves=[], id=LAST)
    while True:
        answer = page.socket.receive_json()
        assert "has failed" not in str(answer), answer
        if answer.get("id") == LAST:
            return bool(answer["type"] == "position")
