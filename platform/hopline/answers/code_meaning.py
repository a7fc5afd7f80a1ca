"""Meanings of codes: "What does F28 mean?" is answered by the sentence that explains the code.

The explanation follows the code at the beginning of a paragraph ("F28: no flame was seen", "The fault E-117 is shown
when the flue is blocked") or is the first sentence below a heading with the code.
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
from hopline.reader.confidence import normalize_short
from hopline.results import EXTRACTIVE, Answer, Evidence, Retrieval, Sentence
from hopline.text.identifiers import LEADING_WORDS, Identifier, blank_identifiers, find_identifiers

CONFIDENCE: Final = 0.9
MAX_SHORT: Final = 100  # characters of a short answer

# words of such a question besides the code
_ASKING: Final = frozenset(
    {
        "what", "what's", "does", "do", "is", "are", "meant", "by", "the", "a", "an", "of", "meaning", "mean", "means",
        "signify", "indicate", "error", "fault", "alarm", "message", "warning", "exception", "code", "status",
        "display", "number", "event",
    }
)  # fmt: skip
_EXPLAINS: Final = re.compile(
    r"\s*(?:[:=]|[-–—](?=\s)|\s(?=[A-Z])|\s(?:means?|indicates?|signals?|signifies|stands\s+for)\s+(?:that\s)?"
    r"|\s(?:is|appears|occurs)\s*(?:shown|displayed|reported|raised|set)?\s+(?:when|if)\s)\s*"
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What explains a code, with the span of its sentence and of the explanation in it."""

    evidence: Evidence
    sentence: tuple[int, int]
    span: tuple[int, int]

    @property
    def short(self) -> str:
        """The explanation in one line, without a final period."""
        return " ".join(self.evidence.text[slice(*self.span)].split()).rstrip(" .;,")


def answer_code_meaning(
    question: QuestionAnalysis, retrieval: Retrieval, _reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer with the explanation of a code; None for other questions, and if nothing explains the code.

    Different explanations, as two devices have them, are a possible answer.
    """
    code = parse_code_question(question)
    if code is None:
        return None
    explanations = [item for evidence in retrieval.evidence for item in _find_explanations(code, evidence)]
    if not explanations:
        return None
    best = explanations[0]
    sentence = Sentence(
        " ".join(best.evidence.text[slice(*best.sentence)].split()),
        (cite(retrieval, best.evidence, best.sentence, answer=best.span),),
    )
    short = best.short if len(best.short) <= MAX_SHORT else ""
    answer = compose_answer(retrieval, (sentence,), short=short, confidence=CONFIDENCE, written_by=EXTRACTIVE)
    is_clear = len({normalize_short(item.short) for item in explanations}) == 1
    return answer if is_clear else demote_to_possible(answer)
    yield


def parse_code_question(question: QuestionAnalysis) -> Identifier | None:
    """Return the code whose meaning a question asks for; None for other questions."""
    codes = [item for item in question.identifiers if item.category in {"code", "named number"}]
    if len(question.identifiers) != 1 or not codes:
        return None
    words = re.findall(r"[\w'’]+", blank_identifiers(question.text).lower())
    is_asked = bool(words) and words[0] in {"what", "what's", "meaning"}
    return codes[0] if is_asked and set(words) <= _ASKING else None


def _find_explanations(code: Identifier, evidence: Evidence) -> Iterator[Explanation]:
    """Yield what explains a code in a passage, in order."""
    if evidence.grid is not None or not evidence.sentences:
        return
    headings = find_identifiers(evidence.section[-1]) if evidence.section else ()
    if len(headings) == 1 and code.is_same(headings[0]) and not find_identifiers(evidence.text):
        yield Explanation(evidence, evidence.sentences[0], evidence.sentences[0])
    for start, end in evidence.sentences:
        text = evidence.text[start:end]
        identifiers = find_identifiers(text)
        if len(identifiers) != 1 or not code.is_same(identifiers[0]):
            continue
        if len(re.findall(r"\w+", text[: identifiers[0].start])) > LEADING_WORDS:
            continue
        match = _EXPLAINS.match(text, identifiers[0].end)
        if match and match.end() < len(text):
            yield Explanation(evidence, (start, end), (start + match.end(), start + len(text.rstrip(" .;,"))))
