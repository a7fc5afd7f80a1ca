"""Splitting of a text into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

Span = tuple[int, int]

_COMPANY_END = re.compile(r"\b(?:Ltd|Inc|Corp|Co|LLC|PLC|plc)\.\s+(?=[A-Z])")
_VERB = re.compile(r"\b(?:is|was|are|were|has|have|had|will|would|shall|may|must|can|could|did|does|[a-z]{2,}ed)\b")
_JOB = re.compile(r"(?:President|Chair|Chief|CEO|CFO|COO|CTO|Director|Vice|Manager|Founder|Partner|Senior|General)")
# Texts that the segmenter never splits: a mark that can end a sentence only at the end, no bracket, no line break.
_ONE_SENTENCE = re.compile(
    r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029.!?;\u2026\u203c\u203d\u2047-\u2049\u3002\ufe52\ufe57\uff01\uff0e\uff1f\uff61()\[\]{}]*+[.!?]?\s*"
)
_WIDE_STOP = re.compile(r"[。！？｡]+[」』”’）》】]*(?=[^」』”’）》】。！？｡\s、，と])")


def split_sentences(text: str) -> list[Span]:
    """Return the spans of the sentences of ``text`` in order, without the whitespace between them."""
    if _ONE_SENTENCE.fullmatch(text):  # most paragraphs of a document; the segmenter takes longer than its parser
        return [span] if (span := strip_span(text, (0, len(text)))) else []
    from syntok import segmenter

    starts = [sentence[0].offset for paragraph in segmenter.analyze(text) for sentence in paragraph if sentence]
    # syntok needs a blank behind a full stop, and Chinese and Japanese have none
    others = (*(match.end() for match in _WIDE_STOP.finditer(text)), *_find_starts_after_companies(text))
    starts = sorted({0, *starts[1:], *others}) if starts else []
    return [span for pair in pairwise((*starts, len(text))) if (span := strip_span(text, pair))]


def _find_starts_after_companies(text: str) -> Iterator[int]:
    """Yield the starts of sentences after the name of a company, "Harrow Ltd. Pump P-13 was …".

    The segmenter never ends a sentence there. It is ended if both it and the next five words have a verb, unless the
    next one is a title: "Harrow Ltd. President Ann Lee said".
    """
    for match in _COMPANY_END.finditer(text):
        before = text[max(text.rfind(". ", 0, match.start()), 0) : match.start()]
        following = " ".join(text[match.end() : match.end() + 120].split(maxsplit=5)[:5])
        if _VERB.search(before) and _VERB.search(following) and not _JOB.match(following):
            yield match.end()


def strip_span(text: str, span: Span) -> Span | None:
    """Return the span without the whitespace at its ends; None if nothing is left."""
    piece = text[span[0] : span[1]]
    start = span[0] + len(piece) - len(piece.lstrip())
    end = span[0] + len(piece.rstrip())
    return (start, end) if start < end else None
