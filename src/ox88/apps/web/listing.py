"""micro-Max's listing for the page Think: the numbered steps of `search.py`, and its names in the C program."""

import inspect
import re
import textwrap
from importlib.resources import files
from typing import Any, Final

from ox88.apps.web.from_server import Listing, Step

_STEP: Final = re.compile(r" *# Step (\d+)\. (.*)")
_COMMENT: Final = re.compile(r" *# (.*)")
_END_OF_TITLE: Final = re.compile(r"[.:](?: |$)")
_ROW: Final = re.compile(r"\| (.*?) \| (.*?) \| (.*?) ?\|")
_CODE: Final = re.compile(r"`([^`]+)`")
RECORDING: Final = re.compile(r" *(enter|note|leave)\(mm, .*\)")  # For the recorder; no part of the listing.
_PARTS: Final = ("## Macros", "## An entry", "## Globals", "## `D()`")  # The last part that names something counts.


def describe_listing() -> Listing:
    """The steps, each with its number, title, explanation and code; and the letter and the meaning of each name."""
    from ox88.engines.micromax import search  # Imported late: the page is served before the compiler is loaded.

    names = (files("ox88.engines.micromax") / "names.md").read_text(encoding="utf-8")
    return {"type": "listing", "steps": read_steps(inspect.getsource(search)), "names": read_names(names)}


def read_steps(source: str) -> list[Step]:
    """The steps of a source text. A step begins with a comment `# Step 5. Title: explanation` of one or more lines."""
    steps: list[dict[str, Any]] = []
    in_comment = False
    for line in source[source.index("# Step 1.") :].splitlines():
        if found := _STEP.fullmatch(line):
            steps.append({"number": int(found[1]), "comment": [found[2]], "code": []})
            in_comment = True
        elif in_comment and (more := _COMMENT.fullmatch(line)):
            steps[-1]["comment"].append(more[1])
        else:
            in_comment = False
            if not RECORDING.fullmatch(line):
                steps[-1]["code"].append(line)
    return [_describe_step(**step) for step in steps]


def _describe_step(number: int, comment: list[str], code: list[str]) -> Step:
    title, words = _END_OF_TITLE.split(" ".join(comment), maxsplit=1)
    text = textwrap.dedent("\n".join(code)).strip("\n")
    return {"number": number, "title": title, "words": words[:1].upper() + words[1:], "code": text}


def read_names(text: str) -> dict[str, list[str]]:
    """Our names, each with the listing's letter and what it is, from the tables of names.md."""
    names: dict[str, list[str]] = {}
    for part in _PARTS:
        table = text[text.index(part) :].split("\n## ")[0]
        for letters, ours, meaning in _ROW.findall(table):
            theirs, mine = _CODE.findall(letters), _CODE.findall(ours)
            for place, name in enumerate(mine):
                if theirs and name.removeprefix("mm.").isidentifier():
                    paired = theirs[place] if len(theirs) == len(mine) else theirs[0]
                    names[name.removeprefix("mm.")] = [paired, meaning.replace("`", "")]
    return names
