"""Named statements out of `.cypher` files.

A file is one statement, headed by comments: what it returns, then each parameter.

    // Returns: id, score — the neighbours of the seeds, nearest first.
    // $ids: ids of the seeds.
    // $collection: id of the collection.
    MATCH …

``// Returns: rows of id, score`` says that all rows come as one list in one record, which a driver
reads many times quicker than as many records: ``RETURN collect([id, score]) AS rows``.

A file whose comments and text disagree about its parameters or columns does not load.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

_COLUMN: Final = r"[a-z_][a-z0-9_]*"
_RETURNS: Final = re.compile(rf"^//\s*Returns:\s*(rows of )?(nothing|{_COLUMN}(?:,\s*{_COLUMN})*)\s*(?:—\s*(.*))?$")
_DECLARED: Final = re.compile(r"^//\s*\$(\w+):\s*(\S.*)$")
_PACKED: Final = re.compile(r"\bAS rows\s*\Z")
_NOT_CODE: Final = re.compile(r"//[^\n]*|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`")
_USED: Final = re.compile(r"\$(\w+)")


class MalformedStatement(ValueError):
    """A .cypher file that breaks the rules of its head; the message names file and line."""


class NoSuchStatement(LookupError):
    """No .cypher file of that name; the message lists those of its folder."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One loaded file: its name (``gnn_ret/neighbours``), text, parameters and columns.

    ``packed``: its rows come as one list, in one record.
    """

    name: str
    text: str
    returns: tuple[str, ...]
    parameters: frozenset[str]
    packed: bool = False
    description: str = ""


def parse_statement(name: str, source: str) -> Statement:
    """The statement of a file's text.

    Raises:
        MalformedStatement: no ``// Returns:`` line first, a parameter declared and not used, or
            used and not declared, rows said to be packed and not so, or more than one statement.
    """
    lines = source.splitlines()
    head = _RETURNS.match(lines[0]) if lines else None
    if head is None:
        raise MalformedStatement(f"{name}.cypher:1: the first line must be '// Returns: column, column — what'")
    declared = _declared(lines)
    code = _NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), source)
    used = {match.group(1): code.count("\n", 0, match.start()) + 1 for match in reversed([*_USED.finditer(code)])}
    for parameter, line in declared.items():
        if parameter not in used:
            raise MalformedStatement(f"{name}.cypher:{line}: ${parameter} is declared and never used")
    for parameter, line in sorted(used.items(), key=lambda pair: pair[1]):
        if parameter not in declared:
            raise MalformedStatement(f"{name}.cypher:{line}: ${parameter} is used and not declared in the head")
    body, _, rest = code.rstrip().rstrip(";").partition(";")
    if rest.strip():
        line = body.count("\n") + 1
        raise MalformedStatement(f"{name}.cypher:{line}: one statement a file; there is more after the ';'")
    packed = head.group(1) is not None
    if packed != bool(_PACKED.search(body.rstrip())):
        raise MalformedStatement(f"{name}.cypher:1: 'Returns: rows of' goes with a text that ends in 'AS rows'")
    columns = () if head.group(2) == "nothing" else tuple(column.strip() for column in head.group(2).split(","))
    return Statement(name, source.rstrip().rstrip(";"), columns, frozenset(declared), packed, head.group(3) or "")


def _declared(lines: list[str]) -> dict[str, int]:
    found = ((number, _DECLARED.match(line)) for number, line in enumerate(lines, 1))
    return {match.group(1): number for number, match in found if match}


@cache
def load_statement(name: str) -> Statement:
    """The statement called ``name``: a path under this package, or under ``strategies/``, without suffix.

    Raises:
        NoSuchStatement: there is no such file.
        MalformedStatement: the file breaks the rules.
    """
    for folder in ("", "strategies/"):
        file = files(__package__) / f"{folder}{name}.cypher"
        if file.is_file():
            return parse_statement(name, file.read_text(encoding="utf-8"))
    raise NoSuchStatement(f"no statement called {name!r}; there are: {', '.join(statement_names())}")


@cache
def statement_names() -> tuple[str, ...]:
    """Names of all statements, sorted."""
    names = _walk(files(__package__), "")
    return tuple(sorted(name.removeprefix("strategies/") for name in names))


def _walk(folder: Traversable, prefix: str) -> list[str]:
    names = []
    for entry in folder.iterdir():
        if entry.is_dir():
            names += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            names.append(prefix + entry.name.removesuffix(".cypher"))
    return names
