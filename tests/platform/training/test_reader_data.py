import gzip
import json
from pathlib import Path
from random import Random

import pytest

from hopline.errors import UsageError
from hopline.training.reader_data import (
    MAX_CHARACTERS,
    Paragraph,
    ReaderQuestion,
    find_sentence,
    make_samples,
    read_reader_file,
)
from hopline.training.reader_negatives import remove_answer

TEXT = "The mill stands on the Orla. Ada Quist built it in 1871. It burned down twice."


def paragraph(text: str = TEXT, *questions: ReaderQuestion, title: str = "Orla Mill") -> Paragraph:
    return Paragraph(title, text, questions)


def question(text: str, answer: str, within: str = TEXT) -> ReaderQuestion:
    start = within.index(answer)
    return ReaderQuestion(text, ((start, start + len(answer)),))


def test_squad_files_are_read_with_spans_and_unanswerable_questions(tmp_path: Path) -> None:
    qas = [
        {"question": "Who built it?", "answers": [{"text": "Ada Quist", "answer_start": TEXT.index("Ada")}] * 2},
        {
            "question": "Who sold it?",
            "is_impossible": True,
            "answers": [],
            "plausible_answers": [{"text": "Ada Quist"}],
        },
    ]
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"data": [{"title": "Orla_Mill", "paragraphs": [{"context": TEXT, "qas": qas}]}]}))
    [read] = read_reader_file(path).paragraphs
    assert read == paragraph(TEXT, question("Who built it?", "Ada Quist"), ReaderQuestion("Who sold it?"))


def test_mrqa_files_are_read_with_inclusive_spans_verdicts_and_their_header(tmp_path: Path) -> None:
    start = TEXT.index("1871")
    qas = [
        {
            "question": "When?",
            "answers": ["1871"],
            "detected_answers": [{"text": "1871", "char_spans": [[start, start + 3]]}],
        },
        {"question": "Did it burn?", "answers": [], "detected_answers": [], "verdict": "yes"},
    ]
    path = tmp_path / "small.jsonl.gz"
    lines = [{"header": {"licence": "MIT"}}, {"context": TEXT, "title": "Orla Mill", "qas": qas}]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    read = read_reader_file(path)
    assert read.name == "small"
    assert read.description == {"licence": "MIT"}
    assert read.paragraphs == (
        paragraph(TEXT, question("When?", "1871"), ReaderQuestion("Did it burn?", verdict="yes")),
    )


def write_rows(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def row(kind: str, **fields: object) -> dict[str, object]:
    return {"title": "Orla Mill", "context": TEXT, "kind": kind, "answers": [], "verdict": None, **fields}


def answer(text: str) -> dict[str, object]:
    return {"text": text, "start": TEXT.index(text)}


def test_rows_of_one_question_each_are_grouped_by_their_passage(tmp_path: Path) -> None:
    sentence = "It burned down twice."
    path = write_rows(
        tmp_path / "rows.jsonl",
        row("span", question="Who built it?", answers=[answer("Ada Quist")]),
        row("span", question="Who sold it?"),
        row("yesno", question="Did it burn?", verdict="yes", answers=[answer(sentence)]),
        row("sentence", question="What happened to it?", answers=[answer(sentence)]),
    )
    [read] = read_reader_file(path).paragraphs
    span = (TEXT.index(sentence), len(TEXT))
    assert read == paragraph(
        TEXT,
        question("Who built it?", "Ada Quist"),
        ReaderQuestion("Who sold it?"),
        ReaderQuestion("Did it burn?", (span,), "yes"),
        ReaderQuestion("What happened to it?", (span,), whole=True),
    )
    samples = make_samples([read], seed=1, negatives=False)
    assert [sample.has_short_answer for sample in samples] == [True, False, False, False]
    assert [sample.answered for sample in samples] == [True, False, True, True]


def test_rows_with_a_table_are_read_as_the_reader_gets_tables(tmp_path: Path) -> None:
    table = [["Port", "Ships"], ["Elm", "12"], ["Ash", ""]]
    row = {"title": "Ports", "question": "How many ships has Elm?", "kind": "table", "verdict": None}
    path = write_rows(
        tmp_path / "tables.jsonl",
        {**row, "table": table, "answers": ["12"], "cells": [[1, 1]]},
        {**row, "table": table, "answers": [""], "cells": [[2, 1]]},
    )
    [read] = read_reader_file(path).paragraphs
    assert read.text == "Port: Elm; Ships: 12.\nPort: Ash.\n"
    [parsed_question] = read.questions
    assert [read.text[start:end] for start, end in parsed_question.spans] == ["12"]


def test_the_licence_of_a_file_of_rows_is_that_of_the_table_of_sources(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", row("span", question="Who sold it?"))
    assert read_reader_file(path).description == {}
    source = "rows | 1 | 0.0 | someone/mills @ 12ab: rows.json | Mills | CC BY 4.0 | none"
    (tmp_path / "SOURCE.txt").write_text(f"TABLE\n{source}\n")
    assert read_reader_file(path).description == {"repository": "someone/mills", "licence": "CC BY 4.0"}


def test_a_span_that_is_longer_than_a_window_makes_no_sample() -> None:
    text = "The mill " * (MAX_CHARACTERS // 5)
    long_paragraph = paragraph(text, ReaderQuestion("What?", ((0, len(text)),), whole=True))
    assert make_samples([long_paragraph], seed=1, negatives=True) == []


def test_of_a_table_the_lines_with_the_answer_are_removed() -> None:
    text = "".join(f"Port: Elm {n}; Ships: {10 + n}; Berths: {n}; Staff: {90 + n}.\n" for n in range(9))
    rest = remove_answer(text, ["13"], by_line=True)
    assert rest is not None
    assert rest.count("\n") == 7
    assert "Ships: 13" not in rest


@pytest.mark.parametrize("content", ['{"rows": []}', "[1]", "not json"])
def test_a_file_of_another_format_is_refused_with_what_was_wanted(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"neither SQuAD's JSON .* nor lines of MRQA"):
        read_reader_file(path)


def test_a_negative_is_the_question_with_another_paragraph_that_lacks_the_answer() -> None:
    other = paragraph("The Orla rises in the hills. Nobody built a bridge there.")
    same_answer = paragraph("Ada Quist was born in Lund.")
    mill = paragraph(TEXT, *[question(f"Who built mill number {n}?", "Ada Quist") for n in range(40)])
    negatives = [
        sample for sample in make_samples([mill, other, same_answer], seed=1, negatives=True) if not sample.answered
    ]
    assert {sample.text for sample in negatives} >= {other.text}
    assert same_answer.text not in {sample.text for sample in negatives}
    assert all(sample.question.startswith("Who built mill") for sample in negatives if sample.text == other.text)


def test_a_negative_is_the_passage_without_its_answer_or_with_a_changed_question() -> None:
    text = (
        f"{TEXT} The wheel turned for a hundred years, and the pond behind it froze over in every winter of that time."
    )
    mill = paragraph(text, *[question("Who built the first mill in 1900?", "Ada Quist", text) for n in range(40)])
    negatives = [sample for sample in make_samples([mill], seed=1, negatives=True) if not sample.answered]
    assert {sample.question for sample in negatives} == {
        "Who built the first mill in 1900?",
        "Who built the first mill in 1871?",
        "Who destroyed the first mill in 1900?",
        "Who built the last mill in 1900?",
    }
    assert all("Ada Quist" not in sample.text for sample in negatives if sample.question == mill.questions[0].text)


def test_samples_depend_on_the_seed_only_and_carry_no_negatives_unless_asked() -> None:
    paragraphs = [paragraph(TEXT, question("Who built it?", "Ada Quist")), paragraph("The Orla rises in the hills.")]
    assert make_samples(paragraphs, seed=3, negatives=True) == make_samples(paragraphs, seed=3, negatives=True)
    assert [sample.answered for sample in make_samples(paragraphs, seed=3, negatives=False)] == [True]


def test_a_long_paragraph_is_cut_to_whole_sentences_around_the_answer() -> None:
    filler = " ".join(f"Sentence number {n} says nothing of interest to anybody at all." for n in range(60))
    text = f"{filler} {TEXT} {filler}"
    for seed in range(20):
        [sample] = make_samples([paragraph(text, question("Who?", "Ada Quist", text))], seed=seed, negatives=False)
        [(start, end)] = sample.spans
        assert sample.text[start:end] == "Ada Quist"
        assert len(sample.text) <= MAX_CHARACTERS
        assert sample.text.startswith(("Sentence", "The mill", "Ada"))
        assert sample.text.rstrip().endswith(".")


def test_a_span_lies_in_the_sentence_that_is_found_for_it() -> None:
    random = Random(5)
    for _ in range(50):
        start = random.randrange(len(TEXT) - 3)
        first, last = find_sentence(TEXT, (start, start + 3))
        assert first <= start
        assert start + 3 <= last
    assert TEXT[slice(*find_sentence(TEXT, (TEXT.index("1871"), TEXT.index("1871") + 4)))].strip() == (
        "Ada Quist built it in 1871."
    )
