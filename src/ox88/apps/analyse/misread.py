"""What python-chess reads over without a word: moves in another language, tags, games and moves that break off.

It looks for what it knows and skips the rest: of Sf3, which is German for Nf3, it would read the pawn's move f3.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import chess.pgn

_NO_MOVES: Final = re.compile(r"^[\[%][^\n]*|;[^\n]*|\{[^}]*\}|\{", re.MULTILINE)  # Tags and comments, open ones too.
MARKER: Final = "P@a1"  # A word that python-chess takes for a move, and that is none in chess.
_NOT_A_LINE_FEED: Final = re.compile(r"[^\n]")
_MOVE: Final = 1  # The group of python-chess's pattern in which moves are.
_LETTER: Final = r"[^\W\d_]|[♔-♟]"
# Directly before a move, in its line. P says nothing new.
_FOREIGN: Final = re.compile(rf"(?<![^\W\d_])(?![P♙♟]:?\Z)(?:{_LETTER}){{1,2}}:?\Z")
_HALF: Final = re.compile(r"(?:^|[\s.])([NBRQK][a-h1-8]?[x-]?[a-h]?|[a-h](?:x[a-h]?)?|O-?)$")


@dataclass(frozen=True, slots=True)
class Movetext:
    """The text of a game in which misleading words stand as MARKER. words: what stood there, the first of each line.
    remarks: line and reason of what is wrong beside them. Lines are counted from 0.
    """

    text: str
    words: dict[int, str]
    remarks: tuple[tuple[int, str], ...]


def find_misread(text: str) -> Movetext:
    """The text as python-chess may read it."""
    moves, opened = without_comments(text)
    words: dict[int, str] = {}
    parts, copied, line = [], 0, 0
    for start, end in _misleading(moves):
        line += text.count("\n", copied, start)
        words.setdefault(line, text[start:end])
        parts += [text[copied:start], MARKER]
        copied = end
    remarks = [*_tags(text), *(_unclosed_comment(text, opened) if opened is not None else _half_move(moves))]
    return Movetext("".join([*parts, text[copied:]]), words, tuple(remarks))


def without_comments(text: str) -> tuple[str, int | None]:
    """(the text with spaces for tags and comments, as far as a comment that is not closed; where that one begins)."""
    opened = next((token.start() for token in _NO_MOVES.finditer(text) if token[0] == "{"), None)
    return _NO_MOVES.sub(lambda token: _NOT_A_LINE_FEED.sub(" ", token[0]), text[:opened]), opened


def _misleading(moves: str) -> Iterator[tuple[int, int]]:
    """Where moves stand that python-chess would understand as others: letters stick to their fronts."""
    last = 0
    for token in chess.pgn.MOVETEXT_REGEX.finditer(moves):
        if token[_MOVE] and (foreign := _FOREIGN.search(moves, last, token.start())):
            yield foreign.start(), token.end()
        last = token.end()


def _tags(text: str) -> Iterator[tuple[int, str]]:
    """Tags that are left out, or replaced by those of the next game."""
    events = 0
    for number, line in enumerate(text.split("\n")):
        if line and not line.startswith(("[", "%", ";")):
            return
        if line.startswith("["):
            tag = chess.pgn.TAG_REGEX.match(line)
            if tag is None:
                yield number, f'this is no tag: {line!r}; one is [Name "value"]'
            elif tag[1] == "Event" and (events := events + 1) == 2:
                yield number, "a second tag Event: the game before it has neither moves nor result, and is left out"


def _unclosed_comment(text: str, start: int) -> Iterator[tuple[int, str]]:
    """The comment swallows all the rest."""
    yield text.count("\n", 0, start), "a comment is not closed"


def _half_move(moves: str) -> Iterator[tuple[int, str]]:
    """The text ends within a move."""
    half = _HALF.search(moves.rstrip())
    if half:
        yield moves.count("\n", 0, half.start(1)), f"it breaks off in a move: {half[1]!r}"
