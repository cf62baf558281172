"""A server in this process, and connections to it."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.store import Store
from ox88.apps.web.app import make_app
from ox88.apps.web.chessground import FILES
from tests.apps.web.declared import is_declared
from tests.conftest import DATA
from tests.processes import wait_until

SOCKET = "ws://localhost/socket"
FAMOUS = DATA / "games/famous.pgn"

Said = dict[str, Any]


class Page:
    """A WebSocket connection to the server."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.hear("welcome")

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send_json({"type": kind} | fields)

    def hear(self, kind: str, until: Callable[[Said], bool] = lambda _: True) -> Said:
        """Wait for a message of a type for which `until` is true; skip others."""
        while True:
            said: Said = self.socket.receive_json()
            assert is_declared(said), said
            assert said["type"] != "error" or kind == "error", said
            if said["type"] == kind and until(said):
                return said

    def ask(self, kind: str, answer: str, **fields: Any) -> Said:
        self.say(kind, **fields)
        return self.hear(answer)

    def close(self) -> None:
        self.socket.close()

    def new(self, side: str = "white", **fields: Any) -> Said:
        return self.ask("new", "game", **{"engine": "Ox88", "elo": 1500, "side": side} | fields)

    def move(self, move: str) -> Said:
        """Play, and wait until the engine has answered."""
        self.say("move", move=move)
        return self.hear(
            "game", lambda game: not game["thinking"] and bool(game["position"]["dests"] or game["ending"])
        )


OpenPage = Callable[[], Page]


@pytest.fixture(scope="session")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with empty files in place of chessground's."""
    folder = tmp_path_factory.mktemp("board")
    for name in FILES:
        (folder / name).write_text("")
    return folder


@pytest.fixture(scope="session")
def names() -> OpeningNames:
    return OpeningNames.load()


@pytest.fixture
def client(store: Store, board: Path, names: OpeningNames, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server that knows the names of openings, of which it tells nobody later."""
    monkeypatch.setattr(OpeningNames, "load", lambda: names)
    with TestClient(make_app(store, board, {"localhost"}, 2), base_url="http://localhost") as client:
        wait_until(lambda: client.app.state.shared.names is names)  # type: ignore[attr-defined]
        yield client


@contextlib.contextmanager
def serving_page(store: Store, board: Path, *hosts: str, explored: Sequence[Path] = ()) -> Iterator[Page]:
    """A page of a server of its own, which has more names, or a library."""
    app = make_app(store, board, {"localhost", *hosts}, 2, explored)
    with TestClient(app, base_url="http://localhost") as client:
        wait_until(app.state.shared.names_read.is_set)  # A server tells pages of names.
        with client.websocket_connect(SOCKET) as socket:
            yield Page(socket)


@pytest.fixture
def open_page(client: TestClient) -> Iterator[OpenPage]:
    """Opens pages, which are closed at the end."""
    with contextlib.ExitStack() as stack:
        yield lambda: Page(stack.enter_context(client.websocket_connect(SOCKET)))


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()
