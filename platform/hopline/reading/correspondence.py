"""Letters, memos, faxes and e-mails: sender, addressee, date, subject and copies, read from their lines.

A header has labels ("From: …", "To: …"). Without them, a letter has a salutation ("Dear Mrs. Vale,") below its date and
the address, and a complimentary close ("Yours sincerely,") above the name of the sender.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hopline.nlp.vocabulary import words
from hopline.results import Evidence

LetterRole = Literal["sender", "addressee", "date", "subject", "copy"]

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
_MONTHS: Final = "|".join(f"{month}|{month[:3]}\\.?" for month in words("months"))
_DATE: Final = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\.?\s*(?:of\s+)?(?:{_MONTHS}),?\s*\d{{4}}|(?:{_MONTHS})\s*\d{{1,2}}(?:st|nd|rd|th)?,?\s*\d{{4}}"
    r"|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2})\b",
    re.IGNORECASE,
)
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
    r"(?:/s/\s*)?(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Miss|Prof)\.?\s*)?[A-Z][\w.'’-]*(?:\s+(?:[A-Z][\w.'’-]*|de|der|di|la|van|von)){0,4})"
    r"\s*(?:,.*)?"
)
_ORGANISATION: Final = re.compile(
    r"\b(?:association|bank|board|company|corp(?:oration)?|council|department|division|inc|institute|limited|llc|llp|ltd|"
    r"office|university)\b",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"\s*<[^<>]*>\s*$|\s*\[[^\[\]]*@[^\[\]]*\]\s*$")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of an evidence, as it is on the page: its span in the text of the evidence."""

    evidence: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters of the line."""
        return self.evidence.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class LayoutField:
    """The value of a role of a letter or a field of a form: its span in the text of the evidence, and its line."""

    line: TextLine
    start: int
    end: int

    @property
    def text(self) -> str:
        """The value in words."""
        return " ".join(self.line.evidence.text[self.start : self.end].split())


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
    fields |= {role: values[0] for role, values in values_by_role.items()}
    return {
        role: field for role, field in fields.items() if len({value.text for value in values_by_role.get(role, ())}) < 2
    }


def split_lines(evidence: Evidence) -> Iterator[TextLine]:
    """Yield the lines of an evidence: those of the page if it has them, or else those of its text."""
    if evidence.lines:
        yield from (TextLine(evidence, start, end) for start, end in evidence.lines)
        return
    for match in re.finditer(r"[^\n]+", evidence.text):
        yield TextLine(evidence, match.start(), match.end())


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
        match = _DATE.search(line.text)
        if match and not _LABEL.match(line.text):
            return {"date": _make_field(line, *match.span())}
    return {}


def _read_addressee(above: Sequence[TextLine], salutation: TextLine) -> dict[LetterRole, LayoutField]:
    """The line of the address with the name of the salutation; without one, the name in the salutation.

    If the salutation has no name ("Dear Sir"), the first line below the date.
    """
    match = _SALUTATION.fullmatch(salutation.text)
    name = match["name"] if match else None
    if name is None or _UNNAMED.fullmatch(name):
        date_line = next((number for number, line in enumerate(above) if _DATE.search(line.text)), None)
        below = above[date_line + 1 :] if date_line is not None else []
        if not below or _LABEL.match(below[0].text):
            return {}
        return {"addressee": _make_field(below[0], 0, len(below[0].text))}
    surname = name.split()[-1]
    for line in reversed(above):
        if re.search(rf"\b{re.escape(surname)}\b", line.text, re.IGNORECASE) and not _LABEL.match(line.text):
            return {"addressee": _make_field(line, 0, len(line.text))}
    start = salutation.text.lower().index(name.lower())
    return {"addressee": _make_field(salutation, start, start + len(name))}


def _read_signature(lines: Sequence[TextLine]) -> dict[LetterRole, LayoutField]:
    """The first name below the complimentary close, or behind it on its line."""
    for number, line in enumerate(lines):
        close = _CLOSE.match(line.text) if number == 0 else None
        start = close.end() if close else 0
        match = _NAME.fullmatch(line.text, start)
        if match and not _ORGANISATION.search(match["name"]) and not _LABEL.match(line.text):
            return {"sender": _make_field(line, *match.span("name"))}
    return {}


def _make_field(line: TextLine, start: int, end: int) -> LayoutField:
    """A field of the characters from ``start`` to ``end`` of a line, without blanks and commas around them."""
    value = line.text[start:end]
    start += len(value) - len(value.lstrip(" \t,"))
    end -= len(value) - len(value.rstrip(" \t,;"))
    return LayoutField(line, line.start + start, line.start + max(start, end))
