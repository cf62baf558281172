"""Connections that begin a request and never finish it are closed, or they would take all files of the process."""

import asyncio
import contextlib
from typing import Any, Final

REQUEST_SECONDS: Final = 20.0  # For a request to be finished.
_MOST_FILES: Final = 8192  # Less than macOS lets a process have.


def raise_file_limit() -> int:
    """Let this process have more files open, if it may. Returns how many it can count on."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return _MOST_FILES
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, hard = (_MOST_FILES if limit == resource.RLIM_INFINITY else min(limit, _MOST_FILES) for limit in limits)
    if soft < hard:
        with contextlib.suppress(OSError, ValueError):  # The system may have another limit.
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, limits[1]))
            return hard
    return soft


def with_patience(
    protocol: type[asyncio.Protocol], most: int, seconds: float = REQUEST_SECONDS
) -> type[asyncio.Protocol]:
    """Let uvicorn's protocol for HTTP close a connection on which no request is finished for so long.

    While a request is answered, and once a WebSocket is open, nothing is closed because of the time.
    most: connections for requests; with more, the oldest is closed. And WebSockets; with more, the newest is closed.
    """
    base: Any = protocol
    requesting: dict[Any, asyncio.Transport] = {}  # The oldest first.

    class WithPatience(base):  # type: ignore[misc]  # Its base is known only when uvicorn has chosen it.
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._look_later(transport, None)
            requesting[self] = transport
            if len(requesting) > most:
                requesting.pop(next(iter(requesting))).abort()

        def connection_lost(self, error: Exception | None) -> None:
            self._forget()
            super().connection_lost(error)

        def handle_websocket_upgrade(self, *request: Any) -> None:
            self._forget()
            if (
                len(self.connections) - len(requesting) > most
            ):  # The WebSockets: all connections but those for requests.
                self.transport.abort()
            else:
                super().handle_websocket_upgrade(*request)

        def _forget(self) -> None:
            self._timer.cancel()  # Which would keep the connection's memory until then.
            requesting.pop(self, None)

        def _look_later(self, transport: asyncio.Transport, last: object) -> None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look, transport, last)

        def _look(self, transport: asyncio.Transport, last: Any) -> None:
            """Close the connection if its last request is the one that it was before, and is answered."""
            if transport.is_closing():
                return
            cycle = self.cycle
            if cycle is last and (cycle is None or cycle.response_complete):
                transport.close()
            else:
                self._look_later(transport, cycle)

    return WithPatience
