"""The statements of the answer on a real server, over two passages joined by one name."""

from hopline.answer.surroundings import surroundings
from hopline.asking import answer_flow, retrieval_flow
from hopline.flow.requests import fetch
from hopline.flow.run import run
from hopline.flow.world import Scope, World
from hopline.strategies import load_strategy

PLANT = "The Brackwater Plant is operated by Tidewell Utilities."
FOUNDED = "Tidewell Utilities was founded by Maud Kerrigan in 1987."
QUESTION = "Who founded the company that operates the Brackwater Plant?"


def tidewell(tiny):
    graph = tiny()
    graph.passage("plant", PLANT, [1, 0, 0, 0])
    graph.passage("next", "It opened in 2003.", [0, 1, 0, 0])
    graph.passage("founded", FOUNDED, [0, 0, 1, 0], "two.pdf")
    graph.follow("plant", "next")
    mention(graph, "Tidewell Utilities", "ORG", plant=PLANT, founded=FOUNDED)
    mention(graph, "Maud Kerrigan", "PERSON", founded=FOUNDED)
    return graph


def mention(graph, name, kind, **texts):
    """The entity of a name, mentioned where these texts say it."""
    entity = graph.entity(name, kind=kind)
    spans = {key: [text.find(name), text.find(name) + len(name)] for key, text in texts.items()}
    edges = [{"evidence": graph.id(key), "entity": entity, "count": 1, "spans": span} for key, span in spans.items()]
    graph.store.write(("ingest/write_mentions", {"mentions": edges}))


def asked(graph, flow, scope=None):
    return run(flow, World(graph.store, graph.embedder), scope or Scope(graph.collection)).result


def one(request):
    return (yield request)


def test_around_an_evidence_stand_its_neighbours_its_opening_and_its_names(tiny):
    graph = tidewell(tiny)
    spec = "bm25"
    retrieval = asked(graph, retrieval_flow("plant", load_strategy(spec), spec, graph.name, 10))
    assert graph.keys([evidence.id for evidence in retrieval.evidence]) == ["plant"]
    around = asked(graph, surroundings(retrieval.evidence))[graph.id("plant")]
    assert (around.before, around.after) == ("", "It opened in 2003.")
    assert around.front.startswith(PLANT)
    [said] = around.mentions
    assert (said.name, said.kind) == ("Tidewell Utilities", "ORG")
    assert PLANT[said.start : said.end] == "Tidewell Utilities"


def test_a_name_leads_to_what_else_mentions_it_but_not_through_a_hub_nor_out_of_scope(tiny):
    graph = tidewell(tiny)
    entity = graph.entity("Tidewell Utilities")

    def led(hub, *documents):
        request = fetch("answer/mentioning", entities=[entity], hub=hub)
        return graph.keys(asked(graph, one(request), graph.scope(*documents))["id"])

    assert led(30) == ["founded", "plant"]
    assert led(1) == []
    assert led(30, "two.pdf") == ["founded"]


def test_an_answer_follows_a_name_that_no_search_found(tiny):
    graph = tidewell(tiny)
    spec = "bm25"
    retrieval = retrieval_flow("Brackwater Plant operates", load_strategy(spec), spec, graph.name, 1)
    answer = asked(graph, answer_flow(QUESTION, retrieval, written_by_model=False))
    assert answer.sentences[0].citations[0].quote == FOUNDED
    assert graph.keys([evidence.id for evidence in answer.retrieval.evidence]) == ["plant", "founded"]
    assert [node.name for node in answer.sentences[0].citations[0].path.nodes][1] == "Tidewell Utilities"
