"""How pictures look: the colours of cells, the marks that stand for them in plain text, and figures of pieces."""

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

FIGURES: Final = dict(zip("KQRBNPkqrbnp", "♚♛♜♝♞♟♚♛♜♝♞♟", strict=True))  # For terminals: the colour tells the side.
