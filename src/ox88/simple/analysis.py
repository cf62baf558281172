"""RunningSearch collects what a search finds; AnalysisResult shows it to a script."""

import concurrent.futures
import queue
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Final, Self

import chess
import chess.engine
from chess.engine import AnalysisComplete, BestMove, InfoDict

from ox88.engines.base import Engine, Info
from ox88.engines.host import BackgroundSearch
from ox88.simple.conversion import engine_error, to_best_move, to_info_dict
from ox88.threads import next_item, wait_for, wait_until

program_ends: Final = threading.Event()  # Set at exit. Waiting threads then get no error, which they could only print.


class RunningSearch:
    """Collects what a search finds. From any thread.

    Args:
        engine: the engine that searches.
        infos: what `engine.search` has returned.
        board: the position that is searched.
        selector: flags of chess.engine for what to collect.
        shows_wdl: add the expected outcomes.
    """

    def __init__(
        self, engine: Engine, infos: Iterator[Info], board: chess.Board, selector: chess.engine.Info, shows_wdl: bool
    ) -> None:
        self.lines: list[InfoDict] = [{}]  # What was found so far, the best line first.
        self.news: queue.SimpleQueue[InfoDict | None] = queue.SimpleQueue()  # None marks the end.
        self.best: concurrent.futures.Future[BestMove] = concurrent.futures.Future()
        self._lock = threading.Lock()
        self._board = board.copy(stack=False)
        self._selector = selector
        self._shows_wdl = shows_wdl
        self._background = BackgroundSearch(
            engine, infos, listener=self._hear, failed=lambda error: self.fail(engine_error(error)), ended=self._finish
        )

    def stop(self) -> None:
        """End the search soon."""
        self._background.stop()

    def end(self, error: Exception | None) -> None:
        """End the search, and wait until the engine is free. error: what callers get if the search still ran."""
        if error is not None:
            self.fail(error)
        self._background.end()

    def fail(self, error: Exception) -> None:
        with self._lock:
            if not self.best.done() and not program_ends.is_set():
                self.best.set_exception(error)
                self.news.put(None)

    def wait(self, seconds: float | None) -> BestMove:
        """Wait for the end. Raises TimeoutError after `seconds`, or the error that has ended the search."""
        latest = float("inf") if seconds is None else time.monotonic() + seconds

        def is_over(pause: float) -> bool:
            return not concurrent.futures.wait([self.best], pause).not_done or time.monotonic() >= latest

        wait_until(is_over)
        if not self.best.done():
            raise TimeoutError(f"the engine has not ended its search within {seconds} seconds")
        return self.best.result()

    def _hear(self, info: Info) -> None:
        found = to_info_dict(info, self._board, self._selector, self._shows_wdl)
        if found:
            number = found.get("multipv", 1)
            self.lines.extend({} for _ in range(number - len(self.lines)))
            self.lines[number - 1].update(found)
            self.news.put(found)

    def _finish(self, line: tuple[int, ...]) -> None:
        with self._lock:
            if not self.best.done() and not program_ends.is_set():
                self.best.set_result(to_best_move(line, self._board))
                self.news.put(None)


class AnalysisResult:
    """A running analysis, with the methods of chess.engine.SimpleAnalysisResult. From any thread.

    The analysis stops when this object is deleted, and when a with block around it ends.
    """

    def __init__(self, engine: object, search: RunningSearch) -> None:
        """Made by `Engine.analysis`. engine: kept alive as long as this object."""
        self._engine = engine
        self._search = search
        weakref.finalize(self, search.stop).atexit = False

    @property
    def info(self) -> InfoDict:
        """What was found so far for the best line: `multipv[0]`."""
        return self._search.lines[0].copy()

    @property
    def multipv(self) -> list[InfoDict]:
        """What was found so far for each of the best lines, the best one first."""
        return [line.copy() for line in self._search.lines]

    def stop(self) -> None:
        """End the analysis as soon as possible."""
        self._search.stop()

    def wait(self) -> BestMove:
        """Wait until the analysis has ended.

        Returns:
            The best move, and the reply that is expected.

        Raises:
            chess.engine.EngineError: the engine has failed.
            chess.engine.EngineTerminatedError: the engine was closed meanwhile.
        """
        return wait_for(self._search.best)

    def get(self) -> InfoDict:
        """Wait for the next piece of information.

        Raises:
            chess.engine.AnalysisComplete: the analysis has ended, and everything was taken.
            chess.engine.EngineError: the engine has failed or was closed.
        """
        info = next_item(self._search.news)
        if info is None:
            self._search.news.put(None)  # For the next call, perhaps in another thread.
            self._search.best.result()
            raise AnalysisComplete
        return info

    def next(self) -> InfoDict | None:
        """Wait for the next piece of information. Returns None at the end."""
        try:
            return self.get()
        except AnalysisComplete:
            return None

    def would_block(self) -> bool:
        """True if `get`, `next` or the next step of a loop would have to wait for the engine."""
        return self._search.news.empty()

    def empty(self) -> bool:
        """True if everything that was found so far was taken. More may come until the analysis has ended."""
        return self._search.news.qsize() <= self._search.best.done()

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
