"""An engine that plays by a script."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ox88.engines.base import Engine, EngineEntry, EngineError, Info, Limit, Option, OptionValue, Score
from ox88.setup import Setup, format_fen, parse_fen, parse_uci


@dataclass
class FakeEngine:
    """lines: for each FEN the best move of each iteration, in UCI; other positions are refused."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    name: str = "fake"
    setup: Setup = field(default_factory=lambda: parse_fen("startpos"))
    calls: list[str] = field(default_factory=list)

    def set_position(self, setup: Setup) -> None:
        if format_fen(setup) not in self.lines:
            raise EngineError("I know nothing of it")
        self.setup = setup
        self.calls.append("set_position")

    def push(self, _move: int) -> None:
        self.calls.append("push")

    def pop(self) -> None:
        self.calls.append("pop")

    def new_game(self) -> None:
        self.calls.append("new_game")

    def set_option(self, name: str, value: OptionValue = None) -> str | None:
        if name.lower() != "hash":
            raise EngineError(f"there is no option {name!r}")
        return f"Hash {value} is out of range 1 to 8: it is 8 now" if int(value or 0) > 8 else None

    def search(self, limit: Limit) -> Iterator[Info]:
        self.calls.append(f"search to {limit.depth}")
        for depth, move in enumerate(self.lines[format_fen(self.setup)], 1):
            line = (parse_uci(move, self.setup),) if move else ()
            yield Info(depth, Score(centipawns=10 * depth), 100 * depth, float(depth), line)
            yield Info(
                depth, Score(centipawns=0), 100 * depth, float(depth), current_move=parse_uci("h2h3", self.setup)
            )
            yield Info(depth, Score(), 100 * depth, float(depth), (parse_uci("a2a3", self.setup),), multipv=2)
        yield Info(depth, Score(centipawns=10 * depth), 100 * depth + 1, depth + 0.5, line)

    def stop(self) -> None:
        pass

    def ponder_hit(self) -> None:
        pass

    def board_text(self) -> str:
        return ""

    def evaluation_text(self) -> str:
        return ""


LINES = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": ["e2e4", "d2d4", "g1f3", "d2d4", "d2d4"],
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1": ["e1g1"],
    "8/8/8/8/8/2k5/8/K6R w - - 0 1": [""],
}


def make_fake() -> Engine:
    return FakeEngine(dict(LINES))


FAKE = EngineEntry("fake", (Option("Hash", "spin", 1, 1, 8),), make_fake)
