import unicodedata

import numpy as np
import pytest

from hopline.errors import StatementError, UsageError
from hopline.flow.requests import VectorFilter, search
from hopline.flow.services import NO_DOCUMENT, Scope
from hopline.store.entity_update import update_entities
from hopline.store.lucene import MAX_TERMS, add_folded_words, build_prefix_query, build_scoped_query, extract_terms
from hopline.store.search import search_graph

EAST, NORTH = np.array([1, 0, 0, 0], np.float32), np.array([0, 1, 0, 0], np.float32)


@pytest.fixture
def harbour(tiny):
    graph = tiny()
    graph.passage("a", "The harbour of Bergen was enlarged.", [1, 0, 0, 0], "one.pdf")
    graph.passage("b", "Herring boats left the harbour at dawn.", [0.8, 0.6, 0, 0], "one.pdf", page=2)
    graph.passage("c", "Slate roofs are heavy.", [0, 1, 0, 0], "two.pdf")
    return graph


def test_dense_search_gives_exact_cosines_best_first(harbour, graph_store):
    hits = graph_store.search(search(EAST, 3), harbour.scope(), EAST)
    assert harbour.keys(hits.ids) == ["a", "b", "c"]
    assert hits.scores == pytest.approx((1.0, 0.8, 0.0), abs=1e-6)


def test_text_search_stems_and_omits_passages_without_a_matching_word(harbour, graph_store):
    hits = graph_store.search(search("harbours", 5, by="text"), harbour.scope(), None)
    assert sorted(harbour.keys(hits.ids)) == ["a", "b"]


COMPOSED, DECOMPOSED = "Søren Ibáñez", unicodedata.normalize("NFD", "Søren Ibáñez")


@pytest.mark.parametrize("query", ["soren ibanez", "Ibañez", "IBÁÑEZ", DECOMPOSED, COMPOSED])
@pytest.mark.parametrize("written", [COMPOSED, DECOMPOSED, "Soren Ibanez"])
def test_words_are_found_with_and_without_their_accents(tiny, graph_store, written, query):
    graph = tiny()
    graph.passage("a", f"The keel was laid by {written}, at dawn.", [1, 0, 0, 0])
    graph.passage("b", "The keel was laid by Maud Kerrigan at dawn.", [1, 0, 0, 0])
    graph.table("t", "1", f"Owner: {written}", [1, 0, 0, 0])
    graph.entity(written, "a")
    graph.triple("a", written, "laid", "the keel", [1, 0, 0, 0])
    update_entities(graph_store)  # it writes the names of entities again
    for request in (
        search(query, 5, over="table", by="text"),
        search(query, 5, over="entity", by="text"),
        search(query, 5, over="triple", by="text"),
    ):
        assert len(graph_store.search(request, graph.scope(), None)) == 1, request.over
    assert graph.keys(graph_store.search(search(query, 5, over="passage", by="text"), graph.scope(), None).ids) == ["a"]


def test_a_passage_with_the_spelling_of_the_question_is_first(tiny, graph_store):
    graph = tiny()
    for key, name in (("a", "Soren"), ("b", "Søren"), ("c", "Soren")):
        graph.passage(key, f"The keel was laid by {name}.", [1, 0, 0, 0])
    hits = graph_store.search(search("Søren", 5, by="text"), graph.scope(), None)
    assert graph.keys(hits.ids)[0] == "b"
    assert sorted(graph.keys(hits.ids)) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "indexed"),
    [
        ("Søren’s café at the Café", "Søren’s café at the Café\x1fSoren's cafe Cafe"),
        ("Straße, Œuvre, İstanbul", "Straße, Œuvre, İstanbul\x1fStrasse OEuvre Istanbul"),
        ("O’Brien — “plain” text", "O’Brien — “plain” text"),
        ("λόγος, йод, が, 한국어", "λόγος, йод, が, 한국어"),
        ("plain", "plain"),
    ],
)
def test_only_words_with_accents_are_added_to_an_indexed_text(text, indexed):
    assert add_folded_words(text) == indexed


def test_queries_without_accents_are_unchanged():
    assert build_scoped_query("The harbour’s keel", "c") == "+collection:c^0 +search:(the harbour's keel)"
    assert build_scoped_query("Søren’s keel", "c") == "+collection:c^0 +search:(søren's soren's keel)"
    assert build_prefix_query("keel Søre", "c") == "+collection:c^0 +search:(keel søre sore k.e.e.l søre* sore*)"
    assert build_prefix_query("harbour", "c") == "+collection:c^0 +search:(harbour harbour*)"
    assert build_prefix_query("A.B.C.", "c") == "+collection:c^0 +search:(a b c abc a.b.c c*)"
    assert build_prefix_query("(Co-op)", "c") == "+collection:c^0 +search:(co op coop c.o.o.p op*)"


def test_words_of_scripts_that_are_not_stemmed_are_found_with_any_ending(harbour, graph_store):
    harbour.passage("d", "Старая станция стоит у реки.", [0, 0, 1, 0], "three.pdf")
    hits = graph_store.search(search("Когда построили старую станцию?", 3, by="text"), harbour.scope(), EAST)
    assert harbour.keys(hits.ids) == ["d"]
    assert build_scoped_query("кран", "c") == "+collection:c^0 +search:(кран)"


def test_chinese_is_found_by_its_characters(harbour, graph_store):
    harbour.passage("d", "港务长是李明。", [0, 0, 1, 0], "three.pdf")
    harbour.passage("e", "灯塔的高度是三十二米。", [0, 0, 1, 0], "three.pdf")
    hits = graph_store.search(search("港务长叫什么？", 3, by="text"), harbour.scope(), EAST)
    assert harbour.keys(hits.ids)[0] == "d"


def test_hybrid_search_fuses_both_lists(harbour, graph_store):
    hits = graph_store.search(search("slate", 3, by="hybrid"), harbour.scope(), EAST)
    assert harbour.keys(hits.ids)[0] == "c"  # first by its words, third by its vector
    assert hits.scores[0] == pytest.approx(1 / 61 + 1 / 63)


def test_a_scope_of_documents_hides_all_others(harbour, graph_store):
    for by in ("dense", "text", "hybrid"):
        hits = graph_store.search(search("harbour slate", 5, by=by), harbour.scope("two.pdf"), EAST)
        assert harbour.keys(hits.ids) == ["c"], by


def test_other_collections_are_not_searched(harbour, tiny, graph_store):
    other = tiny()
    other.passage("x", "The harbour of Bergen was enlarged.", [1, 0, 0, 0])
    for by in ("dense", "text", "hybrid"):
        assert other.keys(graph_store.search(search("harbour", 10, by=by), other.scope(), EAST).ids) == ["x"], by


def test_at_most_k_are_returned_and_k_below_one_is_refused(harbour, graph_store):
    assert len(graph_store.search(search(EAST, 2), harbour.scope(), EAST)) == 2
    with pytest.raises(UsageError, match="k must be at least 1"):
        graph_store.search(search(EAST, 0), harbour.scope(), EAST)


def test_tables_entities_and_triples_are_searched_in_their_own_indexes(harbour, graph_store):
    harbour.entity("Bergen", "a")
    harbour.triple("a", "the harbour", "was enlarged in", "1893", [0, 0, 1, 0])
    hits = graph_store.search(search("Bergen", 5, over="entity", by="text"), harbour.scope(), None)
    assert len(hits) == 1
    vector = np.array([0, 0, 1, 0], np.float32)
    assert graph_store.search(search(vector, 5, over="triple"), harbour.scope(), vector).scores == pytest.approx((1.0,))
    assert len(graph_store.search(search("harbour", 5, over="table", by="text"), harbour.scope(), None)) == 0


def test_ties_are_ordered_by_id(tiny, graph_store):
    graph = tiny()
    for key in "dbca":
        graph.passage(key, f"Same words {key}.", [1, 0, 0, 0])
    assert graph.keys(graph_store.search(search(EAST, 4), graph.scope(), EAST).ids) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "text",
    ['"unbalanced', "a AND OR NOT b", "(((", "field:value", "C++ && ||", "Amandla!: A Revolution In Four-Part Harmony",
     "{[^~*?\\/]}", "λόγος и 日本語", "…", "x" * 10_000, "word " * 5000],
)  # fmt: skip
def test_no_text_makes_lucene_fail_or_hides_a_word_after_it(harbour, graph_store, text):
    hits = graph_store.search(search(f"{text} slate", 3, by="text"), harbour.scope(), None)
    assert harbour.keys(hits.ids) == ["c"]


@pytest.mark.parametrize("text", ["Is this it?", "the", "It's not"])
def test_a_text_of_stop_words_matches_nothing(tiny, graph_store, text):
    graph = tiny()
    graph.passage("a", "The harbour is where it was.", [1, 0, 0, 0])
    graph.passage("b", "This is not the harbour.", [0.8, 0.6, 0, 0])
    assert graph_store.search(search(text, 3, by="text"), graph.scope(), None).ids == ()
    hybrid = graph_store.search(search(text, 3, by="hybrid"), graph.scope(), EAST)
    assert hybrid.scores == pytest.approx((1 / 61, 1 / 62))  # those of the dense list alone


def test_terms_are_lower_case_words_each_once_up_to_a_limit():
    assert extract_terms("The Orre AND the C++ of O'Brien's") == ["the", "orre", "and", "c", "of", "o'brien's"]
    assert len(extract_terms(" ".join(f"w{n}" for n in range(5000)))) == MAX_TERMS


@pytest.mark.parametrize("scan_below", [1000, 0])
@pytest.mark.parametrize("by", ["text", "dense", "hybrid"])
def test_passages_are_found_among_many_tables(tiny, graph_store, monkeypatch, by, scan_below):
    monkeypatch.setattr("hopline.store.search.SCAN_BELOW", scan_below)  # by a scan, then by the index
    monkeypatch.setattr("hopline.store.search.MIN_CANDIDATES", 1)
    monkeypatch.setattr("hopline.store.search.HYBRID_DEPTH", 1)
    graph = tiny()
    for n in range(30):
        graph.table(f"t{n:02}", str(n), "harbour harbour harbour", [1, 0, 0, 0])
    for n in range(3):
        long = (
            "The harbour of a town where herring boats leave at dawn and come back in the evening." + " Rain." * 3 * n
        )
        graph.passage(f"p{n}", long, [0.8 - n / 10, 0.6, 0, 0])
    for k in (1, 3):
        hits = graph_store.search(search("harbour", k, over="passage", by=by), graph.scope(), EAST)
        assert graph.keys(hits.ids) == ["p0", "p1", "p2"][:k]
    assert len(graph_store.search(search("harbour", 5, over="passage", by=by), graph.scope(), EAST)) == 3
    assert len(graph_store.search(search("nothing", 5, over="passage", by="text"), graph.scope(), None)) == 0


def test_a_text_without_words_gives_an_empty_query():
    assert build_scoped_query("?!…", "abc") == ""


def test_a_text_search_with_a_vector_is_refused(harbour, graph_store):
    with pytest.raises(UsageError, match="needs a text"):
        graph_store.search(search(EAST, 3, by="text"), harbour.scope(), None)


class RecordingStore:
    """A store that answers from a script and records the statements that a search runs."""

    embedding = "vector_toy"

    def __init__(self, inside, total, rows):
        self.sizes, self.rows, self.requests = (inside, total), rows, []

    def count_evidence(self, collection):
        return self.sizes

    def read(self, name, parameters=None):
        self.requests.append((name, parameters))
        rows = self.rows.pop(0)
        return {"id": [f"i{n}" for n in range(rows)], "score": [1.0] * rows}


def test_a_small_collection_is_scanned():
    store = RecordingStore(500, 1_000_000, [10])
    search_graph(store, search(EAST, 10), Scope("c"), EAST)
    assert [name for name, _ in store.requests] == ["search/scan_evidence"]


def test_more_candidates_are_requested_for_a_smaller_part_of_the_graph():
    store = RecordingStore(10_000, 30_000, [10])
    search_graph(store, search(EAST, 10), Scope("c"), EAST)
    [(name, parameters)] = store.requests
    assert (name, parameters["width"]) == ("search/dense", 300)


def test_too_few_candidates_of_the_collection_cause_a_scan():
    store = RecordingStore(10_000, 30_000, [7, 10])
    assert len(search_graph(store, search(EAST, 10), Scope("c"), EAST)) == 10
    assert [name for name, _ in store.requests] == ["search/dense", "search/scan_evidence"]


def test_a_missing_parameter_is_named(graph_store):
    with pytest.raises(StatementError, match=r"search/dense\.cypher needs \$"):
        graph_store.read("search/dense", {"k": 3})


def test_an_unknown_statement_is_named_in_the_error(graph_store):
    with pytest.raises(StatementError, match="no statement called 'search/nothing'"):
        graph_store.read("search/nothing")


@pytest.fixture
def topic_graph(tiny, graph_store):
    """Six passages: the nearer to the east, the less they are about the first topic."""
    graph = tiny()
    rows = []
    for n in range(6):
        graph.passage(f"p{n}", f"passage {n}", [10 - n, n, 0, 0], "even.pdf" if n % 2 == 0 else "odd.pdf")
        spread = np.array([n + 1.0, 6.0 - n], np.float32)
        rows.append(
            {"id": graph.id(f"p{n}"), "vector": (spread / np.linalg.norm(spread)).tolist(), "theme": int(n < 3)}
        )
    graph.passage("none", "without themes", [10, 0, 0, 0])
    graph_store.ensure_vector_index("themes_toy_two", 2)
    graph_store.ensure_vector_index("themes_toy_two", 2)
    graph.store.write(("topics/write_topics", {"property": "themes_toy_two", "themes": "toy_two", "rows": rows}))
    return graph


@pytest.mark.parametrize("scan_below", [1000, 0])
def test_a_vector_filter_limits_a_search_to_the_nearest_in_another_property(
    topic_graph, graph_store, monkeypatch, scan_below
):
    monkeypatch.setattr("hopline.store.search.SCAN_BELOW", scan_below)  # by a scan, then by the index
    first = np.array([1, 0], np.float32)
    query = search(EAST, 2, vector_filter=VectorFilter("themes_toy_two", first, 3))
    assert topic_graph.keys(graph_store.search(query, topic_graph.scope(), EAST).ids) == [
        "p3",
        "p4",
    ]  # of p5, p4 and p3 the eastmost
    share = search(EAST, 1, vector_filter=VectorFilter("themes_toy_two", first, 0.29))  # of seven: three
    assert topic_graph.keys(graph_store.search(share, topic_graph.scope(), EAST).ids) == ["p3"]
    with monkeypatch.context() as patch:
        patch.setattr("hopline.store.search.MAX_INDEX_WIDTH", 2)  # a larger fraction would be slower than a scan
        assert topic_graph.keys(graph_store.search(share, topic_graph.scope(), EAST).ids) == ["p4"]
    every = search(EAST, 2, vector_filter=VectorFilter("themes_toy_two", first, 100))
    assert topic_graph.keys(graph_store.search(every, topic_graph.scope(), EAST).ids) == ["p0", "p1"]
    mixed = search(EAST, 1, vector_filter=VectorFilter("themes_toy_two", first, 3, mix=1.0))
    assert topic_graph.keys(graph_store.search(mixed, topic_graph.scope(), EAST).ids) == ["p5"]
    odd = search(EAST, 5, vector_filter=VectorFilter("themes_toy_two", first, 2))
    assert topic_graph.keys(graph_store.search(odd, topic_graph.scope("odd.pdf"), EAST).ids) == ["p1", "p3", "p5"]


def test_an_invalid_property_name_is_refused(graph_store):
    with pytest.raises(StatementError, match="vector property"):
        graph_store.ensure_vector_index("Themes `x`", 2)


@pytest.mark.parametrize("written", ["E-117", "E117", "E 117"])
@pytest.mark.parametrize("query", ["fault E-117", "fault E117"])
def test_an_identifier_is_found_as_a_whole_in_any_spelling(tiny, graph_store, written, query):
    graph = tiny()
    graph.passage("other", "Fault E-118, fault E-119, fault 117 of pump E: a fault of the flue.", [1, 0, 0, 0])
    graph.passage("asked", f"{written} stands for a blocked flue, which the service cleans.", [1, 0, 0, 0])
    hits = graph_store.search(search(query, 5, by="text"), graph.scope(), None)
    assert graph.keys(hits.ids)[0] == "asked"


@pytest.mark.parametrize("queries", [5, 0])
@pytest.mark.parametrize("by", ["text", "dense", "hybrid"])
@pytest.mark.parametrize("over", ["passage", "triple"])
def test_a_scope_of_many_documents_finds_what_one_of_few_does(tiny, graph_store, monkeypatch, over, by, queries):
    graph = tiny()
    for n in range(12):
        text = f"The harbour of Orre {'rain ' * n}"
        graph.passage(f"p{n:02}", text, [1, n / 10, 0, 0], f"{n}.pdf")
        graph.triple(f"p{n:02}", "Orre", f"has {'rain ' * n}", "harbour", [1, n / 10, 0, 0])
    scope = graph.scope(*(f"{n}.pdf" for n in range(1, 12, 2)))
    request = search("harbour Orre", 4, over=over, by=by)
    expected = graph_store.search(request, scope, EAST)
    assert len(expected) == 4
    for name, size in (("QUERY_DOCUMENTS", 2), ("SCAN_DOCUMENTS", 2), ("SCAN_BELOW", 0), ("MAX_QUERIES", queries)):
        monkeypatch.setattr(f"hopline.store.search.{name}", size)
    monkeypatch.setattr("hopline.store.search.MIN_CANDIDATES", 1)
    hits = graph_store.search(request, scope, EAST)
    assert (hits.ids, hits.scores) == (expected.ids, pytest.approx(expected.scores))


@pytest.mark.parametrize("by", ["text", "dense", "hybrid"])
@pytest.mark.parametrize("over", ["evidence", "entity", "triple"])
def test_nothing_is_found_in_an_empty_scope(harbour, graph_store, over, by):
    scope = Scope(harbour.collection, (NO_DOCUMENT,))
    assert scope.is_empty
    assert len(graph_store.search(search("harbour", 3, over=over, by=by), scope, EAST)) == 0
