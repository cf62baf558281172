"""Inputs that are nearly right: good ones, changed in some places."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import AnyStr, Final

import chess
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ox88.convert import to_chess_board
from ox88.setup import parse_fen
from tests.conftest import DATA
from tests.positions import FENS, random_board

# An input may take 20 seconds, also on a busy machine; most take some milliseconds.
fuzzing: Final = settings(max_examples=100, deadline=20_000, suppress_health_check=list(HealthCheck))

# What parsers stumble over, as pieces of any input.
TEXTS: Final = (
    "", " ", "\t", "\n", "\r\n", "\r", "\0", "\ufeff", "\u2028", "é", "\N{ARABIC-INDIC DIGIT THREE}", "²", "\ud800",
    "\N{WHITE CHESS KING}", "\x1b[2J", "\x7f", "-", "-1", "0", "1e999", "nan", "9" * 30, "9" * 5000, "x" * 5000,
    "%s%n", "../", "\\", '"', "'", "{", "}", "[", "]", "(", ")", ";", ",", "=", "(" * 3000, "[" * 3000, " " * 3000,
)  # fmt: skip
BYTES: Final = (
    *(text.encode("utf-8", "surrogatepass") for text in TEXTS),
    b"\xff", b"\x80", b"\xc3", b"\xff\xfe", b"\xfe\xff", b"\0" * 64, b"\xff" * 8, b"\xff" * 64, b"\x7f\xff\xff\xff",
    b"\x80\0\0\0", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh9", b"\x28\xb5\x2f\xfd",
)  # fmt: skip
SPANS: Final = (0, 1, 2, 3, 5, 8, 20, 100, 1000)


@st.composite
def changed(draw: st.DrawFn, seeds: Sequence[AnyStr], pieces: Sequence[AnyStr], longest: int = 20_000) -> AnyStr:
    """One of the seeds, in which some places are left out, doubled, turned round or exchanged for something else.

    pieces: what may come there, beside noise and what stands in other seeds.
    """
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 5))):
        begin = draw(st.integers(0, len(text)))
        end = begin + draw(st.sampled_from(SPANS))
        span, other = text[begin:end], draw(st.sampled_from(seeds))
        place = draw(st.integers(0, len(other)))
        elsewhere = other[place : place + draw(st.sampled_from(SPANS))]
        noise = draw(st.text(max_size=5) if isinstance(text, str) else st.binary(max_size=5))
        new = [text[:0], span * 2, span[::-1], span + draw(st.sampled_from(pieces)), elsewhere, noise]
        text = (text[:begin] + draw(st.sampled_from(new)) + text[end:])[:longest]
    return text


def lines_of(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


@cache
def counted() -> list[str]:
    """EPDs of many kinds, Chess960 among them."""
    return [line for path in sorted((DATA / "perft").glob("*.epd")) for line in lines_of(path)]


@cache
def boards() -> list[chess.Board]:
    """Legal positions, Chess960 among them."""
    fens = (*FENS, *(line.split(";")[0] for line in counted()))
    played = (random_board(seed, 10 + seed, 7 * seed if seed % 2 else None) for seed in range(60))
    return [*(to_chess_board(parse_fen(fen)) for fen in fens), *played]
