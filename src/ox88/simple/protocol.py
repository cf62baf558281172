"""python-chess's side of UCI, mended where a mistake of the caller would leave it waiting for ever."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

from chess.engine import AnalysisResult, BaseCommand, EngineError, UciProtocol

_T = TypeVar("_T")


class FailingProtocol(UciProtocol):
    """A command that cannot be carried out fails, with the error that its caller gets, and the next one can begin."""

    def __init__(self) -> None:
        super().__init__()
        self._listeners: set[asyncio.Task[None]] = set()

    async def communicate(self, command_factory: Callable[..., BaseCommand[_T]]) -> _T:
        made: list[BaseCommand[_T]] = []

        def make(protocol: UciProtocol) -> BaseCommand[_T]:
            made.append(command_factory(protocol))
            return made[0]

        try:
            return await super().communicate(make)
        except Exception as error:
            if not made or self.command is not made[0]:
                raise
            self.fail(error)  # It is stuck in its first step, say at an option's value of a wrong type.
            return await made[0].result

    def fail(self, error: Exception) -> None:
        """End the command that runs with an error."""
        command = self.command
        if command is None:
            return
        if not command.result.done():
            command.result.set_exception(error)
        else:  # An analysis, which its caller has already.
            command.engine_terminated(error)
        if not command.finished.done():
            command.set_finished()
        if self.command is command:
            self.command = None

    async def analysis(self, *arguments: Any, **keywords: Any) -> AnalysisResult:
        analysis = await super().analysis(*arguments, **keywords)
        listener = asyncio.create_task(_listen(analysis))
        self._listeners.add(listener)
        listener.add_done_callback(self._listeners.discard)
        return analysis


async def _listen(analysis: AnalysisResult) -> None:
    """Hear how an analysis ends: asyncio prints an error that nobody hears of, at a close say."""
    with contextlib.suppress(EngineError):
        await analysis.wait()
