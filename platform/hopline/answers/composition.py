"""Composition of answers: citations, sentences that quote evidence, and the answer of these sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_with_heading
from hopline.reader.quotes import contains_words
from hopline.reader.reading import list_units
from hopline.results import EXTRACTIVE, POSSIBLE, Answer, Citation, Evidence, Retrieval, Sentence
from hopline.results.evidence import format_location
from hopline.text.words import find_content_words

MAX_NEAREST: Final = 3  # sentences that an abstention shows
MAX_COMPARED: Final = 16  # evidence whose sentences are compared with the question

NOT_ENGLISH: Final = (
    "The reader reads English, and this question is in another script: only the nearest passages are shown."
)

Span = tuple[int, int]


def cite(retrieval: Retrieval, evidence: Evidence, span: Span, *, answer: Span | None = None) -> Citation:
    """Cite a span of the text of an evidence; ``answer`` is the span of the short answer in it."""
    return Citation(evidence, evidence.text[slice(*span)], *span, retrieval.find_path(evidence.id), answer)


def quote_span(retrieval: Retrieval, evidence: Evidence, span: Span) -> Sentence:
    """Make a sentence of an answer from a span of the text of an evidence, in one line, with its citation."""
    citation = cite(retrieval, evidence, span)
    return Sentence(format_quote(citation.quote), (citation,))


def format_quote(text: str) -> str:
    """Return a sentence in one line; program code, the only text of several lines, as it is."""
    return text if "\n" in text else " ".join(text.split())


def compose_answer(
    retrieval: Retrieval,
    sentences: Sequence[Sentence],
    *,
    short: str = "",
    confidence: float | None = None,
    missing: tuple[str, ...] = (),
    nearest: Sequence[Sentence] = (),
    written_by: str = EXTRACTIVE,
    notice: str = "",
) -> Answer:
    """Compose an answer of sentences, an abstention if there are none; the arguments are fields of `Answer`."""
    cited = [citation.evidence.text for sentence in sentences or nearest[:1] for citation in sentence.citations]
    return Answer(
        retrieval.question,
        tuple(sentences),
        retrieval,
        abstained=not sentences,
        missing=missing,
        short=short,
        written_by=written_by,
        confidence=confidence,
        nearest=tuple(nearest),
        notice=notice,
        short_quoted=not short or any(contains_words(short, text) for text in cited),
    )


def demote_to_possible(answer: Answer, *, missing: tuple[str, ...] = ()) -> Answer:
    """Return an abstention with the sentences of an answer as a possible one; an abstention is returned as it is.

    An answer without a confidence gets the lowest one of a possible answer.
    """
    if answer.abstained:
        return answer
    confidence = POSSIBLE if answer.confidence is None else answer.confidence
    nearest = answer.sentences
    return replace(answer, sentences=(), abstained=True, nearest=nearest, confidence=confidence, missing=missing)


def demote_answer_of_unclear_table(answer: Answer) -> Answer:
    """Return an answer as a possible one, with a notice, if it depends on a table that was not understood."""
    cited = [[citation.evidence for citation in sentence.citations] for sentence in answer.sentences]
    unclear = [tables[0] for tables in cited if tables and all(map(_find_problem, tables))]
    if answer.abstained or not unclear:
        return answer
    notice = f"{answer.notice} {_describe_problem(unclear[0])}".strip()
    return replace(demote_to_possible(answer), notice=notice)


def _find_problem(evidence: Evidence) -> str:
    return evidence.grid.problem if evidence.grid else ""


def _describe_problem(table: Evidence) -> str:
    return f"The table ({format_location(table)}) is not understood: {_find_problem(table)}. Check the page."


def abstain(question: QuestionAnalysis, retrieval: Retrieval) -> Answer:
    """Compose the answer that nothing was found, with the nearest sentences and the names that no evidence has."""
    return compose_answer(
        retrieval,
        (),
        nearest=find_nearest(question, retrieval),
        missing=find_missing(question, retrieval),
        notice="" if question.is_latin else NOT_ENGLISH,
    )


def find_missing(question: QuestionAnalysis, retrieval: Retrieval) -> tuple[str, ...]:
    """Find the names and numbers of the question that no evidence and no heading has."""
    return question.find_unmatched(format_with_heading(item) for item in retrieval.evidence)


def find_nearest(question: QuestionAnalysis, retrieval: Retrieval) -> list[Sentence]:
    """Find the sentences that share most words with the question, those of the best evidence first.

    A row of a table that shares none is left out; without any shared word, the first sentences of passages are found.
    """
    words = question.content_words
    units = [(item, span) for item in retrieval.evidence[:MAX_COMPARED] for span in list_units(item)]
    shared = [len(words & find_content_words(item.text[slice(*span)])) for item, span in units]
    ranked = sorted(range(len(units)), key=lambda number: -shared[number])
    near = [units[number] for number in ranked if shared[number] or units[number][0].kind == "passage"]
    return [quote_span(retrieval, item, span) for item, span in near[:MAX_NEAREST]]


def combine_answers(parts: Sequence[str], answers: Sequence[Answer]) -> Answer:
    """Combine the answers to the parts of a question, of which one at least is answered or has a possible answer.

    The confidence is the lowest of the parts with an answer, or, if there are none, with a possible one. The short
    answer has those of all parts, in order ("40; possibly 1990"), as far as there are any. ``nearest``
    has the sentences of the possible answers, and a notice names the parts without an answer.
    """
    answered = [answer for answer in answers if not answer.abstained]
    shown = answered or [answer for answer in answers if answer.possible]
    confidences = [answer.confidence for answer in shown if answer.confidence is not None]
    return replace(
        shown[0],
        sentences=_unite_sentences(answered),
        retrieval=_unite_retrievals([answer.retrieval for answer in answers]),
        abstained=not answered,
        missing=tuple(dict.fromkeys(name for answer in answers for name in answer.missing)),
        short=_combine_shorts(answers),
        short_quoted=all(answer.short_quoted for answer in shown),
        confidence=min(confidences, default=None),
        nearest=tuple(dict.fromkeys(answer.possible for answer in answers if answer.possible)),
        notice=_describe_open_parts(parts, answers),
    )


def _combine_shorts(answers: Sequence[Answer]) -> str:
    """Join the short answers of the parts; a possible one beside a sure one is marked, and not repeated."""
    sure = [answer.short for answer in answers if not answer.abstained]
    shown = [answer for answer in answers if not answer.abstained or (answer.possible and answer.short not in sure)]
    return "; ".join(
        f"possibly {answer.short}" if sure and answer.abstained else answer.short for answer in shown if answer.short
    )


def choose_answer(answers: Sequence[Answer]) -> int:
    """Return the index of the first sure answer, or else of the most confident possible one, 0 if there is none."""
    ranks = [(not answer.abstained, (answer.confidence or 0.0) if answer.possible else 0.0) for answer in answers]
    return max(range(len(answers)), key=lambda number: (*ranks[number], -number))


def demote_repeated_answers(answers: Sequence[Answer]) -> list[Answer]:
    """Return the answers, with those demoted to possible ones that repeat a more confident one from the same sentence.

    The reader may have ignored the words in which the parts differ: "the winner" and "the runner-up".
    """
    ranked = sorted(
        (number for number, answer in enumerate(answers) if not answer.abstained),
        key=lambda number: -(answers[number].confidence or 0.0),
    )
    repeated = {
        number
        for rank, number in enumerate(ranked)
        if any(_repeats(answers[number], answers[surer]) for surer in ranked[:rank])
    }
    return [demote_to_possible(answer) if number in repeated else answer for number, answer in enumerate(answers)]


def _repeats(answer: Answer, other: Answer) -> bool:
    """Whether an answer is another one, or has the words of another one from the same sentence and more."""
    same = [sentence.text for sentence in answer.sentences[:1]] == [sentence.text for sentence in other.sentences[:1]]
    return same and (answer.short == other.short or (bool(other.short) and contains_words(other.short, answer.short)))


def _unite_sentences(answers: Sequence[Answer]) -> tuple[Sentence, ...]:
    """Return the sentences of all answers, in order; those with the same text once, with the citations of each."""
    united: dict[str, Sentence] = {}
    for sentence in (sentence for answer in answers for sentence in answer.sentences):
        known = united.get(sentence.text)
        citations = dict.fromkeys((*known.citations, *sentence.citations) if known else sentence.citations)
        united[sentence.text] = replace(sentence, citations=tuple(citations))
    return tuple(united.values())


def _unite_retrievals(retrievals: Sequence[Retrieval]) -> Retrieval:
    evidence = {item.id: item for retrieval in retrievals for item in retrieval.evidence}
    paths = {path.evidence: path for retrieval in retrievals for path in retrieval.paths}
    return replace(retrievals[0], evidence=tuple(evidence.values()), paths=tuple(paths.values()))


def _describe_open_parts(parts: Sequence[str], answers: Sequence[Answer]) -> str:
    """Name the parts without an answer, and, if another part has one, those whose answer is only possible."""
    pairs = list(zip(parts, answers, strict=True))
    unsure = [part for part, answer in pairs if answer.possible]
    unanswered = [part for part, answer in pairs if answer.status == "not_found"]
    notices = [f"Not sure: {' '.join(unsure)}"] if unsure and not all(answer.abstained for answer in answers) else []
    notices += [f"No answer was found to: {' '.join(unanswered)}"] if unanswered else []
    return " ".join(notices)
