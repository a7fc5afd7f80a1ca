"""Errors of the driver are translated to errors of Hopline; conflicting writes are retried."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from neo4j.exceptions import DriverError, Neo4jError, ServiceUnavailable

from hopline.config import load_settings
from hopline.errors import EngineError, EngineRefused, EngineUnavailable, ResourceError, StatementError
from hopline.neo4j_server.connection import Connection
from hopline.store.driver_errors import retry, to_hopline_error, translate_errors
from hopline.store.graph import Store


class Proxy:
    """A proxy between driver and server on loopback; closes all connections when the driver sends ``word``."""

    def __init__(self, uri):
        self.server = (urlsplit(uri).hostname, urlsplit(uri).port)
        self.word = None
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.uri = f"bolt://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                near = self._listening.accept()[0]
                far = socket.create_connection(self.server)
                self._open += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source, target):
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if self.word and self.word in data:
                    break
                target.sendall(data)
        self.close()

    def close(self):
        for connection in (self._listening, *self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


@pytest.fixture
def proxy(graph_store):
    new_proxy = Proxy(graph_store.connection.uri)
    yield new_proxy
    new_proxy.close()


def proxy_settings(proxy, graph_store, home):
    """Settings that reach the tests' server through the proxy."""
    known = graph_store.connection
    return load_settings(
        home=home,
        neo4j_uri=proxy.uri,
        neo4j_user=known.user,
        neo4j_password=known.password,
        neo4j_database=known.database,
    )


@pytest.fixture
def run(graph_store):
    """Runs Cypher as another program would."""

    def run(text, **parameters):
        return graph_store.driver.execute_query(text, parameters, database_=graph_store.connection.database).records

    return run


def test_a_schema_that_conflicts_with_other_data_says_what_to_do(graph_store, graph_settings, run):
    run("MATCH (m:Mark {name: 'schema'}) DELETE m")
    run("DROP CONSTRAINT corpus_id")
    run("CREATE (:Corpus {id: 'twice'}), (:Corpus {id: 'twice'})")
    try:
        with pytest.raises(EngineRefused, match=r"(?s)Corpus.*set NEO4J_DATABASE"):
            Store.open(graph_settings, embedder="clash", dimension=4)
    finally:
        run("MATCH (n:Corpus {id: 'twice'}) DELETE n")
        Store.open(graph_settings, embedder="clash", dimension=4).close()


def test_vectors_that_are_too_long_for_an_index_are_refused(graph_settings):
    with pytest.raises(EngineError, match="between 1 and 4096"):
        Store.open(graph_settings, embedder="wide", dimension=5000)


def test_a_connection_lost_during_schema_creation_is_unavailable(graph_store, proxy, tmp_path, run):
    run("MATCH (m:Mark {name: 'schema'}) DELETE m")
    proxy.word = b"CREATE CONSTRAINT"
    with pytest.raises(EngineUnavailable, match="check that the server runs"):
        Store.open(proxy_settings(proxy, graph_store, tmp_path), embedder="away", dimension=4)


def test_a_connection_lost_during_a_read_is_unavailable(graph_store, proxy, tmp_path):
    opened = Store.open(proxy_settings(proxy, graph_store, tmp_path), embedder="toy", dimension=4)
    proxy.word = b"passages"
    with pytest.raises(EngineUnavailable):
        opened.read("documents/totals")
    opened.close()


def test_a_write_reconnects_at_once_after_the_private_server_has_ended(graph_store, proxy, tmp_path, monkeypatch):
    """It is restarted by the reconnection, so that repeating the transaction before is in vain."""
    opened = Store.open(proxy_settings(proxy, graph_store, tmp_path), embedder="toy", dimension=4)
    opened.connection = replace(opened.connection, private=True)
    monkeypatch.setattr("hopline.store.graph.connect", lambda settings: graph_store.connection)
    pauses = []
    monkeypatch.setattr("hopline.store.driver_errors.time.sleep", pauses.append)
    proxy.close()
    opened.write(("schema/set_mark", {"name": "restarted", "value": "1"}))
    assert pauses == []
    assert graph_store.read("schema/marks", {"names": ["restarted"]})["value"] == ["1"]
    opened.close()


@pytest.mark.parametrize("value", [object(), 2**70, "\ud800"], ids=["object", "too large", "surrogate"])
def test_a_parameter_that_neo4j_cannot_store_names_the_statement(graph_store, value):
    with pytest.raises(StatementError, match=r"topics/evidence_counts\.cypher|documents/collection\.cypher"):
        graph_store.read("documents/collection", {"name": value, "id": "x"})
    with pytest.raises(StatementError, match=r"ingest/rename_collection\.cypher"):
        graph_store.write(("ingest/rename_collection", {"id": value, "name": "x"}))
    assert "passages" in graph_store.read("documents/totals")


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("Neo.ClientError.Security.Forbidden", EngineRefused, "grant it"),
        ("Neo.ClientError.Security.Unauthorized", EngineRefused, "NEO4J_PASSWORD"),
        ("Neo.DatabaseError.Schema.ConstraintCreationFailed", EngineRefused, "NEO4J_DATABASE"),
        ("Neo.ClientError.Schema.IndexAlreadyExists", EngineRefused, "NEO4J_DATABASE"),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", EngineRefused, "writable"),
        ("Neo.ClientError.Database.DatabaseNotFound", EngineRefused, "NEO4J_DATABASE"),
        ("Neo.ClientError.Statement.EntityNotFound", EngineError, "try again"),
        ("Neo.ClientError.Statement.SyntaxError", StatementError, "refused a statement"),
        ("Neo.ClientError.Transaction.TransactionTimedOut", ResourceError, "db.transaction.timeout"),
        ("Neo.TransientError.General.TransactionMemoryLimit", ResourceError, "HOPLINE_SERVER_HEAP_MB"),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", ResourceError, "HOPLINE_SERVER_HEAP_MB"),
        ("Neo.TransientError.General.DatabaseUnavailable", EngineUnavailable, "start it"),
        ("Neo.TransientError.Transaction.DeadlockDetected", EngineError, "try again"),
        ("Neo.DatabaseError.General.UnknownError", EngineError, "log"),
    ],
)
def test_an_error_of_the_server_is_translated_with_advice(graph_store, code, kind, words):
    error = Neo4jError._hydrate_neo4j(code=code, message="the server's {own} words")
    translated = to_hopline_error(error, graph_store.connection)
    assert type(translated) is kind
    assert words in str(translated)
    assert "the server's {own} words" in str(translated) or code.endswith("DatabaseNotFound")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ServiceUnavailable("gone"), EngineUnavailable),
        (OSError("reset"), EngineUnavailable),
        (DriverError("closed"), EngineError),
    ],
)
def test_an_error_of_the_connection_names_the_server(graph_store, error, kind):
    translated = to_hopline_error(error, graph_store.connection)
    assert type(translated) is kind
    assert graph_store.connection.uri in str(translated)


def wait_for_lock(store):
    """Wait until a transaction waits for a lock that another one holds."""
    deadline = time.monotonic() + 30
    blocked = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*)"
    with store.driver.session(database=store.connection.database) as session:
        while not session.run(blocked).single(strict=True)[0]:
            assert time.monotonic() < deadline, "no transaction waits for a lock"
            time.sleep(0.01)


def list_mentions(graph, entity):
    mentions = "MATCH (p:Evidence)-[:MENTIONS]->(:Entity {id: $id}) RETURN p.id ORDER BY p.id"
    with graph.store.driver.session(database=graph.store.connection.database) as session:
        return graph.keys([id for [id] in session.run(mentions, id=entity)])


def test_a_write_is_retried_when_its_node_is_deleted_concurrently(tiny, caplog):
    graph = tiny()
    graph.passage("a", "text", (1, 0, 0, 0))
    id = graph.entity("Ingrid Vale")
    mention = {"evidence": graph.id("a"), "entity": id, "count": 1, "spans": [0, 1]}
    caplog.set_level("INFO", "hopline.store.driver_errors")
    with (
        ThreadPoolExecutor(1) as thread,
        graph.store.driver.session(database=graph.store.connection.database) as session,
        session.begin_transaction() as other,
    ):
        other.run("MATCH (e:Entity {id: $id}) DELETE e", id=id).consume()
        writing = thread.submit(graph.store.write, ("ingest/write_mentions", {"mentions": [mention]}))
        wait_for_lock(graph.store)  # it has found the entity
        other.commit()
        writing.result()
    assert caplog.text.count("retrying") == 1
    assert list_mentions(graph, id) == []  # the second attempt found no entity


def test_a_write_that_always_conflicts_fails_after_five_retries(graph_store, monkeypatch):
    attempts = []

    def conflict(self, driver, writes):
        attempts.append(writes)
        raise Neo4jError._hydrate_neo4j(code="Neo.ClientError.Statement.EntityNotFound", message="Unable to load NODE")

    monkeypatch.setattr(Store, "_write", conflict)
    with pytest.raises(EngineError, match="Unable to load NODE; try again"):
        graph_store.write()
    assert len(attempts) == 6


def test_writers_that_link_and_delete_the_same_entity_both_succeed(tiny, caplog):
    graph = tiny()
    graph.passage("a", "text", (1, 0, 0, 0))
    id = graph.entity("Ingrid Vale")
    caplog.set_level("INFO", "hopline.store.driver_errors")

    def link():
        for _ in range(400):  # the writers meet after a few rounds
            graph.entity("Ingrid Vale", "a")
            graph.store.write(("ingest/drop_extraction", {"ids": [graph.id("a")]}))
            if "retrying" in caplog.text:
                break
        graph.entity("Ingrid Vale", "a")

    def delete():
        while not linking.done():
            graph.store.write(("entities/delete_orphans", {"ids": [id]}))

    with ThreadPoolExecutor(2) as threads:
        linking = threads.submit(link)
        deleting = threads.submit(delete)
        linking.result()
        deleting.result()
    assert "retrying" in caplog.text, "no write conflicted with another"
    assert list_mentions(graph, id) == ["a"]


def interrupt():
    try:
        raise KeyboardInterrupt
    finally:
        raise ServiceUnavailable("the rollback failed")


def test_an_interruption_is_not_replaced_by_the_error_of_the_rollback():
    connection = Connection("bolt://127.0.0.1:1", "neo4j", "", "neo4j", private=True)
    with pytest.raises(KeyboardInterrupt), translate_errors(connection):
        interrupt()


def test_an_interrupted_statement_is_not_retried():
    with pytest.raises(KeyboardInterrupt):
        retry(interrupt, lambda error: True, [0.0])
