"""A regular expression that finds a text whatever its case, accents, spaces, quotation marks and dashes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Final

from hopline.text_encoding import remove_accents

_LAST_LETTER: Final = 0x1FFF  # of the blocks with letters that have accents: Latin, Greek, Cyrillic
_SPACE: Final = "[\\s\u00a0]+"
_SIGNS: Final[Mapping[str, str]] = {"'": "'’‘", '"': '"“”„', "-": "-‐‑–—"}


def build_folded_pattern(text: str) -> str:
    """Return an expression for the `re` module and for Cypher (Java) that matches a text; "" if the text is blank.

    It is to be used without regard to case. Accents are ignored: "zurich" matches "Zürich", "Zürich" matches "Zurich".
    """
    words = remove_accents(text.replace("’", "'")).lower().split()
    return _SPACE.join(_fold_word(word) for word in words)


def compile_folded_pattern(text: str) -> re.Pattern[str]:
    """Return the compiled expression that finds ``text``, which must not be blank."""
    return re.compile(build_folded_pattern(text), re.IGNORECASE)


def _fold_word(word: str) -> str:
    letters, parts, index = _list_letters(), [], 0
    while index < len(word):
        pair = word[index : index + 2]
        first = "".join(_fold_letter(letter, letters) for letter in pair)
        if len(pair) == 2 and pair in letters:
            parts.append(f"(?:{first}|[{letters[pair]}])")
            index += 2
        else:
            parts.append(_fold_letter(word[index], letters))
            index += 1
    return "".join(parts)


def _fold_letter(letter: str, letters: Mapping[str, str]) -> str:
    if letter in _SIGNS:
        return f"[{re.escape(_SIGNS[letter])}]"
    return f"[{letter}{letters[letter]}]" if letter in letters else re.escape(letter)


@cache
def _list_letters() -> dict[str, str]:
    """Return the letters with accents by the letter, or the two letters, without: "o": "òóôõö…ø", "ss": "ß"."""
    letters: defaultdict[str, str] = defaultdict(str)
    for code in range(0xC0, _LAST_LETTER + 1):
        letter = chr(code)
        plain = remove_accents(letter).lower()
        if letter.isalpha() and letter.lower() != plain and 0 < len(plain) <= 2 and plain.isalpha():
            letters[plain] += letter
    return dict(letters)
