"""Small tables, so that answers can be checked by eye."""

from __future__ import annotations

from collections.abc import Sequence

import pytest


def format_table(*rows: Sequence[str]) -> str:
    """Format a header and rows as the text of a table."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


@pytest.fixture(scope="session")
def medals() -> str:
    """Countries with their medals, and a total."""
    return format_table(
        ("Rank", "Country", "Continent", "Gold", "Total"),
        ("1", "Norway", "Europe", "14", "39"),
        ("2", "Germany", "Europe", "14", "31"),
        ("3", "Canada", "America", "11", "29"),
        ("4", "Japan", "Asia", "4", "13"),
        ("5", "Korea", "Asia", "5", "17"),
        ("Total", "", "", "48", "129"),
    )


@pytest.fixture(scope="session")
def mayors() -> str:
    """Mayors with the dates on which they took office."""
    return format_table(
        ("Name", "Party", "Took office"),
        ("Ada Quist", "Labour", "4 March 1990"),
        ("Bo Lind", "Green", "1 May 1996"),
        ("Cy Moe", "Labour", "12 January 2004"),
        ("Di Rask", "Centre", "3 June 2010"),
    )
