"""What the README says is held against the code."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hopline.cli import COMMANDS, application
from hopline.config import Settings
from hopline.strategies import strategy_names

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert re.search(rf"\b{name}\b", README.split("## Command line")[1].split("## Strategies")[0])


def test_every_command_line_of_the_readme_has_options_that_exist() -> None:
    lines = re.findall(r"^    hopline (\w+)([^#\n]*)", README, re.MULTILINE)
    assert len(lines) >= 6
    for name, rest in lines:
        known = CliRunner().invoke(application(), [name, "--help"]).stdout
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest):
            assert option in known, f"hopline {name} has no {option}"


def test_the_table_of_strategies_is_the_folder() -> None:
    table = README.split("## Strategies")[1].split("## Settings")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == list(strategy_names())


def test_every_setting_is_in_the_readme_and_nothing_else() -> None:
    table = README.split("## Settings")[1].split("## Design notes")[0]
    written = set(re.findall(r"`((?:HOPLINE|NEO4J|OPENAI)_[A-Z0-9_]+)`", table))
    known = {
        name.upper() if name.startswith(("neo4j", "openai")) else f"HOPLINE_{name.upper()}"
        for name in Settings.model_fields
    }
    assert written == known


@pytest.mark.parametrize(
    "field", ["strategy", "k", "workers", "max_pages", "server_heap_mb", "embedder", "model_timeout"]
)
def test_a_default_in_the_readme_is_the_settings_own(field: str) -> None:
    row = next(line for line in README.splitlines() if f"`HOPLINE_{field.upper()}`" in line and line.startswith("|"))
    default = Settings.model_fields[field].default
    assert re.search(
        rf"(?<![\w.]){re.escape(f'{default:g}' if isinstance(default, float) else str(default))}(?!\w)", row
    )


def test_every_target_that_the_documents_name_can_be_made() -> None:
    made = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"^    make ([a-z]+)\b|`make ([a-z]+)`", README + CONTRIBUTING, re.MULTILINE))
    assert {one or other for one, other in named} <= made


@pytest.mark.parametrize("text", [README, CONTRIBUTING])
def test_every_file_that_the_documents_point_to_is_there(text: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_python_of_the_readme_uses_what_the_sdk_has() -> None:
    from hopline import Hopline
    from hopline.types import Answer, Citation, EvidencePath

    code = README.split("```python")[1].split("```")[0]
    compile(code, "README.md", "exec")
    for owner, kind in {"hop": Hopline, "answer": Answer, "citation": Citation}.items():
        for name in re.findall(rf"\b{owner}\.(\w+)", code):
            assert hasattr(kind, name), f"{owner}.{name}"
    assert hasattr(EvidencePath, "nodes")
