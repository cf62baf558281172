"""An engine that plays by a script."""

from collections.abc import Iterator

from ox88.engines.base import EngineEntry, EngineError, Info, Limit, Score
from ox88.setup import Setup, format_fen, parse_uci
from tests.protocols import fake

# For each FEN the best move of each iteration; other positions are refused.
LINES = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": ["e2e4", "d2d4", "g1f3", "d2d4", "d2d4"],
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1": ["e1g1"],
    "8/8/8/8/8/2k5/8/K6R w - - 0 1": [""],
}


def follow(engine: fake.FakeEngine, _limit: Limit) -> Iterator[Info]:
    """Among its best lines are other reports, which are no answers."""
    setup = engine.setup
    for depth, move in enumerate(LINES[format_fen(setup)], 1):
        line = (parse_uci(move, setup),) if move else ()
        yield Info(depth, Score(centipawns=10 * depth), 100 * depth, float(depth), line)
        yield Info(depth, Score(centipawns=0), 100 * depth, float(depth), current_move=parse_uci("h2h3", setup))
        yield Info(depth, Score(), 100 * depth, float(depth), (parse_uci("a2a3", setup),), multipv=2)
    yield Info(depth, Score(centipawns=10 * depth), 100 * depth + 1, depth + 0.5, line)


class FakeEngine(fake.FakeEngine):
    name = "fake"

    def __init__(self) -> None:
        super().__init__(follow)

    def set_position(self, setup: Setup) -> None:
        if format_fen(setup) not in LINES:
            raise EngineError("I know nothing of it")
        super().set_position(setup)


FAKE = EngineEntry("fake", fake.OPTIONS, FakeEngine)
