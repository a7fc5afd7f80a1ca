"""A reader's machine: the sample documents in a folder, a private server, and an endpoint of a language model."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.ids import collection_id
from hopline.neo4j_server.connection import open_driver

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "platform" / "llm")]

from code_blocks import Runner, environment_for  # noqa: E402
from scripted import Body, Turn, serve  # noqa: E402

MODEL_ADDRESS = "http://localhost:11434/v1"  # of the guides; Ollama's
COLLECTION = "reports"
OWN_HOME = {"docs/guides/operations.md", "docs/guides/service.md"}  # pages that stop the server


def fill(schema: Any) -> Any:
    """A value that fits a JSON schema."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: fill(property_schema) for name, property_schema in schema.get("properties", {}).items()}
        case "array":
            return [fill(schema["items"])]
        case "boolean":
            return False
        case "integer" | "number":
            return 1
        case _:
            return "Maud Kerrigan"


def answer(body: Body, _before: int) -> Turn:
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
    if code := re.search(r"secret code is (\d+)", body["messages"][-1]["content"]):  # of `hopline doctor --model`
        return Turn(code[1])
    return Turn(json.dumps(fill(schema)) if schema else "Maud Kerrigan")


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """Address of an OpenAI-compatible endpoint whose replies fit every schema."""
    with serve(answer) as server:
        yield server.url


@pytest.fixture(scope="session")
def reports(hop: Hopline, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample documents, as in a clone and in reports/, which are in the collection "reports"."""
    folder = tmp_path_factory.mktemp("reader")
    with as_file(files("hopline") / "samples") as samples:
        shutil.copytree(samples, folder / "platform" / "hopline" / "samples")
        shutil.copytree(samples, folder / "reports", ignore=shutil.ignore_patterns("*.json"))
    shutil.copytree(ROOT / "samples" / "training", folder / "samples" / "training")
    assert hop.add([folder / "reports"], COLLECTION).wait(timeout=600).failures == ()
    return folder


@pytest.fixture
def runner(reports: Path, hop: Hopline, endpoint: str, tmp_path: Path) -> Iterator[Callable[[str], Runner]]:
    """Makes a runner of the code blocks of a page, in a fresh copy of the reader's folder."""
    folder, own = tmp_path / "reader", tmp_path / "home"
    shutil.copytree(reports, folder)
    own.mkdir()
    with closing(open_driver(hop._connections.store.connection)) as driver:
        yield lambda page: Runner(
            folder,
            environment_for(own if page in OWN_HOME else hop.settings.home),
            driver,
            replace={MODEL_ADDRESS: endpoint},
            parameters={"collection": collection_id(COLLECTION)},
        )
    Hopline.stop(own)
