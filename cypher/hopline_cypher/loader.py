"""Load named Cypher statements from `.cypher` files.

A file holds one statement with a header of comments: the returned columns, then each parameter.

    // Returns: id, score — neighbours of the seeds, nearest first.
    // $ids: ids of the seeds.
    // $collection: id of the collection.
    MATCH …

``// Returns: rows of id, score`` declares packed rows: all rows are returned as one list in a single record, which the
driver reads many times faster than separate records: ``RETURN collect([id, score]) AS rows``.

A file whose header does not match its parameters or columns is not loaded.
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
_PARAMETER: Final = re.compile(r"^//\s*\$(\w+):\s*(\S.*)$")
_PACKED_ROWS: Final = re.compile(r"\bAS rows\s*\Z")
_NOT_CODE: Final = re.compile(r"//[^\n]*|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`")
_PARAMETER_USE: Final = re.compile(r"\$(\w+)")


class MalformedStatement(ValueError):
    """A .cypher file with an invalid header; the message gives the file and the line."""


class NoSuchStatement(LookupError):
    """There is no .cypher file of this name; the message lists all names."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A loaded statement: name (``gnn_ret/neighbours``), text, returned columns and parameters.

    ``packed``: the rows are returned as one list, in a single record.
    """

    name: str
    text: str
    returns: tuple[str, ...]
    parameters: frozenset[str]
    packed: bool = False
    description: str = ""


def parse_statement(name: str, source: str) -> Statement:
    """Parse the text of a .cypher file.

    Raises:
        MalformedStatement: the first line is no ``// Returns:`` comment, a parameter is declared but not used or used
            but not declared, rows are declared as packed but are not, or there is more than one statement.
    """
    lines = source.splitlines()
    header = _RETURNS.match(lines[0]) if lines else None
    if header is None:
        raise MalformedStatement(f"{name}.cypher:1: the first line must be '// Returns: column, column — description'")
    declared = _find_declared_parameters(lines)
    code = _NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), source)
    used = {
        match.group(1): code.count("\n", 0, match.start()) + 1 for match in reversed([*_PARAMETER_USE.finditer(code)])
    }
    for parameter, line in declared.items():
        if parameter not in used:
            raise MalformedStatement(f"{name}.cypher:{line}: ${parameter} is declared but not used")
    for parameter, line in sorted(used.items(), key=lambda pair: pair[1]):
        if parameter not in declared:
            raise MalformedStatement(f"{name}.cypher:{line}: ${parameter} is used but not declared in the header")
    body, _, remainder = code.rstrip().rstrip(";").partition(";")
    if remainder.strip():
        line = body.count("\n") + 1
        raise MalformedStatement(
            f"{name}.cypher:{line}: expected one statement per file; found more text after the ';'"
        )
    packed = header.group(1) is not None
    if packed != bool(_PACKED_ROWS.search(body.rstrip())):
        raise MalformedStatement(
            f"{name}.cypher:1: 'Returns: rows of' requires a statement that ends in 'AS rows', and the reverse"
        )
    columns = () if header.group(2) == "nothing" else tuple(column.strip() for column in header.group(2).split(","))
    return Statement(name, source.rstrip().rstrip(";"), columns, frozenset(declared), packed, header.group(3) or "")


def _find_declared_parameters(lines: list[str]) -> dict[str, int]:
    matches = ((number, _PARAMETER.match(line)) for number, line in enumerate(lines, 1))
    return {match.group(1): number for number, match in matches if match}


@cache
def load_statement(name: str) -> Statement:
    """Load a statement by name: a path in this package, or in its ``strategies/`` folder, without the suffix.

    Raises:
        NoSuchStatement: there is no such file.
        MalformedStatement: the file has an invalid header.
    """
    for folder in ("", "strategies/"):
        file = files(__package__) / f"{folder}{name}.cypher"
        if file.is_file():
            return parse_statement(name, file.read_text(encoding="utf-8"))
    raise NoSuchStatement(f"no statement called {name!r}; available: {', '.join(statement_names())}")


@cache
def statement_names() -> tuple[str, ...]:
    """Return the names of all statements, sorted."""
    names = _list_names(files(__package__), "")
    return tuple(sorted(name.removeprefix("strategies/") for name in names))


def _list_names(folder: Traversable, prefix: str) -> list[str]:
    names = []
    for entry in folder.iterdir():
        if entry.is_dir():
            names += _list_names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            names.append(prefix + entry.name.removesuffix(".cypher"))
    return names
