"""What names a table or a figure: "Table 2. Sales by region", "Exhibit 4", "Fig. 3a". Pure."""

from __future__ import annotations

import re

_NAMED = re.compile(
    r"(?:(?P<table>table|exhibit|tab\.|schedule|tableau|tabelle|tabla)|(?:figure|fig\.?|chart|graph|box|map|abbildung))"
    r"\s*(?P<number>[A-Z]?[-.]?\d+(?:[.\-]\d+)*[a-z]?|[IVXL]+|[A-Z])(?![\w%])",
    re.IGNORECASE,
)
_LONGEST = 400


def is_caption(text: str) -> bool:
    """Whether a line begins as a caption does: not "Table 2 shows", which is running text."""
    found = _NAMED.match(text)
    return bool(found) and _titled(text[found.end() :])


def is_table_caption(text: str) -> bool:
    """Whether a line begins the caption of a table or exhibit."""
    found = _NAMED.match(text)
    return bool(found and found["table"]) and _titled(text[found.end() :])


def table_number(caption: str) -> str:
    """ "2" of "Table 2. Sales", "A-1" of "Exhibit A-1"; empty where the caption has none."""
    found = _NAMED.match(caption.strip())
    return found["number"].strip(".-") if found and found["table"] else ""


def _titled(rest: str) -> bool:
    """Whether what follows the number can be a caption's: an end, a mark, or a word with a capital."""
    rest = rest.strip()
    return len(rest) < _LONGEST and (not rest or rest[0] in ".:-–—|(" or rest[0].isupper() or rest[0].isdigit())
