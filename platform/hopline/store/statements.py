"""Named Cypher statements; errors in them are raised as `StatementError`."""

from __future__ import annotations

from hopline.errors import StatementError
from hopline_cypher.loader import MalformedStatement, NoSuchStatement, Statement, load_statement


def get_statement(name: str) -> Statement:
    """Load the statement with this name.

    Raises:
        StatementError: there is no such statement, or its file is malformed.
    """
    try:
        return load_statement(name)
    except (MalformedStatement, NoSuchStatement) as error:
        raise StatementError(str(error)) from error
