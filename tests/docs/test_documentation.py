"""What the documentation says is checked against the code."""

import re
import subprocess
import sys
import tomllib
from inspect import signature
from pathlib import Path
from typing import get_args

import pytest

from hopline.flow.requests import Request, search
from hopline.strategies import list_strategy_names

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
STRATEGIES = (ROOT / "docs" / "guides" / "strategies.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SOURCES = ("platform/hopline", "ingest/hopline_ingest", "ui/hopline_ui", "cypher/hopline_cypher")


def test_the_generated_reference_pages_are_those_of_the_code() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "generate_reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_the_readme_counts_the_retrieval_strategies() -> None:
    bounds = {"direct", "gold"}  # without retrieval
    assert len(set(list_strategy_names()) - bounds) == 20
    assert "Twenty retrieval strategies" in README


def test_the_table_of_strategies_has_every_strategy_once() -> None:
    table = STRATEGIES.split("## All strategies")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(list_strategy_names())


def test_each_strategy_is_for_users_or_for_the_reproduction_of_a_paper() -> None:
    table = STRATEGIES.split("## For users and for the reproduction of papers")[1].split("\n## ")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row[1])) == sorted(list_strategy_names())
    assert all(re.search("users|reproduction|bounds", f"{row[2]}{row[3]}") for row in rows)


def test_the_strategies_that_need_a_model_are_marked() -> None:
    from hopline.strategies import load_strategy

    table = STRATEGIES.split("## All strategies")[1].split("\n## ")[0]
    marked = set(re.findall(r"`(\w+)`\\\*", table))
    assert marked == {name for name in list_strategy_names() if load_strategy(name).needs_model}


def test_the_pages_about_strategies_name_every_request() -> None:
    requests = {kind.__name__.lower() for kind in get_args(Request)}
    guide = (ROOT / "docs" / "guides" / "custom-strategy.md").read_text(encoding="utf-8")
    decision = (ROOT / "docs" / "decisions" / "strategies-are-generators.md").read_text(encoding="utf-8")
    [diagram] = re.findall(r"yields ► (.+?) ─►", ARCHITECTURE)
    assert set(diagram.split(" │ ")) == requests
    assert set(re.findall(r"^\| `(\w+)\(", guide, re.MULTILINE)) == requests
    assert set(re.findall(r"`(\w+)`", decision.split(")")[0])) == requests
    assert f'over="{signature(search).parameters["over"].default}"' in guide


def test_the_table_of_stages_has_every_stage_of_the_worker() -> None:
    page = (ROOT / "docs" / "concepts" / "processing.md").read_text(encoding="utf-8")
    rows = page.split("|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    stages = list((ROOT / "ingest" / "hopline_ingest" / "stages").glob("[!_]*.py"))
    assert len(rows) == len(stages)


def test_every_make_target_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    pages = [README, CONTRIBUTING, *(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))]
    for page in pages:
        named = re.findall(r"^\$ make ([a-z]+)\b|`make ([a-z]+)`", page, re.MULTILINE)
        assert {in_block or inline for in_block, inline in named} <= targets


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md"])
def test_every_file_that_a_document_links_to_exists(name: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", (ROOT / name).read_text(encoding="utf-8")):
        assert ((ROOT / name).parent / target).exists(), target


def test_the_layers_of_the_architecture_page_are_those_that_import_linter_checks() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == ["hopline"])
    names = [name.strip() for layer in layers for name in layer.split("|")]
    table = ARCHITECTURE.split("The layers of `hopline`")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert set(documented) <= set(names)
    positions = [
        next(n for n, layer in enumerate(layers) if name in re.split(r"\s*\|\s*", layer)) for name in documented
    ]
    assert positions == sorted(positions), "the page has the layers in another order"
    packages = {path.name for path in (ROOT / "platform/hopline").iterdir() if (path / "__init__.py").exists()}
    assert packages - {"samples"} <= set(documented), "a package is missing from the page"


def test_every_file_that_the_architecture_page_names_exists() -> None:
    for name in re.findall(r"`([\w/]+(?:\.py|\.cypher|/))`", ARCHITECTURE):
        assert any((ROOT / base / name).exists() for base in ("", *SOURCES)), name


def test_a_link_to_an_api_that_does_not_exist_is_noticed() -> None:
    from importlib import import_module

    for page in (ROOT / "docs" / "reference" / "api").glob("*.md"):
        for path in re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            try:
                import_module(path)
            except ModuleNotFoundError:
                module, _, name = path.rpartition(".")
                assert hasattr(import_module(module), name), path
