"""Access control: only pages of this server, under its own names; and HTTP headers that restrict what pages may do."""

import contextlib
import ipaddress
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The hash of the one style that chessground sets on an element: color-scheme:light only.
_CHESSGROUND_STYLE: Final = "SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0="
_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' 'unsafe-hashes' 'sha256-{_CHESSGROUND_STYLE}'",
        "img-src 'self' data:",  # The pieces are in chessground's style sheet.
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Middleware that refuses requests for other hosts and WebSockets from pages of other sites, and adds `HEADERS`.

    The check of the host prevents DNS rebinding: another site's name that is made to point at this machine.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        reason = self._refusal(headers)
        if reason is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
            return
        if reason is not None:
            await PlainTextResponse(reason, 403, headers=HEADERS)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, headers: Headers) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        name = site = ""
        with contextlib.suppress(ValueError):  # It is no address at all.
            name = (urlsplit(f"//{host}").hostname or "").lower()
        if not (name in self._hosts or _is_address(name)):
            return f"{name!r} is not a name of this server: --allow-host adds one"
        with contextlib.suppress(ValueError):
            site = urlsplit(origin or "").netloc
        if origin is not None and site.lower() != host.lower():  # Only browsers send it, such as http://localhost:8088.
            return "pages of other sites may not connect"
        return None


def is_local(name: str) -> bool:
    """True if a name or an address leads to this machine alone."""
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name).is_loopback)


def _is_address(name: str) -> bool:
    """True for an IP address, which cannot be made to point at another machine."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
