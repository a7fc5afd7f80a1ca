"""Check what needs no test run about a commit: lock files, environment, style, names, types, layers, collection.

python scripts/check.py                 # every step
python scripts/check.py style types     # only these steps

Every step runs, whatever failed before it. The last line of the output names the steps that failed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
LOCK = ROOT / "constraints.txt"  # everything that development needs
RUNTIME_LOCK = ROOT / "constraints-runtime.txt"  # what Hopline runs on; a subset
INSTALLERS = {"pip", "setuptools", "uv", "wheel"}
MAX_OUTPUT_LINES = 40

Problems = list[str]


def read_lock(path: Path) -> dict[str, set[str]]:
    """Return the locked versions of every package, by canonical name; more than one where they depend on the Python."""
    versions: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", path.read_text(encoding="utf-8"), re.MULTILINE):
        versions.setdefault(canonicalize_name(name), set()).add(version)
    return versions


def list_requirements(pyproject: Path) -> Iterator[Requirement]:
    """List the requirements of the project, its extras and its dependency groups."""
    data = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    extras = data["project"]["optional-dependencies"].values()
    for group in (data["project"]["dependencies"], *extras, *data["dependency-groups"].values()):
        yield from map(Requirement, group)


def check_lock(
    lock: Path = LOCK, runtime_lock: Path = RUNTIME_LOCK, pyproject: Path = ROOT / "pyproject.toml"
) -> Problems:
    """Return where the lock files disagree with pyproject.toml, with each other, or cannot be installed."""
    locked = read_lock(lock)
    problems = [
        f"{runtime_lock.name} has {name} {_join(versions)}, {lock.name} has {_join(locked.get(name))}"
        for name, versions in read_lock(runtime_lock).items()
        if locked.get(name) != versions
    ]
    for requirement in list_requirements(pyproject):
        versions = locked.get(canonicalize_name(requirement.name), set())
        if not versions or not all(requirement.specifier.contains(version, prereleases=True) for version in versions):
            problems.append(f"pyproject.toml requires {requirement}, {lock.name} has {_join(versions)}")
    uv = shutil.which("uv") or str(BIN / "uv")
    install = [uv, "pip", "install", "--python", sys.executable, "--dry-run", "--require-hashes", "--no-deps"]
    return problems + run_command([*install, "-r", str(lock)])


def check_environment(lock: Path = LOCK) -> Problems:
    """Return the packages of this environment that the lock lacks or has in another version."""
    locked = read_lock(lock)
    installed = {canonicalize_name(package.name): package.version for package in distributions() if package.name}
    return [
        f"{name} {version} is installed, {lock.name} has {_join(locked.get(name))}"
        for name, version in sorted(installed.items())
        if name not in INSTALLERS | {"hopline"} and version not in locked.get(name, ())
    ]


def _join(versions: set[str] | None) -> str:
    return " and ".join(sorted(versions or ())) or "none"


def run_command(command: list[str]) -> Problems:
    """Run a command; return the end of its output if it fails."""
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    output = (completed.stdout + completed.stderr).strip().splitlines()
    return (output[-MAX_OUTPUT_LINES:] or [f"exit status {completed.returncode}"]) if completed.returncode else []


def run_tool(*arguments: str) -> Callable[[], Problems]:
    """Return a step that runs a tool of this environment."""
    return lambda: run_command([str(BIN / arguments[0]), *arguments[1:]])


STEPS: dict[str, Callable[[], Problems]] = {
    "lock": check_lock,
    "environment": check_environment,
    "style": run_tool("ruff", "check", "."),
    "format": run_tool("ruff", "format", "--check", "."),
    "names": run_tool("python", "scripts/names.py"),
    "layers": run_tool("lint-imports"),
    "dependencies": run_tool("deptry", "platform", "ingest", "ui", "cypher"),
    "types": run_tool("mypy"),
    "collection": run_tool("pytest", "--collect-only", "-q", "-p", "no:xdist"),
}


def main(names: list[str]) -> int:
    """Run the steps; return 1 if one fails and 2 if a name is unknown."""
    if unknown := [name for name in names if name not in STEPS]:
        print(f"no step called {', '.join(unknown)}; available: {', '.join(STEPS)}", file=sys.stderr)
        return 2
    failed = []
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    for name in names or STEPS:
        began = time.monotonic()
        problems = STEPS[name]()
        print(f"{'FAILED' if problems else 'ok':8}{name} ({time.monotonic() - began:.0f} s)", flush=True)
        for line in problems:
            print(f"        {line}")
        if problems:
            failed.append(name)
    print(f"check failed: {', '.join(failed)}" if failed else "check passed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
