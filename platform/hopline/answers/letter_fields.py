"""Fields of letters, memos, faxes and e-mails, read from their layout.

A header has labels ("From: …", "To: …"). Without them, a letter has a salutation ("Dear Mrs. Vale,") below its date and
the address, and a complimentary close ("Yours sincerely,") above the name of the sender.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.answers.layout import LayoutField, TextLine, split_lines
from hopline.answers.letter_question import LetterRole
from hopline.results import Evidence
from hopline.text.values import DateSpan, find_dates
from hopline.text.words import find_content_words, read_word_list

MAX_POSITION: Final = 8  # words of a position
CLOSE_LINES: Final = 5  # lines below a complimentary close among which the name of the sender is
_LABELS: Final[dict[str, LetterRole]] = {
    "from": "sender",
    "sender": "sender",
    "to": "addressee",
    "attention": "addressee",
    "attn": "addressee",
    "date": "date",
    "dated": "date",
    "sent": "date",
    "subject": "subject",
    "subj": "subject",
    "re": "subject",
    "cc": "copy",
    "c.c": "copy",
    "copy": "copy",
    "copies": "copy",
    "copy to": "copy",
    "copies to": "copy",
}
_LABEL: Final = re.compile(
    rf"\s*({'|'.join(sorted(map(re.escape, _LABELS), key=len, reverse=True))})\s*\.?:\s*", re.IGNORECASE
)
_YOURS: Final = re.compile(r"\byour\b", re.IGNORECASE)  # "Your letter of 2 May 1990"
_ATTENTION: Final = re.compile(r"\s*(?:attn|attention|c/o)\b[.:]?\s*", re.IGNORECASE)
_TO: Final = re.compile(r"\s*to\s*", re.IGNORECASE)
_SALUTATION: Final = re.compile(
    r"\s*(?:dear\s+(?P<name>[^,:;!?]{2,60}?)|gentlemen|ladies\s+and\s+gentlemen)\s*[,:;!-]?\s*", re.IGNORECASE
)
_UNNAMED: Final = re.compile(r"(?:my\s+)?(?:sirs?|madams?|sir\s+or\s+madam|madam\s+or\s+sir|all)", re.IGNORECASE)
_CLOSE: Final = re.compile(
    r"\s*(?:(?:i\s+am|we\s+are|yours|very|most|with|best|kind(?:est)?|warm(?:est)?|many)\b[\s,]*)*"
    r"(?:sincerely|truly|faithfully|respectfully|cordially|regards|wishes|thanks)(?:\s*(?:yours|submitted))?\s*(?:[,.]\s*|$)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"(?:(?:/s/|[Bb]y:|[Ss]igned:)\s*)?(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Miss|Prof)\.?\s*)?[A-Z][\w.'’-]*(?:\s+(?:[A-Z][\w.'’-]*|de|der|di|la|van|von)){0,4})"
    r"\s*(?:,.*)?"
)
_ORGANISATION: Final = re.compile(
    r"\b(?:agency|association|authority|bank|board|company|corp(?:oration)?|council|department|division|foundation|inc|"
    r"institute|limited|llc|llp|ltd|ministry|office|society|university)\b",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"\s*<[^<>]*>\s*$|\s*\[[^\[\]]*@[^\[\]]*\]\s*$")


def read_letter(passages: Sequence[Evidence]) -> dict[LetterRole, LayoutField]:
    """Read the roles of the letter that a document consists of; empty if it is no letter, or more than one.

    ``passages`` are those of the document, in reading order. A role with two different values is left out.
    """
    lines = [line for passage in passages for line in split_lines(passage) if line.text.strip()]
    salutation_lines = [number for number, line in enumerate(lines) if _SALUTATION.fullmatch(line.text)]
    close_lines = [number for number, line in enumerate(lines) if _CLOSE.match(line.text)]
    values_by_role = _read_labels(lines)
    if (
        len(salutation_lines) > 1
        or len(close_lines) > 1
        or not (salutation_lines or close_lines or len(values_by_role) > 1)
    ):
        return {}
    fields: dict[LetterRole, LayoutField] = {}
    if salutation_lines:
        above = lines[: salutation_lines[0]]
        fields |= _read_date(above)
        fields |= _read_addressee(above, lines[salutation_lines[0]])
    if close_lines:
        fields |= _read_signature(lines[close_lines[0] : close_lines[0] + CLOSE_LINES])
    if salutation_lines:
        fields = _read_subject(above, lines[salutation_lines[0]]) | fields
    fields |= {role: values[0] for role, values in values_by_role.items()}
    return {
        role: field for role, field in fields.items() if len({value.text for value in values_by_role.get(role, ())}) < 2
    }


def _read_labels(lines: Sequence[TextLine]) -> dict[LetterRole, list[LayoutField]]:
    """The values of all labels; a label without a value on its line has the next line as its value."""
    values: dict[LetterRole, list[LayoutField]] = {}
    for number, line in enumerate(lines):
        label = _LABEL.match(line.text)
        if label is None:
            continue
        value_line, start = line, label.end()
        if not line.text[start:].strip():
            following = lines[number + 1] if number + 1 < len(lines) else None
            if following is None or _LABEL.match(following.text):
                continue
            value_line, start = following, 0
        address = _ADDRESS.search(value_line.text, start)
        end = address.start() if address and address.start() > start else len(value_line.text)
        values.setdefault(_LABELS[label[1].lower()], []).append(_make_field(value_line, start, end))
    return values


def _read_date(above: Sequence[TextLine]) -> dict[LetterRole, LayoutField]:
    """The first full date above the salutation."""
    for line in above:
        date = _find_full_date(line)
        if date and not _LABEL.match(line.text) and not _YOURS.search(line.text):
            return {"date": _make_field(line, date.start, date.end)}
    return {}


def _find_full_date(line: TextLine) -> DateSpan | None:
    """The first date of a line that has day, month and year, or whose day and month may be meant in both orders."""
    full = (span for span in find_dates(line.text, order="day first") if span.date.precision == "day")
    return next(full, None)


def _read_addressee(above: Sequence[TextLine], salutation: TextLine) -> dict[LetterRole, LayoutField]:
    """The line of the address with the name of the salutation; without one, the name in the salutation.

    If the salutation has no name ("Dear Sir"), the first line below the date.
    """
    match = _SALUTATION.fullmatch(salutation.text)
    name = match["name"] if match else None
    if match is None or name is None or _UNNAMED.fullmatch(name):
        date_line = next((number for number, line in enumerate(above) if _find_full_date(line)), None)
        below = above[date_line + 1 :] if date_line is not None else []
        below = below[1:] if below and _TO.fullmatch(below[0].text) else below
        if not below or _LABEL.match(below[0].text):
            return {}
        return {"addressee": _make_field(below[0], 0, len(below[0].text))}
    surname = re.escape(name.split()[-1])
    named = [number for number, line in enumerate(above) if re.search(rf"\b{surname}\b", line.text, re.IGNORECASE)]
    named = [number for number in named if not _LABEL.match(above[number].text)]
    if not named:
        return {"addressee": _make_field(salutation, *match.span("name"))}
    at_end = re.compile(rf"\b{surname}\b\s*(?:,.*)?$", re.IGNORECASE)  # not "Renn & Sons"
    number = ([number for number in named if at_end.search(above[number].text)] or named)[-1]
    line = above[number]
    name_end = re.search(rf".*?\b{surname}\b(?=\s*,)", line.text, re.IGNORECASE)
    end = name_end.end() if name_end else len(line.text)
    fields = _read_position("addressee position", line, end, above[number + 1 :])
    position, attention = fields.get("addressee position"), _ATTENTION.match(line.text)
    if position is None or position.line is not line:
        end = len(line.text)
    return {"addressee": _make_field(line, attention.end() if attention else 0, end), **fields}


def _read_position(
    role: LetterRole, line: TextLine, end: int, following: Sequence[TextLine]
) -> dict[LetterRole, LayoutField]:
    """The position behind the name that ends at ``end`` of its line, or on the next line."""
    behind = line.text[end:].strip(" ,")
    if _is_position(behind):
        start = line.text.index(behind, end)
        return {role: _make_field(line, start, start + len(behind))}
    if behind or not following or not _is_position(following[0].text):
        return {}
    return {role: _make_field(following[0], 0, len(following[0].text))}


def _is_position(text: str) -> bool:
    """Whether a line names a position: it has a word for one and no number."""
    words = {word.lower() for word in re.findall(r"[^\W\d_]+", text)}
    is_position = bool(words & {*read_word_list("roles"), *read_word_list("positions")})
    return is_position and len(words) <= MAX_POSITION and not re.search(r"\d|:", text)


def _read_subject(above: Sequence[TextLine], salutation: TextLine) -> dict[LetterRole, LayoutField]:
    """The subject line above the salutation, or else the first sentence behind it, unless it is in another passage."""
    if above and _is_subject(above[-1]):
        return {"subject": _make_field(above[-1], 0, len(above[-1].text))}
    evidence = salutation.evidence
    for start, end in evidence.sentences:
        if end > salutation.end + 1:
            body = max(start, salutation.end)
            body += len(evidence.text[body:end]) - len(evidence.text[body:end].lstrip())
            line = TextLine(evidence, body, end)
            return {"subject": LayoutField(line, body, end)}
    return {}


def _is_subject(line: TextLine) -> bool:
    """Whether a line has a noun in lower case, unlike the names and numbers of an address."""
    words = find_content_words(line.text)
    is_address = line.text[:1].isdigit() or _LABEL.match(line.text) or _is_position(line.text)
    return not is_address and any(word in words for word in re.findall(r"\b[a-z]{4,}\b", line.text))


def _read_signature(lines: Sequence[TextLine]) -> dict[LetterRole, LayoutField]:
    """The first name below the complimentary close, or behind it on its line."""
    for number, line in enumerate(lines):
        close = _CLOSE.match(line.text) if number == 0 else None
        start = close.end() if close else 0
        match = _NAME.fullmatch(line.text, start)
        is_name = match and not _ORGANISATION.search(match["name"]) and not _is_position(line.text[: match.end("name")])
        if match and is_name and not _LABEL.match(line.text):
            position = _read_position("sender position", line, match.end("name"), lines[number + 1 :])
            return {"sender": _make_field(line, *match.span("name")), **position}
    return {}


def _make_field(line: TextLine, start: int, end: int) -> LayoutField:
    """A field of the characters from ``start`` to ``end`` of a line, without blanks and commas around them."""
    value = line.text[start:end]
    start += len(value) - len(value.lstrip(" \t,"))
    end -= len(value) - len(value.rstrip(" \t,;"))
    return LayoutField(line, line.start + start, line.start + max(start, end))
