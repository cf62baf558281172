"""Whose view numbers are told from: White's, or that of the side to move."""

from typing import Final, Literal

from ox88.types import Ox88Error

View = Literal["white", "mover"]
VIEWS: Final = ("white", "mover")


def is_movers(view: str) -> bool:
    """Whether a view is the mover's. Raises Ox88Error for a word that names none."""
    if view not in VIEWS:
        raise Ox88Error(f"view {view!r}: it is 'white', or 'mover' for the side to move")
    return view == "mover"
