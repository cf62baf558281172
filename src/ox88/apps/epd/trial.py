"""An engine's answer to a case."""

import itertools
from dataclasses import dataclass

from ox88.apps.epd.suite import Case
from ox88.engines.base import Engine, Info, Limit, Score
from ox88.types import NO_MOVE, Ox88Error


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine played on a case, and what that is worth.

    seconds: of the search. found_after, found_at: seconds and depth when it came upon the move and kept to it.
    error: why there is no move; empty where there is one.
    """

    case: Case
    move: int = NO_MOVE
    score: Score | None = None
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    found_after: float = 0.0
    found_at: int = 0
    error: str = ""

    @property
    def is_solved(self) -> bool:
        return not self.error and self.case.is_solved_by(self.move)

    @property
    def points(self) -> int:
        return self.case.points_of(self.move)


def try_case(engine: Engine, case: Case, limit: Limit) -> Answer:
    """Let an engine that has forgotten all before search a case. A position that it refuses makes an answer too."""
    try:
        engine.new_game()
        engine.set_position(case.setup)
        infos = [info for info in engine.search(limit) if info.multipv == 1 and info.line]
    except Ox88Error as error:
        return Answer(case, error=str(error))
    if not infos:
        return Answer(case, error=f"{engine.name} gives no move")
    return _answer(case, infos)


def _answer(case: Case, infos: list[Info]) -> Answer:
    last = infos[-1]
    kept = list(itertools.takewhile(lambda info: info.best_move == last.best_move, reversed(infos)))
    first = kept[-1]
    return Answer(
        case,
        last.best_move,
        last.score,
        last.depth,
        last.nodes,
        last.time,
        found_after=first.time,
        found_at=first.depth,
    )
