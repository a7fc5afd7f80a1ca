"""Private servers of these tests' own; only the jars are shared with the user's, so nothing is fetched twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hopline.config import Settings, load_settings
from hopline.store.server import stop


def own(home: Path, **given: Any) -> Settings:
    """Settings of a private server in a folder, whatever NEO4J_URI says."""
    return load_settings(home=home, neo4j_uri="", server_heap_mb=256, server_pagecache_mb=32, **given)


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """One private server for the module; a test that ends it finds it started again by `connect`."""
    settings = own(tmp_path_factory.mktemp("server"))
    yield settings
    stop(settings)


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Callable[..., Settings]]:
    """Settings of a further private server, which ends with the test."""
    yield lambda **given: own(tmp_path, **given)
    stop(own(tmp_path))
