"""Lines that no GUI sends, for sessions of both protocols."""

import re
from collections.abc import Sequence

from hypothesis import strategies as st

from tests.positions import mutated_fens

NOISE = (*" \t\0-09", "9" * 30, "é", "\N{ARABIC-INDIC DIGIT THREE}", "\u2028", "x" * 5000)


@st.composite
def _mutated_lines(draw: st.DrawFn, seeds: Sequence[str], words: Sequence[str], before_fen: str) -> str:
    good = st.sampled_from(seeds)
    text = draw(st.one_of(*[good] * 4, mutated_fens().map(before_fen.__add__), st.text()))
    for _ in range(draw(st.sampled_from((0, 0, 1, 2)))):
        place, length = draw(st.integers(0, len(text))), draw(st.integers(0, 4))
        inserted = draw(st.one_of(st.sampled_from((*NOISE, *words)), good, st.just("")))
        text = text[:place] + inserted + text[place + length :]
    return " ".join("quid" if word == "quit" else word for word in text.split())


def mutated_lines(seeds: Sequence[str], words: Sequence[str], before_fen: str) -> st.SearchStrategy[str]:
    """Commands with pieces replaced, left out or put in, joined, or plain noise; on one line. None of them is quit.

    seeds: good commands. words: pieces of commands to put in. before_fen: the command that a FEN follows.
    """
    return _mutated_lines(seeds, words, before_fen)


def shortened(line: str, before: str) -> str:
    """Tables and threads of moderate number: what they cost is not what is tried. before: a pattern of the number."""
    return re.sub(rf"(?i)({before})\d+", r"\g<1>2", line)
