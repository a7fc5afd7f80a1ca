"""A small Maven repository on loopback, reached through jgo's own settings."""

from __future__ import annotations

import gc
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hopline.neo4j_server.artifacts import Artifact


@dataclass
class Repository:
    """The files of a Maven repository by path, and the number of requests for each."""

    files: dict[str, bytes] = field(default_factory=dict)
    requests: Counter[str] = field(default_factory=Counter)

    def publish(self, name: str, data: bytes, *, group: str = "org.example", version: str = "1.0") -> Artifact:
        """Serve a jar."""
        self.files[f"/{group.replace('.', '/')}/{name}/{version}/{name}-{version}.jar"] = data
        return Artifact(group, name, version, "jar", "", len(data), sha256(data).hexdigest())

    def count_downloads(self, name: str) -> int:
        """Count the downloads of a jar of ``org.example``."""
        return self.requests[f"/org/example/{name}/1.0/{name}-1.0.jar"]


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Configures a mirror of Maven Central in jgo's settings, as a user would."""

    def name(url: str) -> None:
        settings = tmp_path / "jgo.conf"
        settings.write_text(f"[repositories]\ncentral = {url}\n")
        monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))

    return name


@pytest.fixture
def repository(mirror: Callable[[str], None]) -> Iterator[Repository]:
    """An empty repository in place of Maven Central."""
    served = Repository()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requests[self.path] += 1
            data = served.files.get(self.path)
            self.send_response(404 if data is None else 200)
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        mirror(f"http://127.0.0.1:{server.server_port}")
        yield served
        server.shutdown()
        thread.join()
    with warnings.catch_warnings():  # jgo leaves the connection of a 404 open
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, which test the private server itself."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("private")
