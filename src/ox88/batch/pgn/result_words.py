"""The results of games as words. No compiler is needed for them, so that a server starts without it."""

import re
from typing import Final

RESULT_WORDS: Final = ("*", "1-0", "0-1", "1/2-1/2")  # As PGN writes them.
DASH: Final = r"[-\x96\x97\u2010-\u2015\u2212]"
RESULT: Final = rf"1{DASH}0|0{DASH}1|(?:1/2|½|0\.5){DASH}(?:1/2|½|0\.5)"


def usual_result(result: str) -> str:
    """A result as PGN writes it; other text as it is."""
    return re.sub(DASH, "-", re.sub(r"½|0\.5", "1/2", result)) if re.fullmatch(RESULT, result) else result
