"""Access control and HTTP headers."""

import re

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ox88.apps.options import version
from ox88.apps.web.guard import is_local
from ox88.apps.web.messages import LONGEST_MESSAGE
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO, SHIPPED_NETWORK
from ox88.engines.registry import ENGINES
from tests.apps.web.conftest import SOCKET

OTHER_NAMES = [
    "evil.example", "localhost.evil.example", "evillocalhost", "evil.localhost", "localhos",
    "evil@localhost.evil.example", "", "[", "127.0.0.1.evil.example", "a b",
]  # fmt: skip
OTHER_ORIGINS = [
    "http://evil.example", "https://evil.example:8088", "null", "http://localhost:1", "http://evillocalhost",
    "http://localhost.evil.example", "", "localhost", "http://[localhost",
]  # fmt: skip


def test_own_names_and_addresses_are_served_and_other_names_refused(client: TestClient) -> None:
    for host in ("localhost", "localhost:8088", "127.0.0.1:8088", "[::1]:8088", "192.168.1.5", "LOCALHOST"):
        assert client.get("/", headers={"host": host}).status_code == 200, host
    for host in OTHER_NAMES:
        response = client.get("/", headers={"host": host})
        assert (response.status_code, "--allow-host" in response.text) == (403, True), host


def test_which_names_lead_to_this_machine_alone() -> None:
    assert all(map(is_local, ["localhost", "127.0.0.1", "127.9.9.9", "::1"]))
    others = ["0.0.0.0", "192.168.1.5", "my-computer", "localhost.example", "evillocalhost", ""]  # noqa: S104 - Not bound.
    assert not any(map(is_local, others))


def test_pages_of_others_get_no_connection(client: TestClient) -> None:
    for origin in OTHER_ORIGINS:
        said = {"origin": origin}
        with pytest.raises(WebSocketDisconnect) as refusal, client.websocket_connect(SOCKET, headers=said):
            pass
        assert (refusal.value.code, refusal.value.reason) == (1008, "pages of other sites may not connect"), origin


@pytest.mark.parametrize("origin", ["http://localhost", "https://localhost"])
def test_own_pages_get_one(client: TestClient, origin: str) -> None:
    with client.websocket_connect(SOCKET, headers={"origin": origin}) as socket:
        assert socket.receive_json() == {
            "type": "welcome",
            "version": version(),
            "engines": [{"name": "Ox88", "levels": [LEAST_ELO, MOST_ELO]}, {"name": "micro-Max", "levels": None}],
            "longest": LONGEST_MESSAGE,
            "network": SHIPPED_NETWORK.exists(),
        }


def test_all_that_is_sent_has_headers(client: TestClient) -> None:
    policy = {
        "default-src 'none'", "script-src 'self'", "img-src 'self' data:", "connect-src 'self'", "manifest-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    }  # fmt: skip
    expected = {
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
    }
    for path in ("/", "/static/main.js", "/nothing", "/game/none.pgn", "/chessground/LICENSE", "/docs/levels"):
        for host in ("localhost", "evil.example"):
            headers = client.get(path, headers={"host": host}).headers
            assert expected.items() <= dict(headers).items(), (path, host)
            assert policy < set(headers["content-security-policy"].split("; ")), (path, host)


def test_files_are_asked_for_again_after_an_update(client: TestClient) -> None:
    for path in ("/", "/static/main.js", "/viewer/dom.js", "/viewer/pieces.svg", "/chessground/LICENSE"):
        assert client.get(path).headers["cache-control"] == "no-cache", path


def test_the_text_on_levels_is_a_page(client: TestClient) -> None:
    response = client.get("/docs/levels")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Levels</h1>" in response.text
    assert re.search(r"<td>\+\d+ ±\d+</td>", response.text)
    assert "style=" not in response.text


def test_the_page_names_the_engines(client: TestClient) -> None:
    names = [entry.name for entry in ENGINES]
    assert re.findall('name="engine" value="(.*?)"', client.get("/").text) == [*names, "", *names]


def test_the_page_has_no_script_or_style_of_its_own(client: TestClient) -> None:
    html = client.get("/").text
    assert not re.search(r"<style|style=|\son\w+=", html)
    assert re.findall(r"<script[^>]*>(.*?)</script>", html, re.S) == [""]
    assert not re.search(r"https?://(?!www\.w3\.org)", html)


def test_no_other_file_is_sent(client: TestClient) -> None:
    for path in ("/static/../app.py", "/viewer/%2e%2e/files.py", "/chessground/..%2fgames.sqlite3", "/static/"):
        assert client.get(path).status_code in (404, 405), path
