"""Labels of captions: "Table 2", "Exhibit A-1", "Fig. 3a", and the numbers of tables."""

from __future__ import annotations

import re
from typing import Final

CAPTION_LABEL: Final = re.compile(
    r"(?:(?P<table>(?i:table|exhibit|tab\.|schedule|tableau|tabelle|tabla))"
    r"|(?P<figure>(?i:figure|fig\.?|chart|graph|diagram|map|abbildung))|(?i:box))"
    r"\s*:?\s*(?P<number>[A-Z]?[-.]?\d+(?:[.\-]\d+)*[a-z]?|[IVXL]+|[A-Z])(?![\w%])"
)


def read_table_number(caption: str) -> str:
    """Return the number of a table's caption: "2" of "Table 2. Sales", "A-1" of "Exhibit A-1"; else ""."""
    match = CAPTION_LABEL.match(caption.strip())
    return match["number"].strip(".-") if match and match["table"] else ""
