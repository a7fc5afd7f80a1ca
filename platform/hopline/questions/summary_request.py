"""Parser of questions for a summary: "What is this document about?", "Summarise section 3"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_DOCUMENT: Final = r"(?:this|the|these|that|my|our)\s+(?:document|paper|report|article|book|file|text|pdf)s?"
_ABOUT: Final = re.compile(
    rf"(?:so\s+)?(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:{_DOCUMENT}|(?P<section>section\s+.+?))\s+(?:all\s+)?about"
    r"\s*[?.!]*",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    rf"(?:please\s+)?(?:can\s+you\s+)?(?:summari[sz]e|sum\s+up|(?:give|write|show)\s+(?:me\s+|us\s+)?(?:a|the)\s+(?:short\s+|brief\s+)?"
    rf"summary\s+of)\s+(?:{_DOCUMENT}|(?:the\s+)?(?P<section>section\s+.+?))\s*[?.!]*",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(rf"section\s+[\"“']?(?P<name>.+?)[\"”']?(?:\s+of\s+{_DOCUMENT})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What a summary is asked for: the section of this number or heading, or whole documents, if it is ""."""

    section: str = ""


def parse_summary_request(question: str) -> SummaryRequest | None:
    """Parse a question for a summary; None if it asks for something else."""
    question = " ".join(question.split())
    match = _ABOUT.fullmatch(question) or _SUMMARY.fullmatch(question)
    if match is None:
        return None
    section = _SECTION.fullmatch(match["section"] or "")
    return SummaryRequest(section["name"] if section else "")
