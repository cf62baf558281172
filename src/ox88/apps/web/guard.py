"""Who may ask: pages of this server alone, under names that are its own; and what pages may do."""

import ipaddress
from collections.abc import Collection, Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Of the one style that chessground writes into an element, color-scheme:light only.
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
    """Middleware. Refuses requests for other hosts, and WebSockets of other sites' pages; adds headers to the rest.

    Without the first a name that somebody points at this machine would make his page one of ours.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        reason = self._why_not(headers)
        if reason is not None:
            await _refuse(reason, scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _why_not(self, headers: Headers) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        name = _name_of(f"//{host}")
        if not (name in self._hosts or _is_address(name)):
            return f"this server has not the name {name!r}: --allow-host gives it one"
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():  # Programs send none.
            return "pages of other sites may not ask here"
        return None


def _name_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    """No name can be pointed at this machine that is none."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
    else:
        await PlainTextResponse(reason, 403, headers=HEADERS)(scope, receive, send)


def own_names(host: str, others: Iterable[str]) -> frozenset[str]:
    """The names that a server bound to a host goes by."""
    return frozenset({"localhost", host, *others})
