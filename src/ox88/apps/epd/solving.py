"""Solving cases: one after another here, or in worker processes that have an engine each."""

import functools
import itertools
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from ox88.apps.epd.suite import Case
from ox88.apps.jobs import LocalWorkers, do_jobs
from ox88.apps.options import make_ready_engine
from ox88.engines.base import Engine, EngineEntry, Limit, OptionValue, Score
from ox88.errors import Ox88Error
from ox88.types import NO_MOVE


@dataclass(frozen=True, slots=True)
class Answer:
    """An engine's move in a case. error: why there is none, or empty.

    found_after, found_at: the seconds and the depth from which on the move was the best one to the end.
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


@dataclass(frozen=True, slots=True)
class Solver:
    """An engine with its options, the limit of each search, and the number of processes."""

    entry: EngineEntry
    settings: tuple[tuple[str, OptionValue], ...]
    limit: Limit
    workers: int = 1

    def solve(self, cases: Sequence[Case]) -> Generator[Answer, None, None]:
        """Solve the cases; with several workers the answers come in the order in which searches end.

        Closing the generator stops the searches. Raises EngineError, and Ox88Error if workers die again and again.
        """
        # Make an engine here even if workers search: it compiles once for all, and refuses wrong options.
        engine = make_ready_engine(self.entry, dict(self.settings))
        workers = min(self.workers, len(cases))
        if workers <= 1:
            return (solve_case(engine, case, self.limit) for case in cases)
        del engine
        return self._solve_in_processes(cases, workers)

    def _solve_in_processes(self, cases: Sequence[Case], workers: int) -> Generator[Answer, None, None]:
        with LocalWorkers(workers) as processes:
            for _, answer in do_jobs(processes, self._solve_in_process, cases):
                yield answer

    def _solve_in_process(self, case: Case) -> Answer:
        return solve_case(_process_engine(self), case, self.limit)


@functools.lru_cache(maxsize=1)
def _process_engine(solver: Solver) -> Engine:
    """The engine of this process."""
    return make_ready_engine(solver.entry, dict(solver.settings), tell=False)


def solve_case(engine: Engine, case: Case, limit: Limit) -> Answer:
    """Search a case with cleared tables. If the engine refuses the position, the answer has its error."""
    try:
        engine.new_game()
        engine.set_position(case.setup)
        infos = [info for info in engine.search(limit) if info.multipv == 1 and info.line]
    except Ox88Error as error:
        return Answer(case, error=str(error))
    if not infos:
        return Answer(case, error=f"{engine.name} gives no move")
    last = infos[-1]
    *_, first = itertools.takewhile(lambda info: info.best_move == last.best_move, reversed(infos))
    return Answer(case, last.best_move, last.score, last.depth, last.nodes, last.time, first.time, first.depth)
