"""The properties of a passage with a corrected text."""

from __future__ import annotations

from itertools import pairwise

from hopline.corrections.corrected_passage import correct_passage_text

READ = "The pier was built in 19l1 by Hedda Lunn.\nIt is red. It has no roof."
PASSAGE = {
    "text": READ,
    "lines": [0, 41, 42, 68],
    "sentences": [0, 41, 42, 52, 53, 68],
    "search": f"Ports\n1 Piers\n{READ}",
}


def cut(text, flat):
    return [text[start:end] for start, end in [*pairwise(flat)][::2]]


def test_lines_and_sentences_are_those_of_the_new_text():
    text = "The pier was built in 1911 by Hedda Lunn. She was an engineer.\nIt is red. It has no roof."
    corrected = correct_passage_text(PASSAGE, text)
    assert corrected["text"] == text
    assert cut(text, corrected["lines"]) == text.split("\n")
    assert cut(text, corrected["sentences"]) == [
        "The pier was built in 1911 by Hedda Lunn.",
        "She was an engineer.",
        "It is red.",
        "It has no roof.",
    ]


def test_sentences_that_become_one_are_one():
    text = "The pier was built in 19l1 by Hedda Lunn, it has no roof."
    assert cut(text, correct_passage_text(PASSAGE, text)["sentences"]) == [text]


def test_the_searched_text_keeps_title_and_section_and_gets_words_without_accents():
    search = correct_passage_text(PASSAGE, "Café at the pier.")["search"]
    assert search == "Ports\n1 Piers\nCafé at the pier.\x1fCafe"
    accented = {**PASSAGE, "text": "Tür", "search": "Ports\nTür\x1ftur", "lines": [0, 3], "sentences": [0, 3]}
    assert correct_passage_text(accented, "Tor")["search"] == "Ports\nTor"


def test_program_code_that_does_not_change_is_not_split():
    code = "x = 1. ; y = 2\nz = 3"
    passage = {
        "text": f"Note l.\n{code}",
        "lines": [],
        "sentences": [0, 7, 8, 8 + len(code)],
        "search": f"Note l.\n{code}",
    }
    text = f"Note 1.\n{code}"
    assert cut(text, correct_passage_text(passage, text)["sentences"]) == ["Note 1.", code]
