"""Who may do what: the API key of a request, and the checks that each route makes."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from hopline.api.keys import LOCAL_KEY, ApiKey, KeyStore, Scope
from hopline.api.problems import Refused

BEARER: Final = HTTPBearer(
    auto_error=False, description="An API key, as `hopline key add` prints it; not needed while there are none."
)
_CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True, slots=True)
class Access:
    """What the key of a request allows."""

    key: ApiKey

    def check(self, scope: Scope, collection: str | None = None) -> None:
        """Check that the key includes a scope, for one collection or, without one, for the whole service.

        Raises:
            Refused: (403) it does not.
        """
        if not self.key.allows(scope):
            message = f"the key {self.key.name!r} has the scope {self.key.scope!r}; this needs {scope!r}"
            raise Refused(HTTPStatus.FORBIDDEN, message)
        if collection is None and self.key.collections:
            message = f"the key {self.key.name!r} is for some collections only; this needs a key for all"
            raise Refused(HTTPStatus.FORBIDDEN, message)
        if collection is not None and not self.key.allows_collection(collection):
            message = f"the key {self.key.name!r} may not use the collection {collection!r}"
            raise Refused(HTTPStatus.FORBIDDEN, message)

    def select(self, collections: Iterable[str]) -> frozenset[str]:
        """Return the names of the collections that the key may use."""
        return frozenset(filter(self.key.allows_collection, collections))


@dataclass(frozen=True, slots=True)
class Authentication:
    """Finds the key of a request; ``token`` is that of local commands, which may do everything."""

    keys: KeyStore
    token: str

    def find_key(self, secret: str | None, request: Request) -> ApiKey:
        """Return the key of a request.

        Without any key in the home, requests of this machine need none; those that a foreign web page makes from a
        browser are refused.

        Raises:
            Refused: (401) the key is missing or wrong; (403) the request comes from a foreign page.
        """
        if secret is not None:
            if self.token and hmac.compare_digest(secret.encode(), self.token.encode()):
                return LOCAL_KEY
            if key := self.keys.find(secret):
                return key
            raise Refused(HTTPStatus.UNAUTHORIZED, "there is no such API key, or it was removed", _CHALLENGE)
        if self.keys.list():
            message = "this service needs an API key: send the header 'Authorization: Bearer KEY'"
            raise Refused(HTTPStatus.UNAUTHORIZED, message, _CHALLENGE)
        _check_local(request)
        return LOCAL_KEY


def get_access(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]
) -> Access:
    """Return what the key of a request allows, and count the request."""
    authentication: Authentication = request.app.state.authentication
    key = authentication.find_key(credentials.credentials if credentials else None, request)
    client = key.id if key is not LOCAL_KEY else (request.client.host if request.client else "")
    request.app.state.rate_limiter.check(client)
    request.state.key = key.name
    return Access(key)


Authorized = Annotated[Access, Depends(get_access)]


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _check_local(request: Request) -> None:
    """Check that a request without key names this machine as its host, and does not come from another web page."""
    for header in ("host", "origin"):
        value = request.headers.get(header)
        if value is None:
            continue
        host = urlsplit(value if "//" in value else f"//{value}").hostname or ""
        if not is_loopback(host):
            message = f"requests without an API key must come from this machine; the header {header} is {value!r}"
            raise Refused(HTTPStatus.FORBIDDEN, message)
