"""API keys of a home: created once, stored hashed, each with a scope and with the collections that it may use."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, get_args

from filelock import FileLock

from hopline.atomic_files import write_text_atomically
from hopline.errors import UnknownName, UsageError
from hopline.records import check_collection_name

Scope = Literal["read", "write", "admin"]

SCOPES: Final[tuple[str, ...]] = get_args(Scope)  # each includes those before it
FILE_NAME: Final = "api_keys.json"
_PREFIX: Final = "hop_"
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is stored: ``sha256`` is the hash of the key, which is random and needs no slow hash.

    ``scope``: "read" asks and lists, "write" also adds, corrects and removes documents and entities, "admin" also
    renames and removes collections and runs Cypher queries. ``collections`` are the names that it may use; empty: all.
    ``created_at`` is in seconds since 1970.
    """

    id: str
    name: str
    sha256: str
    scope: Scope = "read"
    collections: tuple[str, ...] = ()
    created_at: float = 0.0

    def allows(self, scope: Scope) -> bool:
        """Whether the scope of this key includes ``scope``."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)

    def allows_collection(self, collection: str) -> bool:
        """Whether this key may use a collection."""
        return not self.collections or collection in self.collections


LOCAL_KEY: Final = ApiKey("local", "local", "", "admin")


class KeyStore:
    """The API keys of a home, in a file that only its owner can read. Safe for threads and processes."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME
        self._lock = Lock()
        self._read: tuple[tuple[int, int], tuple[ApiKey, ...]] | None = None

    def add(self, name: str, *, scope: Scope = "read", collections: Sequence[str] = ()) -> tuple[str, ApiKey]:
        """Create a key; return it, which is stored nowhere, and its record.

        Raises:
            UsageError: the name is empty or taken, no such scope, or a name that no collection can have.
        """
        if scope not in SCOPES:
            raise UsageError(f"a scope is one of {', '.join(SCOPES)} (got {scope!r})")
        if not name.strip() or not name.isprintable():
            raise UsageError(f"a key needs a name, by which it is listed and removed (got {name!r})")
        names = tuple(dict.fromkeys(map(check_collection_name, collections)))
        id, secret = secrets.token_hex(4), secrets.token_urlsafe(_SECRET_BYTES)
        key = f"{_PREFIX}{id}_{secret}"
        record = ApiKey(id, name, _hash(key), scope, names, time.time())
        with self._change():
            existing = self.list()
            if any(other.name == name for other in existing):
                raise UsageError(f"there is a key called {name!r} already; choose another name, or remove that one")
            self._write([*existing, record])
        return key, record

    def remove(self, name: str) -> ApiKey:
        """Remove a key, by its name or id; requests with it are refused from now on.

        Raises:
            UnknownName: there is no such key.
        """
        with self._change():
            keys = self.list()
            removed = next((key for key in keys if name in {key.name, key.id}), None)
            if removed is None:
                advice = "create one with `hopline key add NAME`"
                raise UnknownName("key", name, [key.name for key in keys], advice=advice)
            self._write([key for key in keys if key is not removed])
        return removed

    def list(self) -> tuple[ApiKey, ...]:
        """Return the keys, oldest first.

        Raises:
            UsageError: the file is damaged.
        """
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return ()
        version = (status.st_mtime_ns, status.st_size)
        with self._lock:
            if self._read is None or self._read[0] != version:
                self._read = version, _parse_keys(self._path)
            return self._read[1]

    def find(self, key: str) -> ApiKey | None:
        """Return the record of a key, None if there is none; takes equally long for every wrong key."""
        digest = _hash(key)
        matches = [record for record in self.list() if hmac.compare_digest(record.sha256, digest)]
        return matches[0] if matches else None

    def _change(self) -> FileLock:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        return FileLock(self._path.with_suffix(".lock"))

    def _write(self, keys: Sequence[ApiKey]) -> None:
        text = json.dumps({"keys": [asdict(key) for key in keys]}, ensure_ascii=False, indent=2) + "\n"
        write_text_atomically(self._path, text)
        self._path.chmod(0o600)


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _parse_keys(path: Path) -> tuple[ApiKey, ...]:
    try:
        rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["keys"]
        return tuple(ApiKey(**{**row, "collections": tuple(row["collections"])}) for row in rows)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"the file of API keys {path} is damaged: {error}; repair or remove it") from error
