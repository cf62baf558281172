"""The slow, obvious twin of `ox88.batch.pgn.splitting`: any layout of games, written as python-chess reads it."""

import re
from dataclasses import dataclass, field

SPACE = bytes([32, *range(9, 14), *range(28, 32)])
_S = b"[\t-\r\x1c-\x1f ]*"
_IN_LINE = b"[\t\v\f\x1c-\x1f ]*"
_NAME = b"([A-Za-z0-9][A-Za-z0-9_+#=:-]*)"
_OPENING = b'\\[%b%b%b"' % (_S, _NAME, _S)
_END = b'"%b\\]' % _S
# A quote with a backslash ends it only if no other one does.
_VALUE = b"(?:[^\n\\\\]|\\\\[^\n])*?(?=%b)|[^\n]*?" % _END
_TAG = b'\\[%b%b%b"(%b)%b+' % (_S, _NAME, _S, _VALUE, _END)
_CUT = b"\n%b\n%b(?=%b)" % (_IN_LINE, _IN_LINE, _OPENING)  # A line that begins like a tag, after a blank line.
_COMMENT = b"\\{(?:(?!%b)[^}])*(?:(?P<closed>})|%b)?" % (_CUT, _CUT)
_BLANK = b"%b(\n|\\Z)" % _IN_LINE
_BEGINS_GAME = b"1(\\.(?!\\.)|%b)|\\{" % _S.replace(b"*", b"")
_RESULTS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
_MARKS = b"(?:\xef\xbb\xbf)+"
_SYMBOLS = re.compile(b"\xe2\x99([\x94-\x9f])(\xef\xb8[\x8e\x8f])?")  # Of chess, in UTF-8.
_DASHES = re.compile(b"(O|0)\xe2\x80[\x90-\x95]")


def _letter(symbol: re.Match[bytes]) -> bytes:
    return b"KQRBNP"[(symbol[1][0] - 0x94) % 6 :][:1]


@dataclass
class _Game:
    start: int = -1  # Where it begins; -1 before that.
    tags: list[tuple[bytes, bytes]] = field(default_factory=list)
    first_name: bytes | None = None
    movetext: bytes = b""  # With the comments before it.
    has_moves: bool = False
    is_open: bool = False  # It ends within a comment.
    blanks: int = 0  # Blank lines since its last tag, or its last movetext.

    def ends_at_a_tag(self, name: bytes) -> bool:
        if self.has_moves or self.is_open:
            return True
        return self.first_name is not None and (self.blanks > 1 or (self.blanks > 0 and name == self.first_name))

    def ends_at_a_line(self, before: bytes, line: bytes) -> bool:
        """before: the text of the game. line: the text from the line on."""
        has_result = before.rstrip(SPACE).endswith(_RESULTS)
        if _at(_BLANK, line):
            return self.blanks > 0 or has_result
        begins_game = _at(_BEGINS_GAME, line.lstrip(SPACE))
        if begins_game is None or (begins_game[0] == b"{" and (has_result or self.first_name is not None)):
            return False
        return self.blanks > 0 or has_result

    def text(self) -> bytes:
        tags = b"".join(b'[%b "%b"]\n' % tag for tag in self.tags)
        movetext = self.movetext + b"}" * self.is_open or b"{}"
        return b"%b\n%b\n\n" % (tags, movetext)


def _at(pattern: bytes, text: bytes, at: int = 0) -> re.Match[bytes] | None:
    return re.compile(pattern).match(text, at)


def _end(pattern: bytes, text: bytes, at: int) -> int:
    found = _at(pattern, text, at)
    return found.end() if found else at


def as_python_chess_reads_it(text: bytes) -> bytes:
    """Each tag in a line of its own, no comments among the tags, no blank lines but those around the movetext."""
    text = re.sub(b"\r\n?", b"\n", text)
    games, game, at = list[_Game](), _Game(), 0
    while at < len(text):
        begins_line = at == 0 or text[at - 1 : at] == b"\n"
        marked = _end(_MARKS, text, at)
        if begins_line and (game.start < 0 or text[_end(_IN_LINE, text, marked) :][:1] == b"["):
            at = marked
        is_escaped = begins_line and text[at : at + 1] == b"%"
        first = _end(_IN_LINE, text, at)
        byte, opening = text[first : first + 1], _at(_OPENING, text, first)
        is_blank = begins_line and byte in (b"\n", b"")
        if (opening and game.ends_at_a_tag(opening[1])) or (
            begins_line and game.has_moves and not opening and game.ends_at_a_line(text[game.start : at], text[at:])
        ):
            games.append(game)
            game = _Game()
        if byte in (b"\n", b""):
            game.blanks += is_blank
            game.movetext += b"" if game.movetext[-1:] in b"\n" else b"\n"
            at = first + 1
            continue
        if byte == b";" or is_escaped:
            at = _end(b"[^\n]*", text, first)
            continue
        if game.start < 0:
            game.start, game.blanks = at, 0
        if byte == b"{":
            found = _at(_COMMENT, text, first)
            assert found
            game.is_open = not found["closed"]
            game.movetext += found[0]
            game.blanks = 0 if game.has_moves else game.blanks
        elif byte == b"[" and not game.has_moves:
            game.blanks = 0
            tag = _at(_TAG, text, first)
            game.tags += [(tag[1], tag[2])] if tag else []
            found = tag or _at(b"[^\n]*", text, first)
            if game.first_name is None:
                game.first_name = opening[1] if opening else b""
        else:
            game.has_moves, game.blanks = True, 0
            found = _at(b"[^\n{;][^\n{;[]*", text, first)
            game.movetext += b" " + _DASHES.sub(rb"\1-", _SYMBOLS.sub(_letter, found[0])) if found else b""
        assert found
        at = found.end()
    return b"".join(one.text() for one in games + [game] * (game.start >= 0))
