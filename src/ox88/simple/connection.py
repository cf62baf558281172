"""An event loop in a thread of its own, in which python-chess and a session of ours talk to each other."""

import asyncio
import concurrent.futures
import functools
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final

from ox88.engines.base import Engine, EngineEntry
from ox88.simple.protocol import FailingProtocol
from ox88.simple.transport import SessionTransport

_LAST_WORDS: Final = 1.0  # Seconds that calls have to hear of the end; after them they are cancelled.

Connection = tuple[SessionTransport, FailingProtocol]
_Conversation = Callable[[], Coroutine[Any, Any, None]]


def connect(entry: EngineEntry, engine: Engine, expert: bool) -> Connection:
    """A session and python-chess's side of it, in an event loop which ends after a close."""
    connected: concurrent.futures.Future[Connection] = concurrent.futures.Future()
    conversation = functools.partial(_converse, connected, entry, engine, expert)
    thread = threading.Thread(target=_run_loop, args=(connected, conversation), name="ox88 loop", daemon=True)
    thread.start()
    return connected.result()


def _run_loop(connected: "concurrent.futures.Future[Connection]", conversation: _Conversation) -> None:
    try:
        asyncio.run(conversation())
    except Exception as error:
        if connected.done():
            raise
        connected.set_exception(error)


async def _converse(
    connected: "concurrent.futures.Future[Connection]", entry: EngineEntry, engine: Engine, expert: bool
) -> None:
    protocol = FailingProtocol()
    transport = SessionTransport(protocol, entry, engine, expert)
    await protocol.initialize()
    connected.set_result((transport, protocol))
    await protocol.returncode
    await transport.closed.wait()
    calls = asyncio.all_tasks() - {asyncio.current_task()}
    if calls:  # They hear now that the engine is gone.
        await asyncio.wait(calls, timeout=_LAST_WORDS)
