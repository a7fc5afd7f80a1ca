"""No library sends usage data when it is imported for its retriever, unless its own variable says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Every attempt to look up a host or to connect is noted and fails.
WATCH = """
import sys
attempts = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        attempts.append((event, str(arguments[-1] if event == "socket.connect" else arguments[0])))
        raise OSError("no network")
sys.addaudithook(watch)
from hopline.testing import FakeHopline
fake = FakeHopline(documents={"default": []})
"""
HAYSTACK = """
from hopline.integrations.haystack import HoplineRetriever
from haystack import Pipeline
import posthog
pipeline = Pipeline()
pipeline.add_component("retriever", HoplineRetriever(fake))
pipeline.run({"retriever": {"query": "What?"}})
posthog.flush()
"""
SCRIPTS = {
    "haystack": HAYSTACK,
    "haystack, imported before": "import haystack\n" + HAYSTACK,
    "llama_index": "from hopline.integrations.llama_index import HoplineRetriever\nHoplineRetriever(fake).retrieve('?')",
    "langchain": "from hopline.integrations.langchain import HoplineRetriever, HoplineTool\n"
    "HoplineRetriever(hopline=fake).invoke('?')\nHoplineTool(hopline=fake).invoke({'question': '?'})",
}
MISSING = """
import sys
sys.modules["{module}"] = None
try:
    import hopline.integrations.{name}
except ValueError as error:
    print(type(error).__name__, error)
"""


def run_script(code: str, home: Path, **variables: str) -> str:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HAYSTACK_", "LANGSMITH_", "LANGCHAIN_"))
    }
    environment = inherited | {"HOME": str(home)} | variables
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_connection_is_tried(name: str, tmp_path: Path) -> None:
    assert run_script(WATCH + SCRIPTS[name] + "\nprint(attempts)", tmp_path) == "[]\n"


def test_haystack_sends_usage_data_if_its_variable_says_so(tmp_path: Path) -> None:
    code = WATCH + HAYSTACK + "\nprint(len(attempts) > 0)"
    assert run_script(code, tmp_path, HAYSTACK_TELEMETRY_ENABLED="true") == "True\n"


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index.core", "llama-index"),
        ("haystack", "haystack", "haystack"),
    ],
)
def test_the_extra_is_named_if_the_library_is_missing(name: str, module: str, extra: str, tmp_path: Path) -> None:
    output = run_script(MISSING.format(name=name, module=module), tmp_path)
    assert output.startswith("UsageError")
    assert f"pip install 'hopline[{extra}]'" in output
