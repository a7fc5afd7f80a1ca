"""Extractive answers of the included reader over evidence by hand."""

from collections.abc import Callable

import pytest

from hopline.answers.answerer import THRESHOLD
from hopline.config import Settings
from hopline.results import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


def quotes(answer: Answer) -> list[str]:
    return [citation.quote for sentence in answer.sentences for citation in sentence.citations]


@pytest.fixture
def water(passage: Make) -> Evidence:
    return passage(
        "p1",
        "Tidewell Utilities was founded by Maud Kerrigan in 1987.",
        "It employs 214 people and has four offices.",
        "The head office is in Port Ansel.",
        document="review.pdf",
    )


@pytest.fixture
def plant(passage: Make) -> Evidence:
    return passage("p2", "The Brackwater Plant is operated by Tidewell Utilities.", document="plant.pdf")


NAMES = [("Tidewell Utilities", "ORG"), ("Maud Kerrigan", "PERSON"), ("Port Ansel", "GPE")]
TWO_HOPS = "Who founded the company that operates the Brackwater Plant?"


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who founded Tidewell Utilities?", "Maud Kerrigan"),
        ("When was Tidewell Utilities founded?", "1987"),
        ("How many people does Tidewell Utilities employ?", "214"),
        ("How many offices does Tidewell Utilities have?", "four"),
    ],
)
def test_the_short_answer_is_what_the_question_asks_for(
    answer: Ask, water: Evidence, question: str, short: str
) -> None:
    result = answer(question, water)
    assert result.short == short
    assert short in quotes(result)[0]
    assert result.confidence is not None
    assert THRESHOLD <= result.confidence <= 1


def test_a_quote_is_the_exact_sentence_with_its_path(answer: Ask, water: Evidence) -> None:
    [sentence] = answer("Who founded Tidewell Utilities?", water).sentences
    [citation] = sentence.citations
    assert citation.evidence.text[citation.start : citation.end] == citation.quote == sentence.text
    assert citation.path is not None
    assert citation.path.evidence == "p1"


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How much did Halcyon Bank pay for its new ship?", ("Halcyon Bank",)),
        ("Which colour is the flag of Tidewell Utilities?", ()),
    ],
)
def test_what_is_not_stated_has_the_nearest_sentences_and_the_names_that_are_missing(
    answer: Ask, water: Evidence, question: str, missing: tuple[str, ...]
) -> None:
    result = answer(question, water)
    assert result.abstained
    assert result.text == ""
    assert result.missing == missing
    assert result.nearest[0].citations[0].document == "review.pdf"


def test_without_the_reader_the_nearest_sentences_are_shown(answer: Ask, water: Evidence) -> None:
    result = answer("Where is the head office?", water, reader=False)
    assert result.abstained
    assert result.nearest[0].text == "The head office is in Port Ansel."
    assert len(result.nearest) == 3


# -- tables


@pytest.fixture
def outlets(table: Make) -> Evidence:
    return table(
        "t1",
        "Table 2: Stores and sales by state",
        ("State", "Stores", "Sales ($ million)"),
        ("Texas", "108", "2,400"),
        ("California", "133", "3,100"),
    )


@pytest.mark.parametrize(
    ("question", "short"),
    [("How many stores were there in California?", "133"), ("What were the sales in Texas?", "2,400")],
)
def test_a_row_and_a_column_select_a_cell(answer: Ask, outlets: Evidence, question: str, short: str) -> None:
    result = answer(question, outlets)
    assert result.short == short
    assert result.sentences[0].text.startswith("Table 2: Stores and sales by state — ")
    assert quotes(result)[0].startswith("| ")


def test_a_cell_that_was_read_does_not_answer_which_is_the_largest(answer: Ask, outlets: Evidence) -> None:
    result = answer("Which state has the highest rainfall?", outlets)  # no column of this name
    assert result.abstained
    assert not result.possible


# -- two hops


def test_a_described_thing_is_found_first_and_both_passages_are_cited(
    answer: Ask, water: Evidence, plant: Evidence
) -> None:
    result = answer(TWO_HOPS, plant, water, names=NAMES)
    assert result.short == "Maud Kerrigan"
    assert [citation.document for sentence in result.sentences for citation in sentence.citations] == [
        "review.pdf",
        "plant.pdf",
    ]


def test_a_description_within_a_description_takes_three_hops_and_cites_all(
    answer: Ask, water: Evidence, plant: Evidence, passage: Make
) -> None:
    island = passage("p3", "The plant on the island of Orre is the Brackwater Plant.", document="island.pdf")
    born = passage("p4", "Maud Kerrigan was born in Vellin in 1951.", "She studied chemistry.", document="people.pdf")
    question = "Where was the person who founded the company that operates the Brackwater Plant born?"
    result = answer(question, plant, water, born, island, names=NAMES)
    assert result.short == "Vellin"
    documents = [citation.document for sentence in result.sentences for citation in sentence.citations]
    assert documents == ["people.pdf", "review.pdf", "plant.pdf"]


def test_the_confidence_of_two_hops_is_the_geometric_mean_of_both(
    answer: Ask, water: Evidence, plant: Evidence
) -> None:
    first = answer("What is the company that operates the Brackwater Plant?", plant, water).confidence
    second = answer("Who founded Tidewell Utilities?", plant, water).confidence
    assert first is not None
    assert second is not None
    assert answer(TWO_HOPS, plant, water, names=NAMES).confidence == pytest.approx((first * second) ** 0.5, abs=0.02)


def test_a_direct_answer_is_retained_if_it_is_surer_than_the_one_in_two_hops(answer: Ask, passage: Make) -> None:
    tank = passage(
        "p1",
        "Fresh water is pumped to the town tank above Port Ansel, which holds 6,200 cubic metres.",
        "A second tank is not planned.",
        section="Storage and supply",
    )
    result = answer("How much water does the town tank above Port Ansel hold?", tank, names=[("Port Ansel", "GPE")])
    assert result.short == "6,200 cubic metres"
    assert (result.confidence or 0.0) > 0.9  # in two hops it is below, since the tank has no name


def test_evidence_about_the_thing_is_fetched_from_the_graph(answer: Ask, water: Evidence, plant: Evidence) -> None:
    result = answer(TWO_HOPS, plant, hidden=[water], names=NAMES)
    assert result.short == "Maud Kerrigan"
    path = result.sentences[0].citations[0].path
    assert path is not None
    assert [node.name for node in path.nodes][1] == "Tidewell Utilities"
    assert [step.edge for step in path.steps] == ["MENTIONS", "MENTIONS"]


# -- evidence that the retrieval missed


def test_a_table_that_the_retrieval_missed_is_searched(answer: Ask, outlets: Evidence, passage: Make) -> None:
    prose = passage("p1", "California has many parks.")
    assert answer("How many stores were there in California?", prose, hidden=[outlets]).short == "133"


def test_a_name_that_no_evidence_contains_is_searched(answer: Ask, water: Evidence, passage: Make) -> None:
    halcyon = passage("p9", "Halcyon was founded in 1911.")
    assert answer("When was Halcyon founded?", water, hidden=[halcyon]).short == "1911"


# -- the edges


@pytest.mark.parametrize("question", ["", "the of and", "?!", "谁创立了公司", "من أسس الشركة؟", "who " * 3000])
def test_any_question_has_an_answer_or_an_abstention(answer: Ask, water: Evidence, question: str) -> None:
    assert answer(question, water).abstained


def test_no_evidence_abstains(answer: Ask) -> None:
    assert answer("Who founded Halcyon?").abstained


def test_evidence_without_sentence_spans_is_one_sentence(answer: Ask) -> None:
    whole = Evidence("p1", "passage", 1.0, "Halcyon was founded in 1911.", "d.pdf", "d1")
    assert answer("When was Halcyon founded?", whole).short == "1911"


def test_the_same_question_gets_the_same_answer(answer: Ask, water: Evidence, outlets: Evidence) -> None:
    first, second = (answer("Who founded Tidewell Utilities?", water, outlets) for _ in range(2))
    assert first == second


def test_the_default_threshold_is_that_of_the_settings() -> None:
    assert Settings.model_fields["answer_threshold"].default == THRESHOLD
