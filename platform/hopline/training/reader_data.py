"""Training data of the reader: files of questions on paragraphs, and the samples that are made of them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from hopline.atomic_files import read_lines
from hopline.errors import UsageError
from hopline.training.reader_negatives import (
    choose_distractor,
    find_names,
    remove_answer,
    reverse_meaning,
    swap_name,
)

# a longer paragraph is cut to a window of sentences, about 200 word pieces
MAX_CHARACTERS: Final = 900
NO_TITLE: Final = 0.3  # share of samples without their title: passages of PDFs often have none
OTHER_PARAGRAPH: Final = 0.35  # negatives for each answered question: another paragraph of the article
WITHOUT_ANSWER: Final = 0.3  # the passage without the sentences that hold the answer
OTHER_NAME: Final = 0.3  # a name or number of the question is replaced by one of the passage
OTHER_MEANING: Final = 0.5  # a word of the question is replaced by its antonym, if it has one
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReaderQuestion:
    """A question on a paragraph: the spans of its answer (none: it is not answered), or "yes" or "no"."""

    text: str
    spans: tuple[Span, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, the title of its article, and the questions on it."""

    title: str
    text: str
    questions: tuple[ReaderQuestion, ...]


@dataclass(frozen=True, slots=True)
class ReaderSample:
    """A question and a passage, with the spans of the answer in ``text``, or the verdict."""

    question: str
    header: str
    text: str
    spans: tuple[Span, ...] = ()
    verdict: str = ""

    @property
    def answered(self) -> bool:
        """Whether the passage answers the question."""
        return bool(self.spans or self.verdict)


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """The paragraphs of a file; ``description`` (name, licence) goes into the model card."""

    name: str
    description: Mapping[str, Any]
    paragraphs: tuple[Paragraph, ...]


def read_reader_file(path: Path) -> ReaderFile:
    """Read SQuAD's JSON (1.1 or 2.0) or MRQA's lines (``.jsonl``, ``.jsonl.gz``).

    MRQA's questions without ``detected_answers`` are unanswerable; ``verdict`` is "yes" or "no".

    Raises:
        UsageError: the file is of neither format.
    """
    name = path.name.split(".")[0]
    try:
        if path.name.endswith((".jsonl", ".jsonl.gz")):
            lines = [json.loads(line) for line in read_lines(path) if line.strip()]
            header = lines.pop(0)["header"] if lines and "header" in lines[0] else {}
            return ReaderFile(name, header, tuple(_parse_mrqa(line) for line in lines))
        data = json.loads(path.read_text("utf-8"))["data"]
        return ReaderFile(name, {}, tuple(_parse_squad(data)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path} is neither SQuAD's JSON (data, paragraphs, qas) nor MRQA's lines (context, qas): {error!r}"
        ) from error


def _parse_squad(articles: Sequence[Mapping[str, Any]]) -> Iterator[Paragraph]:
    for article in articles:
        for paragraph in article["paragraphs"]:
            questions = []
            for qa in paragraph["qas"]:
                answers = [] if qa.get("is_impossible") else qa["answers"]
                spans = ((answer["answer_start"], answer["answer_start"] + len(answer["text"])) for answer in answers)
                questions.append(ReaderQuestion(qa["question"], tuple(dict.fromkeys(spans))))
            yield Paragraph(article.get("title", "").replace("_", " "), paragraph["context"], tuple(questions))


def _parse_mrqa(line: Mapping[str, Any]) -> Paragraph:
    questions = []
    for qa in line["qas"]:
        spans = [(start, end + 1) for answer in qa["detected_answers"] for start, end in answer["char_spans"]]
        questions.append(ReaderQuestion(qa["question"], tuple(dict.fromkeys(spans)), qa.get("verdict", "")))
    return Paragraph(line.get("title", ""), line["context"], tuple(questions))


def make_samples(paragraphs: Sequence[Paragraph], *, seed: int, negatives: bool) -> list[ReaderSample]:
    """Make one sample of each question, and with ``negatives`` further ones that are not answered."""
    random = Random(seed)  # noqa: S311 - no secret
    articles: dict[str, list[Paragraph]] = defaultdict(list)
    for paragraph in paragraphs:
        articles[paragraph.title].append(paragraph)
    samples: list[ReaderSample] = []
    for paragraph in paragraphs:
        for question in paragraph.questions:
            sample = _cut_window(
                ReaderSample(question.text, paragraph.title, paragraph.text, question.spans, question.verdict), random
            )
            samples.append(sample)
            if negatives and sample.spans:
                samples += _make_negatives(paragraph, question, sample, articles[paragraph.title], random)
    return [replace(sample, header="") if random.random() < NO_TITLE else sample for sample in samples]


def _make_negatives(
    paragraph: Paragraph, question: ReaderQuestion, sample: ReaderSample, article: Sequence[Paragraph], random: Random
) -> Iterator[ReaderSample]:
    """Another paragraph of the article; the passage without the answer; the question changed."""
    answers = [paragraph.text[start:end] for start, end in question.spans]
    if paragraph.title and random.random() < OTHER_PARAGRAPH:
        others = [other for other in article if other is not paragraph]
        chosen = choose_distractor(question.text, answers, [other.text for other in others], random)
        if chosen is not None:
            yield _cut_window(ReaderSample(question.text, paragraph.title, others[chosen].text), random)
    table = "\n" in sample.text  # it has few rows, and answers for another name too
    if not table and random.random() < WITHOUT_ANSWER and (rest := remove_answer(sample.text, answers)):
        yield ReaderSample(question.text, sample.header, rest)
    if not table and random.random() < OTHER_NAME:
        names = [name for name in find_names(sample.text) if name not in answers]
        if changed := swap_name(question.text, names, random):
            yield ReaderSample(changed, sample.header, sample.text)
    if random.random() < OTHER_MEANING and (changed := reverse_meaning(question.text, random)):
        yield ReaderSample(changed, sample.header, sample.text)


def _cut_window(sample: ReaderSample, random: Random) -> ReaderSample:
    """Cut the text to a window of whole sentences, with the first span in it if there is one."""
    if len(sample.text) <= MAX_CHARACTERS:
        return sample
    bounds = _find_bounds(sample.text)
    span = sample.spans[0] if sample.spans else (random.randrange(len(sample.text)),) * 2
    latest, earliest = span[0], max(0, span[1] - MAX_CHARACTERS)
    starts = [bound for bound in bounds[:-1] if earliest <= bound <= latest] or [span[0]]
    start = random.choice(starts)
    ends = [bound for bound in bounds if span[1] <= bound <= start + MAX_CHARACTERS and bound > start]
    end = max(ends, default=start + MAX_CHARACTERS)
    spans = tuple((a - start, b - start) for a, b in sample.spans if start <= a and b <= end)
    return replace(sample, text=sample.text[start:end], spans=spans)


def _find_bounds(text: str) -> list[int]:
    """The characters at which sentences begin, and the end of the text."""
    return [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]


def find_sentence(text: str, span: Span) -> Span:
    """The bounds of the sentence in which a span begins; the end is that of the sentence in which it ends."""
    bounds = _find_bounds(text)
    start = max(bound for bound in bounds if bound <= span[0])
    return start, min((bound for bound in bounds if bound >= span[1]), default=len(text))
