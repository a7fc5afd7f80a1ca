"""A client whose embedder is a remote endpoint: it works without it where nothing is embedded, and closes it."""

from typing import Any

import numpy as np
import pytest

from hopline import Hopline
from hopline.documents.worker_process import WorkerSupervisor
from hopline.embeddings.loader import load_embedder
from hopline.errors import ModelUnavailable
from hopline.flow.requests import search
from hopline.flow.services import Scope
from hopline.llm.endpoint import Endpoint
from hopline.store.graph import Store

NOWHERE: dict[str, Any] = {"embedder": "openai:remote", "openai_base_url": "http://127.0.0.1:9/v1", "model_retries": 0}


def test_documents_are_managed_while_the_embedder_is_not_available(graph_settings, tiny, monkeypatch):
    # no worker completes what was written by hand
    monkeypatch.setattr(WorkerSupervisor, "ensure_running_if_needed", lambda supervisor: None)
    graph = tiny()
    graph.passage("a", "The harbour was enlarged.", (1, 0, 0, 0), document="one.pdf")
    collection = graph.name  # writes the graph, so that the other client can count its passages
    with Hopline.open(home=graph_settings.home, worker=False, **NOWHERE) as hop:
        status = hop.status()
        assert (status.embedder, status.passages > 0) == ("remote", True)
        assert [document.name for document in hop.documents.list(collection)] == ["one.pdf"]
        with pytest.raises(ModelUnavailable):
            hop.retrieve("harbour", collection=collection, strategy="dense")
        assert hop.retrieve("harbour", collection=collection, strategy="bm25").evidence
        assert hop.documents.remove("one.pdf", collection=collection) == 1


@pytest.mark.private
def test_a_server_is_stopped_while_the_embedder_is_not_available(tmp_path, monkeypatch):
    Hopline.open(home=tmp_path, worker=False).close()
    monkeypatch.setenv("HOPLINE_EMBEDDER", NOWHERE["embedder"])
    monkeypatch.setenv("OPENAI_BASE_URL", NOWHERE["openai_base_url"])
    assert Hopline.stop(tmp_path)


def test_closing_the_client_closes_the_connections_of_the_embedder(graph_settings, monkeypatch):
    closed = []
    monkeypatch.setattr(Endpoint, "close", lambda endpoint: closed.append(endpoint.address))
    Hopline.open(home=graph_settings.home, worker=False, **NOWHERE).close()
    assert closed == [NOWHERE["openai_base_url"]]


def test_local_embedders_have_nothing_to_close(graph_settings):
    load_embedder(graph_settings).close()


def test_vector_indexes_are_created_with_the_first_vector(graph_settings, tiny):
    graph = tiny()
    graph.passage("a", "The harbour was enlarged.", (1, 0, 0, 0))
    store = Store.open(graph_settings, embedder="late")

    def list_indexes():
        records = store.driver.execute_query(
            "SHOW VECTOR INDEXES YIELD name", database_=store.connection.database
        ).records
        return {record["name"] for record in records if record["name"].endswith("_vector_late")}

    try:
        assert list_indexes() == set()
        vector = np.array([1, 0, 0], np.float32)
        store.search(search(vector, 3), Scope(graph.collection), vector)
        assert list_indexes() == {f"{kind}_vector_late" for kind in ("evidence", "table", "entity", "triple")}
    finally:
        store.close()
