"""Questions for figures, over a graph with the figures of two documents."""

import pytest

from hopline.answers.pipeline import answer_question
from hopline.flow.requests import search
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.results.labels import describe_location
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.strategies import load_strategy

OUTPUT = "Figure 3: Output of the ports, 2020 to 2024"
DEPTHS = "Chart 3: Depths of the harbour basins"


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("p", "The output of the ports rose, as figure 3 shows.", [1, 0, 0, 0], "harbour-report.pdf", 1, 9)
    graph.figure("output", "3", OUTPUT, [0.9, 0.1, 0, 0], "harbour-report.pdf", 7)
    graph.figure("depths", "3", DEPTHS, [0, 1, 0, 0], "basin-survey.pdf", 2)
    graph.table("table", "1", "Output | 7", [1, 0, 0, 0], "harbour-report.pdf", 2)
    return graph


@pytest.fixture
def ask(graph):
    def answer(question):
        retrieve = lambda text: retrieve_evidence(load_strategy("hopline"), text, 10, collection=graph.name)  # noqa: E731
        services = Services(graph.store, graph.embedder, models=ModelRegistry(BUNDLED))
        return run(answer_question(question, retrieve), services, Scope(graph.collection)).result

    return answer


def list_quotes(answer):
    return {sentence.text: describe_location(sentence.citations[0].evidence) for sentence in answer.sentences}


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("What does figure 3 of the harbour report show?", {OUTPUT: "harbour-report.pdf · p. 7 · Figure 3"}),
        ("Show me Fig. 3 of the harbour report", {OUTPUT: "harbour-report.pdf · p. 7 · Figure 3"}),
        ("What is in chart 3 of the basin survey?", {DEPTHS: "basin-survey.pdf · p. 2 · Chart 3"}),
        (
            "What does figure 3 show?",
            {OUTPUT: "harbour-report.pdf · p. 7 · Figure 3", DEPTHS: "basin-survey.pdf · p. 2 · Chart 3"},
        ),
        ("Which figure shows the output of the ports?", {OUTPUT: "harbour-report.pdf · p. 7 · Figure 3"}),
        ("Is there a chart of the depths?", {DEPTHS: "basin-survey.pdf · p. 2 · Chart 3"}),
    ],
)
def test_a_question_for_a_figure_is_answered_by_its_caption(ask, question, quotes):
    answer = ask(question)
    assert answer.status == "answered"
    assert list_quotes(answer) == quotes
    assert {sentence.citations[0].evidence.kind for sentence in answer.sentences} == {"figure"}


def test_a_figure_that_does_not_exist_is_said_to_be_missing_and_the_others_are_named(ask):
    answer = ask("What does figure 9 show?")
    assert answer.status == "not_found"
    assert answer.missing == ("figure 9",)
    assert answer.notice == "The figures are: Chart 3 (basin-survey.pdf p. 2), Figure 3 (harbour-report.pdf p. 7)."
    of_document = ask("What does figure 4 of the basin survey show?")
    assert of_document.notice == "The only figure is Chart 3 (basin-survey.pdf p. 2)."


def test_a_figure_that_has_half_of_the_words_is_a_possible_answer(ask):
    answer = ask("Which figure shows the output of the mills?")
    assert answer.status == "possible"
    assert answer.possible.text == OUTPUT


def test_no_figure_answers_a_question_about_something_else(ask):
    answer = ask("Which figure shows the price of herring?")
    assert answer.status != "answered"
    assert not {citation.evidence.kind for claim in answer.claims for citation in claim.citations} & {"figure"}


def test_figures_are_searched_as_evidence_and_alone(graph):
    def find(over, by="text"):
        flow = search("output of the ports", 5, over=over, by=by)
        return graph.keys(graph.store.search(flow, graph.scope(), graph.embedder.embed(["output"])[0]).ids)

    assert set(find("evidence")) >= {"p", "output"}
    assert find("figure") == ["output"]
    assert set(find("figure", "dense")) == {"output", "depths"}
    assert "output" not in find("passage")
