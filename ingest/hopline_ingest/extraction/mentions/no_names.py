"""What looks like a name but is none: letters, numbers, references to parts of a document, addresses, formulas."""

from __future__ import annotations

import re
from typing import Final

_PARTS: Final = (
    r"fig(?:ure)?s?|tab(?:le)?s?|pages?|pp?|sections?|sec|chapters?|ch|items?|notes?|parts?|exhibits?|appendi(?:x|ces)"
    r"|annex|lines?|steps?|eqs?|equations?|nos?|numbers?|vols?|volumes?|box(?:es)?|columns?|cols?|rows?|paragraphs?"
    r"|clauses?|articles?|questions?|schemes?|attachments?|schedules?|sheets?|slides?|panels?|footnotes?"
)
_PART: Final = r"(?:\d+[a-z]?|[ivxlc]+|[a-z])"
_NUMBER: Final = rf"{_PART}(?:[.–—-]{_PART})*\.?(?:\([\da-z]{{1,4}}\))*(?!\w)"
_SINGLE: Final = rf"(?:{_PARTS})\b\.?(?: ?{_NUMBER})*"
_REFERENCE: Final = re.compile(
    rf"{_SINGLE}(?:(?:,|,? and|,? or|,? to| through) (?:{_SINGLE}|{_NUMBER}))*", re.IGNORECASE
)
_FILE: Final = r"\S+\.(?:pdf|docx?|xlsx?|csv|txt|html?|png|jpe?g|zip|xml|json)$"
_ADDRESS: Final = re.compile(rf"https?:|www\.|\S+@\S+\.\w|{_FILE}", re.IGNORECASE)
_FORMULA: Final = re.compile(r"[=<>≤≥±×÷∑∫√∂∆Δ^|\\{}]|[α-ω]\d|\d[*/]|\w_\w|[\ufffd\ue000-\uf8ff]")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_UNIT: Final = re.compile(r"\((?:%|[°$€£µ]?\w{0,3}[/·.°]?\w{0,3}[⁻¹²³\d]*)\)$")
_MAX_LENGTH: Final = 120  # characters
_MAX_WORDS: Final = 14


def is_no_name(name: str) -> bool:
    """Return whether a text deserves no entity: "C", "737", "Fig. 3", "a@b.com", "x = 2", "max_size", "Depth (m)".

    Short codes of letters and digits such as "P-12" are names: they name rooms, pumps and aircraft where they stand for
    something, which the tagger decides.
    """
    letters = len(_LETTERS.findall(name))
    if letters < 2 or len(name) > _MAX_LENGTH or name.count(" ") >= _MAX_WORDS:
        return True
    if _REFERENCE.fullmatch(name) or _ADDRESS.search(name) or _FORMULA.search(name) or _UNIT.search(name):
        return True
    return any(name.count(opening) != name.count(closing) for opening, closing in ("()", "[]"))
