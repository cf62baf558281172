"""Connections that begin a request and never finish it are closed, or they would take all files of the process."""

import asyncio
from typing import Any, Final

REQUEST_SECONDS: Final = 20.0  # For a request to be finished.


def with_patience(protocol: type[asyncio.Protocol], seconds: float = REQUEST_SECONDS) -> type[asyncio.Protocol]:
    """Let uvicorn's protocol for HTTP close a connection on which no request is finished for so long.

    While a request is answered, and once a WebSocket is open, nothing is closed.
    """
    base: Any = protocol

    class WithPatience(base):  # type: ignore[misc]  # Its base is known only when uvicorn has chosen it.
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._look_later(transport, None)

        def connection_lost(self, error: Exception | None) -> None:
            self._timer.cancel()  # Which would keep the connection's memory until then.
            super().connection_lost(error)

        def _look_later(self, transport: asyncio.Transport, last: object) -> None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look, transport, last)

        def _look(self, transport: asyncio.Transport, last: Any) -> None:
            """Close the connection if its last request is the one that it was before, and is answered."""
            if transport.is_closing() or transport.get_protocol() is not self:
                return
            cycle = self.cycle
            if cycle is last and (cycle is None or cycle.response_complete):
                transport.close()
            else:
                self._look_later(transport, cycle)

    return WithPatience
