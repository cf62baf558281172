r"""Results, tags and variants as the words of a PGN. They need no compiler, so that a server starts without it.

PGN writes \" for a quotation mark in a tag's value, and \\ for a backslash. (Steven Edwards, PGN specification, 1994,
section 7.) Files are full of marks and backslashes that are not written so. Each of them stands for itself.
"""

import re
from typing import Final

RESULT_WORDS: Final = ("*", "1-0", "0-1", "1/2-1/2")  # As PGN writes them.
DASH: Final = r"[-\x96\x97\u2010-\u2015\u2212]"
RESULT: Final = rf"1{DASH}0|0{DASH}1|(?:1/2|½|0\.5){DASH}(?:1/2|½|0\.5)"

# Values of the tag Variant for games that follow the rules of Chess960, in lower case; and of any chess.
CHESS960: Final = (
    "chess960", "chess 960", "chess-960", "fischerandom", "fischerandom chess", "fischerrandom", "fischerrandom chess",
    "fischer random", "fischer random chess", "fischer-random", "frc", "double fischer random", "dfrc", "freestyle",
    "freestyle chess", "chess9lx", "chess 9lx",
)  # fmt: skip
CHESS: Final = (
    "", "chess", "standard", "standard chess", "classical", "normal", "illegal", "from position", "fromposition",
    *CHESS960, *(f"wild/{number}" for number in (*range(9), "8a")),
)  # fmt: skip

TAG_NAME: Final = re.compile(r"[A-Za-z0-9][\w+#=:-]*", re.ASCII)  # As python-chess takes it.

_MARK: Final = re.compile(r'["\\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')


def usual_result(result: str) -> str:
    """A result as PGN writes it; other text as it is."""
    return re.sub(DASH, "-", re.sub(r"½|0\.5", "1/2", result)) if re.fullmatch(RESULT, result) else result


def unescaped(value: str) -> str:
    """A tag's value, as it stands between the quotes of a PGN, as the text that it means."""
    return _ESCAPED.sub(r"\1", value)


def format_tag(name: str, text: str) -> str:
    """A tag as a line of PGN, without a newline."""
    escaped = _MARK.sub(r"\\\g<0>", text)
    return f'[{name} "{escaped}"]'
