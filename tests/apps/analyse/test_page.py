"""The HTML page: it needs no other file, and texts from games cannot harm it."""

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ox88.apps.analyse.page_output import page_writer
from tests.apps.inline import Run

HOSTILE = """\
[Event "</script><script>alert(1)</script>"]
[Site "<!-- <img src=x onerror=alert(2)>"]
[White "<script>alert(3)</script>"]
[Black "\\\\ \\"quoted\\" & ' \u2028 Ω"]
[BlackElo "<b>"]
[Result "0-1"]
[Opening "${games} $style"]

1. f3 { </script> <svg onload=alert(4)> } e5 2. g4 Qh4# 0-1

[Event "<i>"]

1. <script>alert(5)</script>
"""


class Page(HTMLParser):
    """The elements of a page, and the texts of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag in ("script", "style"):
            self.texts.append((tag, ""))

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style"):
            self.texts[-1] = (self._inside, self.texts[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._inside = ""


@pytest.fixture
def text(tmp_path: Path, run: Run) -> str:
    (tmp_path / "games.pgn").write_text(HOSTILE)
    page = tmp_path / "page.html"
    run(tmp_path / "games.pgn", "-o", tmp_path / "out.pgn", "--html", page, "--nodes", 300)
    return page.read_text(encoding="utf-8")


def games_of(text: str) -> list[dict[str, Any]]:
    scripts = [data for tag, data in Page(text).texts if tag == "script"]
    games: list[dict[str, Any]] = json.loads(scripts[0])
    return games


def test_texts_from_games_are_data(text: str) -> None:
    page = Page(text)
    assert len(page.texts) == 3
    assert not [tag for tag, _ in page.elements if tag in ("img", "link", "iframe", "i", "b")]
    assert not [attributes for _, attributes in page.elements if any(name.startswith("on") for name in attributes)]
    first, second = games_of(text)
    assert first["white"]["name"] == "<script>alert(3)</script>"
    assert first["black"]["name"] == '\\ "quoted" & \' \u2028 Ω'
    assert first["opening"] == "A00 ${games} $style"
    assert first["moves"][0]["comment"] == "</script> <svg onload=alert(4)>"
    assert second["moves"] == []
    assert "there are no moves that can be read" in second["errors"][0]


def test_the_subtitle_is_text(tmp_path: Path) -> None:
    """It names files, which may be called anything."""
    subtitle = "<img src=x onerror=alert(6)> & 'x' \"y\" $style"
    with page_writer(tmp_path / "page.html", subtitle):
        pass
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "img" not in [tag for tag, _ in Page(text).elements]
    (shown,) = re.findall(r"</h1>\s*<p>(.*?)</p>", text)
    assert html.unescape(shown) == subtitle


def test_the_policy_allows_the_page_and_nothing_else(text: str) -> None:
    page = Page(text)
    (policy,) = [str(a["content"]) for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    for kind in ("style", "script"):
        content = [data for tag, data in page.texts if tag == kind][-1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not [attributes for _, attributes in page.elements if "style" in attributes]


def test_nothing_is_loaded(text: str) -> None:
    page = Page(text)
    links = [a.get("src") or a.get("href") or a.get("xlink:href") or "" for _, a in page.elements]
    assert not [link for link in links if not link.startswith("#") and link]
    (style,) = [data for tag, data in page.texts if tag == "style"]
    assert not re.search(r"url\(|@import", style)
    assert re.findall(r"https?://\S+", text) == ['http://www.w3.org/2000/svg";']


def test_pieces_are_all_there(text: str) -> None:
    ids = [attributes.get("id") for _, attributes in Page(text).elements]
    assert {f"piece-{letter}" for letter in "KQRBNPkqrbnp"} <= set(ids)


def test_too_many_games_for_a_page(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.analyse.command.MAX_GAMES", 1)
    (tmp_path / "games.pgn").write_text(HOSTILE)
    code, _, errors = run(tmp_path / "games.pgn", "-o", tmp_path / "out.pgn", "--html", tmp_path / "page.html")
    assert code == 2
    assert "--html takes at most 1 games, and there are 2" in errors
    assert len(list(tmp_path.iterdir())) == 1
