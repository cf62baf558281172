"""UCI's `position`: a start and the moves from it, read."""

from typing import Final

from ox88.fen import STARTPOS, parse_fen
from ox88.protocols.game import Game
from ox88.types import Ox88Error

_EXPECTED: Final = "position: expected is startpos or fen FEN, and perhaps moves MOVE..."


def parse_position(text: str) -> Game:
    """Read what follows `position`. Raises Ox88Error; whether the moves are legal is not asked."""
    words = text.split()
    split = words.index("moves") if "moves" in words else len(words)
    before, moves = words[:split], words[split + 1 :]
    if before == ["startpos"]:
        start = parse_fen(STARTPOS)
    elif len(before) > 1 and before[0] == "fen":
        start = parse_fen(" ".join(before[1:]))
    else:
        raise Ox88Error(_EXPECTED)
    return Game(start, tuple(move.lower() for move in moves))
