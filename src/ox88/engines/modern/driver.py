"""The strong engine as every engine is used: options, positions, limits, threads."""

import math
from collections.abc import Callable, Iterator
from typing import Final

import psutil

from ox88.engines.base import EngineError, Info, Limit, OptionValue, Score
from ox88.engines.clock import Budget, budget
from ox88.engines.modern.game import Game
from ox88.engines.modern.options import OPTIONS, PARAMETERS
from ox88.engines.modern.table import GENERATIONS, make_table
from ox88.engines.modern.thinking import Order, Thinking
from ox88.engines.modern.thread import DEEPEST, SearchThread
from ox88.engines.settings import find_option, fit
from ox88.types import PIECE_SYMBOLS, Setup

NAME: Final = "Ox88"
SPARE_MEMORY: Final = 64 << 20  # Bytes that a hash table leaves to everything else.


class Modern:
    """The engine. One thread at a time may use it, but any may call `stop` and `ponder_hit`."""

    name = NAME

    def __init__(self) -> None:
        self._game = Game()
        self._options: dict[str, OptionValue] = {option.name: option.default for option in OPTIONS}
        self._generation = 0
        self._table = make_table(int(self._options["Hash"] or 0))
        self._threads = [SearchThread()]
        self._thinking: Thinking | None = None

    # --- The position -----------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        return self._game.setup

    def set_position(self, setup: Setup) -> None:
        self._end_search()
        self._game.set_position(setup)

    def push(self, move: int) -> None:
        self._end_search()
        self._game.push(move)

    def pop(self) -> None:
        self._end_search()
        self._game.pop()

    def new_game(self) -> None:
        """Forget what was learnt: histories, and the table."""
        self._end_search()
        self._table.fill(0)
        self._generation = 0
        for thread in self._threads:
            thread.forget()

    # --- Options ----------------------------------------------------------------------------------------------------

    def set_option(self, name: str, value: OptionValue = None) -> str | None:
        """Set an option of options.py. Returns what is to be said about it; raises EngineError."""
        option = find_option(OPTIONS, name)
        fitted, remark = fit(option, value)
        self._end_search()
        actions: dict[str, Callable[[], None]] = {
            "Hash": lambda: self._set_hash(_number(fitted)),
            "Clear Hash": lambda: self._table.fill(0),
            "Threads": lambda: self._set_threads(_number(fitted)),
        }
        if option.name in actions:
            actions[option.name]()
        elif option.expert:
            for thread in self._threads:
                thread.set_parameter(option.name, _number(fitted))
        self._options[option.name] = fitted
        return remark

    def _set_hash(self, megabytes: int) -> None:
        """Make a new table; the old one goes first, so that there is room, but not before the new one is sure."""
        available = psutil.virtual_memory().available + self._table.nbytes - SPARE_MEMORY
        if megabytes << 20 > available:
            raise EngineError(
                f"a hash table of {megabytes} MB is more than this machine has free, {max(available, 0) >> 20} MB;"
                f" it stays at {self._options['Hash']} MB"
            )
        self._table = make_table(1)
        self._table = make_table(megabytes)

    def _set_threads(self, count: int) -> None:
        while len(self._threads) < count:
            self._threads.append(self._new_thread())
        del self._threads[count:]

    def _new_thread(self) -> SearchThread:
        thread = SearchThread()
        for parameter in PARAMETERS:
            thread.set_parameter(parameter.name, _number(self._options[parameter.name]))
        return thread

    # --- Searching --------------------------------------------------------------------------------------------------

    def search(self, limit: Limit) -> Iterator[Info]:
        """Think; an Info for each finished depth and line. Without any limit it goes on until it is stopped."""
        self._end_search()
        legal = self._game.legal_moves()
        moves = tuple(move for move in legal if not limit.moves or move in limit.moves)
        if not moves:
            return iter((self._no_move(bool(legal)),))
        self._generation = (self._generation + 1) % int(GENERATIONS)
        for thread in self._threads:
            nodes = limit.nodes if thread is self._threads[0] else None
            thread.prepare(self._game.position, self._game.keys, self._generation, nodes)
        self._thinking = Thinking(self._threads, self._table, self._generation, self._order(limit, moves))
        return self._thinking.infos()

    def _order(self, limit: Limit, moves: tuple[int, ...]) -> Order:
        return Order(
            moves=moves,
            depth=DEEPEST if limit.depth is None else min(max(limit.depth, 1), DEEPEST),
            budget=self._budget(limit),
            mate=limit.mate or 0,
            lines=_number(self._options["MultiPV"]),
            ponder=limit.ponder,
        )

    def _budget(self, limit: Limit) -> Budget | None:
        if limit.clock is not None:
            return budget(limit.clock, _number(self._options["Move Overhead"]) / 1000)
        return None if limit.time is None else Budget(math.inf, limit.time)

    def _no_move(self, has_moves: bool) -> Info:
        if has_moves:
            raise EngineError("none of the moves to search is legal")
        is_mated = self._game.setup.is_check()
        return Info(0, Score(mate=0) if is_mated else Score(centipawns=0), 0, 0.0)

    def stop(self) -> None:
        thinking = self._thinking
        if thinking is not None:
            thinking.stop()

    def ponder_hit(self) -> None:
        thinking = self._thinking
        if thinking is not None:
            thinking.ponder_hit()

    def _end_search(self) -> None:
        if self._thinking is not None:
            self._thinking.close()
            self._thinking = None

    # --- For people -------------------------------------------------------------------------------------------------

    def board_text(self) -> str:
        """Eight ranks from the eighth down, in FEN's letters."""
        symbols = [PIECE_SYMBOLS[piece] for piece in self._game.setup.board]
        return "".join(" ".join(symbols[rank * 8 : rank * 8 + 8]) + "\n" for rank in range(7, -1, -1))

    def evaluation_text(self) -> str:
        raise NotImplementedError


def _number(value: OptionValue) -> int:
    assert isinstance(value, int)
    return value
