"""Check the built documentation site: what the generator does not.

python -m tools.site [FOLDER]

Every address within the site must exist, with its anchor; no page may load anything from another host; every page of
docs must be in the navigation; and no reference to a name may be left unresolved.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

ROOT: Final = Path(__file__).parent.parent
SITE: Final = ROOT / "build" / "site"
_FOLLOWED: Final = {"a", "area", "form"}  # Their addresses are opened by the reader; all others are loaded by the page.
_ADDRESSES: Final = ("href", "src", "srcset", "poster", "data", "action")
_LOADED_BY_STYLE: Final = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)""")
_UNRESOLVED: Final = re.compile(r"\]\[[\w.]*\]")


@dataclass
class Page:
    """What a page of HTML refers to. loaded and followed: addresses. text: without code."""

    loaded: list[str] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    text: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.page.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.page.loaded += _LOADED_BY_STYLE.findall(given.get("style", ""))
        kept = tag in _FOLLOWED or (tag == "link" and given.get("rel") in ("canonical", "next", "prev"))
        addresses = self.page.followed if kept else self.page.loaded
        addresses += [given[name] for name in _ADDRESSES if name in given]
        self._code += tag in ("code", "pre", "script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag in ("code", "pre", "script", "style")

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.page.text += data


def read_page(text: str) -> Page:
    reader = _Reader()
    reader.feed(text)
    return reader.page


def faults(site: Path) -> Iterator[str]:
    """Everything that is wrong with the pages below a folder, a line each."""
    pages = {path: read_page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site} has no pages: scripts/docs builds them"
    for path, page in pages.items():
        name = path.relative_to(site)
        yield from (f"{name} loads {address}: a page must not need another host" for address in _foreign(page.loaded))
        yield from (f"{name} has an unresolved reference {found}" for found in _UNRESOLVED.findall(page.text))
        if path.name != "404.html":  # Its addresses are absolute.
            for address in (*page.loaded, *page.followed):
                if fault := _fault_of(path, address, pages):
                    yield f"{name}: {address!r} {fault}"
    for path in sorted(site.rglob("*.css")):
        name = path.relative_to(site)
        for address in _LOADED_BY_STYLE.findall(path.read_text(encoding="utf-8")):
            yield f"{name} loads {address}: a style must not need another host"


def _foreign(addresses: list[str]) -> list[str]:
    return [address for address in addresses if urlsplit(address).netloc]


def _fault_of(page: Path, address: str, pages: dict[Path, Page]) -> str | None:
    """What is wrong with an address within the site; None if nothing is."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "does not exist"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "has an anchor that the page does not have"
    return None


def left_out(root: Path = ROOT) -> Iterator[str]:
    """Pages that the navigation does not name, and named pages that do not exist."""
    with (root / "zensical.toml").open("rb") as file:
        named = set(_pages_of(tomllib.load(file)["project"]["nav"]))
    there = {path.relative_to(root / "docs").as_posix() for path in (root / "docs").rglob("*.md")}
    yield from (f"docs/{name} is not in the navigation: add it to zensical.toml" for name in sorted(there - named))
    yield from (f"docs/{name}, which zensical.toml names, does not exist" for name in sorted(named - there))


def _pages_of(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    else:
        for part in entry.values() if isinstance(entry, dict) else entry:
            yield from _pages_of(part)


if __name__ == "__main__":
    sys.exit("\n".join([*left_out(), *faults(Path(sys.argv[1] if sys.argv[1:] else SITE).resolve())]) or 0)
