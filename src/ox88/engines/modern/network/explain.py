"""What the network thinks of a position and of each piece, for people."""

from typing import Any

import numpy as np

from ox88.bitboard.records import make_record
from ox88.engines.modern.network.accumulator import refresh
from ox88.engines.modern.network.file import Network
from ox88.engines.modern.network.output import value_of
from ox88.engines.modern.network.records import ACCUMULATOR, NETWORK
from ox88.types import BLACK, EMPTY, KING


class Explainer:
    """Asks a network about positions. Raises NetworkError as `Network.fill` does."""

    def __init__(self, network: Network) -> None:
        self._network = make_record(NETWORK)
        self._accumulator = make_record(ACCUMULATOR)
        network.fill(self._network)

    def value(self, position: Any) -> int:
        """The output for a POSITION, in centipawns for White. The fifty-move clock plays no part."""
        for side in range(2):
            refresh(self._network, self._accumulator, position, np.int64(side))
        value = int(value_of(self._network, self._accumulator, position))
        return -value if position.turn == BLACK else value

    def pieces(self, position: Any) -> dict[int, int]:
        """By square of each piece but the kings: how much the value falls if the piece is taken from the board."""
        value = self.value(position)
        squares = [square for square in range(64) if position.board[square] & 7 not in (EMPTY, KING)]
        return {square: value - self.value(_without(position, square)) for square in squares}


def _without(position: Any, square: int) -> Any:
    """A position without one of its pieces. The key and the castling rights stay as they were."""
    rest = position.copy()
    others = ~(np.uint64(1) << np.uint64(square))
    rest.kinds &= others
    rest.colours &= others
    rest.board[square] = EMPTY
    return rest
