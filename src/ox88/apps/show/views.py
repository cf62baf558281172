"""All views by name, and which of them want a square or bits."""

from typing import Final

from ox88.apps.show.bitboard_views import show_attacks, show_bitboard, show_board, show_rotated
from ox88.apps.show.mailbox_views import show_0x88, show_difference
from ox88.apps.show.micromax_views import show_micromax, show_steps
from ox88.apps.show.picture import Picture
from ox88.types import Ox88Error, Setup, parse_square

VIEWS: Final = (
    "board",
    "0x88",
    "difference",
    "attacks",
    "bitboard",
    "rotated",
    "micromax",
    "steps",
)
SQUARE_VIEWS: Final = ("attacks", "difference", "rotated")
_DEFAULT_SQUARE: Final = "e4"


def draw(setup: Setup, view: str | None = None, square: str | None = None, bits: str | None = None) -> Picture:
    """The picture of a view of VIEWS: by default the board, or the bitboard where bits are given. Raises Ox88Error."""
    chosen = view or ("bitboard" if bits is not None else "board")
    if chosen not in VIEWS:
        raise Ox88Error(f"{chosen!r} is no view: {', '.join(VIEWS)} are")
    if bits is not None and chosen != "bitboard":
        raise Ox88Error(f"bits are for the view bitboard, not for {chosen}")
    if square is not None and chosen not in SQUARE_VIEWS:
        raise Ox88Error(f"a square is for the views {', '.join(SQUARE_VIEWS)}, not for {chosen}")
    return _draw(setup, chosen, None if square is None else parse_square(square), bits)


def _draw(setup: Setup, view: str, square: int | None, bits: str | None) -> Picture:
    default = parse_square(_DEFAULT_SQUARE) if square is None else square
    match view:
        case "attacks":
            return show_attacks(setup, square)
        case "difference":
            return show_difference(setup, default)
        case "rotated":
            return show_rotated(setup, default)
        case "bitboard":
            return show_bitboard(setup, bits)
    show = {"board": show_board, "0x88": show_0x88, "micromax": show_micromax, "steps": show_steps}[view]
    return show(setup)
