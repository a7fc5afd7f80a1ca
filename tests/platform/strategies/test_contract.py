"""The contract of every strategy, on a collection that the real worker ingested."""

import json
from itertools import zip_longest

import numpy as np
import pytest

from hopline.embeddings.loader import load_embedder
from hopline.embeddings.minilm import MiniLM, minilm_folder
from hopline.errors import Cancelled, HoplineError
from hopline.flow.budget import CancelToken
from hopline.flow.requests import Hits
from hopline.flow.run import run
from hopline.flow.services import Graph, Models, Scope, Services
from hopline.ids import collection_id
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.retrieval.reranking.context import CONTEXT_COLUMNS
from hopline.retrieval.reranking.features import CANDIDATE_COLUMNS
from hopline.store.graph import Store
from hopline.strategies import list_strategy_names, load_strategy

QUESTION = "Where did the designer of the Skarv Bridge study?"
ODD = {
    "of 10,000 characters": "Where is slate from? " * 500,
    "in another script": "Кто построил маяк на острове? 灯台は誰が建てましたか",
    "of stop-words only": "what is the of and to it",
    "of punctuation": "?!… --- (((",
    "that is empty": "   ",
}

BOUNDS = {"direct", "gold"}  # these retrieve nothing by themselves; their own test says what they do
LED = [name for name in list_strategy_names() if load_strategy(name).needs_model]
FREE = [name for name in list_strategy_names() if name not in {*BOUNDS, *LED}]
OPTIONS = [
    "gnn_ret:base=hybrid,hub=10", "gnn_ret:layers=2", "hybrid:fuse=sum", "naive_ge:base=dense,length=3",
    "kgp:guide=encoder,graph=keywords,hops=3", "kgp:guide=model,graph=similar", "guided:guide=model",
    "ircot:base=hipporag,pool=best", "iter_retgen:recurrent=true,rounds=3", "sync_ge:over=both",
    "graph_hop:merge=text_code", "graph_hop:follows=model,base=hopline", "graph_hop:follows=network", "mdr:trained=true",
    "kgp:graph=mdr,guide=mdr", "guided:guide=mdr", "kgp:guide=writer", "guided:guide=writer", "ras:planner=model,facts=model,rounds=3", "ras:base=dense,pool=best", "ras:planner=trained",
]  # fmt: skip
SPECS = [*FREE, *LED, *OPTIONS]
RANKED = [*SPECS, "hopline:trained=true"]  # where something was learned for the collection
SHARED_WORDS = "bridge Vale Bergen island Orre Norway slate bird"  # all passages say one of them
WITHOUT_VECTOR = {"Skarv Bridge", "Ingrid Vale", "Bergen", "Orre"}
# these rank by vectors alone: what has none is not found by them
BY_VECTORS = {
    "dense", "gnn_ret", "gnn_ret:layers=2", "rgnn_ret", "mdr", "mdr:trained=true", "naive_ge:base=dense,length=3",
    "iter_retgen:recurrent=true,rounds=3", "ras:base=dense,pool=best",
}  # fmt: skip
# whether the sum is above 2, and then whether a better candidate links to it
STUMP = {"start": 0.0, "depth": 1, "left": [[1, 1, 2]], "right": [[2, 1, 2]], "value": [[0.0, -1.0, 1.0]]}
SCORER = {
    "features": [*CANDIDATE_COLUMNS, *CONTEXT_COLUMNS],
    "rounds": 2,
    "first": {**STUMP, "feature": [[0, 0, 0]], "threshold": [[2.0, 0.0, 0.0]]},
    "second": {
        **STUMP,
        "feature": [[len(CANDIDATE_COLUMNS) + CONTEXT_COLUMNS.index("link"), 0, 0]],
        "threshold": [[0.1, 0.0, 0.0]],
    },
}


ENCODER = MiniLM(minilm_folder())  # loads its weights once, with the first text


class Learned(Models):
    """Two untrained models: the guide is the encoder, and facts that share most words follow."""

    def infer(self, part, inputs):
        if part == "mdr":
            return ENCODER.embed(inputs["texts"])
        if part == "writer":
            return ["a bridge" for _ in inputs["trails"]]
        if part == "graph_llm":
            return "[SUBQ] Where did Ingrid Vale study?" if len(inputs["rounds"]) < 2 else "[SUFFICIENT]"
        if inputs.get("output") == "gamma":
            return 0.1
        words = [set(text.lower().split()) for text in inputs["facts"]]
        rows = [set(inputs["question"].lower().split()).union(*(words[n] for n in path)) for path in inputs["paths"]]
        chances = [[len(row & item) / (1 + len(row)) for item in words] for row in rows]
        return np.asarray(chances, dtype=np.float32).reshape(len(rows), len(words))


class Watched(Graph):
    """The real store; records the hits of searches, and all texts that it returned."""

    def __init__(self, store):
        self.store, self.hit_ids, self.texts, self.requests = store, set(), set(), 0

    def search(self, request, scope, vector):
        self.requests += 1
        hits = self.store.search(request, scope, vector)
        self.hit_ids |= set(hits.ids)
        self.texts |= set(hits.ids)
        return hits

    def fetch(self, name, parameters, scope):
        self.requests += 1
        columns = self.store.fetch(name, parameters, scope)
        self.texts |= set(collect_texts(list(columns.values())))
        return columns


def collect_texts(value):
    if isinstance(value, str):
        return [value]
    return [text for item in value for text in collect_texts(item)] if isinstance(value, list) else []


@pytest.fixture(scope="module")
def graph(settings, corpus):
    embedder = load_embedder(settings)
    store = Store.open(settings, embedder=embedder.name, dimension=embedder.dimension)
    learned = {"collection": collection_id(corpus), "name": "scorer", "values": json.dumps({"scorer": SCORER})}
    store.write(("learned/write_parameters", learned))
    yield Watched(store)
    store.close()


@pytest.fixture(scope="module")
def services(settings, graph, schema_chat):
    return Services(graph, load_embedder(settings), schema_chat, models=Learned())


@pytest.fixture
def ask(services, corpus):
    def ask_strategy(spec, question=QUESTION, k=5, scope=None):
        flow = retrieve_evidence(load_strategy(spec), question, k)
        read = run(flow, services, scope or Scope(collection_id(corpus))).result
        return read.evidence, read.paths

    return ask_strategy


@pytest.fixture(scope="module", params=["none", "half"])
def few_vectors(request, settings, corpus, graph, schema_chat):
    """The corpus while it is embedded: all or half of the evidence has no vector yet."""
    embedder = load_embedder(settings)
    store = Store.open(settings, embedder=f"{request.param}_embedded", dimension=embedder.dimension)
    if request.param == "half":
        outcome = run(
            retrieve_evidence(load_strategy("bm25"), SHARED_WORDS, 10),
            Services(graph, embedder),
            Scope(collection_id(corpus)),
        )
        rows = [
            {"id": item.id, "vector": embedder.embed([item.text])[0].tolist()}
            for item in outcome.result.evidence
            if item.document not in WITHOUT_VECTOR
        ]
        related = [{"id": row["id"], "others": [], "scores": [], "related": True} for row in rows]
        store.write(
            ("ingest/write_vectors_evidence", {"rows": rows, "embedding": store.embedding}),
            ("ingest/write_similar_edges", {"rows": related, "by": store.embedding}),
        )
    yield Services(store, embedder, schema_chat, models=Learned())
    store.close()


@pytest.mark.parametrize("spec", RANKED)
def test_evidence_without_a_vector_is_ranked_by_full_text_search(few_vectors, corpus, spec):
    flow = retrieve_evidence(load_strategy(spec), QUESTION, 10)
    evidence = run(flow, few_vectors, Scope(collection_id(corpus))).result.evidence
    assert len({item.id for item in evidence}) == len(evidence) <= 10
    if spec not in BY_VECTORS:
        assert "Skarv Bridge" in [item.document for item in evidence]


@pytest.mark.parametrize("spec", RANKED)
def test_the_same_question_gives_the_same_evidence_and_paths(ask, spec):
    assert ask(spec) == ask(spec)


@pytest.mark.parametrize("spec", RANKED)
@pytest.mark.parametrize("k", [1, 3, 50])
def test_at_most_k_evidence_is_returned_each_once_best_first(ask, spec, k):
    evidence, paths = ask(spec, k=k)
    assert 0 < len(evidence) <= k
    assert len({item.id for item in evidence}) == len(evidence)
    assert [item.score for item in evidence] == sorted((item.score for item in evidence), reverse=True)
    assert [path.evidence for path in paths] == [item.id for item in evidence]


@pytest.mark.parametrize("spec", RANKED)
def test_every_path_leads_from_a_seed_of_the_question_to_its_evidence_over_edges_of_the_graph(ask, graph, spec):
    graph.hit_ids.clear()
    evidence, paths = ask(spec, k=10)
    for item, path in zip(evidence, paths, strict=True):
        assert path.seed.id in graph.hit_ids
        assert path.nodes[-1].id == item.id
        assert all(node.name for node in path.nodes)
        for step, following in zip_longest(path.steps, path.steps[1:]):
            around = graph.store.read(
                "explore/neighbours", {"ids": [step.source.id], "expanded": [], "limit": 10_000, "min_confidence": 0.0}
            )
            ends = zip(around["source"], around["edge"], around["target"], strict=True)
            assert {(s, e, t) for s, e, t in ends} & {
                (step.source.id, step.edge, step.target.id),
                (step.target.id, step.edge, step.source.id),
            }
            assert following is None or following.source == step.target


@pytest.mark.parametrize("spec", RANKED)
@pytest.mark.parametrize("odd", ODD)
def test_an_unusual_question_gives_an_empty_or_valid_result(ask, spec, odd):
    evidence, _ = ask(spec, ODD[odd])
    assert len(evidence) <= 5


@pytest.mark.parametrize("spec", SPECS)
def test_an_empty_collection_gives_an_empty_ranking(ask, spec):
    assert ask(spec, scope=Scope(collection_id("nobody put anything here"))) == ((), ())


@pytest.fixture(scope="module")
def two_documents(graph, corpus):
    """The scope of two documents, and the ids of all documents, evidence and triples outside of it."""
    names = {"collection": collection_id(corpus), "names": ["Ingrid Vale", "Bergen"]}
    scope = Scope(collection_id(corpus), tuple(graph.store.read("documents/document_names", names)["id"]))
    outside = """MATCH (n:Document|Evidence|Triple {collection: $collection})
        WHERE NOT coalesce(n.document, n.id) IN $documents RETURN n.id"""
    with graph.store.driver.session(database=graph.store.connection.database) as session:
        rows = session.run(outside, collection=scope.collection, documents=list(scope.documents)).values()
    assert len(rows) >= 2 * 8  # the other documents, with their passages
    return scope, {id for [id] in rows}


@pytest.mark.parametrize("spec", RANKED)
def test_nothing_outside_a_scope_of_documents_is_read(ask, graph, two_documents, spec):
    scope, outside = two_documents
    graph.texts.clear()
    evidence, _ = ask(spec, k=10, scope=scope)
    assert {item.document for item in evidence} <= {"Ingrid Vale", "Bergen"}
    assert graph.texts
    assert not graph.texts & outside


@pytest.mark.parametrize("spec", RANKED)
def test_a_closed_flow_makes_no_further_requests(services, corpus, spec):
    scope = Scope(collection_id(corpus))
    steps = len(run(retrieve_evidence(load_strategy(spec), QUESTION, 5), services, scope).trace.steps)
    for stop in range(1, steps + 1):
        cancel = CancelToken()
        flow = retrieve_evidence(load_strategy(spec), QUESTION, 5)
        seen = []
        listener = lambda step: (seen.append(step), len(seen) == stop and cancel.cancel())  # noqa: B023, E731
        if stop < steps:
            with pytest.raises(Cancelled):
                run(flow, services, scope, cancel=cancel, on_step=listener)  # type: ignore[arg-type]
            assert stop <= len(seen) <= stop + 1  # a search by vector is two steps: embedding and search
        assert flow.close() is None
        assert flow.gi_frame is None or stop == steps  # type: ignore[attr-defined]


@pytest.mark.parametrize("spec", SPECS)
def test_an_error_of_the_graph_reaches_the_caller_and_ends_the_flow(settings, schema_chat, spec):
    class Broken(Graph):
        def search(self, request, scope, vector):
            raise HoplineError("gone")

        def fetch(self, name, parameters, scope):
            raise HoplineError("gone")

    flow = retrieve_evidence(load_strategy(spec), QUESTION, 5)
    with pytest.raises(HoplineError, match="gone"):
        run(flow, Services(Broken(), load_embedder(settings), schema_chat, models=Learned()), Scope("c"))
    with pytest.raises(StopIteration):
        flow.send(Hits())
