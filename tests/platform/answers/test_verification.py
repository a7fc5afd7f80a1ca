"""Verification of the sentences of a model: quotes with small differences, cells of a row, computed figures."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hopline.answers.verification import SentenceVerifier
from hopline.questions.analysis import analyse_question
from hopline.results import Evidence, Retrieval, Sentence
from hopline.results.labels import describe_state

Make = Callable[..., Evidence]
Verify = Callable[..., Sentence]


@pytest.fixture
def verify() -> Verify:
    """``verify(text, quotes, *evidence, question=…)``: the verified sentence; the quotes have no evidence number."""

    def verify_one(text: str, quotes: Sequence[str], *evidence: Evidence, question: str = "What is known?") -> Sentence:
        retrieval = Retrieval(question, "hybrid", "c", evidence, ())
        verifier = SentenceVerifier(analyse_question(question), retrieval, evidence)
        claims: list[dict[str, Any]] = [{"evidence": 0, "quote": quote} for quote in quotes]
        [sentence] = verifier.verify([{"text": text, "citations": claims}])
        return sentence

    return verify_one


@pytest.fixture
def report(passage: Make) -> Evidence:
    return passage(
        "p1",
        "Varrow Water was founded by Maud Kerrigan in 1987, and it runs two large plants on the coast.",
        "The board did not approve the loan of 400 million on 3 March 2020.",
        "The loan was repaid on 9 April 2021; 37 of 148 members voted for it.",
    )


@pytest.fixture
def stores(table: Make) -> Evidence:
    rows = [("Oregon", "120", "14.5"), ("Nevada", "80", "9.5"), ("Texas", "310", "21")]
    return table("t1", "Stores and sales (in millions)", ("State", "Stores", "Sales"), *rows)


@pytest.mark.parametrize(
    ("quote", "cited"),
    [
        ("Varrow Water is founded by Maud Kerrigan in 1987", "Varrow Water was founded by Maud Kerrigan in 1987"),
        ("it runs two plants on the coast", "it runs two large plants on the coast"),
        ("the board did not approve a loan of 400 million", "The board did not approve the loan of 400 million"),
        ("board did not approve the loans of 400 million", "board did not approve the loan of 400 million"),
    ],
)
def test_a_quote_may_differ_by_a_few_words(verify: Verify, report: Evidence, quote: str, cited: str) -> None:
    sentence = verify("It is so.", [quote], report)
    [citation] = sentence.citations
    assert (sentence.state, citation.quote, citation.claimed) == ("similar", cited, quote)


@pytest.mark.parametrize(
    "quote",
    [
        "Varrow Water was founded by Maud Kerrigan in 1978",
        "Varrow Water was founded by Mary Kerrigan in 1987",
        "Varrow Waters was founded by Maud Kerrigan in 1987",
        "The board did approve the loan of 400 million on 3 March",
        "The board did not approve the loan of €400 million on 3 March",
        "The board did not approve the loan of -400 million on 3 March",
        "it runs two large nuclear plants on the coast",
        "it runs two large plants at the coast",
        "it ran two large plants on the coast",
        "The loan was repaid to 9 April 2021",
        "the members of the boarder approve the loan",
        "runs three plants",
        "the",
        "on the",
        "",
        "x" * 5000,
    ],
)
def test_a_quote_with_another_number_name_or_negation_is_not_found(
    verify: Verify, report: Evidence, quote: str
) -> None:
    sentence = verify("It is so.", [quote], report)
    assert (sentence.state, sentence.citations) == ("unsupported", ())


def test_a_short_quote_with_a_content_word_is_found(verify: Verify, report: Evidence) -> None:
    assert verify("It is there.", ["the coast"], report).state == "quoted"


def test_a_quote_that_is_not_found_is_named_beside_one_that_is(verify: Verify, report: Evidence) -> None:
    sentence = verify("It burned.", ["on the coast", "and burned down in May", ""], report)
    assert (sentence.state, sentence.unfound_quotes) == ("quoted", ("and burned down in May",))
    assert describe_state(sentence) == "a further quote was not found"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("3. It is on the coast.", "3. It is on the coast."), ("It is on the coast [2], [1, 3].", "It is on the coast,.")],
)
def test_numbers_of_items_and_of_evidence_are_no_figures(
    verify: Verify, report: Evidence, text: str, shown: str
) -> None:
    sentence = verify(text, ["on the coast"], report)
    assert (sentence.state, sentence.text) == ("quoted", shown)


def test_a_verbatim_quote_in_other_evidence_counts_more_than_a_similar_one(verify: Verify, passage: Make) -> None:
    near = passage("p1", "The plant was opened by Ada Quill in May.")
    exact = passage("p2", "The plant is opened by Ada Quill in May.")
    sentence = verify("She did.", ["The plant is opened by Ada Quill in May"], near, exact)
    assert sentence.state == "quoted"
    assert [citation.evidence.id for citation in sentence.citations] == ["p2"]


def test_cells_of_one_row_are_found_as_its_quote(verify: Verify, stores: Evidence) -> None:
    sentence = verify("Texas has sales of 21.", ["Texas | 21"], stores)
    [citation] = sentence.citations
    assert (sentence.state, citation.quote) == ("similar", "| Texas | 310 | 21 |")
    assert verify("Texas has 21.", ["Texas | 9.5"], stores).state == "unsupported"


@pytest.mark.parametrize(
    ("text", "quotes", "computation"),
    [
        ("Together they have 200 stores.", ["Oregon | 120", "Nevada | 80"], "120 + 80 = 200 (Stores (in millions): Oregon, Nevada)"),
        ("The three have 45 in sales.", ["Oregon | 120 | 14.5", "Nevada | 80 | 9.5", "Texas | 310 | 21"], "14.5 + 9.5 + 21 = 45 (Sales (in millions): Oregon, Nevada, Texas)"),
        ("On average they have 170 stores.", ["Oregon | 120", "Nevada | 80", "Texas | 310"], "(120 + 80 + 310) ÷ 3 = 170 (Stores (in millions): Oregon, Nevada, Texas)"),
        ("Texas has 190 stores more than Oregon.", ["Texas | 310", "Oregon | 120"], "310 − 120 = 190 (Stores (in millions): Texas, Oregon)"),
        ("Oregon has 50 % more stores than Nevada.", ["Oregon | 120", "Nevada | 80"], "(120 − 80) ÷ 80 × 100 = 50 (Stores (in millions): Oregon, Nevada)"),
        ("Sales in Texas were 21 million.", ["Texas | 310 | 21"], "21 × 1,000,000 = 21,000,000"),
        ("Some 25 percent voted for it.", ["37 of 148 members voted for it"], "37 ÷ 148 × 100 = 25"),
        ("It did so for 34 years.", ["in 1987", "9 April 2021"], "2021 − 1987 = 34"),
        ("It had over 140 members.", ["37 of 148 members"], "148, rounded"),
        ("It took 402 days.", ["on 3 March 2020", "repaid on 9 April 2021"], "3 March 2020 to 9 April 2021: 402 days"),
        ("About 150 members could vote.", ["37 of 148 members"], "148, rounded"),
    ],
)  # fmt: skip
def test_a_figure_may_be_computed_from_cited_figures(
    verify: Verify, report: Evidence, stores: Evidence, text: str, quotes: Sequence[str], computation: str
) -> None:
    sentence = verify(text, quotes, report, stores)
    assert (sentence.state, sentence.computation) == ("computed", computation)


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("Together they have 210 stores.", ["Oregon | 120", "Nevada | 80"]),
        ("Together they have 200 stores.", ["Oregon | 120"]),
        ("Together they have 240 stores.", ["Oregon | 120", "Oregon | 120 | 14.5"]),
        ("Oregon has 40 % more stores than Nevada.", ["Oregon | 120", "Nevada | 80"]),
        ("The loan is 400 billion.", ["approve the loan of 400 million"]),
        ("Only 7 voted.", ["37 of 148 members", "on 3 March 2020", "loan of 400 million", "in 1987"]),
        ("There were 14 of them.", ["7 decks, 12 guns and 95 tons"]),
        ("It was founded in 2018.", ["From 2016 to 2020"]),
        ("There are over 1,000 employees.", ["612 employees"]),
        ("It is 60 %.", ["12 % of 5 %"]),
        ("There were 5,000 people.", ["on 5 ships"]),
        ("It made a profit of 1,210.", ["result was -1,210"]),
        ("Sales were -5 in May.", ["on 5 ships"]),
        ("The sum is 555.", ["12345678901234.5 and 12345678901235"]),
    ],
    ids=[
        "wrong sum", "not cited", "one row twice", "wrong per cent", "other scale", "small, by chance", "quotient",
        "year", "far below", "product of percentages", "scale of other words", "sign", "sign of the sentence", "long",
    ],
)  # fmt: skip
def test_other_figures_are_not_supported(
    verify: Verify, report: Evidence, stores: Evidence, passage: Make, text: str, quotes: Sequence[str]
) -> None:
    ship = passage(
        "p2",
        "A ship with 7 decks, 12 guns and 95 tons.",
        "From 2016 to 2020 it had 612 employees, 12 % of 5 % of them on 5 ships with thousands of people.",
        "The result was -1,210.",
        "Also 12345678901234.5 and 12345678901235 and 3.",
    )
    assert verify(text, quotes, report, stores, ship).state == "unsupported"


def test_a_loss_may_be_written_without_its_sign(verify: Verify, passage: Make) -> None:
    result = passage("p1", "The result was -1,210.", "It was -1,100 before.")
    assert verify("It lost 1,210.", ["result was -1,210"], result).state == "quoted"
    both = verify("The result fell by 110.", ["result was -1,210", "It was -1,100"], result)
    assert (both.state, both.computation) == ("computed", "−1,210 − −1,100 = −110")


def test_a_figure_may_follow_from_what_earlier_sentences_cite(stores: Evidence) -> None:
    retrieval = Retrieval("q", "hybrid", "c", (stores,), ())
    verifier = SentenceVerifier(analyse_question("How many stores are there?"), retrieval, [stores])
    claims = [
        ("Oregon has 120 stores.", ["Oregon | 120"]),
        ("Nevada has 80.", ["Nevada | 80"]),
        ("Together that is 200.", ["Nevada | 80"]),
    ]
    items = [{"text": text, "citations": [{"quote": quote} for quote in quotes]} for text, quotes in claims]
    assert [sentence.state for sentence in verifier.verify(items)] == ["quoted", "quoted", "computed"]
