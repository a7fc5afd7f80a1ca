"""Schema of a new graph: what is created before the first document, so that Neo4j plans each statement only once."""

from hopline import Hopline
from hopline.store.schema import VECTOR_INDEXES


def list_names(store, statement):
    return {record.value() for record in store.driver.execute_query(statement).records}


def test_properties_of_all_statements_are_known_before_one_is_written(graph_store):
    names = list_names(graph_store, "CALL db.propertyKeys()")
    assert {"pages_waiting", "theme_labels", "limit_request"} <= names  # no hand-made graph has them
    assert not {"known_path", "second", "hnsw"} & names  # of rows of parameters, and of index options


def test_the_vector_indexes_of_the_included_embedder_are_created_with_the_graph(graph_settings, graph_store):
    Hopline.open(home=graph_settings.home, worker=False).close()
    indexes = list_names(graph_store, "SHOW VECTOR INDEXES YIELD name")
    assert {f"{kind}_vector_minilm" for kind in VECTOR_INDEXES} <= indexes
