"""The views of a position by name, each drawn as a Picture."""

from typing import Final

from ox88.apps.show.bitboard_views import show_attacks, show_bitboard, show_board, show_rotated
from ox88.apps.show.mailbox_views import show_0x88, show_difference
from ox88.apps.show.micromax_views import show_micromax, show_steps
from ox88.apps.show.picture import Picture
from ox88.types import Ox88Error, Setup, parse_square

_SIMPLE_VIEWS: Final = {"board": show_board, "0x88": show_0x88, "micromax": show_micromax, "steps": show_steps}
_SQUARE_VIEWS: Final = {"attacks": show_attacks, "difference": show_difference, "rotated": show_rotated}
SQUARE_VIEWS: Final = tuple(_SQUARE_VIEWS)
VIEWS: Final = (*_SIMPLE_VIEWS, *_SQUARE_VIEWS, "bitboard")


def draw(setup: Setup, view: str | None = None, square: str | None = None, bits: str | None = None) -> Picture:
    """Draw a view of a position.

    Args:
        setup: the position.
        view: one of VIEWS; by default bitboard if `bits` are given, else board.
        square: such as e4; only for SQUARE_VIEWS. Default: e4, or for attacks the king of the side to move.
        bits: an expression of bitboards; only for the view bitboard.

    Raises:
        Ox88Error: the view is unknown, or does not take the square or the bits, or they are malformed.

    """
    view = view or ("bitboard" if bits is not None else "board")
    if view not in VIEWS:
        raise Ox88Error(f"{view!r} is not a view: expected one of {', '.join(VIEWS)}")
    if bits is not None and view != "bitboard":
        raise Ox88Error(f"bits are for the view bitboard, not for {view}")
    if square is not None and view not in SQUARE_VIEWS:
        raise Ox88Error(f"a square is for the views {', '.join(SQUARE_VIEWS)}, not for {view}")
    if view == "bitboard":
        return show_bitboard(setup, bits)
    if view in SQUARE_VIEWS:
        return _SQUARE_VIEWS[view](setup, None if square is None else parse_square(square))
    return _SIMPLE_VIEWS[view](setup)
