"""The MCP server over HTTP, with the API keys of the home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from hopline.api.access import is_loopback
from hopline.api.keys import KeyStore
from hopline.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

PATH: Final = "/mcp"


class KeyCheck:
    """Lets only requests pass that have an API key of the home for all collections, once it has keys."""

    def __init__(self, app: ASGIApp, keys: KeyStore, *, writes: bool) -> None:
        self._app = app
        self._keys = keys
        self._writes = writes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "http" and not self._is_allowed(Headers(scope=scope)):
            refusal = PlainTextResponse(
                "this server needs an API key for all collections: 'Authorization: Bearer KEY'\n",
                401,
                {"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, headers: Headers) -> bool:
        if not self._keys.list():
            return True
        scheme, _, secret = headers.get("authorization", "").partition(" ")
        key = self._keys.find(secret.strip()) if scheme.casefold() == "bearer" else None
        return key is not None and not key.collections and key.allows("write" if self._writes else "read")


def create_http_app(server: MCPServer, home: Path, host: str, *, writes: bool) -> ASGIApp:
    """Return the application that serves the protocol over streamable HTTP.

    Raises:
        UsageError: other machines can reach ``host``, and the home has no API key.
    """
    keys = KeyStore(home)
    if not is_loopback(host) and not keys.list():
        raise UsageError(
            f"a server on {host} can be reached from other machines and needs an API key; create one with "
            "`hopline key add NAME`, or listen on 127.0.0.1"
        )
    return KeyCheck(server.streamable_http_app(streamable_http_path=PATH, host=host), keys, writes=writes)


def serve_http(server: MCPServer, home: Path, host: str, port: int, *, writes: bool) -> None:
    """Serve the protocol over streamable HTTP until SIGTERM or SIGINT."""
    app = create_http_app(server, home, host, writes=writes)
    uvicorn.run(app, host=host, port=port, log_config=None, access_log=False, server_header=False)
