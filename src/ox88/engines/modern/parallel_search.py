"""One search by several threads at once, with its clock and its reports.

Lazy SMP: every thread searches the same root on its own, and helps the others only through the shared table. Every
second thread starts one depth deeper, so that they differ. (Dan Homan, 2013.) The first one's move is played.
"""

import functools
import math
import queue
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from ox88.engines.base import MOST_CENTIPAWNS, Info, Score
from ox88.engines.modern.table import Table, hash_full
from ox88.engines.modern.thread import DEEPEST, Line, SearchThread
from ox88.engines.time_management import Budget, TimeManager
from ox88.threads import Background

FIRST_INFO_AFTER: Final = 0.02  # Seconds; until then, waking a listener for each depth costs more than the depth.
BOUNDS_AFTER: Final = 1.0  # Seconds of search before bounds are reported.
CURRENT_MOVE_AFTER: Final = 3.0  # Seconds of search before the current move is reported, ...
CURRENT_MOVE_EVERY: Final = 1.0  # ... and seconds between two of these reports.
POLL: Final = 0.1  # Seconds between two looks at what else is to be done.

_Message = Info | Literal["ended", "ponder hit"]


class RootMoves(NamedTuple):
    """The moves to search, and what the endgame tables know of them.

    hits: positions looked up. ranks: by move, 0 for the best; moves of equal result and progress have equal ranks, and
    a move that is missing has rank 0. results: by move, 1 for a win, 0 for a draw, -1 for a loss; a move whose result
    is not sure is missing.
    """

    moves: tuple[int, ...]
    hits: int = 0
    ranks: Mapping[int, int] = MappingProxyType({})
    results: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search, and until when.

    depth: plies. budget: time limits; after a ponder hit the hard one counts from the hit, the soft one from the start
    of the search, since what pondering has found is time saved. last_value: the value of the engine's previous move, if
    it is known. mate: stop at a mate in this many moves. lines: how many to find.
    """

    root: RootMoves
    depth: int = DEEPEST
    budget: Budget | None = None
    last_value: int | None = None
    mate: int = 0
    lines: int = 1
    ponder: bool = False


class ParallelSearch:
    """Starts at once. `infos` yields what it finds; `stop` ends it within milliseconds, from any thread."""

    def __init__(self, threads: list[SearchThread], table: Table, generation: int, request: SearchRequest) -> None:
        self._threads = threads
        self._table = table
        self._generation = generation
        self._request = request
        self._queue: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self._started = time.perf_counter()
        self._is_pondering = request.ponder
        self._time = TimeManager(request.budget, request.last_value) if request.budget is not None else None
        self._deadline = math.inf if request.ponder else self._hard_limit()
        self._best: list[Line] = []
        self._unsent: list[Info] = []
        self._told: dict[int, Line] = {}  # By its number, the last exact line.
        self._helpers: list[Background[None]] = []
        self._main = Background(self._lead, self.stop)
        try:
            for thread in threads[1:]:
                self._helpers.append(Background(functools.partial(self._help, thread), thread.stop))
        except BaseException:  # The system allows no more threads. No thread may go on with records of a later search.
            self.close()
            raise

    # --- In the search threads --------------------------------------------------------------------------------------

    def _lead(self) -> None:
        """The first thread: search, report, and end the search."""
        try:
            root, depths = self._request.root, range(1, self._request.depth + 1)
            self._best = self._threads[0].deepen(
                self._table, depths, list(root.moves), self._request.lines, self._report, root.ranks
            )
        finally:
            self.stop()
            self._send()
            self._queue.put("ended")

    def _help(self, thread: SearchThread) -> None:
        """What each of the other threads runs: a search, which fills the table."""
        first = 1 + self._threads.index(thread) % 2
        root = self._request.root
        thread.deepen(self._table, range(first, DEEPEST + 1), list(root.moves), ranks=root.ranks)

    def _send(self) -> None:
        for info in self._unsent:
            self._queue.put(info)
        self._unsent.clear()

    def _report(self, line: Line) -> None:
        elapsed = self.elapsed
        if (line.bound == "exact" or elapsed >= BOUNDS_AFTER) and line.number <= self._request.lines:
            self._unsent.append(self._info(line))
            if line.bound == "exact":
                self._told[line.number] = line
            if elapsed >= FIRST_INFO_AFTER:
                self._send()
        if line.bound == "exact" and line.number == 1 and self._is_enough(line, elapsed):
            self.stop()

    def _is_enough(self, line: Line, elapsed: float) -> bool:
        if 0 < line.mate <= self._request.mate:
            return True
        if self._time is None:
            return False
        # The time manager hears of the depths before a ponder hit too.
        is_enough = self._time.is_enough(line.depth, line.value, line.moves[0], elapsed)
        if self._is_pondering:
            return False
        return is_enough or (len(self._request.root.moves) == 1 and self._time.has_clock)

    # --- From other threads -----------------------------------------------------------------------------------------

    @property
    def value(self) -> int | None:
        """The value of the best line, once the search has ended; None if there is no line, or if it only pondered."""
        return self._best[0].value if self._best and not self._is_pondering else None

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self._started

    @property
    def nodes(self) -> int:
        return sum(thread.nodes for thread in self._threads)

    def stop(self) -> None:
        for thread in self._threads:
            thread.stop()

    def close(self) -> None:
        """Stop, and wait for the end."""
        self._main.cancel()
        for helper in self._helpers:
            helper.cancel()

    def ponder_hit(self) -> None:
        """Let the hard limit count from now."""
        if self._is_pondering:
            self._is_pondering = False
            self._deadline = self._hard_limit()
            self._queue.put("ponder hit")  # Wakes the reader of the Infos, who must heed a deadline from here on.

    def _hard_limit(self) -> float:
        """When a search whose time counts from now must stop."""
        budget = self._request.budget
        return time.perf_counter() + budget.hard if budget is not None else math.inf

    def infos(self) -> Iterator[Info]:
        """Each result as soon as it is found; at last the lines that changed their place, and the line to play.

        The hard limit of time is watched here, so that no other thread is needed.
        """
        try:
            yield from self._infos_until_the_end()
            self._main.result()
            for helper in self._helpers:
                helper.result()
            for line in self._best:
                if self._request.lines > 1 and line != self._told.get(line.number):
                    yield self._info(line)  # A search that was stopped has lines of two depths.
            yield self._info(self._best[0])
        finally:
            self.close()

    def _infos_until_the_end(self) -> Iterator[Info]:
        next_report = CURRENT_MOVE_AFTER
        while True:
            time_left = self._deadline - time.perf_counter()
            if time_left <= 0:
                self._deadline = math.inf
                self.stop()
            try:
                message = self._queue.get(timeout=min(POLL, time_left) if time_left > 0 else POLL)
            except queue.Empty:
                if self.elapsed >= next_report:
                    next_report = self.elapsed + CURRENT_MOVE_EVERY
                    yield self._current_move()
                continue
            if message == "ended":
                return
            if isinstance(message, Info):
                yield message

    def _info(self, line: Line) -> Info:
        """The Info of a line. Endgame tables that know its first move tell its score and outcomes, unless it mates."""
        score, outcomes = line.score, line.outcomes
        result = self._request.root.results.get(line.moves[0]) if line.moves else None
        if result is not None and line.mate * result <= 0:
            score = Score(centipawns=result * MOST_CENTIPAWNS, tablebase=True)
            outcomes = (1000 * (result > 0), 1000 * (result == 0), 1000 * (result < 0))
        return Info(
            depth=line.depth,
            score=score,
            nodes=self.nodes,
            time=self.elapsed,
            line=line.moves,
            bound=line.bound,
            selective_depth=int(self._threads[0].record.selective_depth),
            multipv=line.number,
            tablebase_hits=self._request.root.hits,
            hash_full=hash_full(self._table, self._generation),
            outcomes=outcomes,
        )

    def _current_move(self) -> Info:
        record = self._threads[0].record
        return Info(
            depth=int(record.root_depth),
            score=Score(centipawns=0),
            nodes=self.nodes,
            time=self.elapsed,
            current_move=int(record.root_move),
            current_move_number=int(record.root_move_number),
        )
