"""The network: what each piece of a position is worth to it, and the weights of a neuron."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.apps.show.picture import SCALE, Cell, Grid, Picture, board_grid, piece_letter, square_shade
from ox88.batch.learning.engine import NetworkSource, find_network
from ox88.bitboard.position import make_position
from ox88.engines.modern.evaluation_text import piece_worths
from ox88.engines.modern.network.records import ACTIVATION_UNIT
from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import KIND_NAMES, KING, PAWN

_STEPS: Final = (25, 100, 250, 500)  # Centipawns from which on a piece has the next shade.
_SMALL: Final = 30  # The size of cells.


def show_network(setup: Setup, network: NetworkSource = "ox88") -> Picture:
    """Draw what each piece is worth: the network's value with it, less the value without it."""
    found = find_network(network)
    value, worths = piece_worths(found, make_position(setup))

    def cell(square: int) -> Cell:
        letter = piece_letter(setup, square)
        if square not in worths:
            return Cell(shade=square_shade(square), piece=letter)
        worth = worths[square]
        level = sum(abs(worth) >= step for step in _STEPS)
        return Cell(shade=_shade(worth, level), foot=f"{worth:+d}", piece=letter)

    return Picture(
        "What each piece is worth",
        f"The network {found.name} says {value:+d} centipawns for White. The number of a piece "
        "is how much of that is lost if the piece alone is taken off the board. Plus speaks for White, minus for "
        "Black. A piece worth less than others of its kind is badly placed, or not needed. The kings must stay.",
        ((board_grid(cell),),),
        ((_shade(1, len(_STEPS)), "speaks for White"), (_shade(-1, len(_STEPS)), "speaks for Black")),
    )


def show_weights(_: Setup, network: NetworkSource = "ox88", neuron: int = 0) -> Picture:
    """Draw the weights of one neuron: for each kind of piece of either side, the weights of the 64 squares."""
    found = find_network(network)
    if not 0 <= neuron < found.hidden:
        raise Ox88Error(f"neuron {neuron}: 0 to {found.hidden - 1} are expected, for the network {found.name}")
    weights = found.input_weights[:, neuron].reshape(2, 6, 64)
    most = max(int(np.abs(weights.astype(np.int32)).max()), 1)
    grids = [
        _weights_grid(f"{('own', 'their')[side]} {KIND_NAMES[kind]}", weights[side, kind - 1], most, side, kind)
        for side in range(2)
        for kind in range(PAWN, KING + 1)
    ]
    own, other = (", ".join(map(str, side)) for side in found.output_weights[:, :, neuron].T.tolist())
    return Picture(
        f"Neuron {neuron} of the network {found.name}",
        f"A piece adds the weight of its square to the neuron, which starts at {int(found.input_bias[neuron])} and "
        f"is fully on at {ACTIVATION_UNIT}. The board is as the neuron's own side sees it. From few pieces on the "
        f"board to many, the neuron has the output weights {own} for the side to move, and {other} for the other side. "
        "Pawns are never on the outer ranks, and the own king is always on the files a to d.",
        tuple(tuple(grids[first : first + 3]) for first in range(0, len(grids), 3)),
        ((_shade(1, len(_STEPS)), "switches it on"), (_shade(-1, len(_STEPS)), "switches it off")),
    )


def _weights_grid(title: str, weights: NDArray[np.int16], most: int, side: int, kind: int) -> Grid:
    def cell(square: int) -> Cell:
        if (kind == PAWN and square >> 3 in (0, 7)) or (kind == KING and side == 0 and square & 7 > 3):
            return Cell(shade="off")
        weight = int(weights[square])
        return Cell(str(weight), _shade(weight, round(len(_STEPS) * abs(weight) / most)))

    return board_grid(cell, _SMALL, title)


def _shade(number: int, level: int) -> str:
    return SCALE[len(_STEPS) + (level if number > 0 else -level)]
