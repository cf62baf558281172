"""A search in the background: all its threads, its clock, and what it has to say.

Lazy SMP: every thread searches the same root for itself, and helps the others through the shared table alone; the odd
ones begin a depth deeper, so that they differ. (Dan Homan's idea of 2013; the first thread's word counts.)
"""

import dataclasses
import functools
import math
import operator
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ox88.engines.base import Info
from ox88.engines.clock import Budget
from ox88.engines.modern.scores import moves_to_mate, outcomes, score
from ox88.engines.modern.table import Table, hash_full
from ox88.engines.modern.thread import DEEPEST, Line, SearchThread
from ox88.engines.modern.time_management import TimeManager
from ox88.threads import Background

FIRST_WORD_AFTER: Final = 0.02  # Seconds; before, waking a listener for each depth would cost more than the depth.
BOUND_AFTER: Final = 1.0  # Seconds; before, a bound is no news.
CURRENT_MOVE_AFTER: Final = 3.0  # Seconds of search after which it says where it stands, ...
CURRENT_MOVE_EVERY: Final = 1.0  # ... and how often.


@dataclass(frozen=True, slots=True)
class Order:
    """What to search, and until when. budget: of time, if any; it counts from the ponder hit, if pondering.

    depth: plies. mate: moves to a mate that ends the search. moves: the root's. lines: how many to find. shown: how
    many of them to tell of. choose: which of them to play. tablebase_hits: positions that were looked up before.
    """

    moves: tuple[int, ...]
    depth: int = DEEPEST
    budget: Budget | None = None
    mate: int = 0
    lines: int = 1
    shown: int = 1
    choose: Callable[[list[Line]], Line] = operator.itemgetter(0)
    ponder: bool = False
    tablebase_hits: int = 0


class Thinking:
    """Starts at once. `infos` tells what it finds; `stop` ends it within milliseconds, from any thread."""

    def __init__(self, threads: list[SearchThread], table: Table, generation: int, order: Order) -> None:
        self._threads = threads
        self._table = table
        self._generation = generation
        self._order = order
        self._news: queue.SimpleQueue[Info | None] = queue.SimpleQueue()
        self._started = time.perf_counter()
        self._is_pondering = order.ponder
        self._time = TimeManager(order.budget) if order.budget is not None else None
        self._alarm: threading.Timer | None = None
        self._best: list[Line] = []
        self._untold: list[Info] = []
        if not order.ponder:
            self._set_alarm()
        self._helpers = [Background(functools.partial(self._help, thread), thread.stop) for thread in threads[1:]]
        self._main = Background(self._lead, self.stop)

    # --- In the threads ---------------------------------------------------------------------------------------------

    def _lead(self) -> None:
        try:
            depths = range(1, self._order.depth + 1)
            lines = self._order.lines
            self._best = self._threads[0].deepen(self._table, depths, list(self._order.moves), lines, self._hear)
        finally:
            self.stop()
            self._tell()
            self._news.put(None)

    def _tell(self) -> None:
        for info in self._untold:
            self._news.put(info)
        self._untold.clear()

    def _help(self, thread: SearchThread) -> None:
        first = 1 + self._threads.index(thread) % 2
        thread.deepen(self._table, range(first, DEEPEST + 1), list(self._order.moves), 1, _ignore)

    def _hear(self, line: Line) -> None:
        elapsed = self.elapsed
        is_news = line.bound == "exact" or elapsed >= BOUND_AFTER
        if is_news and line.number <= self._order.shown:
            self._untold.append(self._info(line))
            if elapsed >= FIRST_WORD_AFTER:
                self._tell()
        if line.bound == "exact" and line.number == 1 and self._is_enough(line, elapsed):
            self.stop()

    def _is_enough(self, line: Line, elapsed: float) -> bool:
        if 0 < moves_to_mate(line.value) <= self._order.mate:
            return True
        if self._is_pondering or self._time is None:
            return False
        if len(self._order.moves) == 1 and self._time.has_clock:
            return True
        return self._time.is_enough(line, self._threads[0].effort(line.moves[0]), elapsed)

    # --- From outside -----------------------------------------------------------------------------------------------

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
        alarm, self._alarm = self._alarm, None  # It knows this, and this the table: in a circle that would live on.
        if alarm is not None:
            alarm.cancel()
        for background in (self._main, *self._helpers):
            background.cancel()

    def ponder_hit(self) -> None:
        """The time counts from now."""
        if self._is_pondering:
            self._is_pondering = False
            self._set_alarm()

    def _set_alarm(self) -> None:
        if self._order.budget is not None and math.isfinite(self._order.budget.hard):
            self._alarm = threading.Timer(min(self._order.budget.hard, threading.TIMEOUT_MAX), self.stop)
            self._alarm.daemon = True
            self._alarm.start()

    def infos(self) -> Iterator[Info]:
        """What is found, as soon as it is found; at last the best line again, with all that was counted."""
        try:
            yield from self._news_until_the_end()
            self._main.result()
            for helper in self._helpers:
                helper.result()
            best = self._best or [Line(0, 0, self._order.moves[:1])]
            yield self._info(dataclasses.replace(self._order.choose(best), number=1))
        finally:
            self.close()

    def _news_until_the_end(self) -> Iterator[Info]:
        next_word = CURRENT_MOVE_AFTER
        while True:
            try:
                info = self._news.get(timeout=0.1)
            except queue.Empty:
                if self.elapsed >= next_word:
                    next_word = self.elapsed + CURRENT_MOVE_EVERY
                    yield self._current_move()
                continue
            if info is None:
                return
            yield info

    def _info(self, line: Line) -> Info:
        return Info(
            depth=line.depth,
            score=score(line.value),
            nodes=self.nodes,
            time=self.elapsed,
            line=line.moves,
            bound=line.bound,
            selective_depth=int(self._threads[0].record.selective_depth),
            multipv=line.number,
            tablebase_hits=self._order.tablebase_hits,
            hash_full=hash_full(self._table, self._generation),
            outcomes=outcomes(line.value),
        )

    def _current_move(self) -> Info:
        record = self._threads[0].record
        return Info(
            depth=int(record.root_depth),
            score=score(0),
            nodes=self.nodes,
            time=self.elapsed,
            current_move=int(record.root_move),
            current_move_number=int(record.root_move_number),
        )


def _ignore(_line: Line) -> None:
    pass
