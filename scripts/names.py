"""Check the names of the code: no banned identifiers, functions that are verbs, and one name per class.

Classes of tests may share a name: a fake is private to its test module, and named after what it replaces. So may the
retrievers for other libraries: each user imports the module of one library, and looks for the same name in it.

python scripts/names.py    # prints each problem with its file and line; exits with 1 if there is one
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

ROOT = Path(__file__).resolve().parents[1]
TESTS: Final = "tests"
INTEGRATIONS: Final = "platform/hopline/integrations"
SOURCES: Final = ("platform", "cypher", "ingest", "ui", "benchmarks", "scripts", TESTS)

# Words that do not say what a value is; as whole names of functions, classes, arguments, variables and fields.
BANNED: Final = re.compile(
    "anew|asked|found|given|given_up|held|joined|kept|made|met|one|place|places|said|sent|taken|thing|things|told"
)
# First words of names of functions: participles, verbs and nouns that look like them, and a name of the field.
PARTICIPLES: Final = re.compile("[a-z]{2,}(ed|en|ing)|begun|built|drawn|found|held|kept|made|met|said|sent|told")
NO_PARTICIPLES: Final = re.compile(
    "bounding|embed|feed|flatten|golden|heading|listen|need|(re)?open|reading|screen|shorten|string|token|widen|personalised"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that a file defines: of a class, of a function that is no property, or of something else."""

    name: str
    path: str
    line: int
    kind: Literal["class", "function", "value"]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}"


def check_names(root: Path = ROOT) -> list[str]:
    """Return the problems of the names below ``root``."""
    definitions = list(list_definitions(root))
    wrong = [definition for definition in definitions if is_banned(definition) or is_participle(definition)]
    return [
        *(f"{definition}: say what it is" for definition in wrong),
        *(f"{', '.join(map(str, group))}: one name per class" for _, group in group_repeated_classes(definitions)),
    ]


def is_banned(definition: Definition) -> bool:
    """Return whether the name, without leading underscores, is a banned word."""
    return BANNED.fullmatch(definition.name.lstrip("_")) is not None


def is_participle(definition: Definition) -> bool:
    """Return whether the name of a function begins with a participle, not with a verb."""
    first = definition.name.lstrip("_").split("_", 1)[0]
    if definition.kind != "function" or NO_PARTICIPLES.fullmatch(first):
        return False
    return PARTICIPLES.fullmatch(first) is not None


def group_repeated_classes(definitions: Collection[Definition]) -> list[tuple[str, list[Definition]]]:
    """Return the classes outside of the tests that share a name, by name, but for those within integrations."""
    groups: dict[str, list[Definition]] = {}
    for definition in definitions:
        if definition.kind == "class" and not definition.path.startswith(f"{TESTS}/"):
            groups.setdefault(definition.name, []).append(definition)
    return [
        (name, group)
        for name, group in groups.items()
        if len(group) > 1 and not all(definition.path.startswith(f"{INTEGRATIONS}/") for definition in group)
    ]


def list_definitions(root: Path) -> Iterator[Definition]:
    """List the names that the files of the source roots define, by path."""
    for path in sorted(file for source in SOURCES for file in (root / source).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name, kind in _read_names(node):
                yield Definition(name, path.relative_to(root).as_posix(), node.lineno, kind)  # type: ignore[attr-defined]


def _read_names(node: ast.AST) -> Iterator[tuple[str, Literal["class", "function", "value"]]]:
    match node:
        case ast.ClassDef(name=name):
            yield name, "class"
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            is_property = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
            yield name, "value" if is_property else "function"
        case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name, "value"
        case ast.alias(asname=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, "value"


if __name__ == "__main__":
    problems = check_names()
    print(*problems, sep="\n", end="\n" if problems else "")
    sys.exit(bool(problems))
