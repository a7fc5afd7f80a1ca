"""The page is built on the public interface: the API reference has every name that it imports."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTED = {
    name
    for page in (ROOT / "docs" / "reference" / "api").glob("*.md")
    for name in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
}
PAGE = sorted((ROOT / "ui" / "hopline_ui").rglob("*.py"))


def list_imports(file: Path) -> list[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in names if name.split(".")[0] == "hopline"]


def is_documented(name: str) -> bool:
    """Whether the reference has a name, its module, or the module that defines it."""
    module, _, last = name.rpartition(".")
    defined_in = getattr(getattr(import_module(module), last), "__module__", module) if module else ""
    return module == "hopline" or not DOCUMENTED.isdisjoint({name, module, defined_in, f"{defined_in}.{last}"})


@pytest.mark.parametrize("file", PAGE, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_page_uses_documented_names_only(file: Path) -> None:
    assert [name for name in list_imports(file) if not is_documented(name)] == []


def test_the_page_uses_no_private_attribute_of_the_client() -> None:
    for file in PAGE:
        assert not re.search(r"\bhop\._\w", file.read_text(encoding="utf-8")), file


def test_a_private_name_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "view.py"
    file.write_text(
        "from hopline.store.graph_version import migrate_graph\nfrom hopline import Hopline\n", encoding="utf-8"
    )
    assert list_imports(file) == ["hopline.store.graph_version.migrate_graph", "hopline.Hopline"]
    assert [is_documented(name) for name in list_imports(file)] == [False, True]
