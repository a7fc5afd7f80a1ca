"""Questions that a collection answers: how they are phrased, and which answers are the expected ones."""

from __future__ import annotations

import pytest
from table_text import make_structured_table

from hopline.documents.outline import OutlineItem
from hopline.question_suggestions import (
    Candidate,
    build_from_bibliography,
    build_from_figure,
    build_from_table,
    interleave,
    is_clear,
    phrase_statement,
)
from hopline.records import BibliographicEntry, Document
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence

TITLE = "Salinity in the Sound of Varrow"


def triple(subject="Maud Kerrigan", predicate="founded", object="Tidewell Utilities", confidence=0.9):
    return {"subject": subject, "predicate": predicate, "object": object, "confidence": confidence}


def answer(short="", evidence="p1", **fields):
    source = Evidence(evidence, "passage", 1.0, "Maud Kerrigan founded it.")
    sentence = Sentence(source.text, (Citation(source, source.text, 0, len(source.text)),))
    return Answer("?", (sentence,), Retrieval("?", "hopline", "c", (source,)), short=short, **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"predicate": "is"},
        {"predicate": "chairman"},
        {"predicate": "took cars to"},
        {"object": "it"},
        {"object": "a plant on the coast"},
        {"object": "Tidewell"},
        {"subject": "MV Petrel"},
        {"confidence": 0.3},
    ],
)
def test_triples_that_make_no_clear_question_are_left_out(fields):
    assert is_clear(triple())
    assert not is_clear(triple(**fields))


def test_a_triple_becomes_a_question_for_its_subject_with_the_article_of_the_text():
    text = "The\nTidewell Utilities were founded by Maud Kerrigan."
    assert phrase_statement("Who", triple(), "She founded Tidewell Utilities.") == "Who founded Tidewell Utilities?"
    assert phrase_statement("Who", triple(), text) == "Who founded the Tidewell Utilities?"


def test_a_table_is_asked_for_its_highest_values_without_units_years_and_ties():
    table = make_structured_table("""
    | Port | Output (t) | Built | Ships | Staff |
    | --- | --- | --- | --- | --- |
    | Ansel | 812 | 1911 | 4 | 7 |
    | Varrow | 918 | 1954 | 9 | 7 |
    | Heron Point | 640 | 1987 | 2 | 3 |
    """)
    candidates = list(build_from_table(table))
    assert [(item.text, item.expected) for item in candidates] == [
        ("Which port has the highest output?", ("Varrow",)),
        ("Which port has the most ships?", ("Varrow",)),
    ]


def test_a_table_with_years_is_asked_for_a_cell_of_a_row_that_is_no_name():
    table = make_structured_table("""
    | Item | 2022 | 2023 |
    | --- | --- | --- |
    | Harbour of Ansel | 3 | 4 |
    | Net profit | 12.5 | 14.1 |
    | Other income | 1.5 | 1.1 |
    """)
    assert [(item.text, item.expected) for item in build_from_table(table)] == [
        ("What was the net profit in 2022?", ("12.5",)),
        ("What was the net profit in 2023?", ("14.1",)),
    ]


def test_a_document_is_asked_for_its_authors_or_else_for_its_date():
    authors = [BibliographicEntry("authors", name, name, 1) for name in ("S. Adeyemi", "J. Castellan")]
    date = BibliographicEntry("date", "2024-03-01", "1 March 2024", 1)
    [first] = build_from_bibliography(Document("d", "a.pdf", "c", TITLE, bibliography=(*authors, date)))
    assert (first.text, first.expected) == (f"Who wrote “{TITLE}”?", ("S. Adeyemi", "J. Castellan"))
    [second] = build_from_bibliography(Document("d", "a.pdf", "c", TITLE, bibliography=(date,)))
    assert (second.text, second.expected) == (f"When was “{TITLE}” published?", ("2024",))
    assert not list(build_from_bibliography(Document("d", "a.pdf", "c", "Report", bibliography=(date,))))
    of_file = BibliographicEntry("date", "2024-03-01")  # a property of the file, which no page states
    assert not list(build_from_bibliography(Document("d", "a.pdf", "c", TITLE, bibliography=(of_file,))))


@pytest.mark.parametrize(
    ("caption", "question"),
    [
        (
            "Figure 3. Output of the ports, 2019–2023. Source: survey",
            "Which figure shows output of the ports, 2019–2023?",
        ),
        ("Fig. 2: MB removal by adsorbent dose", "Which figure shows MB removal by adsorbent dose?"),
        ("Figure 3", None),
        ("Figure 1. Results: a, b and c", None),
        ("Output of the ports", None),
    ],
)
def test_a_figure_is_asked_for_by_its_caption(caption, question):
    candidate = build_from_figure(OutlineItem("figure", caption, 1, "3", "f3"))
    assert (candidate.text if candidate else None) == question


def test_only_sure_and_expected_answers_match():
    candidate = Candidate("Who founded it?", "statement", ("Maud Kerrigan",))
    assert candidate.matches(answer("maud kerrigan of Ansel"))
    assert candidate.matches(answer("Kerrigan"))
    assert not candidate.matches(answer("Tobias Renn"))
    assert not candidate.matches(answer(""))
    assert not candidate.matches(answer("Maud Kerrigan", abstained=True))
    figure = Candidate("Which figure shows it?", "figure", evidence="f3")
    assert figure.matches(answer("", evidence="f3"))
    assert not figure.matches(answer("", evidence="f4"))


def test_the_items_of_groups_are_taken_in_turn():
    assert list(interleave([[1, 2, 3], [], [4], (n for n in (5, 6))])) == [1, 4, 5, 2, 6, 3]
