"""The terms of the page Think: each one that is shown opens its meaning, and each meaning can be opened."""

import inspect
import json
import re
from html.parser import HTMLParser
from typing import Final

from ox88.apps.web.app import STATIC
from ox88.apps.web.thinking import read_steps
from ox88.engines.micromax import search

NAMES: Final = [entry["names"] for entry in json.loads((STATIC / "glossary.json").read_text(encoding="utf-8"))]
# As in thinkviews.js.
TERM: Final = re.compile(
    rf"\b({'|'.join(sorted((re.escape(name) for names in NAMES for name in names), key=len, reverse=True))})(?=s?\b)",
    re.IGNORECASE,
)
# Words of chess programmers, which nobody else knows.
TECHNICAL: Final = re.compile(
    r"\b(0x88|alpha|beta|bound|cut-?off|deepening|depth|dummy|double step|en passant|evaluation|fail|hash|horizon"
    r"|iteration|listing|lock|node|null|pat|pl(y|ies)|principal|probe|pruning|quiet|quiescence|recapture|root|scan"
    r"|score|step|transposition|tree|window)s?\b(?! into\b)",
    re.IGNORECASE,
)
BUTTONS: Final = {"button", "label", "summary"}  # They act, so nothing inside can be opened.
VOID: Final = {"input", "br", "link", "meta"}


class Page(HTMLParser):
    """The texts of Think in index.html: `told` have terms that open, `plain` have not."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.plain: list[str] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self.feed((STATIC / "index.html").read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(attributes.get("id") == "panel-think" for _, attributes in self._open) and data.strip():
            is_told = any("data-terms" in attributes for _, attributes in self._open)
            is_hidden = any(
                attributes.get("aria-hidden") or attributes.get("role") == "img" for _, attributes in self._open
            )
            if not is_hidden and not BUTTONS.intersection(tag for tag, _ in self._open):
                (self.told if is_told else self.plain).append(data)


def spoken_texts() -> list[str]:
    """The texts whose terms open: of the page, the sentences, the tours, the listing and the arithmetic."""
    code = (STATIC / "sentences.js").read_text(encoding="utf-8")
    sentences = re.findall(r"([`\"])(.*?)\1", re.sub(r"//.*|\$\{[^`]*?\}", "", code))
    tours = json.loads((STATIC / "tours.json").read_text(encoding="utf-8"))
    steps = read_steps(inspect.getsource(search))
    return [
        *Page().told,
        *(text for _, text in sentences if " " in text),
        *(words for tour in tours for words in tour["stops"].values()),
        *(step[part] for step in steps for part in ("title", "words")),
        "y & 0x88",
    ]


def test_each_technical_word_has_a_meaning() -> None:
    texts = spoken_texts()
    assert len(texts) > 120
    unexplained = {found[0].lower() for text in texts for found in TECHNICAL.finditer(TERM.sub("", text))}
    assert unexplained == set()


def test_each_meaning_is_reached_from_a_text() -> None:
    found = {term.lower() for text in spoken_texts() for term in TERM.findall(text)}
    assert [names for names in NAMES if not found.intersection(names)] == []


def test_each_term_on_a_button_of_the_steps_is_told_beside_them() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    [bars] = re.findall(r'<div class="steps-bar going".*?<section class="card window"', page, re.DOTALL)
    shown = {name for bar in re.findall(r">([^<>]+)<", bars) for name in TERM.findall(bar.lower())}
    offered = re.findall(r"data-names=\"(.*?)\"|data-terms>([^<]+)", bars)
    told = {name for texts in offered for name in TERM.findall("".join(texts).lower())}
    assert shown >= {"node", "step", "cutoff", "recapture"}
    assert shown == told


def test_no_text_of_the_page_has_a_term_that_cannot_be_opened() -> None:
    assert [text for text in Page().plain if TERM.search(text)] == []
