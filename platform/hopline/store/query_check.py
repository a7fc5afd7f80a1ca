"""Checks that a query of a user only reads, by its plan and by its text.

The plan says what a query does: the kind of its operators, and the procedures that it calls. It does not show
subqueries within expressions, such as ``[x IN list | EXISTS { CALL … }]``, so procedures, functions with a namespace
and LOAD CSV are searched for in the text as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hopline.errors import UsageError

PROCEDURES: Final = frozenset(
    {
        "db.labels",
        "db.relationshipTypes",
        "db.propertyKeys",
        "db.schema.visualization",
        "db.schema.nodeTypeProperties",
        "db.schema.relTypeProperties",
        "db.index.fulltext.queryNodes",
        "db.index.fulltext.queryRelationships",
        "db.index.vector.queryNodes",
        "db.index.vector.queryRelationships",
        "dbms.components",
    }
)
# Namespaces of the functions of Cypher itself. Functions of plugins may reach files and the network.
_FUNCTIONS: Final = frozenset(
    {"date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector.similarity"}
)
_REFUSED_OPERATORS: Final = re.compile(
    "LoadCSV|Transaction(Foreach|Apply)|TerminateTransactions|Show(Settings|Transactions)|AdministrationCommand"
)
_READ: Final = "r"  # the type of a query that only reads, in the summary of the driver

_NOT_CODE: Final = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|(?P<name>`(?:[^`]|``)*`)", re.DOTALL
)
_ESCAPED_CHARACTER: Final = re.compile(r"\\+u[0-9a-fA-F]{4}")
_EXECUTION_MODE: Final = re.compile(r"\s*(?:CYPHER\b[^()]*?\s)?(EXPLAIN|PROFILE)\b", re.IGNORECASE)
_LOAD_CSV: Final = re.compile(r"\bLOAD\s+CSV\b", re.IGNORECASE)
_DOTTED_CALL: Final = re.compile(r"(?<![\w.$])(\w+(?:\s*\.\s*\w+)+)\s*\(")
_PROCEDURE: Final = re.compile(r"(?<![\w.:$])CALL\s+(\w+(?:\s*\.\s*\w+)+|\w+(?=\s*\())", re.IGNORECASE)


def check_query_text(query: str) -> None:
    """Check a query before it is sent to the server, by its words outside of strings and comments.

    Raises:
        UsageError: it is blank, or it has LOAD CSV, EXPLAIN or PROFILE, a procedure or function that is not allowed,
            or an escaped character, which the server replaces before it reads the query.
    """
    if not isinstance(query, str) or not query.strip():
        raise UsageError("a Cypher query is a text such as 'MATCH (e:Entity) RETURN e.name LIMIT 10'")
    if match := _ESCAPED_CHARACTER.search(query):
        raise UsageError(f"write the character itself instead of {match[0]}, or pass it as a parameter")
    code = _NOT_CODE.sub(lambda match: _unquote_name(match["name"] or ""), query)
    if match := _EXECUTION_MODE.match(code):
        raise UsageError(f"{match[1].upper()} is not supported here: open the database in another client for it")
    if _LOAD_CSV.search(code):
        raise UsageError("LOAD CSV is refused: a query reads the graph only")
    procedures = {_remove_spaces(match[1]) for match in _PROCEDURE.finditer(code)}
    for name in procedures:
        _check_procedure(name)
    for match in _DOTTED_CALL.finditer(code):
        name = _remove_spaces(match[1])
        if name not in procedures and name.rpartition(".")[0].lower() not in _FUNCTIONS:
            raise UsageError(f"the function {name} is refused: a query may use the functions of Cypher only")


def check_query_plan(query_type: str | None, plan: Mapping[str, Any] | None) -> None:
    """Check the type and the plan of a query, as the driver's summary of its EXPLAIN has them.

    Raises:
        UsageError: the query does not only read, or its plan has an operator or a procedure that is not allowed.
    """
    if query_type != _READ or plan is None:
        raise UsageError(
            "the query is refused because it writes, or changes the schema or the server; only reading is allowed"
        )
    for operator in _list_operators(plan):
        kind = operator["operatorType"].partition("@")[0]
        if _REFUSED_OPERATORS.fullmatch(kind):
            raise UsageError(f"the query is refused because of {kind} in its plan; it may read the graph only")
        if kind == "ProcedureCall":
            _check_procedure(operator.get("args", {}).get("Details", "").partition("(")[0].strip())


def _check_procedure(name: str) -> None:
    if name not in PROCEDURES:
        raise UsageError(
            f"the procedure {name or 'without a name'} is refused; allowed: {', '.join(sorted(PROCEDURES))}"
        )


def _list_operators(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for child in plan.get("children", ()):
        yield from _list_operators(child)


def _unquote_name(name: str) -> str:
    """Return a quoted name without its quotes if it could be written so, else a placeholder; a blank for no name."""
    inner = name[1:-1]
    return inner if re.fullmatch(r"\w+", inner) else "_" if name else " "


def _remove_spaces(name: str) -> str:
    return re.sub(r"\s+", "", name)
