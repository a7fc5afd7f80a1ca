"""The committed bundle matches its sources."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hopline_ui.components import graph_view

HOME = Path(graph_view.__file__).parent


def sources() -> list[str]:
    return [
        "package.json",
        "package-lock.json",
        "build.mjs",
        *sorted(f"src/{path.name}" for path in (HOME / "src").iterdir()),
    ]


def test_the_bundle_is_named_after_the_hash_of_its_sources():
    digest = hashlib.sha256()
    for name in sources():
        digest.update(f"{name}\n".encode() + (HOME / name).read_bytes().replace(b"\r\n", b"\n"))
    built = f"graph-{digest.hexdigest()[:12]}.js"
    assert graph_view.find_bundle().name == built, (
        "sources changed: run `npm ci && npm run build` in ui/hopline_ui/components/graph_view"
    )


def test_the_lock_pins_every_package_and_names_no_host():
    text = (HOME / "package-lock.json").read_text("utf-8")
    assert "http" not in text
    packages = json.loads(text)["packages"]
    assert all("integrity" in package for name, package in packages.items() if name)


def test_only_permissive_licences_are_shipped():
    packages = json.loads((HOME / "package-lock.json").read_text("utf-8"))["packages"]
    assert {package["license"] for name, package in packages.items() if name} <= {"MIT"}
    notices = (HOME / "bundle" / "LICENSES.txt").read_text("utf-8")
    for name in ("cytoscape", "cytoscape-fcose", "cose-base", "layout-base"):
        assert re.search(rf"^{name} \d", notices, re.MULTILINE)


def test_building_the_sources_again_gives_the_same_bytes(tmp_path):
    if not (npm := shutil.which("npm")):
        pytest.skip("node is not installed")
    copy = tmp_path / "component"
    shutil.copytree(HOME, copy, ignore=shutil.ignore_patterns("bundle", "node_modules", "__pycache__"))
    if (HOME / "node_modules" / "esbuild").is_dir():
        (copy / "node_modules").symlink_to(HOME / "node_modules")
    else:
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=copy, check=True, capture_output=True)
    subprocess.run([npm, "run", "build"], cwd=copy, check=True, capture_output=True)
    [again] = (copy / "bundle").glob("graph-*.js")
    assert again.name == graph_view.find_bundle().name
    assert again.read_bytes() == graph_view.find_bundle().read_bytes()
