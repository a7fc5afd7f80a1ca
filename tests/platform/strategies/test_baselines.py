"""The baselines of KGP, and the lower and the upper bound of answers."""

import pytest

from hopline.answers.closed_book import answer_closed_book
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Reply
from hopline.questions.analysis import analyse_question
from hopline.results import Retrieval
from hopline.scoring.text_similarity import fuzzy_ratios, tfidf_cosines

QUESTION, EAST = "slate of Orre", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("both", "slate of Orre", [0.6, 0.8, 0, 0])
    graph.passage("one", "slate and granite and marble from everywhere", [0.8, 0, 0.6, 0])
    graph.passage("near", "nothing alike", EAST)
    graph.passage("hop", "a second hop", [0, 0, 0, 1], "two.pdf")
    return graph


def test_tfidf_is_fitted_on_the_candidates_alone():
    same, rare, none = tfidf_cosines("slate roof", ["slate roof", "slate tile", "granite"])
    assert same == pytest.approx(1.0)
    assert 0 < rare < same
    assert none == 0
    assert tfidf_cosines("slate", ["…", ""]) == [0.0, 0.0]
    assert tfidf_cosines("slate", []) == []


def test_a_long_text_is_compared_by_its_best_window():
    whole, window, other = fuzzy_ratios("Slate of Orre", ["slate of orre", f"{'x ' * 50} slate of 0rre", "granite"])
    assert whole == 1.0
    assert window == pytest.approx(12 / 13)
    assert other <= 0.5


def test_tfidf_ranks_by_the_words_of_the_question(graph):
    ranking = graph.rank("tfidf", QUESTION, EAST)
    assert graph.keys(ranking.ids) == ["both", "one"]


def test_knn_fuzzy_alternates_between_dense_and_fuzzy_hits(graph):
    assert graph.keys(graph.rank("knn_fuzzy", QUESTION, EAST, 3).ids) == ["near", "both", "one"]


def test_mdr_searches_again_with_question_and_passage(graph):
    graph.embedder.known[f"{QUESTION} one.pdf: nothing alike"] = [0, 0, 0, 1]
    ranking = graph.rank("mdr:first=1,second=1", QUESTION, EAST, 4)
    assert graph.keys(ranking.ids)[:2] == ["near", "hop"]
    assert ranking.scores[:2] == pytest.approx((1.0, 1.0))
    assert graph.keys(ranking.ids)[2:] == ["one", "both"]


def test_gold_returns_the_given_evidence_in_order(graph):
    assert graph.keys(graph.rank("gold:ids=hop|both", QUESTION, EAST).ids) == ["hop", "both"]
    assert graph.keys(graph.rank(f"gold:ids={graph.id('one')}", QUESTION, EAST).ids) == ["one"]
    assert graph.rank("gold", QUESTION, EAST).ids == ()


def test_direct_retrieves_nothing(graph):
    assert graph.rank("direct", QUESTION, EAST).ids == ()


def answer(reply):
    flow = answer_closed_book(analyse_question("Who?"), Retrieval("Who?", "direct", "c"), model="tiny")
    next(flow)
    with pytest.raises(StopIteration) as stop:
        flow.throw(reply) if isinstance(reply, Exception) else flow.send([reply])
    return stop.value.value


def test_closed_book_sentences_are_never_supported():
    result = answer(Reply(data={"text": "Li Yang did.", "short": "Li Yang"}))
    assert (result.text, result.short, result.sentences[0].supported, result.sentences[0].citations) == (
        "Li Yang did.",
        "Li Yang",
        False,
        (),
    )
    assert result.written_by == "tiny"


@pytest.mark.parametrize(
    "reply", [Reply(error="no JSON"), Reply(data={"text": "", "short": ""}), ModelUnavailable("x")]
)
def test_a_model_that_does_not_know_gives_no_answer(reply):
    result = answer(reply)
    assert result.abstained
    if isinstance(reply, Exception) or reply.error:
        assert (result.written_by, result.model_error) == (
            "extractive",
            "x" if isinstance(reply, Exception) else "no JSON",
        )
    else:
        assert (result.written_by, result.model_error) == ("tiny", "")
