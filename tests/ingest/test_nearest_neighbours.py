"""Nearest neighbours by the vector index and by all pairs, on the real server."""

from contextlib import closing

import pytest

from hopline.ids import collection_id
from hopline.store.graph import Store
from hopline_ingest.nearest_neighbours import NearestNeighbours


def test_the_vector_index_gives_a_small_collection_the_neighbours_of_all_pairs(hop, corpus, settings):
    collection = collection_id(corpus)
    with closing(Store.open(settings, embedder="minilm", dimension=384)) as store:
        ids = store.read("ingest/embedded_evidence", {"collection": collection, "embedding": store.embedding})["id"]
        by_pairs = NearestNeighbours(store, "minilm").find(collection, ids)
        by_index = NearestNeighbours(store, "minilm", exact_up_to=0).find(collection, ids)
        one_more = NearestNeighbours(store, "minilm", exact_up_to=0).find(collection, ids[:1])
    assert {id: len(neighbours) for id, neighbours in by_index.items()} == dict.fromkeys(ids, len(ids) - 1)
    for id, neighbours in by_pairs.items():
        assert dict(by_index[id]) == pytest.approx(dict(neighbours), abs=2e-5)
    assert one_more == {ids[0]: by_index[ids[0]]}, "the lists of the others do not change"
