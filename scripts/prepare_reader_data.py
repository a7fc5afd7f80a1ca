"""Convert public question answering data into the training files of the reader (MRQA format, .jsonl.gz).

    python scripts/prepare_reader_data.py SNAPSHOTS OUT [--protect FILE.jsonl.gz …]

``SNAPSHOTS`` holds a checkout of each repository of `SOURCES`, in a folder named owner+name. Nothing is downloaded:
what is missing is named and left out. Paragraphs that share a sentence with the held-out articles of SQuAD 2.0 or with
a protected file (``.jsonl.gz`` rows with a ``text``) are dropped and counted. ``OUT`` receives one file for each
source, and ``held-out.jsonl.gz``, which is for evaluation only.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from hopline.atomic_files import read_lines
from hopline.reader.input import format_table_row


@dataclass(frozen=True, slots=True)
class Row:
    """A paragraph with a question: the texts of the answer in it (none: not answered), or "yes" or "no"."""

    title: str
    context: str
    question: str
    answers: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Files of a repository, their licence, and the function that reads them."""

    name: str
    repository: str
    pattern: str
    licence: str
    read: Callable[[Path], Iterator[Row]]


@dataclass(slots=True)
class Report:
    """Counts of one source."""

    rows: int = 0
    unanswerable: int = 0
    protected: int = 0
    answer_not_found: int = 0
    titles: set[str] = field(default_factory=set)


# -- the formats


def read_squad(path: Path) -> Iterator[Row]:
    """SQuAD's JSON, versions 1.1 and 2.0."""
    for article in json.loads(path.read_text("utf-8"))["data"]:
        title = _clean_title(article.get("title", ""))
        for paragraph in article["paragraphs"]:
            for qa in paragraph["qas"]:
                answers = [] if qa.get("is_impossible") else qa["answers"]
                yield Row(
                    title,
                    paragraph["context"],
                    qa["question"],
                    tuple(answer["text"] for answer in answers),
                    tuple(answer["answer_start"] for answer in answers),
                )


def read_squad_html(path: Path) -> Iterator[Row]:
    """The pages of SQuAD's explorer: paragraphs with questions and the texts of their answers."""
    title = _clean_title(path.stem)
    for part in path.read_text("utf-8").split('<div class="para-wrap">')[1:]:
        context = html.unescape(part.split("<pre>")[1].split("</pre>")[0])
        for qa in part.split('<div class="qa-wrap"')[1:]:
            question = html.unescape(qa.split('class="question">')[1].split("</strong>")[0])
            answers = [html.unescape(text) for text in re.findall(r'<span class="answer">(.*?)</span>', qa)]
            yield Row(title, context, question, tuple(text for text in answers if text != "<No Answer>"))


def read_context_rows(path: Path) -> Iterator[Row]:
    """Rows of context, question and answer."""
    for row in json.loads(path.read_text("utf-8")):
        yield Row("", _join_tokens(row["context"]), row["question"], (_join_tokens(row["answer"]),))


def read_parallel_lines(path: Path) -> Iterator[Row]:
    """Three files of tokenized lines: contexts, questions and answers."""
    files = (path, path.with_suffix(".question"), path.with_suffix(".answer"))
    for context, question, answer in zip(*map(read_lines, files), strict=True):
        yield Row("", _join_tokens(context), _join_tokens(question), (_join_tokens(answer),))


def read_contexts_with_answers(path: Path) -> Iterator[Row]:
    """Questions with one gold passage and answer texts."""
    for row in _read_lines(path):
        passage = row["ctxs"][0]
        yield Row(passage["title"], passage["text"], row["question"], tuple(row["answers"]))


def read_qed(path: Path) -> Iterator[Row]:
    """QED: tokenized paragraphs of Natural Questions; the sets of original answers."""
    for row in _read_lines(path):
        answers = [
            _join_tokens(part["string"]) for parts in row["original_nq_answers"] for part in parts if parts[1:] == []
        ]
        yield Row(row["title_text"], _join_tokens(row["paragraph_text"]), row["question_text"], tuple(answers))


def read_clapnq(path: Path) -> Iterator[Row]:
    """CLAPnq's unanswerable questions with their passages; its long answers have no spans."""
    for row in _read_lines(path):
        for passage in row["passages"]:
            yield Row(passage["title"], _join_tokens(passage["text"]), row["input"])


def read_qamr(path: Path) -> Iterator[Row]:
    """QAMR: questions on tokenized sentences, answers as token positions by up to three workers."""
    sentences = dict(line.rstrip("\n").split("\t") for line in read_lines(path.parent.parent / "wiki-sentences.tsv"))
    for fields in csv.reader(read_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE):
        if fields[0] not in sentences:
            continue
        tokens = sentences[fields[0]].split()
        answers = []
        for positions in (fields[6], *(part.partition(":")[2] for part in fields[7:9])):
            numbers = [int(number) for number in positions.split()]
            if numbers and numbers[-1] - numbers[0] == len(numbers) - 1:
                answers.append(_join_tokens(" ".join(tokens[numbers[0] : numbers[-1] + 1])))
        if answers:
            yield Row("", _join_tokens(" ".join(tokens)), fields[5], tuple(dict.fromkeys(answers)))


def read_boolq(path: Path) -> Iterator[Row]:
    """BoolQ: yes-or-no questions with a passage."""
    for row in _read_lines(path):
        question = row["question"].rstrip("?") + "?"
        yield Row(row["title"], _join_tokens(row["passage"]), question, verdict="yes" if row["answer"] else "no")


def read_hotpotqa(path: Path) -> Iterator[Row]:
    """HotpotQA and 2WikiMultihopQA: supporting paragraphs with the answer, and one distractor that lacks it."""
    for row in json.loads("".join(read_lines(path))):
        supporting = {title for title, _ in row["supporting_facts"]}
        if row["answer"].lower() in {"yes", "no"}:
            continue
        distractor = True
        for title, sentences in row["context"]:
            text = " ".join(sentence.strip() for sentence in sentences)
            if title in supporting and row["answer"] in text:
                yield Row(title, text, row["question"], (row["answer"],))
            elif title not in supporting and row["answer"] not in text and distractor:
                distractor = False
                yield Row(title, text, row["question"])


# -- tables


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table of a data set: its title, the headers of its columns, and the texts of its cells, row by row."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def write(self, question: str, row: int, column: int) -> tuple[str, int]:
        """Write a row and those that share most words with a question; returns the text and the start of a cell."""
        words = _find_words(question)
        shared = {number: len(words & _find_words(" ".join(cells))) for number, cells in enumerate(self.rows)}
        room, selected = TABLE_CHARACTERS, set[int]()
        for number in sorted(shared, key=lambda number: (number != row, -shared[number])):
            room -= len(self._format(number)[0])
            if room < 0 and selected:
                break
            selected.add(number)
        text, start = "", -1
        for number in sorted(selected):
            line, starts = self._format(number)
            if number == row:
                start = len(text) + starts[column]
            text += line + "\n"
        return text, start

    def _format(self, row: int) -> tuple[str, list[int]]:
        return format_table_row(list(zip(self.header, self.rows[row], strict=True)))


TABLE_CHARACTERS: Final = 700  # as the reader gets of a table
AGGREGATE: Final = re.compile(
    r"\b(how many|number of|total|count|average|difference|most|least|first|last|before|after|next|previous|same|other|"
    r"earliest|latest|oldest|youngest|top|bottom|highest|lowest|longest|shortest|largest|smallest|fewest|more|less|"
    r"besides|consecutive|above|below|only)\b",
    re.IGNORECASE,
)
CELL_QUESTIONS: Final = (
    "What is the {column} of {row}?",
    "What was the {column} for {row}?",
    "What {column} is given for {row}?",
    "What is {row}'s {column}?",
    "For {row}, what is the {column}?",
    "What was the {column} in the case of {row}?",
    "which {column} did {row} have?",
)
NUMBER_QUESTIONS: Final = (
    "How many {column} did {row} have?",
    "How many {column} were there for {row}?",
    "What was {row}'s {column}?",
    "How high was the {column} of {row}?",
)
SHARE_QUESTIONS: Final = ("What percentage was the {column} of {row}?", "What share of {column} does {row} have?")
YEAR_QUESTIONS: Final = ("What was the {column} in {row}?", "In {row}, what was the {column}?")
ROW_QUESTIONS: Final = ("Which {label} has {cell} as its {column}?", "For which {label} is the {column} {cell}?")


def read_wikitablequestions(path: Path) -> Iterator[Row]:
    """Questions whose answer is a cell in a row that the question names; tables of the dev split are left out."""
    rows = _read_tsv(path)
    held_out = {row["context"] for row in _read_tsv(path.with_name("random-split-1-dev.tsv"))}
    for row in rows:
        if row["context"] in held_out or AGGREGATE.search(row["utterance"]):
            continue
        table = _read_csv_table(path.parent.parent / row["context"])
        yield from _look_up(table, row["utterance"], row["targetValue"])
    for name in sorted({row["context"] for row in rows} - held_out):
        yield from _ask_cells(_read_csv_table(path.parent.parent / name), name)


def read_traced_tables(path: Path) -> Iterator[Row]:
    """HybridQA and OTT-QA: questions whose answer is a cell, in a row that the question names."""
    folder = path.parents[2] / "wenhuchen+OTT-QA" / "data" / "traindev_tables_tok"
    for row in json.loads(path.read_text("utf-8")):
        cells = [node[1] for node in row["answer-node"] if node[3] == "table"]
        file = folder / f"{row['table_id']}.json"
        if len(cells) == 1 and len(row["answer-node"]) == 1 and file.exists():
            table, question = _read_traced_table(file), _join_tokens(row["question"])
            if not AGGREGATE.search(question):
                yield from _ask_cell(table, question, *cells[0])


def read_table_cells(path: Path) -> Iterator[Row]:
    """Questions made of one table of OTT-QA: for a cell by its row and column, for a row by a cell."""
    yield from _ask_cells(_read_traced_table(path), path.stem)


def _look_up(table: SourceTable, question: str, answer: str) -> Iterator[Row]:
    positions = [
        (number, column)
        for number, cells in enumerate(table.rows)
        for column, cell in enumerate(cells)
        if cell.lower() == answer.lower()
    ]
    if len(positions) == 1:
        yield from _ask_cell(table, question, *positions[0])


def _ask_cell(table: SourceTable, question: str, row: int, column: int) -> Iterator[Row]:
    """The question with the rows around a cell, if another cell of its row is in the question."""
    others = (cell.lower() for other, cell in enumerate(table.rows[row]) if other != column)
    if any(len(cell) > 2 and cell in question.lower() for cell in others) and table.rows[row][column]:
        text, start = table.write(question, row, column)
        yield Row(table.title, text, question, (table.rows[row][column],), (start,))


def _ask_cells(table: SourceTable, seed: str) -> Iterator[Row]:
    """Up to two questions made of a table, and for every third one that its rows do not answer."""
    random = Random(seed)  # noqa: S311 - no secret
    names = [cells[0] for cells in table.rows]
    columns = [
        column
        for column, header in enumerate(table.header)
        if column and re.search("[A-Za-z]{3}", header) and len(header) < 50
    ]
    rows = [row for row, name in enumerate(names) if 2 < len(name) < 50 and names.count(name) == 1]
    for _ in range(2 if columns and len(rows) > 2 else 0):
        row, column = random.choice(rows), random.choice(columns)
        cell, label, header = table.rows[row][column], table.header[0], table.header[column]
        if not 0 < len(cell) < 60:
            continue
        same = Counter(cells[column] for cells in table.rows)[cell]
        if label and same == 1 and random.random() < 0.3:
            question = random.choice(ROW_QUESTIONS).format(label=label.lower(), column=header.lower(), cell=cell)
            text, start = table.write(question, row, 0)
            yield Row(table.title, text, question, (names[row],), (start,))
            continue
        question = random.choice(_get_templates(names[row], cell)).format(row=names[row], column=header.lower())
        text, start = table.write(question, row, column)
        yield Row(table.title, text, question, (cell,), (start,))
        if random.random() < 0.33:
            others = tuple(cells for number, cells in enumerate(table.rows) if number != row)
            yield Row(table.title, SourceTable(table.title, table.header, others).write(question, 0, 0)[0], question)


def _get_templates(name: str, cell: str) -> tuple[str, ...]:
    """The templates of a question for a cell of the row of this name."""
    if re.search(r"\b(?:1[89]|20)\d\d\b", name):
        return YEAR_QUESTIONS
    if re.fullmatch(r"\d[\d,.]* ?%", cell):
        return SHARE_QUESTIONS
    return (*CELL_QUESTIONS, *NUMBER_QUESTIONS) if re.fullmatch(r"\d[\d,]*", cell) else CELL_QUESTIONS


def _read_csv_table(path: Path) -> SourceTable:
    rows = list(csv.reader(read_lines(path), escapechar="\\"))
    width = len(rows[0])
    cleaned = [tuple(" ".join(cell.split()) for cell in row) for row in rows if len(row) == width]
    return SourceTable("", cleaned[0], tuple(cleaned[1:]))


@cache
def _read_traced_table(path: Path) -> SourceTable:
    table = json.loads(path.read_text("utf-8"))
    title = " – ".join(part for part in (table["title"], table.get("section_title", "")) if part)
    header = tuple(_join_tokens(text) for text, _ in table["header"])
    return SourceTable(title, header, tuple(tuple(_join_tokens(text) for text, _ in row) for row in table["data"]))


def _read_tsv(path: Path) -> list[dict[str, str]]:
    header, *lines = (line.rstrip("\n") for line in read_lines(path))
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def _find_words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"\w{3,}", text)}


SQUAD: Final = "CC BY-SA 4.0"
NQ: Final = "CC BY-SA 3.0"
SOURCES: Final = (
    Source("squad2-dev", "rajpurkar/SQuAD-explorer", "explore/v2.0/dev/*.html", SQUAD, read_squad_html),
    Source("squad2-train-part", "PhongNTDo/guide_train_MRC_transformers", "train-v2.0.json", SQUAD, read_squad),
    Source("squad-du-split", "tomhosking/squad-du-split", "test-v1.1.json", SQUAD, read_squad),
    Source("squad-routerlens", "bigai-nlco/RouterLens", "data/squad/dev.json", SQUAD, read_context_rows),
    Source("squad-qasystem", "liweijiang/QASystem", "data/squad/all_val/val.context", SQUAD, read_parallel_lines),
    Source("new-wiki", "modestyachts/squadshifts-website", "datasets/new_wiki_v1.0.json", "CC BY 4.0", read_squad),
    Source("reddit", "modestyachts/squadshifts-website", "datasets/reddit_v1.0.json", "CC BY 4.0", read_squad),
    Source("amazon", "modestyachts/squadshifts-website", "datasets/amazon_reviews_v1.0.json", "CC BY 4.0", read_squad),
    Source(
        "nq-open", "nelson-liu/lost-in-the-middle", "qa_data/nq-open-oracle.jsonl.gz", NQ, read_contexts_with_answers
    ),
    Source("qed", "google-research-datasets/QED", "qed-dev.jsonlines", NQ, read_qed),
    Source("clapnq", "primeqa/clapnq", "annotated_data/dev/clapnq_dev_unanswerable.jsonl", NQ, read_clapnq),
    Source("qamr", "uwnlp/qamr", "data/filtered/[dt]e*.tsv", "MIT", read_qamr),
    Source("policyqa", "wasiahmad/PolicyQA", "data/[dt]e*.json", "MIT", read_squad),
    Source("covidqa", "deepset-ai/COVID-QA", "data/question-answering/200423_covidQA.json", "Apache-2.0", read_squad),
    Source("boolq", "d-eremeev/BoolQ-Question-Answering", "data/dev.jsonl", NQ, read_boolq),
    Source("hotpotqa-train", "hotpotqa/hotpot", "hotpotqa_train500.json.gz", SQUAD, read_hotpotqa),
    Source("2wiki-train", "Alab-NII/2wikimultihop", "2wiki_train500.json.gz", "Apache-2.0", read_hotpotqa),
    Source("wikitablequestions", "ppasupat/WikiTableQuestions", "data/training.tsv", SQUAD, read_wikitablequestions),
    Source("hybridqa", "wenhuchen/HybridQA", "released_data/dev.traced.json", "MIT", read_traced_tables),
    Source("ottqa", "wenhuchen/OTT-QA", "released_data/dev.traced.json", "MIT", read_traced_tables),
    Source("table-cells", "wenhuchen/OTT-QA", "data/traindev_tables_tok/*.json", "MIT", read_table_cells),
)
HELD_OUT: Final = Source("held-out", "chrischute/squad", "data/dev-v2.0.json", SQUAD, read_squad)


# -- text


def _join_tokens(text: str) -> str:
    """Undo the tokenisation of the Penn Treebank; text without it is returned as it is, apart from tags and spaces."""
    text = re.sub(r"</?[A-Z]\w*>", " ", text)
    for old, new in (
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB-", "["),
        ("-RSB-", "]"),
        ("``", '"'),
        ("''", '"'),
        ("--", "–"),
    ):
        text = text.replace(old, new)
    text = re.sub(r"\s+([,.;:?!%)\]}])", r"\1", " ".join(text.split()))
    text = re.sub(r"([(\[{$£€])\s+", r"\1", text)
    text = re.sub(r"\s+('s|'re|'ve|'ll|'d|'m|n't)\b", r"\1", text)
    text = re.sub(r'"\s+([^"]*?)\s+"', r'"\1"', text)
    return re.sub(r"(\w) - (\w)", r"\1-\2", text)


def _clean_title(title: str) -> str:
    return title.replace("_", " ").strip()


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in read_lines(path) if line.strip())


def split_into_keys(text: str) -> set[str]:
    """The letters of each sentence of eight words and more: what two copies of a paragraph share."""
    sentences = re.split(r"(?<=[.!?])\s+", text)
    return {re.sub(r"\W+", "", sentence).lower() for sentence in sentences if len(sentence.split()) >= 8}


def find_spans(row: Row) -> list[tuple[int, int, str]]:
    """Find each answer in its paragraph, at the given place or the first: start, end (exclusive), text."""
    spans = []
    for number, text in enumerate(row.answers):
        start = row.starts[number] if row.starts else -1
        if start < 0 or row.context[start : start + len(text)] != text:
            match = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", row.context, re.IGNORECASE) if text else None
            if match is None:
                continue
            start = match.start()
        spans.append((start, start + len(text), row.context[start : start + len(text)]))
    return list(dict.fromkeys(spans))


# -- the files


def write_source(source: Source, paths: Iterable[Path], out: Path, protected: set[str], report: Report) -> None:
    """Write the rows of a source, grouped by paragraph, in MRQA's format with ``title`` and ``verdict``."""
    paragraphs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    known: dict[str, bool] = {}
    for path in paths:
        for row in source.read(path):
            if row.context not in known:
                known[row.context] = bool(split_into_keys(row.context) & protected)
            if known[row.context]:
                report.protected += 1
                continue
            spans = find_spans(row)
            if row.answers and not spans:
                report.answer_not_found += 1
                continue
            report.rows += 1
            report.unanswerable += not spans and not row.verdict
            report.titles.add(row.title)
            qa: dict[str, Any] = {"question": row.question.strip(), "answers": [text for *_, text in spans]}
            qa["detected_answers"] = [{"text": text, "char_spans": [[start, end - 1]]} for start, end, text in spans]
            if row.verdict:
                qa["verdict"] = row.verdict
            paragraphs.setdefault((row.title, row.context), []).append(qa)
    header = {"dataset": source.name, "repository": source.repository, "licence": source.licence, "rows": report.rows}
    with gzip.open(out / f"{source.name}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"header": header}) + "\n")
        for (title, context), qas in paragraphs.items():
            file.write(json.dumps({"title": title, "context": context, "qas": qas}, ensure_ascii=False) + "\n")


def main() -> None:
    """Convert every source that is there, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("snapshots", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--protect", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    protected: set[str] = set()
    for path in arguments.protect:
        for line in _read_lines(path):
            protected |= split_into_keys(line.get("text", ""))
    for source in (HELD_OUT, *SOURCES):
        folder = arguments.snapshots / source.repository.replace("/", "+")
        paths, report = sorted(folder.glob(source.pattern)), Report()
        if not paths:
            print(f"{source.name}: missing; get {source.repository}: {source.pattern}")
            continue
        write_source(source, paths, arguments.out, set() if source is HELD_OUT else protected, report)
        if source is HELD_OUT:
            for path in paths:
                for row in source.read(path):
                    protected |= split_into_keys(row.context)
        print(
            f"{source.name} ({source.licence}): {report.rows} questions ({report.unanswerable} unanswerable), "
            f"{len(report.titles)} articles; dropped: {report.protected} of protected paragraphs, "
            f"{report.answer_not_found} without the answer in the text"
        )


if __name__ == "__main__":
    main()
