"""Named statements, whose faults are errors of Hopline's."""

from __future__ import annotations

from hopline.errors import StatementError
from hopline_cypher.loader import MalformedStatement, NoSuchStatement, Statement, load_statement


def statement(name: str) -> Statement:
    """The statement of this name.

    Raises:
        StatementError: there is none, or its file is malformed.
    """
    try:
        return load_statement(name)
    except (MalformedStatement, NoSuchStatement) as error:
        raise StatementError(str(error)) from error
