"""The script that installs Chromium, with the commands that it calls replaced: nothing is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "ensure_chromium.sh"
TOOLS = ("bash", "env", "mktemp", "rm", "tail", "touch", "chmod")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``run("apt-get", user=0)`` runs the script as this user where only these commands exist, as scripts of a line."""

    def run_script(user: int = 0, **commands: str) -> subprocess.CompletedProcess[str]:
        for tool in TOOLS:
            path = shutil.which(tool)
            assert path is not None
            (tmp_path / tool).symlink_to(path)
        for name, line in ({"id": f"echo {user}"} | commands).items():
            file = tmp_path / name.replace("_", "-")
            file.write_text(f"#!/usr/bin/env bash\n{line}\n")
            file.chmod(0o755)
        return subprocess.run(
            [SCRIPT], env={"PATH": str(tmp_path), "HOME": os.environ.get("HOME", "")}, cwd=tmp_path,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run_script


INSTALL = 'case "$*" in *install*chromium) touch chromium; chmod +x chromium;; esac; echo "reading packages"'


def test_nothing_happens_where_a_browser_is_installed(run: Run) -> None:
    done = run(chromium_browser="exit 0", apt_get="touch called")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_root_installs_it(run: Run) -> None:
    done = run(apt_get=INSTALL)
    assert (done.returncode, done.stdout) == (0, "Chromium was installed for the tests of the page\n")


def test_another_user_installs_it_if_no_password_is_needed(run: Run) -> None:
    done = run(user=1000, apt_get=INSTALL, sudo='shift; "$@"', true="exit 0")
    assert (done.returncode, done.stdout) == (0, "Chromium was installed for the tests of the page\n")


@pytest.mark.parametrize(
    "commands",
    [
        {},
        {"apt_get": "echo no network; exit 100"},
        {"apt_get": INSTALL, "user": 1000, "sudo": "echo a password is required; exit 1"},
    ],
)
def test_the_first_line_says_how_to_install_it_where_that_is_not_possible(run: Run, commands: dict[str, Any]) -> None:
    done = run(**commands)
    assert done.returncode == 1
    first = done.stdout.splitlines()[0]
    assert first.startswith("Chromium is not installed")
    assert "sudo apt install chromium" in first
