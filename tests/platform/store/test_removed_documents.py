"""Documents that are being removed: no statement that reads evidence returns anything of them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from hopline.config import Settings
from hopline.corrections.service import CorrectionService
from hopline.errors import UnknownName
from hopline.flow.requests import search
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.graph_explorer import GraphExplorer
from hopline.ids import document_id, page_id
from hopline.results import NodeKind
from hopline.store.collection_catalog import CollectionCatalog
from hopline.store.graph import Store
from hopline.strategies import list_strategy_names, load_strategy
from hopline_cypher.loader import load_statement, statement_names

FOLDERS_OF_OTHER_STATEMENTS = {
    "documents", "entities", "ingest", "learned", "migration", "removal", "schema", "topics",
    "corrections",  # of passages: test_no_correction_of_a_document_that_is_being_removed_is_listed
    "feedback",  # the names of documents remain: tests/platform/feedback/test_service.py
    "exchange",  # an export is refused while a document of the collection is being removed
}  # fmt: skip
WITHOUT_EVIDENCE = {
    "explore/collection_of_node",
    "explore/connections",
    "explore/count_neighbours",
    "explore/counts",
    "explore/graph_state",
    "explore/mention_counts",
    "explore/ranked_entities",
    "explore/shared_evidence",
    "gnn_ret/degrees",
    "retrieval/entities",
    "search/evidence_counts",
    "search/scan_entity",
}
NAMES = [
    name
    for name in statement_names()
    if name.partition("/")[0] not in FOLDERS_OF_OTHER_STATEMENTS and name not in WITHOUT_EVIDENCE
]
EAST = [1.0, 0.0, 0.0, 0.0]


class LinkedDocuments:
    """Two documents whose passages, tables and triples are linked with one another."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        triples = []
        for key, document, vector in (("a", "stays.pdf", EAST), ("x", "goes.pdf", [1, 0.1, 0, 0])):
            graph.passage(key, f"Ingrid Vale drew the bridge {key}.", vector, document, section=("1 Bridges",))
            graph.table(f"{key}t", "1 (rows 1–2)", f"Ingrid Vale, bridge {key}", vector, document)
            graph.figure(f"{key}f", "1", f"Figure 1: The bridge {key}", vector, document)
            triples.append(graph.triple(key, "Ingrid Vale", "drew", f"bridge {key}", vector))
            graph.about(key, "Ingrid Vale")
        graph.passage("b", "Ingrid Vale lived in Voss.", [1, 0.2, 0, 0], "stays.pdf")
        graph.about("b", "Ingrid Vale")
        self.entity = graph.entity("Ingrid Vale", "a", "at", "x", "xt")
        graph.follow("a", "x")
        graph.similar("a", "x", 0.9)
        graph.similar("b", "a", 0.8)
        stays, goes = (document_id(graph.collection, name) for name in ("stays.pdf", "goes.pdf"))
        self.visible = {
            graph.id("a"),
            graph.id("b"),
            graph.id("at"),
            graph.id("af"),
            triples[0],
            stays,
            page_id(stays, 1),
        }
        self.removed = {graph.id("x"), graph.id("xt"), graph.id("xf"), triples[1], goes, page_id(goes, 1)}
        self.documents, self.triples = (stays, goes), tuple(triples)

    def build_parameters(self, name: str) -> dict[str, Any]:
        """Build values of all parameters of the statements, such that each statement finds both documents."""
        graph, embedding = self.graph, self.graph.store.embedding
        source = graph.id("x") if name in {"explore/node", "explore/triples"} else self.entity
        words = "triple" if name == "explore/search_nodes" else "evidence"
        return {
            "ids": sorted(self.visible | self.removed), "wanted": sorted(self.visible | self.removed),
            "seeds": [graph.id("a"), graph.id("b"), graph.id("x")], "entities": [self.entity], "entity": self.entity,
            "pages": [{"document": document, "number": 1} for document in self.documents],
            "beams": [{"number": 0, "last": self.triples[0], "sum": EAST}],
            "id": source, "source": graph.id("x"), "target": self.entity, "words": ["pdf"],
            "index": f"{words}_text" if "query" in load_statement(name).parameters else f"evidence_{embedding}",
            "query": f"+collection:{graph.collection} +search:(vale bridge)",
            "pattern": ".*", "letters": {}, "label": "Triple" if name == "explore/search_nodes" else "", "expanded": [],
            "vector": EAST, "other": EAST, "property": embedding, "unlinked": [], "by": "",
            "hub": 100, "limit": 100, "k": 100, "width": 100, "within": 100, "sample": 100, "names": 100, "each": 100,
            "keywords": 100, "before": 20, "after": 20, "mix": 0.5, "by_entity": True, "by_position": True, "min_confidence": 0.0,
        }  # fmt: skip

    def read(self, name: str, scope: Scope) -> set[str]:
        """Return the texts among the values that a statement returns."""
        documents = self.documents if name.endswith("_documents") and name.startswith("search/") else ()
        parameters = self.build_parameters(name)
        scope = Scope(scope.collection, documents, scope.excluded)
        return set(collect_texts(list(self.graph.store.fetch(name, parameters, scope).values())))


def collect_texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for item in value for text in collect_texts(item)] if isinstance(value, list) else []


@pytest.fixture(scope="module")
def make_graph(tiny: Any, graph_settings: Settings) -> Iterator[Callable[[], Any]]:
    """Makes graphs with vector indexes of their own.

    The approximate search of a shared index may miss their vectors: the graphs of other tests have hundreds of equal
    ones.
    """
    with closing(Store.open(graph_settings, embedder="removal", dimension=4)) as store:
        yield lambda: type(tiny())(store)


@pytest.fixture(scope="module")
def complete(make_graph: Callable[[], Any]) -> LinkedDocuments:
    return LinkedDocuments(make_graph())


@pytest.fixture(scope="module")
def after_removal(make_graph: Callable[[], Any]) -> tuple[LinkedDocuments, Scope]:
    documents = LinkedDocuments(make_graph())
    return documents, documents.graph.remove("goes.pdf")


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_returns_nothing_of_a_document_that_is_being_removed(
    complete: LinkedDocuments, after_removal: tuple[LinkedDocuments, Scope], name: str
) -> None:
    before = complete.read(name, complete.graph.scope())
    assert before & complete.removed, "these parameters find the document before its removal"
    documents, scope = after_removal
    after = documents.read(name, scope)
    assert not after & documents.removed
    assert bool(after & documents.visible) or not before & complete.visible


def test_no_correction_of_a_document_that_is_being_removed_is_listed_or_made(make_graph: Callable[[], Any]) -> None:
    documents = LinkedDocuments(make_graph())
    graph = documents.graph
    corrections = CorrectionService(graph.store, CollectionCatalog(graph.store), lambda: None)
    first, last = (corrections.correct_passage(graph.id(key), f"Ingrid Vale built {key}.") for key in ("a", "x"))
    graph.remove("goes.pdf")
    assert corrections.list(graph.name) == (first,)
    for call in (lambda: corrections.correct_passage(graph.id("x"), "None."), lambda: corrections.undo(last.id)):
        with pytest.raises(UnknownName):
            call()


@pytest.mark.parametrize("name", [name for name in list_strategy_names() if not load_strategy(name).closed_book])
def test_a_strategy_returns_k_evidence_of_the_other_documents(tiny: Any, schema_chat: Any, name: str) -> None:
    graph = tiny()
    question = "Who drew the bridge of Ingrid Vale?"
    for n in range(12):
        key, document = f"p{n}", "goes.pdf" if n < 8 else "stays.pdf"
        graph.passage(key, f"Ingrid Vale drew the bridge {n}.", [1, n / 10, 0, 0], document)
        graph.triple(key, "Ingrid Vale", "drew", f"bridge {n}", [1, n / 10, 0, 0])
    graph.entity("Ingrid Vale", *(f"p{n}" for n in range(12)))
    graph.follow(*(f"p{n}" for n in range(12)))
    for n in range(8):
        graph.similar(f"p{n + 4}", f"p{n}", 0.9)
    graph.embedder.known[question] = EAST
    scope = graph.remove("goes.pdf")
    spec = "gold:ids=p8|p9|p10|p0" if name == "gold" else name
    services = Services(graph.store, graph.embedder, schema_chat)
    ranking = run(load_strategy(spec).flow(question, 3), services, scope).result
    assert set(graph.keys(ranking.ids)) <= {"p8", "p9", "p10", "p11"}
    assert len(ranking.ids) == 3


@pytest.mark.parametrize("by", ["text", "dense", "hybrid"])
@pytest.mark.parametrize("over", ["evidence", "passage", "table", "triple"])
def test_a_search_works_beside_thousands_of_documents_that_are_being_removed(
    complete: LinkedDocuments, over: Any, by: Any
) -> None:
    graph = complete.graph
    scope = Scope(graph.collection, excluded=(*(f"d{n:08}" for n in range(3000)), complete.documents[1]))
    hits = graph.store.search(search("vale bridge", 1, over=over, by=by), scope, np.asarray(EAST, np.float32))
    assert set(hits.ids) <= complete.visible
    assert len(hits.ids) == 1


def test_explore_shows_nothing_of_a_document_that_is_being_removed(
    after_removal: tuple[LinkedDocuments, Scope],
) -> None:
    documents, _ = after_removal
    graph = documents.graph
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    kinds: tuple[NodeKind, ...] = ("entity", "document", "table", "passage", "triple")
    matches = {match.node.id for match in explorer.find("vale bridge", collection=graph.name, kinds=kinds)}
    assert matches >= {graph.id("a"), graph.id("at"), documents.triples[0], documents.entity}
    around = {node.id for node in explorer.get_neighbourhood(documents.entity, 2).nodes}
    assert around >= {graph.id("a"), documents.triples[0]}
    overview = explorer.get_overview(graph.name)
    assert overview.total == 1 + 1 + 3 + 3 + 1  # documents, pages, evidence, entities, triples
    details = explorer.get_node(documents.entity)
    shown = {item.id for item in details.evidence} | {triple.id for triple in details.triples}
    assert not (matches | around | {node.id for node in overview.nodes} | shown) & documents.removed


def test_the_edges_of_a_document_that_is_being_removed_are_not_counted(
    after_removal: tuple[LinkedDocuments, Scope],
) -> None:
    documents, scope = after_removal
    names = ("explore/neighbours", "explore/count_neighbours")
    edges, counts = (documents.graph.store.fetch(name, documents.build_parameters(name), scope) for name in names)
    assert counts["edges"] == [len(edges["edge"])]


def test_explore_finds_no_entity_that_only_a_removed_document_mentions(tiny: Any) -> None:
    graph = tiny()
    graph.passage("a", "Jon Dahl lived in Voss.", EAST, "stays.pdf")
    graph.passage("x", "Jon Vale lived in Bergen.", EAST, "goes.pdf")
    graph.entity("Jon Dahl", "a")
    graph.entity("Jon Vale", "x")
    graph.remove("goes.pdf")
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    matches = explorer.find("Jon", collection=graph.name, kinds=["entity"])
    assert [match.node.name for match in matches] == ["Jon Dahl"]


def test_the_mentions_of_a_document_that_is_being_removed_are_not_counted(
    after_removal: tuple[LinkedDocuments, Scope],
) -> None:
    documents, _ = after_removal
    graph = documents.graph
    [vale] = GraphExplorer(graph.store, CollectionCatalog(graph.store)).list_entities(graph.name)
    assert (vale.node.name, vale.passages, vale.documents) == ("Ingrid Vale", 2, 1)
