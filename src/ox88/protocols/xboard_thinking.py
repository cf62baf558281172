"""What the engine thinks about while commands come and go: its move, its answer to an expected one, or an analysis."""

import enum
import functools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ox88.engines.base import Info, Limit
from ox88.protocols.game import Game
from ox88.protocols.player import Player
from ox88.protocols.search_thread import Search


class Purpose(enum.Enum):
    """What a thought is for."""

    MOVE = "to be played"
    PONDER = "to be played if the opponent does what is expected"
    ANALYSIS = "to be shown"


@dataclass(slots=True, eq=False)
class Thought:
    """A search and what it has found. started: when the engine's clock began to run, or would have, in seconds.

    best: the newest Info of the best line; newest: of any. line: to be played, when the search has ended.
    """

    purpose: Purpose
    limit: Limit
    started: float = field(default_factory=time.perf_counter)
    best: Info | None = None
    newest: Info | None = None
    line: tuple[int, ...] = ()
    search: Search | None = None

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.started


class Thinking:
    """At most one thought at a time. Whoever calls holds the lock, except for `finish` and `close`, which wait.

    shown: takes each Info, from the search's thread. failed: takes an exception of the engine, whose move is then any.
    moved: takes the thought that has come to its move, from the search's thread, which holds the lock then.
    """

    def __init__(
        self,
        player: Player,
        lock: threading.RLock,
        *,
        shown: Callable[[Info], None],
        failed: Callable[[Exception], None],
        moved: Callable[[Thought], None],
    ) -> None:
        self._player = player
        self._lock = lock
        self._shown = shown
        self._failed = failed
        self._moved = moved
        self.thought: Thought | None = None

    @property
    def purpose(self) -> Purpose | None:
        return self.thought.purpose if self.thought else None

    def begin(self, game: Game, limit: Limit, purpose: Purpose) -> None:
        """Think about where a game has come to. What was thought before must be abandoned."""
        thought = self.thought = Thought(purpose, limit)
        try:
            self._player.move_to(game)
            engine = self._player.ready()
            infos = engine.search(limit)
        except Exception as error:  # Whatever it is: a GUI waits for a move, and a game goes on.
            self._failed(error)
            self._end(thought, ())
            return
        thought.search = Search(
            engine,
            infos,
            listener=functools.partial(self._hear, thought),
            failed=self._failed,
            ended=functools.partial(self._end, thought),
            held=purpose is not Purpose.MOVE,
            endless=purpose is Purpose.ANALYSIS,
        )

    def ponder_hit(self) -> None:
        """The expected move was played: what was pondered is the engine's move now."""
        thought = self.thought
        if thought is not None and thought.search is not None:
            thought.purpose = Purpose.MOVE
            thought.started = time.perf_counter()
            thought.search.ponder_hit()

    def move_now(self) -> None:
        """End the thought on the engine's move soon."""
        thought = self.thought
        if thought is not None and thought.search is not None and thought.purpose is Purpose.MOVE:
            thought.search.stop()

    def abandon(self) -> None:
        """Stop thinking; nothing comes of it. The engine is free when this returns."""
        thought, self.thought = self.thought, None
        if thought is not None and thought.search is not None:
            thought.search.free_engine()

    def finish(self) -> None:
        """Let the engine move now, if it is to move, and wait for that."""
        with self._lock:
            search = self.thought.search if self.thought and self.purpose is Purpose.MOVE else None
        if search is not None:
            search.end()

    def close(self) -> None:
        """Abandon, and wait for the thread."""
        with self._lock:
            search = self.thought.search if self.thought else None
            self.abandon()
        if search is not None:
            search.end()

    def _hear(self, thought: Thought, info: Info) -> None:
        """Tell of an Info, unless the thought was abandoned: a GUI would take it for one of the new position."""
        if self.thought is not thought:
            return
        thought.newest = info
        if info.multipv == 1 and not info.current_move:
            thought.best = info
        self._shown(info)

    def _end(self, thought: Thought, line: tuple[int, ...]) -> None:
        """Tell of a move, unless the thought was abandoned meanwhile."""
        with self._lock:
            if self.thought is thought:
                self.thought = None
                if thought.purpose is Purpose.MOVE:
                    thought.line = line
                    self._moved(thought)
