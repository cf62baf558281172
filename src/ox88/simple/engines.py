"""Engine and MicroMax: engines in this process, with the methods of chess.engine.SimpleEngine."""

import atexit
import concurrent.futures
import contextlib
import dataclasses
import logging
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Self, Unpack, overload

import chess
import chess.engine
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    BestMove,
    ConfigMapping,
    ConfigValue,
    EngineError,
    EngineTerminatedError,
    InfoDict,
    Limit,
    PlayResult,
)

from ox88.convert import from_chess_board
from ox88.engines import base
from ox88.engines.host import CHESS960, PONDER, SHOW_WDL, EngineHost
from ox88.engines.registry import MICROMAX, MODERN
from ox88.errors import Ox88Error
from ox88.simple.analysis import AnalysisResult, RunningSearch, program_ends
from ox88.simple.conversion import (
    Question,
    check_question,
    engine_error,
    engine_errors,
    parse_value,
    to_best_move,
    to_limit,
    to_option,
    to_root_moves,
)
from ox88.threads import wait_until

if TYPE_CHECKING:
    from ox88.engines.micromax.machine import Machine
    from ox88.engines.micromax.watching import Recording

_LOGGER: Final = logging.getLogger(__name__)
_EXIT_PATIENCE: Final = 5.0  # Seconds that the end of the program waits for a search to end.


class _Pondering(NamedTuple):
    """A search in the opponent's time. board: the position that is expected. limit: the limit of the move before."""

    board: chess.Board
    limit: Limit
    infos: Iterator[base.Info]


class _InProcessEngine:
    """What both engines share: the methods of chess.engine.SimpleEngine, over an `EngineHost` with a single engine.

    At most one search runs. Each call takes the lock, ends the search before it, prepares and starts its own, and waits
    for the result without the lock.
    """

    _entry: ClassVar[base.EngineEntry]

    def __init__(
        self, options: ConfigMapping | None = None, *, timeout: float | None = 10.0, expert: bool = False
    ) -> None:
        """Make the engine, and wait until it is compiled: some seconds, once after an installation.

        Args:
            options: as for `configure`, such as {"Hash": 64, "Move Overhead": 100}.
            timeout: seconds that a call may take beyond the time of its limit; None for no bound.
            expert: list and accept the options for developers too, all numbers of the search.

        Raises:
            chess.engine.EngineError: an option is unknown, or its value is refused.
        """
        self.timeout = timeout
        own = (PONDER, CHESS960, SHOW_WDL)
        self._host = EngineHost([self._entry], self._entry.name, _LOGGER.info, lambda: None, own)
        self._engine = self._host.ready()
        listed = (option for option in self._host.options() if expert or not option.expert)
        self._options = chess.engine.UciOptionMap(
            (option.name, to_option(option)) for option in listed if len(option.choices) != 1
        )
        self._defaults = {option.name: option.default for option in self._options.values() if option.type != "button"}
        self._values = self._defaults.copy()  # What the engine's options are, ...
        self._target: dict[str, ConfigValue] = {}  # ... and what `configure` has set them to.
        self._game: object = None
        self._lock = threading.Lock()
        self._is_closed = False
        self._running: RunningSearch | None = None
        self._is_cancellable = False  # True if the next call cancels the call that searches; an analysis just ends.
        self._pondering: _Pondering | None = None
        self._finalizer = weakref.finalize(self, self._engine.stop)
        self._finalizer.atexit = False
        _engines.add(self)
        try:
            self.configure(options or {})
        except BaseException:
            self.close()
            raise

    @property
    def id(self) -> Mapping[str, str]:
        """The names of the engine and its authors, by `name` and `author`."""
        self._check_open()
        return {"name": f"{self._entry.name} {version('ox88')}", "author": "the authors of Ox88"}

    @property
    def options(self) -> Mapping[str, chess.engine.Option]:
        """The options by name, in any case."""
        self._check_open()
        return self._options.copy()

    def ping(self) -> None:
        """End the search that runs, and wait until the engine is free."""
        with self._turn():
            pass

    def configure(self, options: ConfigMapping) -> None:
        """Set options for all calls from now on.

        Args:
            options: values by name. MultiPV, Ponder and UCI_Chess960 are set by the calls themselves.

        Raises:
            chess.engine.EngineError: an option is unknown, set by the calls, or its value is refused. From the next
                call on all options have their old values then.
        """
        with self._turn():
            self._set_options(options)
            self._target |= {self._options[name].name: value for name, value in options.items() if value is not None}

    def play(
        self,
        board: chess.Board,
        limit: Limit,
        *,
        ponder: bool = False,
        draw_offered: bool = False,  # noqa: ARG002 - The engine neither takes nor offers draws.
        opponent: chess.engine.Opponent | None = None,  # noqa: ARG002 - It plays alike against everybody.
        **question: Unpack[Question],
    ) -> PlayResult:
        """Find a move.

        Args:
            board: the position with its past.
            limit: when to end the search.
            ponder: think on in the opponent's time, until the next call.
            draw_offered: has no effect.
            opponent: has no effect.
            question: game, info, root_moves and options, as `Question` has them. By default info is INFO_NONE.

        Returns:
            The move, None where there is none, and the reply that is expected.

        Raises:
            chess.engine.EngineError: the engine refuses the position, a move of its past or an option, or has failed.
            concurrent.futures.CancelledError: another call came before the end of this one.
        """
        started = time.perf_counter()
        with self._turn(keeps_pondering=True):
            check_question(board, question)
            infos = self._take_pondered(board, limit, question)
            if infos is None:
                self._end_pondering()
                moves = self._prepare(board, question)
                if moves is None:
                    with engine_errors():
                        book_move = to_best_move((self._host.book_move(board),), board).move
                    if book_move is not None:
                        return PlayResult(book_move, None)
                infos = self._begin(board, limit, moves)
            search = self._follow(infos, board, question.get("info", INFO_NONE))
        best = self._wait(search, limit)
        if ponder and best.move and best.ponder:
            with self._locked():
                if self._running is search:
                    self._ponder(board, best, limit, time.perf_counter() - started)
        return PlayResult(best.move, best.ponder, search.lines[0])

    @overload
    def analyse(
        self, board: chess.Board, limit: Limit, *, multipv: None = None, **question: Unpack[Question]
    ) -> InfoDict: ...

    @overload
    def analyse(
        self, board: chess.Board, limit: Limit, *, multipv: int, **question: Unpack[Question]
    ) -> list[InfoDict]: ...

    def analyse(
        self, board: chess.Board, limit: Limit, *, multipv: int | None = None, **question: Unpack[Question]
    ) -> InfoDict | list[InfoDict]:
        """Judge a position.

        Args:
            board: the position with its past.
            limit: when to end the search.
            multipv: how many of the best lines to find.
            question: game, info, root_moves and options, as `Question` has them.

        Returns:
            What was found; with multipv a list, the best line first.

        Raises:
            chess.engine.EngineError: as for `play`.
            concurrent.futures.CancelledError: as for `play`.
        """
        with self._turn():
            search = self._analyse(board, limit, multipv, question)
        self._wait(search, limit)
        return search.lines[0] if multipv is None else search.lines

    def analysis(
        self,
        board: chess.Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        **question: Unpack[Question],
    ) -> AnalysisResult:
        """Start to judge a position, until the limit, a `stop` or the next call. Takes and raises what `analyse` does.

        Returns:
            The running analysis.
        """
        with self._turn():
            search = self._analyse(board, limit or Limit(), multipv, question)
            self._is_cancellable = False
        return AnalysisResult(self, search)

    def send_opponent_information(self, **_: object) -> None:
        """Has no effect: the engine plays the same against every opponent."""
        self._check_open()

    def send_game_result(self, *_: object, **__: object) -> None:
        """Has no effect: the engine learns nothing from results."""
        self._check_open()

    def quit(self) -> None:
        """End the engine, as `close`. Raises chess.engine.EngineTerminatedError where it has ended before."""
        self._check_open()
        self.close()

    def close(self) -> None:
        """End the engine and free its memory. The call that runs and all later ones raise EngineTerminatedError."""
        with self._locked():
            if not self._is_closed:
                self._is_closed = True
                self._end_search(EngineTerminatedError("the engine was closed"))
                self._finalizer.detach()
                del self._host, self._engine

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- One search at a time ---------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._is_closed:
            raise EngineTerminatedError("the engine was closed")

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        wait_until(lambda seconds: self._lock.acquire(timeout=seconds))
        try:
            yield
        finally:
            self._lock.release()

    @contextlib.contextmanager
    def _turn(self, keeps_pondering: bool = False) -> Iterator[None]:
        """Use the engine alone. The search before is ended first."""
        with self._locked():
            self._check_open()
            self._end_search(None, keeps_pondering)
            yield

    def _end_search(self, error: Exception | None, keeps_pondering: bool = False) -> None:
        """End the search that runs. error: what its call raises; by default that it was cancelled."""
        running, self._running = self._running, None
        if running is not None:
            if error is None and self._is_cancellable:
                error = concurrent.futures.CancelledError("another call came before the end of this one")
            running.end(error)
        if not keeps_pondering:
            self._end_pondering()

    def _end_pondering(self) -> None:
        if self._pondering is not None:
            self._engine.stop()
            with contextlib.suppress(Exception):
                deque(self._pondering.infos, maxlen=0)
            self._pondering = None

    def _wait(self, search: RunningSearch, limit: Limit) -> BestMove:
        """Wait for a result. Ctrl-C and a timeout end the search."""
        seconds = None if self.timeout is None or limit.time is None else limit.time + self.timeout
        try:
            return search.wait(seconds)
        except BaseException:
            search.stop()
            raise

    def end_with_program(self) -> None:
        """Let no kernel run while the interpreter takes apart what it works on. Keeps the lock for ever."""
        if self._lock.acquire(timeout=_EXIT_PATIENCE) and not self._is_closed:
            self._end_search(None)

    # --- Searching --------------------------------------------------------------------------------------------------

    def _analyse(self, board: chess.Board, limit: Limit, multipv: int | None, question: Question) -> RunningSearch:
        check_question(board, question)
        infos = self._begin(board, limit, self._prepare(board, question, multipv))
        return self._follow(infos, board, question.get("info", INFO_ALL))

    def _prepare(self, board: chess.Board, question: Question, multipv: int | None = None) -> list[int] | None:
        """Bring the engine to a position. Returns the legal ones of the root moves, None for all moves."""
        moves = to_root_moves(question.get("root_moves"), board)
        self._set_options(question.get("options", {}), multipv)
        with engine_errors():
            if self._game != question.get("game"):
                self._host.new_game()
                self._game = question.get("game")
            self._host.place(board)
        return moves

    def _begin(self, board: chess.Board, limit: Limit, moves: list[int] | None) -> Iterator[base.Info]:
        """Start a search, unless no move may be considered."""
        search_limit = to_limit(limit, board.turn, moves or ())
        if moves is not None and not moves:
            return iter(())
        with engine_errors():
            return self._engine.search(search_limit)

    def _follow(self, infos: Iterator[base.Info], board: chess.Board, selector: chess.engine.Info) -> RunningSearch:
        self._running = RunningSearch(self._engine, infos, board, selector, self._host.is_on(SHOW_WDL))
        self._is_cancellable = True
        return self._running

    # --- Pondering --------------------------------------------------------------------------------------------------

    def _ponder(self, board: chess.Board, best: BestMove, limit: Limit, seconds: float) -> None:
        """Search the position after the best move and the expected reply. seconds: the time that the best move took."""
        expected = board.copy()
        expected.push(best.move or chess.Move.null())
        expected.push(best.ponder or chess.Move.null())
        later = dataclasses.replace(limit, remaining_moves=limit.remaining_moves and limit.remaining_moves - 1)
        own = "white" if board.turn else "black"
        clock: float | None = getattr(limit, f"{own}_clock")
        if clock is not None:
            setattr(later, f"{own}_clock", clock + (getattr(limit, f"{own}_inc") or 0.0) - seconds)
        with engine_errors():
            self._host.place(expected)
            infos = self._engine.search(to_limit(later, board.turn, ponder=True))
        self._pondering = _Pondering(expected, limit, infos)

    def _take_pondered(self, board: chess.Board, limit: Limit, question: Question) -> Iterator[base.Info] | None:
        """The search that ponders on this position, if there is one. Its time limits count from this call on."""
        pondering = self._pondering
        if pondering is None or question.get("root_moves") is not None or self._game != question.get("game"):
            return None
        own, other = ((each.time, each.depth, each.nodes, each.mate) for each in (pondering.limit, limit))
        if own != other:  # The clock differs from move to move.
            return None
        if self._values_for(question.get("options", {}), None) != self._values:
            return None
        if pondering.board.move_stack != board.move_stack or pondering.board.root() != board.root():
            return None
        self._pondering = None
        self._engine.ponder_hit()
        return pondering.infos

    # --- Options ----------------------------------------------------------------------------------------------------

    def _set_options(self, options: ConfigMapping, multipv: int | None = None) -> None:
        """Set the options that have changed: by this call, else by `configure`, else to the default."""
        for name, value in self._values_for(options, multipv).items():
            if name not in self._values or value != self._values[name]:
                with engine_errors():
                    self._host.set_option(name, value)
                if name in self._values:
                    self._values[name] = value

    def _values_for(self, options: ConfigMapping, multipv: int | None) -> dict[str, ConfigValue]:
        """All values for a call. Raises EngineError for an option that is unknown or managed, or for a bad value."""
        if not isinstance(options, Mapping):
            raise TypeError(f'the options are {options!r}: expected a mapping, such as {{"Hash": 64}}')
        values = self._defaults.copy()
        for name, value in (self._target | dict(options)).items():
            if name.lower() in chess.engine.MANAGED_OPTIONS:
                raise EngineError(f"cannot set {name} which is automatically managed")
            option = self._find_option(name)
            values[option.name] = parse_value(option, value)
        if multipv is not None and (multipv != 1 or "MultiPV" in self._options):
            option = self._find_option("MultiPV")
            values[option.name] = parse_value(option, multipv)
        return values

    def _find_option(self, name: str) -> chess.engine.Option:
        if name not in self._options:
            known = ", ".join(self._options)
            raise EngineError(f"engine does not support option {name} (available options: {known})")
        return self._options[name]


_engines: Final[weakref.WeakSet[_InProcessEngine]] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    program_ends.set()
    for engine in list(_engines):
        engine.end_with_program()


class Engine(_InProcessEngine):
    """Ox88, the strong engine, with the methods of chess.engine.SimpleEngine.

    It thinks in this process: there is no program to find and none to wait for. Several engines may think at a time,
    each asked by a thread of its own. `close`, `quit` or a with block ends one; so do the garbage collector and the
    end of the program.
    """

    _entry = MODERN


class MicroMax(_InProcessEngine):
    """micro-Max, the historic engine, with the methods of chess.engine.SimpleEngine.

    Its table takes 201 MB, and the table of `watch` as much again.
    """

    _entry = MICROMAX
    _recorder: "Machine | None" = None  # Made by the first `watch`; later ones reuse its memory.

    def watch(
        self,
        board: chess.Board,
        *,
        node: int = 1,
        count: int = 5_000,
        nodes: int = 10_000_000,
        depth: int = 96,
        without: Iterable[str] = (),
    ) -> "Recording":
        """Search a position, and record what the search does from one of its nodes on.

        Each call searches from the start to this node, a second for two million nodes. It does not disturb other
        calls. Options, and what the engine has learnt, have no effect on it.

        Args:
            board: the position.
            node: number of the node to begin at, 1 for the root, up to ten million.
            count: how many events to record, up to 5,000.
            nodes: no new iteration starts after so many nodes, up to ten million.
            depth: plies of the last iteration, up to 96.
            without: what to leave out: "hash", "best move first", "recapture extension", "king-capture legality".

        Returns:
            The events, the board and the open nodes.

        Raises:
            chess.engine.EngineError: a number is out of range, or the search has no such node; the board is illegal or
                of a chess variant.
            TypeError: for arguments of other types.
        """
        # It brings the compiler, which the engine loads by itself.
        from ox88.engines.micromax.watching import Watch, new_machine

        self._check_open()
        check_question(board, {})
        with self._locked():
            recorder, self._recorder = self._recorder or new_machine(), None
        try:
            search = Watch(from_chess_board(board), nodes=nodes, depth=depth, without=without, machine=recorder)
            return search.from_node(node, count)
        except Ox88Error as error:
            raise engine_error(error) from error
        finally:
            with self._locked():
                self._recorder = None if self._is_closed else recorder

    def close(self) -> None:
        super().close()
        self._recorder = None
