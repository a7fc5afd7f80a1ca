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


@pytest.mark.parametrize("content", ['{"rows": []}', "[1]", "not json"])
def test_a_file_of_another_format_is_refused_with_what_was_wanted(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"neither SQuAD's JSON .* nor MRQA's lines"):
        read_reader_file(path)


def test_a_negative_is_the_question_with_another_paragraph_that_lacks_the_answer() -> None:
    other = paragraph("The Orla rises in the hills. Nobody built a bridge there.")
    same_answer = paragraph("Ada Quist was born in Lund.")
    asked = paragraph(TEXT, *[question(f"Who built mill number {n}?", "Ada Quist") for n in range(40)])
    negatives = [
        sample for sample in make_samples([asked, other, same_answer], seed=1, negatives=True) if not sample.answered
    ]
    assert {sample.text for sample in negatives} >= {other.text}
    assert same_answer.text not in {sample.text for sample in negatives}
    assert all(sample.question.startswith("Who built mill") for sample in negatives if sample.text == other.text)


def test_a_negative_is_the_passage_without_its_answer_or_with_a_changed_question() -> None:
    text = (
        f"{TEXT} The wheel turned for a hundred years, and the pond behind it froze over in every winter of that time."
    )
    asked = paragraph(text, *[question("Who built the first mill in 1900?", "Ada Quist", text) for n in range(40)])
    negatives = [sample for sample in make_samples([asked], seed=1, negatives=True) if not sample.answered]
    assert {sample.question for sample in negatives} == {
        "Who built the first mill in 1900?",
        "Who built the first mill in 1871?",
        "Who destroyed the first mill in 1900?",
        "Who built the last mill in 1900?",
    }
    assert all("Ada Quist" not in sample.text for sample in negatives if sample.question == asked.questions[0].text)


def test_samples_depend_on_the_seed_only_and_carry_no_negatives_unless_asked() -> None:
    asked = [paragraph(TEXT, question("Who built it?", "Ada Quist")), paragraph("The Orla rises in the hills.")]
    assert make_samples(asked, seed=3, negatives=True) == make_samples(asked, seed=3, negatives=True)
    assert [sample.answered for sample in make_samples(asked, seed=3, negatives=False)] == [True]


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
