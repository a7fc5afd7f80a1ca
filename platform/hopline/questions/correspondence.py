"""Parser of questions for the sender, addressee, date, subject or copies of a letter, memo, fax or e-mail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hopline.nlp.question_terms import find_content_words
from hopline.reading.correspondence import LetterRole

_LETTER: Final = re.compile(
    r"\b(?:letters?|memo(?:randum)?s?|fax(?:es)?|facsimiles?|e-?mails?|messages?|telegrams?)\b", re.IGNORECASE
)
_ROLES: Final[tuple[tuple[LetterRole, re.Pattern[str]], ...]] = (
    ("copy", re.compile(r"^(?:to\s+)?whom?\b.*\b(?:copy|copies|copied|cc)\b", re.IGNORECASE)),
    (
        "addressee",
        re.compile(
            r"^to\s+whom\b|^whom?\b.*\b(?:addressed|directed|written|sent|mailed|faxed|write|send)\s+to\s*[?.!]*$"
            r"|^whom?\s+did\b.*\bto\s*[?.!]*$|^whom?\s+(?:is|was)\s+the\s+(?:addressee|recipient)\b|^who\s+received\b",
            re.IGNORECASE,
        ),
    ),
    (
        "sender",
        re.compile(
            r"^from\s+whom\b|^who\s+(?:wrote|sent|signed|faxed|mailed|authored)\b|^whom?\b.*\bfrom\s*[?.!]*$"
            r"|^who\s+(?:is|was|are|were)\s+the\s+(?:senders?|authors?|writers?|signator(?:y|ies))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"^when\b.*\b(?:written|sent|dated|signed|faxed|mailed)\b|^(?:on\s+)?(?:what|which)\s+(?:date|day)\b"
            r"|^what\s+(?:is|was)\s+the\s+date\s+(?:of|on)\b",
            re.IGNORECASE,
        ),
    ),
    ("subject", re.compile(r"^what\s+(?:is|was)\s+the\s+(?:subject|reference|topic)\b", re.IGNORECASE)),
)
_ROLE_WORDS: Final = frozenset(
    {
        "addressed", "addressee", "addressees", "author", "authors", "copied", "copies", "copy", "date", "dated",
        "day", "directed", "faxed", "from", "letter", "mailed", "receive", "received", "recipient", "recipients",
        "reference", "regarding", "send", "sender", "senders", "sent", "signatories", "signatory", "signed",
        "subject", "topic", "write", "writer", "writers", "written", "wrote",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LetterQuestion:
    """The role that a question asks for, and the other words of the question, which must be in the letter."""

    role: LetterRole
    words: frozenset[str]


def parse_letter_question(question: str) -> LetterQuestion | None:
    """Parse a question for a role in a letter; None if it asks for something else."""
    text = " ".join(question.split())
    if not _LETTER.search(text):
        return None
    role = next((role for role, pattern in _ROLES if pattern.search(text)), None)
    if role is None:
        return None
    return LetterQuestion(role, find_content_words(_LETTER.sub(" ", text)) - _ROLE_WORDS)
