"""What the campaign fuzz makes inputs with: good ones are changed at random.

Each maker takes all its chance from one Random, the dice, so that the number of a case remakes its input.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, AnyStr, Final, NamedTuple

import chess

from ox88.convert import to_chess_board
from ox88.setup import parse_fen
from tests.batch.test_fens import ODD
from tests.positions import EN_PASSANT_FENS, FENS, random_board
from tools.proof.campaign import FailureError, Tally

ROOT: Final = Path(__file__).parents[3]
LONGEST: Final = 20_000  # Characters or bytes of an input.

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

_CHANGES: Final = (0, 1, 1, 1, 2, 2, 3, 4, 6)
_SPANS: Final = (0, 1, 1, 1, 2, 3, 5, 8, 20, 100, 1000)


class Kind(NamedTuple):
    """A kind of input.

    make: returns an input. check: raises FailureError, or any exception, where something is wrong. share: of a thousand
    cases, how many are of this kind.
    """

    name: str
    make: Callable[[Random], Any]
    check: Callable[[Any, Tally], None]
    share: int


def same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise FailureError(f"{what}: {found!r}, expected {expected!r}")


def changed(dice: Random, seeds: Sequence[AnyStr], pieces: Sequence[AnyStr], longest: int = LONGEST) -> AnyStr:
    """One of the seeds, with some changes. pieces: what may be put in."""
    text = dice.choice(seeds)
    for _ in range(dice.choice(_CHANGES)):
        text = _changed_once(dice, text, seeds, pieces)[:longest]
    return text


def _changed_once(dice: Random, text: AnyStr, seeds: Sequence[AnyStr], pieces: Sequence[AnyStr]) -> AnyStr:
    begin = dice.randint(0, len(text))
    end = begin + dice.choice(_SPANS)
    before, span, after = text[:begin], text[begin:end], text[end:]
    match dice.randrange(8):
        case 0:  # Leave out.
            return before + after
        case 1:  # Replace.
            return before + dice.choice(pieces) + after
        case 2:  # Put in.
            return before + dice.choice(pieces) + span + after
        case 3:  # Double.
            return before + span * dice.choice((2, 2, 3, 50)) + after
        case 4:  # Turn round.
            return before + span[::-1] + after
        case 5:  # Go on as another one does.
            other = dice.choice(seeds)
            return before + other[dice.randint(0, len(other)) :]
        case 6:  # Put in what stands elsewhere.
            other = dice.choice(seeds)
            place = dice.randint(0, len(other))
            return before + other[place : place + dice.choice(_SPANS)] + after
        case _:
            return before + _noise(dice, span) + after


def _noise(dice: Random, span: AnyStr) -> AnyStr:
    """Other characters, or the bytes with a bit changed in each."""
    if isinstance(span, bytes):
        return bytes(byte ^ 1 << dice.randrange(8) for byte in span)
    letters = (chr(dice.choice((dice.randrange(128), dice.randrange(0x3000), dice.randrange(0x110000)))) for _ in span)
    return "".join(letters)


# --- Positions --------------------------------------------------------------------------------------------------------

_FEN_LETTERS: Final = "kKqQrRpPnNbB12345678/ -wbaehAH0"
_FEN_PIECES: Final[tuple[str, ...]] = (*_FEN_LETTERS, " bm e4;", ' id "x";', " 0 1", " - - ", *TEXTS)


@cache
def epds() -> tuple[str, ...]:
    """FENs and EPDs of many kinds, Chess960 among them."""
    counted = [line for path in sorted((ROOT / "tests/data/perft").glob("*.epd")) for line in _lines_of(path)]
    solved = (f'{fen.rsplit(" ", 2)[0]} bm e4; am Nf3; id "x.{number}";' for number, fen in enumerate(FENS))
    pointed = (f'{FENS[0].rsplit(" ", 2)[0]} {operations}' for operations in (
        'bm e4; id "STS.1"; c8 "10 5"; c9 "e2e4 d2d4";', 'bm Nf3; c0 "Nf3=10, d4=7, c4=4";', 'am a3; c8 "1"; c7 "a3";',
    ))  # fmt: skip
    return (*FENS, *EN_PASSANT_FENS, *ODD, *counted, *solved, *pointed)


def _lines_of(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


@cache
def boards() -> tuple[chess.Board, ...]:
    """Legal positions, Chess960 among them."""
    counted = [line for path in sorted((ROOT / "tests/data/perft").glob("*.epd")) for line in _lines_of(path)]
    fens = (*FENS, *(line.split(";")[0] for line in counted))
    played = (random_board(seed, 10 + seed, 7 * seed if seed % 2 else None) for seed in range(60))
    return (*(to_chess_board(parse_fen(fen)) for fen in fens), *played)


def epd(dice: Random) -> str:
    return changed(dice, epds(), _FEN_PIECES)


# --- JSON -------------------------------------------------------------------------------------------------------------


def json_value(dice: Random, depth: int = 3) -> Any:
    """Anything that JSON can say, and some numbers that it cannot."""
    match dice.randrange(8 if depth else 6):
        case 0:
            return dice.choice((None, True, False))
        case 1:
            return dice.choice((0, 1, -1, 2, 255, 1 << 31, 1 << 63, -(1 << 64), 10**30, dice.randrange(1000)))
        case 2:
            return dice.choice((0.0, -0.5, 1e308, float("inf"), float("-inf"), float("nan"), 1e-320))
        case 3 | 4 | 5:
            return dice.choice((*TEXTS, "startpos", "e2e4", "Ox88", FENS[1]))
        case 6:
            return [json_value(dice, depth - 1) for _ in range(dice.randrange(4))]
        case _:
            return {dice.choice(TEXTS): json_value(dice, depth - 1) for _ in range(dice.randrange(4))}
