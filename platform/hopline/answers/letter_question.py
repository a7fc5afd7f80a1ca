"""Questions about a letter: for sender, addressee, their positions, date, subject and copies.

A question that says that somebody wrote to somebody is one about a letter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from hopline.questions.analysis import QuestionAnalysis
from hopline.text.words import find_content_words

LetterRole = Literal["sender", "sender position", "addressee", "addressee position", "date", "subject", "copy"]

_LETTER: Final = re.compile(
    r"\b(?:letters?|memo(?:randum)?s?|fax(?:es)?|facsimiles?|e-?mails?|messages?|telegrams?)\b", re.IGNORECASE
)
_WRITES: Final = re.compile(r"\bwr(?:ite|ote|itten)\s+to\b|\bto\s+whom\b.*\bwrite\b", re.IGNORECASE)
_PARTY: Final = re.compile(r"\b(?:sender|author|writer|signatory|signer|addressee|recipient)\b", re.IGNORECASE)
_POSITION: Final = r"\b(?:positions?|(?:job\s+)?titles?|jobs?|functions?|roles?|offices?|ranks?|capacity|posts?)\b"
_ROLES: Final[tuple[tuple[LetterRole, re.Pattern[str]], ...]] = (
    (
        "addressee position",
        re.compile(
            rf"^(?:in\s+)?what\b(?=.*{_POSITION}).*\b(?:addressee|recipient|received|to\s+whom)\b", re.IGNORECASE
        ),
    ),
    (
        "sender position",
        re.compile(
            rf"^(?:in\s+)?what\b(?=.*{_POSITION}).*\b(?:sender|author|writer|signatory|signer|wrote|sign(?:ed)?|sent|write)\b",
            re.IGNORECASE,
        ),
    ),
    ("copy", re.compile(r"^(?:to\s+)?whom?\b.*\b(?:copy|copies|copied|cc)\b", re.IGNORECASE)),
    (
        "addressee",
        re.compile(
            r"^to\s+whom\b|^whom?\b.*\b(?:addressed|directed|written|sent|mailed|faxed|write|send)\s+to\s*[?.!]*$"
            r"|^whom?\s+did\b.*\bto\s*[?.!]*$|^(?:whom?|what)\s+(?:is|was)\s+the\s+(?:name\s+of\s+the\s+)?(?:addressee|recipient)\b"
            r"|^(?:who|which\s+person)\s+(?:received|got)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "sender",
        re.compile(
            r"^(?:from|by)\s+whom\b|^who\s+(?:wrote|sent|signed|faxed|mailed|authored)\b|^whom?\b.*\b(?:from|by)\s*[?.!]*$"
            r"|^(?:who|what)\s+(?:is|was|are|were)\s+the\s+(?:names?\s+of\s+the\s+)?"
            r"(?:senders?|authors?|writers?|signator(?:y|ies)|signers?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"^when\b.*\b(?:written|sent|dated|signed|faxed|mailed|write|send|sign)\b|^how\b.*\bdated\s*[?.!]*$|^(?:on\s+)?(?:what|which)\s+(?:date|day)\b"
            r"|^what\s+(?:is|was)\s+the\s+date\s+(?:of|on)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "subject",
        re.compile(
            r"^what\s+(?:is|was)\s+the\s+(?:subject|reference|topic)\b|^what\s+(?:is|was)\b.*\babout\s*[?.!]*$"
            r"|^what\s+(?:does|did)\b.*\b(?:concern|deal\s+with|write\s+about)\s*[?.!]*$",
            re.IGNORECASE,
        ),
    ),
)
_ROLE_WORDS: Final = frozenset(
    {
        "addressed", "addressee", "addressees", "author", "authors", "bear", "bears", "capacity", "concern", "copied",
        "copies", "copy", "date", "dated", "day", "deal", "directed", "faxed", "from", "function", "got", "held",
        "hold", "holds", "job", "letter", "mailed", "name", "office", "person", "position", "post", "rank", "receive",
        "received", "recipient", "recipients", "reference", "regarding", "role", "send", "sender", "senders", "sent",
        "sign", "signatories", "signatory", "signed", "signer", "subject", "title", "topic", "write", "writer",
        "writers", "written", "wrote",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LetterQuestion:
    """The role that a question asks for, and the other words of the question, which must be in the letter."""

    role: LetterRole
    words: frozenset[str]


def parse_letter_question(question: QuestionAnalysis) -> LetterQuestion | None:
    """Parse a question for a role in a letter; None if it asks for something else.

    "the sender" in a part of a question is that of the letter which the whole question describes.
    """
    text = described = question.text
    if not _LETTER.search(text) and not _WRITES.search(text):
        if question.whole is None or not _LETTER.search(question.whole.text) or not _PARTY.search(text):
            return None
        described = question.whole.text
    role = next((role for role, pattern in _ROLES if pattern.search(text)), None)
    if role is None:
        return None
    return LetterQuestion(role, find_content_words(_LETTER.sub(" ", described)) - _ROLE_WORDS)
