"""The views of a position by name, each drawn as a Picture."""

import importlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

from ox88.apps.show.picture import Picture
from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import parse_square

MOST_PLIES: Final = 5


class View(NamedTuple):
    """A line of help; the function that draws it, imported when it is called since it loads kernels; what it takes."""

    help: str
    function: str
    arguments: tuple[str, ...] = ()


VIEWS: Final = {
    "board": View("the pieces", "board_views.show_board"),
    "0x88": View("the 0x88 board with its unused half, and the piece list", "board_views.show_0x88"),
    "rays": View(
        "the rays of the piece on --square on the empty 0x88 board, to where they leave it",
        "board_views.show_rays",
        ("square",),
    ),
    "difference": View("the difference table, as seen from --square", "board_views.show_difference", ("square",)),
    "attacks": View(
        "rays and attacks of the piece on --square; by default of the king of the side to move",
        "board_views.show_attacks",
        ("square",),
    ),
    "bitboard": View("the bitboards of the position, or --bits", "board_views.show_bitboard", ("bits",)),
    "rotated": View("the rotated boards, with the lines through --square", "board_views.show_rotated", ("square",)),
    "micromax": View("micro-Max's board", "micromax_views.show_micromax"),
    "steps": View("micro-Max's lists of steps", "micromax_views.show_steps"),
    "tries": View(
        "the squares that the piece on --square tries in micro-Max, off the board too",
        "micromax_views.show_tries",
        ("square",),
    ),
    "scan": View("micro-Max's scan of the board, from --square on", "micromax_views.show_scan", ("square",)),
    "writes": View(
        "what making each move of the piece on --square writes to micro-Max's board",
        "micromax_views.show_writes",
        ("square",),
    ),
    "iterations": View("micro-Max's iterations to --depth", "micromax_views.show_iterations", ("depth",)),
    "order": View(
        "the order in which micro-Max's iteration to --depth tries the moves", "micromax_views.show_order", ("depth",)
    ),
    "scores": View(
        "micro-Max's score of each move of the piece on --square", "micromax_views.show_scores", ("square", "depth")
    ),
    "table": View(
        "micro-Max's hash entries after each move of the piece on --square",
        "micromax_views.show_table",
        ("square", "depth"),
    ),
    "network": View("what each piece is worth to the network", "network_views.show_network", ("network",)),
    "weights": View(
        "the weights of a --neuron of the network, by piece and square",
        "network_views.show_weights",
        ("network", "neuron"),
    ),
}


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
        square: such as e4. Default: e4, or where a piece is needed the king of the side to move.
        bits: an expression of bitboards.
        depth: plies of micro-Max's search, 1 to MOST_PLIES.
        network: the file of a network. Default: the one that comes with Ox88.
        neuron: its number. Default: 0.

    Raises:
        Ox88Error: the view is unknown, or does not take an argument that is given, or an argument is malformed.

    """
    options = {"square": square, "bits": bits, "depth": depth, "network": network, "neuron": neuron}
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    view = view or ("bitboard" if "bits" in given else "board")
    if view not in VIEWS:
        raise Ox88Error(f"{view!r} is not a view: expected one of {', '.join(VIEWS)}")
    for name in given:
        if name not in VIEWS[view].arguments:
            takers = ", ".join(other for other, one in VIEWS.items() if name in one.arguments)
            raise Ox88Error(f"the view {view} takes no {name}; expected with it: {takers}")
    if depth is not None and not 1 <= depth <= MOST_PLIES:
        raise Ox88Error(f"a depth of {depth} plies: expected 1 to {MOST_PLIES}")
    if square is not None:
        given["square"] = parse_square(square)
    module, name = VIEWS[view].function.split(".")
    function = getattr(importlib.import_module(f"ox88.apps.show.{module}"), name)
    return cast(Callable[..., Picture], function)(setup, **given)
