from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hopline.evaluation.answer_matching import (
    contains_quote,
    contains_structure,
    exact_match,
    golden_match,
    is_same_document,
    normalize_answer,
    quotes_answer,
    token_f1,
)
from hopline.evaluation.questions import Question, Quote, Structure
from hopline.evaluation.ranking_metrics import all_recalled, group_by_source, list_pages, recall, reciprocal_rank
from hopline.evaluation.statistics import bootstrap_mean, percentile, summarize_scores
from hopline.results import Citation, Evidence

RANKED = [{"a"}, {"b"}, {"c"}, {"d"}]


def evidence(id: str, text: str = "", document: str = "lake.pdf", **rest: object) -> Evidence:
    return Evidence(id, "passage", 1.0, text, document, **rest)  # type: ignore[arg-type]


def test_recall_is_the_fraction_of_gold_among_the_first_k() -> None:
    assert recall(RANKED, ["b", "d"], 2) == 0.5
    assert recall(RANKED, ["b", "d"], 4) == 1.0
    assert recall(RANKED, ["x", "y", "a"], 4) == pytest.approx(1 / 3)


def test_all_gold_needs_the_last_one_too() -> None:
    assert all_recalled(RANKED, ["b", "d"], 3) == 0.0
    assert all_recalled(RANKED, ["b", "d"], 4) == 1.0


def test_a_structure_is_found_by_its_page_or_by_the_number_of_the_table() -> None:
    table = Evidence("t", "table", 1.0, "", "lake.pdf", number="A-2", pages=(4,))
    items = [evidence("n", pages=(2, 3)), table]
    assert contains_structure(Structure("Lake", 3), items)
    assert contains_structure(Structure("lake.pdf", table="A-2"), items)
    assert contains_structure(Structure("lake.pdf", 4, "?"), items)
    assert not contains_structure(Structure("lake.pdf", 5), items)
    assert not contains_structure(Structure("lake.pdf", 4, "A-3"), items)
    assert not contains_structure(Structure("lake.pdf", 3, "?"), items)
    assert not contains_structure(Structure("sea.pdf", 3), items)


def test_the_reciprocal_rank_is_that_of_the_first_gold() -> None:
    assert reciprocal_rank(RANKED, ["d", "c"]) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, ["x"]) == 0.0


def test_passages_of_one_source_share_a_rank_and_match_by_either_id() -> None:
    items = [evidence("n1", source_id="row-1"), evidence("n2", source_id="row-1"), evidence("n3")]
    ranked = group_by_source(items)
    assert ranked == [{"n1", "n2", "row-1"}, {"n3"}]
    assert recall(ranked, ["n2"], 1) == recall(ranked, ["row-1"], 1) == 1.0
    assert reciprocal_rank(ranked, ["n3"]) == 0.5


def test_rows_of_two_files_with_one_id_have_separate_ranks() -> None:
    items = [evidence(f"n{n}", document_id=f"d{n}", source_id="row-1") for n in (1, 2)]
    ranked = group_by_source(items)
    assert ranked == [{"n1", "row-1"}, {"n2", "row-1"}]
    assert (recall(ranked, ["n2"], 1), recall(ranked, ["row-1"], 1), reciprocal_rank(ranked, ["n2"])) == (0.0, 1.0, 0.5)


def test_an_evidence_over_two_pages_gives_both_and_a_page_counts_once() -> None:
    items = [evidence("n1", pages=(3, 4)), evidence("n2", pages=(4,)), evidence("n3", document="sea.pdf", pages=(4,))]
    assert list_pages(items) == [("lake.pdf", 3), ("lake.pdf", 4), ("sea.pdf", 4)]


def test_normalisation_removes_case_punctuation_articles_and_spaces() -> None:
    assert normalize_answer("  The Andaman  and\tNicobar-Islands!") == "andaman and nicobarislands"
    assert exact_match("the Eiffel Tower.", ["Big Ben", "Eiffel tower"]) == 1.0
    assert exact_match("Eiffel", ["Eiffel tower"]) == 0.0


def test_f1_counts_each_shared_word_once_and_takes_the_best_answer() -> None:
    # "cat sat on mat": 4 words; "cat on mat": 3 of 3 shared: P 3/4, R 1, F1 6/7
    assert token_f1("The cat sat on the mat", ["dog", "a cat on a mat"]) == pytest.approx(6 / 7)
    assert token_f1("so so", ["so"]) == pytest.approx(2 / 3)
    assert token_f1("", ["x"]) == 0.0
    assert token_f1("x", []) == 0.0


@pytest.mark.parametrize(
    ("answer", "correct", "score"),
    [
        ("Yes.", "yes", 1.0),
        ("yes it is", "yes", 0.0),
        ("no", "no one", 0.0),
        ("No Answer", "noanswer", 0.0),
        ("no, Ada Quill", "Ada Quill", 0.8),
    ],
)
def test_the_f1_of_yes_or_no_and_another_text_is_0_as_in_hotpotqa(answer: str, correct: str, score: float) -> None:
    assert token_f1(answer, [correct]) == token_f1(correct, [answer]) == pytest.approx(score)


def test_the_best_of_several_answers_counts_although_one_is_a_verdict() -> None:
    assert token_f1("the old mill", ["no", "old mill"]) == 1.0


def test_a_quote_without_letters_is_in_no_evidence() -> None:
    assert not contains_quote(Quote("lake.pdf", 1, "…"), [evidence("n", "The lake is deep.")])


@pytest.mark.parametrize("score", [exact_match, token_f1, golden_match])
@pytest.mark.parametrize(
    ("answer", "correct", "wanted"),
    [
        ("", "A", 0.0),
        ("", "", 0.0),
        (" ", "-", 0.0),
        ("the", "a", 0.0),
        ("a", " A ", 1.0),
        ("-", "-", 1.0),
        ("A", "B", 0.0),
    ],
)
def test_an_answer_of_which_normalisation_leaves_nothing_matches_the_same_text_only(
    score: Any, answer: str, correct: str, wanted: float
) -> None:
    assert score(answer, [correct]) == wanted


@given(some.text(), some.text())
def test_f1_is_symmetric_and_at_least_the_exact_match(first: str, second: str) -> None:
    assert token_f1(first, [second]) == token_f1(second, [first])
    assert exact_match(first, [second]) <= token_f1(first, [second]) <= 1.0


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [("reports/Lake.PDF", "lake.pdf", True), ("ADOBE_2022_10K", "adobe_2022_10k.pdf", True), ("v1.2", "v1.3", False),
     ("a\\b.docx", "b", True), ("lake.pdf", "lakes.pdf", False)],
)  # fmt: skip
def test_documents_are_the_same_but_for_folder_case_and_suffix(first: str, second: str, same: bool) -> None:
    assert is_same_document(first, second) is same


def test_a_quote_is_found_over_hyphens_ligatures_and_table_bars_in_its_own_document_only() -> None:
    quote = Quote("lake.pdf", 1, "The inflow rose to 12.5 m³")
    assert contains_quote(quote, [evidence("n1", "| The in-\nﬂow | rose to | 12.5 m3 |")])
    assert not contains_quote(quote, [evidence("n1", "The inflow rose to 12.5 m³", document="sea.pdf")])
    assert not contains_quote(quote, [evidence("n1", "The inflow rose to"), evidence("n2", "12.5 m³")])


def test_a_quote_from_a_caption_is_found_in_the_table() -> None:
    assert contains_quote(
        Quote("lake.pdf", 1, "Depths by year"), [evidence("t", "2019", caption="Table 2: Depths by year")]
    )


QUESTION = Question("q", "How deep?", ("12 m",), (), (Quote("lake.pdf", 3, "It is large. In 2019 it was 12 m deep."),))


@pytest.mark.parametrize(
    ("quote", "document", "holds"),
    [
        ("It is large. In 2019 it was 12 m deep.", "lake.pdf", True),  # all of it
        ("We measured. It is large. In 2019 it was 12 m deep. It froze.", "lake.pdf", True),  # around it
        ("In 2019 it was 12 m deep.", "lake.pdf", True),  # the sentence in it with the answer
        ("It is large.", "lake.pdf", False),  # a sentence in it without
        ("In 2019 it was 12 m deep.", "sea.pdf", False),  # another document
        ("Elsewhere it was 12 m deep.", "lake.pdf", False),  # the answer by chance
        ("", "lake.pdf", False),
    ],
)
def test_a_citation_has_the_answer_if_it_quotes_the_sentence(quote: str, document: str, holds: bool) -> None:
    assert quotes_answer(Citation(evidence("n", quote, document), quote, 0, len(quote)), QUESTION) is holds


def test_a_paraphrased_answer_requires_only_the_gold_quote() -> None:
    question = Question("q", "How deep?", ("about a dozen metres",), (), QUESTION.quotes)
    assert quotes_answer(Citation(evidence("n"), "In 2019 it was 12 m deep.", 0, 25), question)


def test_only_gold_quotes_with_the_answer_count_if_there_are_any() -> None:
    quotes = (Quote("lake.pdf", 1, "It is dedicated to Eric."), Quote("lake.pdf", 9, "Eric lives in Derry."))
    question = Question("q", "Where does he live?", ("Derry",), (), quotes)
    first, second = (Citation(evidence("n"), quote.text, 0, len(quote.text)) for quote in quotes)
    assert not quotes_answer(first, question)
    assert quotes_answer(second, question)


def test_the_interval_of_equal_scores_is_a_point_and_of_a_coin_is_wide() -> None:
    sure = bootstrap_mean([1.0] * 20)
    assert (sure.mean, sure.low, sure.high, sure.questions) == (1.0, 1.0, 1.0, 20)
    # 100 fair coins: standard error .05, so the interval is close to .5 -+ .098
    coin = bootstrap_mean([0.0, 1.0] * 50, seed=1)
    assert coin.mean == 0.5
    assert coin.low == pytest.approx(0.402, abs=0.02)
    assert coin.high == pytest.approx(0.598, abs=0.02)


def test_the_interval_is_the_same_for_the_same_seed() -> None:
    assert bootstrap_mean([0.0, 0.3, 1.0], seed=4) == bootstrap_mean([0.0, 0.3, 1.0], seed=4)
    assert bootstrap_mean(range(50), seed=4) != bootstrap_mean(range(50), seed=5)


def test_a_mean_of_no_scores_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one score"):
        bootstrap_mean([])


def test_each_metric_is_averaged_over_the_questions_that_have_it() -> None:
    summary = summarize_scores([{"R@5": 1.0}, {"R@5": 0.0, "EM": 1.0}])
    assert list(summary) == ["R@5", "EM"]
    assert (summary["R@5"].mean, summary["R@5"].questions) == (0.5, 2)
    assert (summary["EM"].mean, summary["EM"].questions) == (1.0, 1)


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([10.0, 20.0], 50) == 15.0
    assert percentile([], 95) == 0.0


def test_a_golden_match_is_a_correct_answer_in_whole_words() -> None:
    assert golden_match("It was the Eiffel Tower, in 1889.", ["Big Ben", "Eiffel tower"]) == 1.0
    assert golden_match("It was in 18890.", ["1889"]) == 0.0
    assert golden_match("", ["x"]) == 0.0
    assert golden_match("the", ["a", ""]) == 0.0
