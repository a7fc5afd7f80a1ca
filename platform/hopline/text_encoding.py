"""Characters that a Python string may hold and that no text may have: lone surrogates and control characters.

Surrogates come from damaged files, from JSON escapes cut in half and from file names that are not UTF-8; Neo4j, HTTP
and the tokenizers reject them. Control characters (C0, DEL and C1) begin the sequences by which a document could
change the terminal that shows it: its title, its colours, links and the clipboard. Both are replaced wherever text
enters, and control characters are also removed from terminal output, since older data may have them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")  # all but tab, line feed and carriage return
FOLDED_LETTERS: Final = {  # letters that Unicode does not decompose, in lower case
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th",
}  # fmt: skip
_LETTERS_WITHOUT_ACCENT: Final = str.maketrans(
    FOLDED_LETTERS | {"Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Æ": "AE", "Œ": "OE", "Þ": "Th"}
)
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def clean_text(text: str) -> str:
    """Replace each surrogate by U+FFFD and each control character by a space.

    Tabs and line breaks remain. The length of the text, and so every span of it, stays the same.
    """
    text = _CONTROL.sub(" ", text)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub(REPLACEMENT, text)
    return text


def normalize_text(text: str) -> str:
    """Clean a text and compose its accented letters: "e" and a combining accent become one character (Unicode NFC).

    Files and keyboards differ in how they write accents; a question finds a name only if both are composed.
    """
    return unicodedata.normalize("NFC", clean_text(text))


def remove_accents(text: str) -> str:
    """Return a text without accents: "Café Brûlé, Łódź" becomes "Cafe Brule, Lodz". Its length may change."""
    decomposed = unicodedata.normalize("NFD", text.translate(_LETTERS_WITHOUT_ACCENT))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def clean_name(name: str) -> str:
    """Return a name as one line: `clean_text` with tabs and line breaks replaced by spaces as well."""
    return re.sub(r"[\t\n\r]", " ", clean_text(name))


def clean_texts_in(value: Any) -> Any:
    """Normalize every text of JSON-like data: lists, tuples, and dictionaries with their keys."""
    if isinstance(value, str):
        return normalize_text(value)
    if isinstance(value, dict):
        return {clean_texts_in(key): clean_texts_in(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(clean_texts_in(item) for item in value)
    return value


def remove_control_characters(text: str) -> str:
    """Remove control characters, which have no width in a terminal; tabs and line feeds remain."""
    return _CONTROL.sub("", text).replace("\r", "")
