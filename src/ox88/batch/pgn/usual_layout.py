"""Writes the text of a game as python-chess reads it, whatever layout, dashes and chess symbols it has."""

import re
from typing import Final

from ox88.batch.pgn.result_words import DASH, RESULT, usual_result
from ox88.batch.pgn.setups import CHESS960

_SPACE: Final = r"[\t-\r\x1c-\x1f ]*"
_INDENT: Final = r"[\t\v\f\x1c-\x1f ]*"
_NAME: Final = "[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
_TAG: Final = rf'\[{_SPACE}(?P<name>{_NAME}){_SPACE}"(?P<value>[^\n]*?)"{_SPACE}\]'
# What may stand before movetext: a tag, a line with a bracket that begins none, a comment, an ignored line, a newline.
HEAD: Final = re.compile(
    rf"(?:^\ufeff*)?{_INDENT}(?:{_TAG}"
    r"|(?P<bracket>\[[^\n]*)|(?P<comment>\{[^}]*\})|;[^\n]*|\n)|^%[^\n]*",
    re.MULTILINE,
)
_USUAL_HEAD: Final = re.compile(
    rf'(?:\[{_NAME}[\t ]+"(?:(?!"{_SPACE}\])[^\n])*"\][\t ]*(?:\n|\Z)'
    rf"|(?!{_TAG})[\[%;][^\n]*(?:\n|\Z)|\n(?!{_INDENT}\n))*"
)
# What changes in movetext, and comments, in which nothing does.
_ODD: Final = re.compile(
    rf"(?P<comment>\{{[^}}]*\}}?|;[^\n]*|^%[^\n]*)|(?P<blank>^{_INDENT}\n)|(?P<symbol>[\u2654-\u265f])[\ufe0e\ufe0f]?"
    rf"|(?P<castling>(?P<letter>[Oo0]){DASH}(?P=letter)(?:{DASH}(?P=letter))?)"
    rf"|{RESULT}",
    re.MULTILINE,
)
_SYMBOLS: Final = "KQRBNP"


def in_usual_layout(text: str) -> str:
    """A game with each tag in a line of its own and without blank lines in its movetext. A line ends with a line feed.

    Lines keep their numbers, unless tags share a line.
    """
    usual = _USUAL_HEAD.match(text)
    begin = usual.end() if usual else 0
    head = ""
    tags, comments, at = [], [], 0
    while at < len(text) and (found := HEAD.match(text, at)):
        at = found.end()
        if found["name"]:
            tags.append(f'[{found["name"]} "{_variant(found["name"], found["value"])}"]')
        elif found["bracket"]:
            tags.append(found["bracket"])
        elif found["comment"]:
            comments.append(found["comment"])
    is_usual = at <= begin and not any(tag.startswith("[Variant ") and tag not in text for tag in tags)
    head = text[:begin] if is_usual else ""
    if not is_usual:
        begin = at
        lines = [*tags, "", *comments]
        spare = text.count("\n", 0, at) - sum(line.count("\n") + 1 for line in lines)
        head = "\n".join([*tags, *["%"] * spare, "", *comments, ""])
    return (head + _ODD.sub(_usual, text[begin:])).rstrip("\n")


def _variant(name: str, value: str) -> str:
    return "Chess960" if name == "Variant" and value.lower() in CHESS960 else value


def _usual(odd: re.Match[str]) -> str:
    if odd["blank"]:
        return "%\n"  # python-chess passes over such a line.
    if odd["symbol"]:
        return _SYMBOLS[(ord(odd["symbol"]) - ord("\u2654")) % len(_SYMBOLS)]
    if odd["castling"]:
        return "-".join("O" * ((len(odd["castling"]) + 1) // 2))
    return usual_result(odd[0])
