"""Training data of the verifier: answers and claims with a passage that supports, contradicts or does not state them.

Supported rows are the answers of question sets and the claims of claim sets. The others are made of them, as hard as
they occur: another name, number or year of the same sentence; a question with another name or the opposite word; the
likeliest sentence of another place; the neighbouring row or column of a table; a negation (after Kryściński et al.
2020, "Evaluating the Factual Consistency of Abstractive Text Summarization", section 3.1).
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal

from hopline.atomic_files import read_lines
from hopline.reader.input import format_table_row
from hopline.text.parser import load_parser
from hopline.training.reader_data import Paragraph, ReaderFile, ReaderQuestion, find_sentence
from hopline.training.reader_negatives import choose_distractor, find_names, get_kind, reverse_meaning, swap_name

if TYPE_CHECKING:
    from spacy.language import Language

Label = Literal["supported", "contradicted", "not_stated"]

PREVIOUS: Final = 0.4  # share of passages that begin with the sentence before the one with the answer
LONGEST: Final = 700  # characters of a passage: yes-or-no questions have no evidence sentence
OTHER_VALUE: Final = 0.6  # negatives for each answer: another name or number of the sentence
OTHER_NAME: Final = 0.3
OTHER_MEANING: Final = 0.5
OTHER_SENTENCE: Final = 0.6
AS_VERDICT: Final = 0.6  # share of the questions that can be one which are asked for yes or no as well
STATEMENT: Final = 0.15  # sentences of the passages that are claims, or changed to false ones
NO_HEADER: Final = 0.3
_NEGATED: Final = re.compile(r"\b(is|was|are|were|has been|have been|can|could|will|would|must|may|should)\b(?! not)")
_TRUE: Final = ("yes", "Yes", "TRUE", "true", "✓", "✓", "Y", "1")  # one beside the other: the pairs of a table
_FALSE: Final = ("no", "No", "FALSE", "false", "✗", "–", "N", "0")


@dataclass(frozen=True, slots=True)
class ClaimSample:
    """An answer to a question, or a claim (no question), and a passage with its header; ``source`` names its set."""

    question: str
    answer: str
    header: str
    text: str
    label: Label
    source: str


def make_claim_samples(file: ReaderFile, *, seed: int) -> list[ClaimSample]:
    """Make the samples of a question set: texts, tables and yes-or-no questions."""
    random = Random(f"{seed} {file.name}")  # noqa: S311 - no secret
    articles: dict[str, list[Paragraph]] = defaultdict(list)
    for paragraph in file.paragraphs:
        articles[paragraph.title].append(paragraph)
    samples: list[ClaimSample] = []
    for paragraph in file.paragraphs:
        others = [other for other in articles[paragraph.title] if other is not paragraph]
        if not others:
            others = random.sample(file.paragraphs, min(4, len(file.paragraphs)))
        for question in paragraph.questions:
            for label, verdict_question, answer, text in _make_rows(paragraph, question, others, random):
                header = "" if random.random() < NO_HEADER else paragraph.title
                samples.append(ClaimSample(verdict_question, answer, header, text.strip(), label, file.name))
    return samples


Row = tuple[Label, str, str, str]  # label, question, answer, passage


def _make_rows(
    paragraph: Paragraph, question: ReaderQuestion, others: Sequence[Paragraph], random: Random
) -> Iterator[Row]:
    text = paragraph.text
    if question.verdict:
        yield from _make_rows_of_verdict(paragraph, question, others, random)
        return
    if not question.spans:
        yield from _make_unanswered_rows(question, text, random)
        return
    if question.whole:
        return
    span = random.choice(question.spans)
    answer = text[slice(*span)]
    answers = [text[slice(*other)] for other in question.spans]
    passage = _find_passage(text, span, random)
    yield ("supported", question.text, answer, passage)
    if random.random() < OTHER_VALUE and (value := _find_other_value(passage, question.text, answers, random)):
        yield ("contradicted", question.text, value, passage)
    is_table = "\n" in text and ": " in text
    if not is_table and random.random() < OTHER_NAME:
        names = [name for name in find_names(text) if name not in answers]
        if changed := swap_name(question.text, names, random):
            yield ("not_stated", changed, answer, passage)
    if random.random() < OTHER_MEANING and (changed := reverse_meaning(question.text, random)):
        yield ("not_stated", changed, answer, passage)
    if random.random() < OTHER_SENTENCE:
        yield from _make_rows_of_other_places(paragraph, question, answers, others, random)
    if not is_table:
        yield from _make_sentence_rows(question, text, span, passage, random)


def _make_sentence_rows(
    question: ReaderQuestion, text: str, span: tuple[int, int], passage: str, random: Random
) -> Iterator[Row]:
    """Verdicts and statements of the answer of a sentence."""
    if random.random() < AS_VERDICT:
        yield from _make_verdict_rows(question.text, text[slice(*span)], passage, random)
    if random.random() < STATEMENT:
        yield from _make_statement_rows(text, span, random)


def _make_rows_of_verdict(
    paragraph: Paragraph, question: ReaderQuestion, others: Sequence[Paragraph], random: Random
) -> Iterator[Row]:
    """The verdict of a yes-or-no question, the opposite one, and either beside the most similar other passage."""
    right, passage = question.verdict, _cut(paragraph.text, question.spans)
    yield ("supported", question.text, right, passage)
    yield ("contradicted", question.text, "no" if right == "yes" else "yes", passage)
    texts = [other.text for other in others if other.text != paragraph.text]
    chosen = choose_distractor(question.text, [], texts, random)
    if chosen is not None and random.random() < OTHER_SENTENCE:
        yield ("not_stated", question.text, random.choice(("yes", "no")), _cut(texts[chosen], ()))


def _make_unanswered_rows(question: ReaderQuestion, text: str, random: Random) -> Iterator[Row]:
    """The likeliest wrong answer of a passage that does not answer: a name or number of its most similar sentence."""
    sentences = [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n", text) if len(sentence) > 20]
    words = set(re.findall(r"\w{4,}", question.text.lower()))
    ranked = sorted(sentences, key=lambda sentence: -len(words & set(re.findall(r"\w{4,}", sentence.lower()))))
    for sentence in ranked[:1]:
        if value := _find_other_value(sentence, question.text, (), random):
            yield ("not_stated", question.text, value, sentence)


def _make_rows_of_other_places(
    paragraph: Paragraph, question: ReaderQuestion, answers: Sequence[str], others: Sequence[Paragraph], random: Random
) -> Iterator[Row]:
    """A name or number of the same kind in the most similar sentence, or row, without the answer."""
    lowered = [answer.lower() for answer in answers]
    texts = [paragraph.text, *(other.text for other in others[:6])]
    sentences = [
        sentence
        for text in texts
        for sentence in re.split(r"(?<=[.!?])\s+|\n", text)
        if len(sentence) > 15 and not any(answer in sentence.lower() for answer in lowered)
    ]
    words = set(re.findall(r"\w{4,}", question.text.lower()))
    ranked = sorted(sentences, key=lambda sentence: -len(words & set(re.findall(r"\w{4,}", sentence.lower()))))[:3]
    random.shuffle(ranked)
    for sentence in ranked:
        same = [name for name in find_names(sentence) if answers and get_kind(name) == get_kind(answers[0])]
        same = [name for name in same if name not in question.text]
        if same:
            yield ("not_stated", question.text, random.choice(same), sentence)
            return


def _find_other_value(passage: str, question: str, answers: Sequence[str], random: Random) -> str:
    """A name or number of a passage that is neither in the question nor a part of an answer; "" if there is none."""
    kind = get_kind(answers[0]) if answers else ""
    names = [
        name
        for name in find_names(passage)
        if name not in question and not any(name in answer or answer in name for answer in answers)
    ]
    same = [name for name in names if get_kind(name) == kind]
    return random.choice(same or names) if names else ""


def _find_passage(text: str, span: tuple[int, int], random: Random) -> str:
    if "\n" in text and ": " in text:  # the rows of a table
        start = text.rfind("\n", 0, span[0]) + 1
        end = text.find("\n", span[1])
        return text[start : end if end >= 0 else len(text)]
    start, end = find_sentence(text, span)
    if start and random.random() < PREVIOUS:
        start = find_sentence(text, (start - 1, start - 1))[0]
    return text[start:end][-LONGEST:]


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The sentences of the spans, or a text of at most `LONGEST` characters."""
    if spans:
        bounds = sorted({find_sentence(text, span) for span in spans})
        if sum(end - start for start, end in bounds) <= LONGEST:
            return " ".join(text[start:end].strip() for start, end in bounds)
    if len(text) <= LONGEST:
        return text
    sentences = re.split(r"(?<=[.!?])\s+", text)
    chosen = ""
    for sentence in sentences:
        if chosen and len(chosen) + len(sentence) > LONGEST:
            break
        chosen += (" " if chosen else "") + sentence
    return chosen[:LONGEST]


def _make_verdict_rows(question: str, answer: str, passage: str, random: Random) -> Iterator[Row]:
    """The question with its answer in place of the question word: "Who led X?" becomes "Did Ada lead X?"."""
    verdict_question = ask_for_verdict(question, answer)
    if not verdict_question:
        return
    yield ("supported", verdict_question, "yes", passage)
    yield ("contradicted", verdict_question, "no", passage)
    other = _find_other_value(passage, question, (answer,), random)
    if other and get_kind(other) == get_kind(answer) and (false := ask_for_verdict(question, other)):
        yield ("supported", false, "no", passage)
        yield ("contradicted", false, "yes", passage)


@cache
def _load_lemmatizer() -> Language:
    return load_parser(exclude=["ner"])


def ask_for_verdict(question: str, answer: str) -> str:
    """The yes-or-no question whether ``answer`` answers a question; "" if the question is of another form."""
    text = question.strip().rstrip("?").strip()
    match = re.fullmatch(r"(?:who|what|which [a-z]+) (is|was|are|were) (.+)", text, re.IGNORECASE)
    if match and not re.search(r"\b(?:in|on|by|of|for|from|to|at|with|called|named)$", match[2]):
        return f"{match[1].capitalize()} {answer} {match[2]}?"
    match = re.fullmatch(
        r"(?:when|in (?:what|which) year) (is|was|are|were|did|does|do|will) (.+)", text, re.IGNORECASE
    )
    if match and get_kind(answer) in {"year", "number"}:
        return f"{match[1].capitalize()} {match[2]} in {answer}?"
    match = re.fullmatch(r"where (is|was|are|were|did|does|do) (.+)", text, re.IGNORECASE)
    if match and get_kind(answer) == "name" and answer[:1].isupper():
        return f"{match[1].capitalize()} {match[2]} in {answer}?"
    match = re.fullmatch(
        r"[Ww]ho ([a-z]+(?:ed|s)|wrote|won|led|built|made|ran|became|took|gave|held|sold|bought) (.+)", text
    )
    if match:
        verb = next((token for token in _load_lemmatizer()(text) if token.text == match[1]), None)
        if verb is not None and verb.pos_ == "VERB":
            auxiliary = "Does" if verb.tag_ == "VBZ" else "Did"
            return f"{auxiliary} {answer} {verb.lemma_} {match[2]}?"
    return ""


def _make_statement_rows(text: str, span: tuple[int, int], random: Random) -> Iterator[Row]:
    """A sentence as a claim: as it is, with another name or number, negated, and beside another sentence."""
    start, end = find_sentence(text, span)
    sentence = text[start:end].strip()
    if not 30 < len(sentence) < 250:
        return
    passage = text[max(0, start - 200) : end].strip()
    passage = passage[passage.find(". ") + 2 :] if start > 200 and ". " in passage[:200] else passage
    yield ("supported", "", sentence, passage)
    others = [name for name in find_names(text) if name not in sentence]
    if changed := swap_name(sentence, others, random):
        yield ("contradicted", "", changed, passage)
    if match := _NEGATED.search(sentence):
        yield ("contradicted", "", sentence[: match.end()] + " not" + sentence[match.end() :], passage)
    rest = (text[:start] + text[end:]).strip()
    if len(rest) > 80:
        yield ("not_stated", "", sentence, _cut(rest, ()))


def make_table_samples(rows: Sequence[Mapping[str, Any]], name: str, *, seed: int) -> list[ClaimSample]:
    """Make the samples of table questions with known cells, and of statements that are true of a table."""
    random = Random(f"{seed} {name}")  # noqa: S311 - no secret
    samples: list[ClaimSample] = []
    for row in rows:
        table, header_rows = row["table"], row["header_rows"]
        paths = row.get("column_paths") or [
            list(dict.fromkeys(table[r][c] for r in range(header_rows) if table[r][c])) for c in range(len(table[0]))
        ]
        columns = [" › ".join(path) for path in paths]
        body = range(header_rows, len(table))
        if row.get("statement"):
            lines = sorted({r for r, _ in (*row.get("evidence_cells", ()), *row.get("operand_cells", ())) if r in body})
            if not lines or len(lines) > 5:
                continue
            text = "\n".join(format_table_row(list(zip(columns, table[r], strict=True)))[0] for r in lines)
            samples.append(ClaimSample("", row["question"], row["title"], text, "supported", name))
            numbers = [value for value in re.findall(r"\d[\d.,]*", text) if value not in row["question"]]
            own = re.findall(r"\b\d[\d.,]*\b", row["question"])
            if own and numbers:
                false = row["question"].replace(random.choice(own), random.choice(numbers), 1)
                samples.append(ClaimSample("", false, row["title"], text, "contradicted", name))
            continue
        if row["operation"] != "none" or len(row["cells"]) != 1:
            continue
        [(r, c)] = row["cells"]
        if r not in body:
            continue

        def format_row(number: int, row: Mapping[str, Any] = row, columns: Sequence[str] = columns) -> str:
            groups = (row.get("row_paths") or [[]] * len(row["table"]))[number][:-1]
            return format_table_row([("", " › ".join(groups)), *zip(columns, row["table"][number], strict=True)])[0]

        answer = table[r][c]
        text = format_row(r)
        samples.append(ClaimSample(row["question"], answer, row["title"], text, "supported", name))
        same_row = [cell for n, cell in enumerate(table[r]) if n != c and cell and cell != answer]
        values = [cell for n, cell in enumerate(table[r]) if n >= row["header_columns"] and n != c and cell != answer]
        if chosen := [cell for cell in (values or same_row) if cell]:
            wrong = random.choice(chosen)
            samples.append(ClaimSample(row["question"], wrong, row["title"], text, "contradicted", name))
        near = [n for n in (r - 1, r + 1, r - 2, r + 2) if n in body and table[n][c] and table[n][c] != answer]
        samples += [
            ClaimSample(row["question"], table[number][c], row["title"], format_row(number), "not_stated", name)
            for number in near[: 1 + (random.random() < 0.5)]
        ]
    return samples


def make_flag_samples(file: ReaderFile, count: int, *, seed: int) -> list[ClaimSample]:
    """Make ``count`` yes-or-no questions over rows with flags: "Is Ada on call?", "Name: Ada; On call: FALSE."."""
    random = Random(f"{seed} flags")  # noqa: S311 - no secret
    names = list({name for paragraph in file.paragraphs for name in find_names(paragraph.text) if name[0].isalpha()})
    names.sort()
    samples: list[ClaimSample] = []
    while len(samples) < count:
        label_column, columns = random.choice(_FLAG_TABLES)
        flags = random.sample(columns, min(len(columns), random.randint(1, 4)))
        subject = random.choice(names)
        values = {column: random.random() < 0.5 for column, _ in flags}
        pair = random.randrange(len(_TRUE))
        cells = [(label_column, subject)]
        cells += [(column, (_TRUE if values[column] else _FALSE)[pair]) for column, _ in flags]
        if random.random() < 0.4:
            cells.insert(random.randint(1, len(cells)), ("Since", str(random.randint(1990, 2025))))
        text = format_table_row(cells)[0]
        column, form = random.choice(flags)
        right, wrong = ("yes", "no") if values[column] else ("no", "yes")
        verdict_question = form.format(subject)
        samples.append(ClaimSample(verdict_question, right, "", text, "supported", "flags"))
        samples.append(ClaimSample(verdict_question, wrong, "", text, "contradicted", "flags"))
        if random.random() < 0.4:
            other = form.format(random.choice(names))
            samples.append(ClaimSample(other, right, "", text, "not_stated", "flags"))
    return samples


_FLAG_TABLES: Final[tuple[tuple[str, tuple[tuple[str, str], ...]], ...]] = (
    (
        "Name",
        (
            ("On call", "Is {} on call?"),
            ("Member", "Is {} a member?"),
            ("Driving licence", "Does {} have a driving licence?"),
            ("Paid", "Has {} paid?"),
            ("First aid", "Is {} trained in first aid?"),
            ("Remote", "Does {} work remotely?"),
            ("Retired", "Is {} retired?"),
            ("Present", "Was {} present?"),
        ),
    ),
    (
        "Room",
        (
            ("Projector", "Does {} have a projector?"),
            ("Step-free", "Is {} step-free?"),
            ("Booked", "Is {} booked?"),
            ("Heated", "Is {} heated?"),
            ("Smoke alarm", "Is there a smoke alarm in {}?"),
        ),
    ),
    (
        "Model",
        (
            ("In stock", "Is the {} in stock?"),
            ("Waterproof", "Is the {} waterproof?"),
            ("Bluetooth", "Does the {} support Bluetooth?"),
            ("Discontinued", "Has the {} been discontinued?"),
            ("Certified", "Is the {} certified?"),
            ("Battery included", "Does the {} come with a battery?"),
        ),
    ),
    (
        "Station",
        (
            ("Lift", "Is there a lift at {}?"),
            ("Staffed", "Is {} staffed?"),
            ("Parking", "Does {} have parking?"),
            ("Toilets", "Are there toilets at {}?"),
            ("Open on Sunday", "Is {} open on Sunday?"),
        ),
    ),
    (
        "Dish",
        (
            ("Vegan", "Is the {} vegan?"),
            ("Contains nuts", "Does the {} contain nuts?"),
            ("Gluten-free", "Is {} gluten-free?"),
            ("Spicy", "Is the {} spicy?"),
        ),
    ),
)


def read_claims(path: Path) -> list[ClaimSample]:
    """Read a claim set: lines with ``claim``, ``title``, ``evidence`` and ``label`` as of `ClaimSample`."""
    name = path.name.split(".")[0]
    rows = (json.loads(line) for line in read_lines(path) if line.strip())
    return [ClaimSample("", row["claim"], row["title"], row["evidence"][:900], row["label"], name) for row in rows]
