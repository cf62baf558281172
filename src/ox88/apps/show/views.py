"""The views of a position by name, each drawn as a Picture."""

from typing import Final

from ox88.apps.show.bitboard_views import show_attacks, show_bitboard, show_board, show_rotated
from ox88.apps.show.mailbox_views import show_0x88, show_difference, show_rays
from ox88.apps.show.micromax_views import show_micromax, show_steps
from ox88.apps.show.network_views import show_network, show_weights
from ox88.apps.show.picture import Picture
from ox88.apps.show.search_views import (
    DEPTH,
    show_iterations,
    show_order,
    show_scan,
    show_scores,
    show_table,
    show_tries,
    show_writes,
)
from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import parse_square

_SIMPLE_VIEWS: Final = {"board": show_board, "0x88": show_0x88, "micromax": show_micromax, "steps": show_steps}
_SQUARE_VIEWS: Final = {
    "attacks": show_attacks,
    "difference": show_difference,
    "rays": show_rays,
    "rotated": show_rotated,
    "tries": show_tries,
    "scan": show_scan,
    "writes": show_writes,
}
_DEPTH_VIEWS: Final = {"iterations": show_iterations, "order": show_order}
_MOVE_VIEWS: Final = {"scores": show_scores, "table": show_table}
NETWORK_VIEWS: Final = ("network", "weights")
SQUARE_VIEWS: Final = (*_SQUARE_VIEWS, *_MOVE_VIEWS)
DEPTH_VIEWS: Final = (*_DEPTH_VIEWS, *_MOVE_VIEWS)
MOST_PLIES: Final = 5
VIEWS: Final = (*_SIMPLE_VIEWS, *_SQUARE_VIEWS, *_DEPTH_VIEWS, *_MOVE_VIEWS, *NETWORK_VIEWS, "bitboard")


def draw(
    setup: Setup,
    view: str | None = None,
    square: str | None = None,
    bits: str | None = None,
    depth: int | None = None,
    network: str | None = None,
    neuron: int | None = None,
) -> Picture:
    """Draw a view of a position.

    Args:
        setup: the position.
        view: one of VIEWS; by default bitboard if `bits` are given, else board.
        square: such as e4; only for SQUARE_VIEWS. Default: e4, or where a piece is needed the king of the side to move.
        bits: an expression of bitboards; only for the view bitboard.
        depth: plies of micro-Max's search, 1 to MOST_PLIES; only for DEPTH_VIEWS.
        network: the file of a network; only for NETWORK_VIEWS. Default: the one that comes with Ox88.
        neuron: its number; only for the view weights. Default: 0.

    Raises:
        Ox88Error: the view is unknown, or does not take one of the others, or one of them is malformed.

    """
    view = view or ("bitboard" if bits is not None else "board")
    if view not in VIEWS:
        raise Ox88Error(f"{view!r} is not a view: expected one of {', '.join(VIEWS)}")
    if bits is not None and view != "bitboard":
        raise Ox88Error(f"bits are for the view bitboard, not for {view}")
    if square is not None and view not in SQUARE_VIEWS:
        raise Ox88Error(f"a square is for the views {', '.join(SQUARE_VIEWS)}, not for {view}")
    if depth is not None and view not in DEPTH_VIEWS:
        raise Ox88Error(f"a depth is for the views {', '.join(DEPTH_VIEWS)}, not for {view}")
    if depth is not None and not 1 <= depth <= MOST_PLIES:
        raise Ox88Error(f"a depth of {depth} plies: expected 1 to {MOST_PLIES}")
    if network is not None and view not in NETWORK_VIEWS:
        raise Ox88Error(f"a network is for the views {', '.join(NETWORK_VIEWS)}, not for {view}")
    if neuron is not None and view != "weights":
        raise Ox88Error(f"a neuron is for the view weights, not for {view}")
    if view == "network":
        return show_network(setup, network or "ox88")
    if view == "weights":
        return show_weights(network or "ox88", neuron or 0)
    if view == "bitboard":
        return show_bitboard(setup, bits)
    chosen = None if square is None else parse_square(square)
    if view in _SQUARE_VIEWS:
        return _SQUARE_VIEWS[view](setup, chosen)
    if view in _MOVE_VIEWS:
        return _MOVE_VIEWS[view](setup, chosen, depth or DEPTH)
    if view in _DEPTH_VIEWS:
        return _DEPTH_VIEWS[view](setup, depth or DEPTH)
    return _SIMPLE_VIEWS[view](setup)
