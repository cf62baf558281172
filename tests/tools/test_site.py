"""The checker of the built site: each fault is named, and sound pages have none."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.apps.browser import WatchedPage, chromium, missing_browser  # noqa: F401  # chromium is a fixture.
from tools.site import ROOT, faults, left_out

SOUND = """<html><head><link rel="stylesheet" href="style.css"><link rel="next" href="part/two.html"></head><body>
<h1 id="top">One</h1> <a href="part/two.html#there">two</a>
<a href="#top">top</a> <a href="https://example.org/">out</a>
<img src="a%20picture.svg"> <code>moves[][0]</code> <a href="part/">folder</a> <a href="mailto:one">write</a>
</body></html>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "part").mkdir()
    (tmp_path / "index.html").write_text(SOUND)
    (tmp_path / "style.css").write_text("a { background: url(picture.svg) }")
    (tmp_path / "a picture.svg").touch()
    for name in ("two", "index"):
        (tmp_path / "part" / f"{name}.html").write_text('<p id="there"><a href="../index.html">back</a></p>')
    return tmp_path


def test_sound_pages_and_faults_of_others(site: Path, tmp_path: Path) -> None:
    assert list(faults(site)) == []
    empty = tmp_path / "empty"
    empty.mkdir()
    assert list(faults(empty)) == [f"{empty} has no pages: scripts/docs builds them"]
    (site / "style.css").write_text('@import "https://fonts.example/css";')
    assert list(faults(site)) == ["style.css loads https://fonts.example/css: a style must not need another host"]


@pytest.mark.parametrize(
    ("added", "fault"),
    [
        ('<a href="missing.html">', "'missing.html' does not exist"),
        ('<img src="missing.png">', "'missing.png' does not exist"),
        ('<a href="part/two.html#gone">', "'part/two.html#gone' has an anchor"),
        ('<a href="#gone">', "'#gone' has an anchor"),
        ('<script src="https://cdn.example/x.js">', "loads https://cdn.example/x.js"),
        ('<img src="//cdn.example/x.png">', "loads //cdn.example/x.png"),
        ('<link rel="stylesheet" href="https://fonts.example/css">', "loads https://fonts.example/css"),
        ("<p style=\"background: url('http://cdn.example/x.png')\">", "loads http://cdn.example/x.png"),
        ("<p>See [Positions][ox88.Positons].", "unresolved reference ][ox88.Positons]"),
    ],
)
def test_a_fault_is_named(site: Path, added: str, fault: str) -> None:
    (site / "index.html").write_text(SOUND + added)
    (found,) = set(faults(site))
    assert found.startswith("index.html")
    assert fault in found


def test_the_navigation_names_every_page(tmp_path: Path) -> None:
    assert list(left_out()) == []
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "new.md").touch()
    (tmp_path / "zensical.toml").write_text('[project]\nnav = [{ "A" = ["old.md"] }]\n')
    new, old = left_out(tmp_path)
    assert new == "docs/new.md is not in the navigation: add it to zensical.toml"
    assert old == "docs/old.md, which zensical.toml names, does not exist"


@pytest.mark.skipif(missing_browser() is not None, reason=f"no page was opened: {missing_browser()}")
def test_a_page_that_is_opened_as_a_file_has_its_worker(tmp_path: Path, chromium: Any) -> None:  # noqa: F811
    """The message comes in a task of its own, as a copy, as from a real Worker."""
    shutil.copy(ROOT / "docs" / "scripts" / "iframe-worker.js", tmp_path)
    (tmp_path / "worker.js").write_text(
        "addEventListener('message', ({ data }) => { data.n *= 2; postMessage(data); });"
    )
    (tmp_path / "index.html").write_text('<body><script src="iframe-worker.js"></script>')
    page = WatchedPage(chromium.new_page(), (tmp_path / "index.html").as_uri())
    answer = page.page.evaluate("""() => new Promise((resolve) => {
        const worker = new Worker("worker.js"), sent = { n: 21 };
        let isOver = false;
        worker.onmessage = ({ data }) => resolve([data.n, sent.n, isOver]);
        worker.postMessage(sent);
        isOver = true;
    })""")
    assert answer == [42, 21, True]
    assert page.faults == []
    assert {request.partition(":")[0] for request in page.requests} == {"file"}
