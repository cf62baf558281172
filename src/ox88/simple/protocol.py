"""python-chess's side of UCI, mended where it would wait for ever, or answer one call with another's search.

python-chess lets a process be killed then; what is here must go on.
"""

import asyncio
import contextlib
import functools
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

import chess
from chess.engine import AnalysisResult, BaseCommand, CommandState, ConfigMapping, EngineError, Limit, UciProtocol

_T = TypeVar("_T")
NO_BEST_MOVE: Final = "bestmove (none)"  # So python-chess wants it; 0000 would be a move that passes.
_STEPS: Final = ("start", "line_received")


class FailingProtocol(UciProtocol):
    """A command that cannot be carried out fails, with the error that its caller gets, and the next one can begin.

    The session answers every `go` with a bestmove, or `refuse_search`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._listeners: set[asyncio.Task[None]] = set()
        self._searches = 0  # Begun, and without an answer, ...
        self._unwanted = 0  # ... and those of them that belong to a command which has failed.

    # --- Commands that fail -------------------------------------------------------------------------------------------

    async def communicate(self, command_factory: Callable[..., BaseCommand[_T]]) -> _T:
        def make(protocol: UciProtocol) -> BaseCommand[_T]:
            command = command_factory(protocol)
            for step in _STEPS:
                setattr(command, step, functools.partial(self._attempt, command, getattr(command, step)))
            return command

        self._drop_next_command()
        return await super().communicate(make)

    def _drop_next_command(self) -> None:
        """Cancel a command that has not begun, as a new one does; python-chess (1.11.2) stumbles over it.."""
        if self.next_command is not None:
            dropped, self.next_command = self.next_command, None
            dropped.result.cancel()
            dropped.finished.cancel()

    def _attempt(self, command: BaseCommand[Any], step: Callable[..., None], *arguments: str) -> None:
        try:
            step(*arguments)
        except Exception as error:  # Of what the caller has given, say a board that is none.
            self._fail(command, error)

    def fail(self, error: Exception) -> None:
        """End the command that runs with an error, unless what went wrong is a search of one before it."""
        if self.command is not None and not self._unwanted:
            self._fail(self.command, error)

    def _fail(self, command: BaseCommand[Any], error: Exception) -> None:
        if not command.result.done():
            command.result.set_exception(error)
        elif not command.result.cancelled():  # An analysis, which its caller has already.
            command.engine_terminated(error)
        if self._searches:
            self.send_line("stop")
            self._unwanted = self._searches
        if not command.finished.done():
            command.set_finished()

    def refuse_search(self, error: Exception) -> None:
        """A `go` gets no other answer. The command that sent it fails."""
        self._searches -= 1
        self.fail(error)
        self._unwanted = min(self._unwanted, self._searches)

    # --- Searches -----------------------------------------------------------------------------------------------------

    def _go(
        self,
        limit: Limit,
        *,
        root_moves: Iterable[chess.Move] | None = None,
        ponder: bool = False,
        infinite: bool = False,
    ) -> None:
        """Send it. Of root moves none of which is legal none is the best, as Stockfish has it."""
        moves = None if root_moves is None else list(root_moves)
        if moves is None or any(self.board.is_legal(move) for move in moves):
            super()._go(limit, root_moves=moves, ponder=ponder, infinite=infinite)
            self._searches += 1
            self._stop_if_cancelled()
        else:
            self._searches += 1
            self.loop.call_soon(self.receive, NO_BEST_MOVE)

    def _stop_if_cancelled(self) -> None:
        """A command may be cancelled before it has sent its `go`: then its `stop` came too early."""
        if self.command is not None and self.command.state is CommandState.CANCELLING:
            self.send_line("stop")

    def receive(self, line: str) -> None:
        """Take a line of the session."""
        word = line.partition(" ")[0]
        is_unwanted = self._unwanted > 0 and word in ("info", "bestmove")
        if word == "bestmove":
            self._searches -= 1
            self._unwanted = max(self._unwanted - 1, 0)
        if not is_unwanted:
            self.pipe_data_received(1, f"{line}\n".encode())

    async def analysis(self, *arguments: Any, **keywords: Any) -> AnalysisResult:
        analysis = await super().analysis(*arguments, **keywords)
        listener = asyncio.create_task(_listen(analysis))
        self._listeners.add(listener)
        listener.add_done_callback(self._listeners.discard)
        return analysis

    # --- Options ------------------------------------------------------------------------------------------------------

    async def configure(self, options: ConfigMapping) -> None:
        """Set them, or raise EngineError: what the engine refuses, it says at the ping."""
        before = self.target_config.copy()
        await super().configure(options)
        try:
            if options:
                await self.ping()
        except EngineError:
            self.target_config = before
            raise

    def forget_options(self) -> None:
        """Some that were sent are not set: so the next command sends all again."""
        self.config.clear()


async def _listen(analysis: AnalysisResult) -> None:
    """Hear how an analysis ends: asyncio prints an error that nobody hears of, at a close say."""
    with contextlib.suppress(Exception):
        await analysis.wait()
