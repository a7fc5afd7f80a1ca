"""What looks like a name but is none, such as references to parts of a document, and what surrounds a name."""

from __future__ import annotations

import re
from typing import Final

from hopline_ingest.extraction.vocabulary import LABEL_WORDS, ROLE_WORDS

_PARTS: Final = (
    r"fig(?:ure)?s?|tab(?:le)?s?|pages?|pp?|pg|sections?|sec|chapters?|ch|notes?|parts?|exhibits?|appendi(?:x|ces)"
    r"|annex|proposals?|examples?|(?:agenda )?items?|lines?|steps?|eqs?|equations?|nos?|numbers?|vols?|volumes?"
    r"|box(?:es)?|columns?|cols?|rows?|paragraphs?|clauses?|articles?|questions?|schemes?|attachments?|schedules?"
    r"|sheets?|slides?|panels?|footnotes?|theorems?|lemmas?|corollar(?:y|ies)|propositions?|definitions?|remarks?"
    r"|conjectures?|algorithms?|listings?"
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
_AMOUNT: Final = re.compile(r"[$€£¥]\s?\d|\b(?:million|billion|per cent|percent)\b")
_CITED_CASE: Final = re.compile(r"(?:\d+ )?(?:[A-Z]\. ?){1,3}(?:[23]d\.? )?\d+")
_POST_CODE: Final = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}")
_MEASURED: Final = re.compile(r"[A-Z]{1,3} ?[+−–]\d[\d.]*|[∼~≈].*")
# what a parser takes for a part of the name: labels, numbers of pages and footnotes, a repetition
_BEFORE: Final = re.compile(r"(?:(?i:sources?|notes?|title|name|re|attn): |\d+[–-]\d+n? |[a-z] (?=[A-Z]))+")
_AFTER: Final = re.compile(
    r"(?:(?<=[a-z]{2})[.,]?\d{1,3}|[*†‡§¶]+|(?<=D\.C\.) \d{5}"
    r"|(?i: (?:further|hereby|hereto|herein|thereof|there|the|this|it|title|today)))+$"
)
_LETTERED_LINE: Final = re.compile(r"^[ \t]*([A-Z])[.)][ \t]+(?=\S)", re.MULTILINE)
_MAX_LENGTH: Final = 120  # characters
_MAX_WORDS: Final = 14


def is_no_name(name: str) -> bool:
    """Return whether a text deserves no entity: "C", "737", "Fig. 3", "a@b.com", "x = 2", "Depth (m)", "President".

    Short codes of letters and digits such as "P-12" are names: they name rooms, pumps and aircraft where they stand for
    something, which the tagger decides.
    """
    letters = len(_LETTERS.findall(name))
    if letters < 2 or len(name) > _MAX_LENGTH or name.count(" ") >= _MAX_WORDS:
        return True
    if _REFERENCE.fullmatch(name) or _ADDRESS.search(name) or _FORMULA.search(name) or _UNIT.search(name):
        return True
    if _AMOUNT.search(name) or any(pattern.fullmatch(name) for pattern in (_CITED_CASE, _POST_CODE, _MEASURED)):
        return True
    if all(word in ROLE_WORDS for word in name.lower().replace(",", "").split()):
        return True
    return any(name.count(opening) != name.count(closing) for opening, closing in ("()", "[]"))


def is_label(name: str, following: str) -> bool:
    """Return whether a common word is the label of what follows: "Agency: Fond du Lac County", "Company:"."""
    return following.startswith(":") and name.lower() in LABEL_WORDS


def find_list_letters(text: str) -> dict[int, int]:
    """Return where the words of lettered lines begin, by the start of their letters: "A. Books", "B. Films".

    A line that begins with a letter is one of a list if another line has the letter before or after it; "J. Watt"
    alone on a line is a person.
    """
    lines = list(_LETTERED_LINE.finditer(text))
    letters = {line[1] for line in lines}
    return {line.start(1): line.end() for line in lines if letters & {chr(ord(line[1]) - 1), chr(ord(line[1]) + 1)}}


def trim_surroundings(name: str) -> tuple[int, int]:
    """Return the characters [start, end) of a name without labels, numbers of pages and footnotes, and repetitions.

    "SOURCE: Census Bureau", "205–7 Clark", "b Freundlich", "Commerce Clause.8", "Port Ansel Port Ansel".
    """
    before = _BEFORE.match(name)
    start = before.end() if before else 0
    after = _AFTER.search(name, start)
    end = after.start() if after and after.start() > start + 1 else len(name)
    middle = (start + end) // 2
    first = name[start:middle]
    if " " in first and name[middle:end] == f" {first}":
        end = middle
    return start, end
