"""How pictures look: the colours of cells, the marks that stand for them in plain text, and the outlines of pieces."""

from dataclasses import dataclass
from typing import Final

GROUND: Final = "#fbf9f5"
INK: Final = "#2b2f36"
MUTED: Final = "#6f737b"
LINE: Final = "#d8d2c6"
WHITE_PIECE: Final = "#ffffff"
BLACK_PIECE: Final = "#22262c"


@dataclass(frozen=True, slots=True)
class Shade:
    """Colours of a cell's background and text.

    marks: what encloses the text where there are no colours.
    deep: a darker background for terminals, whose white figures have no outline; empty if `fill` serves.
    """

    fill: str
    ink: str = INK
    marks: tuple[str, str] = (" ", " ")
    deep: str = ""


SHADES: Final = {
    "none": Shade(GROUND),
    "light": Shade("#f1e7d3", deep="#c8a36d"),
    "dark": Shade("#d6c09a", deep="#9a7047"),
    "plain": Shade("#f3f0ea"),
    "off": Shade("#e3e5ea", MUTED),
    "ended": Shade("#f3dfc1", MUTED),
    "special": Shade("#b5d3ae", marks=("{", "}"), deep="#6f9e66"),
    "chosen": Shade("#eebb55", marks=("[", "]"), deep="#cc9423"),
    "straight": Shade("#c3d6e8"),
    "diagonal": Shade("#dccbe6"),
    "beside": Shade("#93b8d9"),
    "slanting": Shade("#bd9fd0"),
    "leap": Shade("#bbdab7"),
    "ray": Shade("#c3d6e8", marks=("*", " ")),
    "attacked": Shade("#aed4a8", marks=("*", " "), deep="#8dbb86"),
    "guarded": Shade("#93b8d9", marks=("+", " "), deep="#5f8fbd"),
    "captured": Shade("#e79f8c", marks=("x", " "), deep="#c9654d"),
    "one": Shade("#3d6787", "#ffffff"),
    "zero": Shade("#efece5", "#a9a499"),
    "full": Shade("#3d6787", "#ffffff", ("*", " ")),
    "line_one": Shade("#c2722b", "#ffffff", ("<", ">")),
    "line_zero": Shade("#f6deb6", "#8d7444", ("(", ")")),
}
# Nine steps from minus, for Black, by zero to plus, for White.
_FILLS: Final = ("#6d7fb3", "#93a2c9", "#b9c4dc", "#d6dce8", "#efece5", "#f3e0c4", "#efcb94", "#e5b163", "#d6933a")
SCALE: Final = tuple(f"step_{number}" for number in range(len(_FILLS)))
SHADES.update({name: Shade(fill) for name, fill in zip(SCALE, _FILLS, strict=True)})

# The pieces as SVG paths in a box of 100 x 100. Each stands on BASE.
BASE: Final = "M24 90 v-6 q0 -6 6 -6 h40 q6 0 6 6 v6 z"

_PAWN: Final = (
    "M50 20 a14 14 0 0 1 8.5 25.1 h6.5 v7 h-8 c1 13 5 18 11 24 h-36 "
    "c6 -6 10 -11 11 -24 h-8 v-7 h6.5 a14 14 0 0 1 8.5 -25.1 z"
)
_ROOK: Final = "M27 18 h11 v9 h7 v-9 h10 v9 h7 v-9 h11 v19 l-9 7 v22 l6 10 h-40 l6 -10 v-22 l-9 -7 z"
_BISHOP: Final = (
    "M50 21 c11 8 19 18 19 30 c0 7 -4 12 -8 16 h-2 c1 4 4 7 8 9 h-34 c4 -2 7 -5 8 -9 h-2 c-4 -4 -8 -9 -8 -16 "
    "c0 -12 8 -22 19 -30 z M50 10 a5.5 5.5 0 0 1 0 11 a5.5 5.5 0 0 1 0 -11 z"
)
_QUEEN: Final = (
    "M30 76 l-12 -42 l15 18 l4 -28 l13 26 l13 -26 l4 28 l15 -18 l-12 42 z "
    "M18 24 a5 5 0 0 1 0 10 a5 5 0 0 1 0 -10 z M37 14 a5 5 0 0 1 0 10 a5 5 0 0 1 0 -10 z "
    "M63 14 a5 5 0 0 1 0 10 a5 5 0 0 1 0 -10 z M82 24 a5 5 0 0 1 0 10 a5 5 0 0 1 0 -10 z"
)
_KING: Final = (
    "M46.5 10 h7 v7 h7 v7 h-7 v11 h-7 v-11 h-7 v-7 h7 z "
    "M50 44 c3 -9 11 -13 19 -11 c11 3 14 14 9 24 c-4 7 -7 12 -8 19 h-40 c-1 -7 -4 -12 -8 -19 c-5 -10 -2 -21 9 -24 "
    "c8 -2 16 2 19 11 z"
)
_KNIGHT: Final = (
    "M34 76 c1 -16 14 -20 15 -32 c-5 5 -10 6 -15 8 c-3 2 -4 7 -8 7 c-4 0 -7 -4 -7 -8 c0 -4 8 -14 10 -20 "
    "c1 -4 2 -7 5 -10 "
    "l-1 -8 l9 5 c4 -3 8 -4 12 -4 c15 1 25 16 25 36 c0 12 -2 19 -4 26 z"
)

OUTLINES: Final = {"p": _PAWN, "n": _KNIGHT, "b": _BISHOP, "r": _ROOK, "q": _QUEEN, "k": _KING}
DETAILS: Final = {  # Lines within an outline.
    "n": "M37 34 l4 -1",
    "b": "M50 36 v16 M42 44 h16",
    "r": "M36 44 h28 M36 66 h28",
    "q": "M31 68 h38",
    "k": "M31 68 h38 M50 44 v14",
    "p": "",
}
FIGURES: Final = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))  # For terminals: the colour tells the side.
