import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopline.text.sentences import split_sentences
from hopline_ingest.chunking import LIMIT, count_tokens, split_passages
from hopline_ingest.formats.block import Block


def prose(count: int, words: int = 12) -> str:
    return " ".join(
        f"Sentence {'one two three four five six seven eight nine ten'[: 4 * words]} ends." for _ in range(count)
    )


def test_passages_hold_at_most_the_limit_and_end_with_a_sentence():
    passages = split_passages([Block(prose(60), ("A",))])
    assert len(passages) > 1
    assert all(count_tokens(passage.text) <= LIMIT for passage in passages)
    assert all(passage.text.endswith("ends.") for passage in passages)


def test_no_passage_crosses_a_section():
    passages = split_passages([Block("Under A.", ("A",)), Block("Also A.", ("A",)), Block("Under B.", ("B",))])
    assert [(passage.section, passage.text) for passage in passages] == [
        (("A",), "Under A.\nAlso A."),
        (("B",), "Under B."),
    ]


def test_a_caption_is_a_passage_of_its_own():
    texts = [
        passage.text
        for passage in split_passages([Block("Before."), Block("Figure 1. A map.", alone=True), Block("After.")])
    ]
    assert texts == ["Before.", "Figure 1. A map.", "After."]


@given(st.text())
def test_sentences_are_in_order_within_the_text_and_leave_only_blanks_out(text):
    spans = split_sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    assert "".join("".join(text[start:end] for start, end in spans).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "A heading without an end",
        "It opened in 1931.",
        "Did it open? ",
        "a, b - c: d",
        "…",
        ".",
        "",
        " \t",
        "Ende…",
        "「終」",
    ],
)
def test_a_text_of_one_sentence_is_split_like_the_segmenter_would(text: str) -> None:
    from syntok import segmenter

    sentences = [sentence for paragraph in segmenter.analyze(text) for sentence in paragraph if sentence]
    assert len(split_sentences(text)) == len(sentences) <= 1


def test_program_code_is_one_citable_text_with_its_lines_and_indentation():
    code = "def load(path):\n    with open(path) as file:\n        return file.read()\n\nprint(load('a.txt'))"
    [passage] = split_passages([Block("Run this. It is short."), Block(code, is_code=True), Block("Done.")])
    assert [passage.text[slice(*span)] for span in passage.sentences] == ["Run this.", "It is short.", code, "Done."]


def test_long_program_code_is_divided_at_empty_lines():
    parts = ["\n".join(f"    {name}({n})" for n in range(7)) for name in ("open", "close")]
    [passage] = split_passages([Block("\n\n".join(parts), is_code=True)])
    assert [passage.text[slice(*span)] for span in passage.sentences] == parts
    [passage] = split_passages([Block("\n".join(f"x{n}" for n in range(30)), is_code=True)])
    assert [passage.text[slice(*span)].count("\n") + 1 for span in passage.sentences] == [12, 12, 6]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("泊位每月一百克朗。港务长是李明。", ["泊位每月一百克朗。", "港务长是李明。"]),
        ("彼は「行きます。」と言った。次は？はい", ["彼は「行きます。」と言った。", "次は？", "はい"]),
    ],
)
def test_sentences_without_blanks_between_them_are_separate(text, sentences):
    assert [text[start:end] for start, end in split_sentences(text)] == sentences
