"""Addresses of links: "Where can I find Annex B?" is answered by the address that is written behind these words.

Ingest writes the address of a link behind its words: "the rules are in Annex B (https://club.example/annex-b.pdf)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import cite, compose_answer, demote_to_possible
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.results import EXTRACTIVE, Answer, Evidence, Retrieval, Sentence
from hopline.text.words import stem_content_words

CONFIDENCE: Final = 0.9
MAX_WORDS: Final = 10  # before an address, among which its link's words are

_ADDRESS: Final = re.compile(
    r"\((?P<address>(?:https?|ftp)://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*|[\w./%-]+\.(?:pdf|docx?|xlsx?|pptx?|csv|zip))\)"
)
_ASKS: Final = re.compile(
    r"where\b|(?:what|which)\b.*\b(?:address|link|url|web\s?site|web\s?page)\b|(?:on|at|under|from)\s+which\b",
    re.IGNORECASE,
)
# words of such a question that do not name what is looked for
_ASKING: Final = stem_content_words(
    "find found get got fetch fetched download downloaded see look located online address link url web website webpage "
    "page site available"
)


@dataclass(frozen=True, slots=True)
class _LinkedWords:
    """An address behind the words of a link, and the sentence or row with both."""

    evidence: Evidence
    sentence: tuple[int, int]
    span: tuple[int, int]


def answer_link_address(
    question: QuestionAnalysis, retrieval: Retrieval, _reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer with the address behind the words that a question looks for; None for other questions.

    Several addresses behind such words are a possible answer.
    """
    wanted = question.content_stems - _ASKING
    if not wanted or not _ASKS.match(question.text.strip()):
        return None
    links = [link for evidence in retrieval.evidence for link in _find_links(question, wanted, evidence)]
    if not links:
        return None
    best = links[0]
    quote = " ".join(best.evidence.text[slice(*best.sentence)].split())
    answer = compose_answer(
        retrieval,
        (Sentence(quote, (cite(retrieval, best.evidence, best.sentence, answer=best.span),)),),
        short=best.evidence.text[slice(*best.span)],
        confidence=CONFIDENCE,
        written_by=EXTRACTIVE,
    )
    addresses = {link.evidence.text[slice(*link.span)] for link in links}
    return answer if len(addresses) == 1 else demote_to_possible(answer)
    yield


def _find_links(question: QuestionAnalysis, wanted: frozenset[str], evidence: Evidence) -> Iterator[_LinkedWords]:
    """Yield the links of a passage that have all wanted words and names closely before their address."""
    if evidence.grid is not None:
        return
    for start, end in evidence.sentences:
        sentence, behind = evidence.text[start:end], 0
        for match in _ADDRESS.finditer(sentence):
            words = " ".join(re.findall(r"\S+", sentence[behind : match.start()])[-MAX_WORDS:])
            if wanted <= stem_content_words(words) and not question.find_unmatched([words]):
                span = start + match.start("address"), start + match.end("address")
                yield _LinkedWords(evidence, (start, end), span)
            behind = match.end()
