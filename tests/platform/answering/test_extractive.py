from collections.abc import Callable

import pytest

from hopline.types import Answer, Evidence

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


NAMES = [("Tidewell Utilities", "ORG"), ("Maud Kerrigan", "PERSON"), ("Port Ansel", "GPE")]


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who founded Tidewell Utilities?", "Maud Kerrigan"),
        ("When was Tidewell Utilities founded?", "1987"),
        ("How many people does Tidewell Utilities employ?", "214"),
        ("Where is the head office of Tidewell Utilities?", "Port Ansel"),
    ],
)
def test_the_kind_of_thing_asked_for_is_picked_out_of_its_sentence(
    answer: Ask, water: Evidence, question: str, short: str
) -> None:
    found = answer(question, water, names=NAMES)
    assert found.short == short
    assert short in quotes(found)[0]


def test_a_quote_is_a_sentence_as_it_stands_with_its_path(answer: Ask, water: Evidence) -> None:
    [sentence] = answer("Who founded Tidewell Utilities?", water, names=NAMES).sentences
    [citation] = sentence.citations
    assert citation.evidence.text[citation.start : citation.end] == citation.quote == sentence.text
    assert citation.path is not None
    assert citation.path.evidence == "p1"


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Who founded Halcyon Bank?", "Halcyon Bank"),
        ("Who audited Tidewell Utilities?", "audited"),
        ("When was Tidewell Utilities founded in 1912?", "1912"),
        ("How many subsidiaries does Tidewell Utilities have?", "subsidiaries"),
        ("How much did Tidewell Utilities pay for its offices?", "an amount"),
        ("What percentage of the people of Tidewell Utilities work in its offices?", "a percentage"),
    ],
)
def test_what_is_not_met_together_is_said_and_nothing_is_answered(
    answer: Ask, water: Evidence, question: str, missing: str
) -> None:
    found = answer(question, water, names=NAMES)
    assert found.abstained
    assert found.text == ""
    assert missing in found.missing


def test_a_number_that_counts_something_else_is_no_answer(answer: Ask, passage: Make) -> None:
    stock = passage("p1", "Halcyon grants its employees stock that vests over four years.")
    found = answer("How many employees does Halcyon have?", stock, names=[("Halcyon", "ORG")])
    assert found.abstained
    assert "a number" in found.missing


def test_a_name_may_stand_in_the_sentence_before_or_in_the_heading(answer: Ask, passage: Make) -> None:
    before = passage("p1", "MV Petrel serves Heron Point.", "She was launched on 6 June 2022.")
    above = passage("p2", "The ship was launched on 6 June 2022.", section=("The fleet", "MV Petrel"))
    for evidence in (before, above):
        assert answer("When was MV Petrel launched?", evidence).short == "6 June 2022"


def test_what_only_stands_in_the_passage_beside_is_not_met(answer: Ask, passage: Make) -> None:
    found = answer(
        "When was MV Petrel launched?",
        passage("p1", "The ship was launched on 6 June 2022."),
        beside={"p1": ("MV Petrel serves Heron Point.", "")},
    )
    assert found.missing == ("MV Petrel",)


def test_the_document_names_what_its_passages_call_the_company(answer: Ask, passage: Make) -> None:
    evidence = passage("p1", "The Company employed 29,239 people.", document="HALCYON_2022_10K.pdf")
    assert answer("How many people did Halcyon employ?", evidence).short == "29,239"
    opened = passage("p1", "The Company employed 29,239 people.")
    found = answer(
        "How many people did Halcyon employ?", opened, openings={"d-report.pdf": ["Halcyon plc, annual report"]}
    )
    assert found.short == "29,239"


def test_synonyms_acronyms_and_aliases_meet(answer: Ask, passage: Make) -> None:
    evidence = passage("p1", "In 2009 HB acquired the Chief Executive Officer's firm.")
    assert not answer(
        "When did Halcyon Bank buy the firm of its CEO?",
        evidence,
        names=[("HB", "ORG")],
        aliases={"HB": ["Halcyon Bank"]},
    ).abstained
    assert answer("When did Halcyon Bank buy the firm of its CEO?", evidence, names=[("HB", "ORG")]).abstained


def test_a_judge_without_a_name_is_no_answer_to_who(answer: Ask, passage: Make) -> None:
    evidence = passage("p1", "A federal judge fined Halcyon $118 million.", "Vivendi Universal settled.")
    names = [("Halcyon", "ORG"), ("Vivendi Universal", "ORG")]
    assert answer("Who was the judge who fined Halcyon $118 million?", evidence, names=names).abstained


def test_yes_or_no_is_decided_by_a_sentence_that_says_all_of_it(answer: Ask, passage: Make) -> None:
    evidence = passage("p1", "We sell gift cards.", "Our gift cards do not expire.", document="HALCYON.pdf")
    assert quotes(answer("Do Halcyon gift cards expire?", evidence))[0] == "Our gift cards do not expire."
    assert answer("Do Halcyon gift cards earn interest?", evidence).abstained


def test_a_reason_comes_with_the_sentences_behind(answer: Ask, passage: Make) -> None:
    evidence = passage(
        "p1", "Lear took the pilot to ABC.", "The network did not like it.", "It was too edgy, they told Lear."
    )
    found = answer("Why did ABC not like the pilot of Lear?", evidence, names=[("Lear", "PERSON")])
    assert "It was too edgy, they told Lear." in quotes(found)


# -- tables


@pytest.fixture
def outlets(table: Make) -> Evidence:
    return table(
        "t1",
        "Table 2: Stores and sales by state",
        ("State", "Stores 2022", "Stores 2023", "Sales ($ million)"),
        ("Texas", "110", "108", "2,400"),
        ("California", "135", "133", "3,100"),
    )


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many stores were there in California in 2023?", "133"),
        ("How many stores were there in Texas in 2022?", "110"),
        ("What were the sales in California?", "3,100"),
    ],
)
def test_a_row_and_a_column_give_their_cell(answer: Ask, outlets: Evidence, question: str, short: str) -> None:
    found = answer(question, outlets)
    assert found.short == short
    assert found.sentences[0].text.startswith("Table 2: Stores and sales by state — ")
    assert quotes(found)[0].startswith("| ")


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How many stores were there in Yukon in 2023?", "Yukon"),
        ("How many stores were there in Texas in 2018?", "2018"),
        ("How many warehouses were there in Texas in 2023?", "warehouses"),
    ],
)
def test_a_row_year_or_column_that_is_not_there_is_no_answer(
    answer: Ask, outlets: Evidence, question: str, missing: str
) -> None:
    assert missing in answer(question, outlets).missing


def test_a_table_without_its_header_answers_with_the_one_figure_of_the_row(answer: Ask, table: Make) -> None:
    lost = table(
        "t1",
        "",
        ("07/08/2015", "Hewlett-Packard", "Palo Alto", "65"),
        ("07/22/2015", "Pyramid Alehouse", "Berkeley", "63"),
    )
    assert answer("How many jobs went with the Pyramid Alehouse in Berkeley?", lost).short == "63"


def test_a_row_with_a_label_alone_heads_the_rows_below(answer: Ask, table: Make) -> None:
    grouped = table(
        "t1", "Table 1", ("Revenue", "2023"), ("Subscription", ""), ("Europe", "40"), ("Services", ""), ("Europe", "7")
    )
    assert answer("What was the services revenue in Europe in 2023?", grouped).short == "7"


# -- paths over a name


def test_two_passages_that_share_a_name_answer_together(answer: Ask, water: Evidence, passage: Make) -> None:
    plant = passage("p2", "The Brackwater Plant is operated by Tidewell Utilities.", document="plant.pdf")
    found = answer("Who founded the company that operates the Brackwater Plant?", plant, water, names=NAMES)
    assert found.short == "Maud Kerrigan"
    assert [citation.document for sentence in found.sentences[:2] for citation in sentence.citations] == [
        "review.pdf",
        "plant.pdf",
    ]


def test_the_name_that_joins_two_passages_is_not_the_answer(answer: Ask, passage: Make) -> None:
    sold = passage("p1", "MGM sold the operations of The Mirage for $1.1 billion in cash.")
    bought = passage("p2", "Hard Rock bought The Mirage.")
    names = [("The Mirage", "FAC"), ("Hard Rock", "ORG"), ("MGM", "ORG")]
    question = "Who bought the resort whose operations MGM sold for $1.1 billion in cash?"
    assert answer(question, sold, bought, names=names).short == "Hard Rock"
    assert answer(question, sold, names=names).abstained


def test_what_a_name_leads_to_is_followed_in_the_graph(answer: Ask, water: Evidence, passage: Make) -> None:
    plant = passage("p2", "The Brackwater Plant is operated by Tidewell Utilities.", document="plant.pdf")
    found = answer("Who founded the company that operates the Brackwater Plant?", plant, hidden=[water], names=NAMES)
    assert found.short == "Maud Kerrigan"
    path = found.sentences[0].citations[0].path
    assert path is not None
    assert [node.name for node in path.nodes][1] == "Tidewell Utilities"
    assert [step.edge for step in path.steps] == ["MENTIONS", "MENTIONS"]


def test_a_table_that_the_retrieval_missed_is_looked_for(answer: Ask, outlets: Evidence, passage: Make) -> None:
    prose = passage("p1", "California has many stores.")
    assert answer("How many stores were there in California in 2023?", prose, hidden=[outlets]).short == "133"


def test_a_name_that_no_evidence_says_is_looked_for(answer: Ask, water: Evidence, passage: Make) -> None:
    said = passage("p9", "Halcyon was founded in 1911.")
    assert answer("When was Halcyon founded?", water, hidden=[said]).short == "1911"


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
    first, second = (answer("Who founded Tidewell Utilities?", water, outlets, names=NAMES) for _ in range(2))
    assert first == second
