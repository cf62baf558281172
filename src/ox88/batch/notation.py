"""Single moves in SAN."""

from ox88.batch.playing import IllegalMoveError
from ox88.batch.positions import Positions
from ox88.types import Ox88Error, Setup


def san(move: int, setup: Setup) -> str:
    """A legal move as it is written in a position: `Nf3`, `exd8=Q#`, `O-O`. Raises Ox88Error."""
    try:
        return Positions([setup]).san([move])[0]
    except IllegalMoveError as error:
        raise Ox88Error(error.reason) from None
