"""Training data of the reader: files of questions on paragraphs, and the samples that are made of them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from hopline.atomic_files import read_lines
from hopline.errors import UsageError
from hopline.reader.input import format_table_row
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
    """A question on a paragraph: the spans of its answer (none: it is not answered), or the verdict "yes" or "no".

    With a verdict, or if ``whole``, the spans are sentences that support the answer, not a short answer.
    """

    text: str
    spans: tuple[Span, ...] = ()
    verdict: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, the title of its article, and the questions on it."""

    title: str
    text: str
    questions: tuple[ReaderQuestion, ...]


@dataclass(frozen=True, slots=True)
class ReaderSample:
    """A question and a passage, with the spans of the answer in ``text``, and the verdict as of `ReaderQuestion`."""

    question: str
    header: str
    text: str
    spans: tuple[Span, ...] = ()
    verdict: str = ""
    whole: bool = False

    @property
    def answered(self) -> bool:
        """Whether the passage answers the question."""
        return bool(self.spans or self.verdict)

    @property
    def has_short_answer(self) -> bool:
        """Whether the spans are short answers: their start and end are learned and measured."""
        return bool(self.spans) and not self.verdict and not self.whole


@dataclass(frozen=True, slots=True)
class ReaderFile:
    """The paragraphs of a file; ``description`` (name, licence) goes into the model card."""

    name: str
    description: Mapping[str, Any]
    paragraphs: tuple[Paragraph, ...]


def read_reader_file(path: Path) -> ReaderFile:
    """Read SQuAD's JSON (1.1 or 2.0), or lines (``.jsonl``, ``.jsonl.gz``) of MRQA or of one question each.

    MRQA's questions without ``detected_answers`` are unanswerable; ``verdict`` is "yes" or "no". A line of one question
    has ``question``, ``title``, ``context``, ``answers`` (text, start; none if it is unanswerable), ``kind`` (span,
    sentence, yesno) and ``verdict``. With ``kind`` table it has ``table`` (rows, the first is the header) and ``cells``
    (row, column) instead of context and answers. Its file is described by a line of ``SOURCE.txt`` beside it, if there
    is one: name | rows | answerable | repository | data set | licence | ….

    Raises:
        UsageError: the file is of neither format.
    """
    name = path.name.split(".")[0]
    try:
        if path.name.endswith((".jsonl", ".jsonl.gz")):
            lines = [json.loads(line) for line in read_lines(path) if line.strip()]
            if lines and "question" in lines[0]:
                return ReaderFile(name, _read_source(path.parent / "SOURCE.txt", name), tuple(_parse_rows(lines)))
            header = lines.pop(0)["header"] if lines and "header" in lines[0] else {}
            return ReaderFile(name, header, tuple(_parse_mrqa(line) for line in lines))
        data = json.loads(path.read_text("utf-8"))["data"]
        return ReaderFile(name, {}, tuple(_parse_squad(data)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path} is neither SQuAD's JSON (data, paragraphs, qas) nor lines of MRQA (context, qas) or of one "
            f"question each (question, context, answers): {error!r}"
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


def _parse_rows(lines: Iterable[Mapping[str, Any]]) -> Iterator[Paragraph]:
    """The paragraphs of lines of one question each; questions on the same context are one paragraph."""
    questions: dict[tuple[str, str], list[ReaderQuestion]] = defaultdict(list)
    for line in lines:
        if line["kind"] == "table":
            text, starts = _format_table(line["table"])
            spans = [(starts[row][column], line["table"][row][column]) for row, column in line["cells"]]
            answers = [(start, start + len(cell)) for start, cell in spans if start >= 0]
            if answers:  # an answer cell can be empty, or be part of the header
                questions[line.get("title") or "", text].append(ReaderQuestion(line["question"], tuple(answers)))
            continue
        answers = [(answer["start"], answer["start"] + len(answer["text"])) for answer in line["answers"]]
        question = ReaderQuestion(
            line["question"], tuple(dict.fromkeys(answers)), line["verdict"] or "", whole=line["kind"] == "sentence"
        )
        questions[line.get("title") or "", line["context"]].append(question)
    for (title, text), paragraph_questions in questions.items():
        yield Paragraph(title, text, tuple(paragraph_questions))


def _format_table(table: Sequence[Sequence[str]]) -> tuple[str, list[list[int]]]:
    """The text of a table as the reader gets it, and the start of each cell in it; -1 for header and empty cells."""
    header, text, starts = table[0], "", [[-1] * len(table[0])]
    for row in table[1:]:
        line, offsets = format_table_row(list(zip(header, row, strict=False)))
        starts.append([len(text) + offset if offset >= 0 else -1 for offset in offsets])
        text += line + "\n"
    return text, starts


def _read_source(path: Path, name: str) -> dict[str, str]:
    """The repository and the licence of a file in a table of sources; empty if it is not in it."""
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        fields = [field.strip() for field in line.split(" | ")]
        if fields[0] == name and len(fields) > 5:
            return {"repository": fields[3].partition(" @ ")[0], "licence": fields[5]}
    return {}


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
                ReaderSample(
                    question.text, paragraph.title, paragraph.text, question.spans, question.verdict, question.whole
                ),
                random,
            )
            if question.spans and not sample.spans:  # longer than a window
                continue
            samples.append(sample)
            if negatives and sample.has_short_answer:
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
    if random.random() < WITHOUT_ANSWER and (rest := remove_answer(sample.text, answers, by_line=table)):
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
