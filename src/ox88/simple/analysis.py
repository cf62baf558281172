"""A running analysis: what the engine finds, as it finds it."""

import concurrent.futures
import queue
import weakref
from collections.abc import Callable
from typing import Self

from chess.engine import AnalysisComplete, BestMove, InfoDict

from ox88.threads import next_item, wait_for


class AnalysisResult:
    """A running analysis, with the methods of chess.engine.SimpleAnalysisResult. From any thread.

    The analysis stops when this object is deleted, and when a with block around it ends.

    Attributes:
        multipv: what was found so far for each of the best lines, the best one first.
    """

    def __init__(self, engine: object, stop: Callable[[], None]) -> None:
        """Made by `Engine.analysis`.

        Args:
            engine: kept alive as long as this object.
            stop: ends the search, from any thread. Must not refer to this object.

        """
        self._engine = engine
        self._stop = stop
        self._lines: list[InfoDict] = [{}]
        self._news: queue.SimpleQueue[InfoDict | None] = queue.SimpleQueue()  # None marks the end.
        self._best: concurrent.futures.Future[BestMove] = concurrent.futures.Future()
        self._is_consumed = False
        weakref.finalize(self, stop).atexit = False

    # --- Called by the engine ---------------------------------------------------------------------------------------

    def post(self, info: InfoDict) -> None:
        if info:
            add_info(self._lines, info)
            self._news.put(info)

    def finish(self, best: BestMove) -> None:
        if not self._best.done():
            self._best.set_result(best)
            self._news.put(None)

    def fail(self, error: Exception) -> None:
        if not self._best.done():
            self._best.set_exception(error)
            self._news.put(None)

    # --- Called by everybody ----------------------------------------------------------------------------------------

    @property
    def info(self) -> InfoDict:
        """What was found so far for the best line: `multipv[0]`."""
        return self._lines[0].copy()

    @property
    def multipv(self) -> list[InfoDict]:
        return [line.copy() for line in self._lines]

    def stop(self) -> None:
        """End the analysis as soon as possible."""
        self._stop()

    def wait(self) -> BestMove:
        """Wait until the analysis has ended.

        Returns:
            The best move, and the reply that is expected.

        Raises:
            EngineError: the engine has failed.
            EngineTerminatedError: the engine was closed meanwhile.

        """
        return wait_for(self._best)

    def get(self) -> InfoDict:
        """Wait for the next piece of information.

        Raises:
            AnalysisComplete: the analysis has ended, and everything was taken.
            EngineError: the engine has failed or was closed.

        """
        if self._is_consumed:
            raise AnalysisComplete
        info = next_item(self._news)
        if info is None:
            self._is_consumed = True
            self._news.put(None)  # For other threads that wait.
            self._best.result()
            raise AnalysisComplete
        return info

    def next(self) -> InfoDict | None:
        """The same, but None at the end."""
        try:
            return self.get()
        except AnalysisComplete:
            return None

    def would_block(self) -> bool:
        """True if `get`, `next` or the next step of a loop would have to wait for the engine."""
        return not self._is_consumed and self._news.empty()

    def empty(self) -> bool:
        """True if everything that was found so far was taken. More may come until the analysis has ended."""
        return self._is_consumed or self._news.qsize() <= self._best.done()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> InfoDict:
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def add_info(lines: list[InfoDict], info: InfoDict) -> None:
    """Add what was found to the line that it is about."""
    number = info.get("multipv", 1)
    lines.extend({} for _ in range(number - len(lines)))
    lines[number - 1].update(info)
