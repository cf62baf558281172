r"""Quotation marks in the values of tags: PGN writes \" for one, and \\ for a backslash.

(Steven Edwards, PGN specification, 1994, section 7.) Files are full of marks and backslashes that are not written so.
Each of them stands for itself.
"""

import re
from typing import Final

_MARK: Final = re.compile(r'["\\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')


def unescaped(value: str) -> str:
    """A tag's value, as it stands between the quotes of a PGN, as the text that it means."""
    return _ESCAPED.sub(r"\1", value)


def format_tag(name: str, text: str) -> str:
    """A tag as a line of PGN, without a newline."""
    escaped = _MARK.sub(r"\\\g<0>", text)
    return f'[{name} "{escaped}"]'
