import pytest

from hopline.evaluation.questions import Question, Quote
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.training.reader_mining import fetch_reader_paragraphs

FOUNDED = "Tidewell was founded by Maud Kerrigan in 1987."
SOLD = "Maud Kerrigan sold the founded firm of Tidewell."
OPENED = "Tidewell opened a plant that was founded in 2003."


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("founded", FOUNDED, [1, 0, 0, 0], page=4, pages=5)
    graph.passage("sold", SOLD, [0, 1, 0, 0], "two.pdf")
    graph.passage("opened", OPENED, [0, 0, 1, 0], "three.pdf")
    return graph


def mine(graph, question):
    services = Services(graph.store, graph.embedder)
    paragraphs = run(fetch_reader_paragraphs(question), services, Scope(graph.collection)).result
    return {paragraph.text: paragraph.questions[0].spans for paragraph in paragraphs}


@pytest.mark.parametrize(
    "gold", [{"gold": ("founded",)}, {"quotes": (Quote("one.pdf", 4, "founded by Maud Kerrigan"),)}]
)
def test_gold_evidence_has_the_span_and_the_rest_is_negative(graph, gold):
    question = Question("q", "Who founded Tidewell?", ("Maud Kerrigan",), **gold)
    assert mine(graph, question) == {FOUNDED: ((24, 37),), OPENED: ()}


def test_without_gold_every_text_with_the_answer_is_positive(graph):
    question = Question("q", "Who founded Tidewell?", ("maud kerrigan",))
    assert mine(graph, question) == {FOUNDED: ((24, 37),), SOLD: ((0, 13),), OPENED: ()}


def test_an_unanswerable_question_has_negatives_only(graph):
    question = Question("q", "Who closed Tidewell?", answerable=False)
    assert set(mine(graph, question).values()) == {()}
