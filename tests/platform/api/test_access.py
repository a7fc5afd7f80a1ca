"""API keys: what each may do, on every route."""

from __future__ import annotations

import json
import stat
from typing import Any

import pytest
from fastapi.testclient import TestClient

from hopline.api.app import create_app
from hopline.api.keys import KeyStore
from hopline.config import load_settings
from hopline.errors import UnknownName, UsageError
from hopline.testing import FakeHopline, make_document

OPEN_PATHS = {"/healthz", "/readyz"}


@pytest.fixture
def keys(tmp_path):
    return KeyStore(tmp_path)


@pytest.fixture
def app(tmp_path):
    documents = {"loans": [make_document("loans", "a.pdf")], "secret": [make_document("secret", "b.pdf")]}
    return create_app(FakeHopline(settings=load_settings(home=tmp_path), documents=documents), token="local token")


@pytest.fixture
def client(app):
    return TestClient(app, base_url="http://127.0.0.1:8600", raise_server_exceptions=False)


def sign(key):
    return {"Authorization": f"Bearer {key}"}


def test_a_key_is_stored_as_a_hash_in_a_file_of_its_owner(keys, tmp_path):
    key, record = keys.add("reader", scope="read", collections=["loans"])
    text = (tmp_path / "api_keys.json").read_text()
    assert key not in text
    assert key.split("_", 2)[2] not in text
    assert record.sha256 in text
    assert stat.S_IMODE((tmp_path / "api_keys.json").stat().st_mode) == 0o600
    assert KeyStore(tmp_path).find(key) == record
    assert keys.find(key + "x") is None


def test_keys_are_listed_and_removed_by_name_or_id(keys):
    _, first = keys.add("first")
    key, second = keys.add("second", scope="admin")
    assert keys.list() == (first, second)
    assert keys.remove("first") == first
    assert keys.remove(second.id) == second
    assert keys.find(key) is None
    with pytest.raises(UnknownName, match="no key called 'first'"):
        keys.remove("first")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "a key needs a name"),
        ({"name": "x", "scope": "root"}, "a scope is one of read, write, admin"),
        ({"name": "x", "collections": [" "]}, "a collection's name"),
    ],
)
def test_wrong_arguments_of_a_key_are_reported(keys, arguments, message):
    with pytest.raises(UsageError, match=message):
        keys.add(**arguments)


def test_a_name_is_given_once_and_a_damaged_file_is_reported(keys, tmp_path):
    keys.add("x")
    with pytest.raises(UsageError, match="there is a key called 'x' already"):
        keys.add("x")
    (tmp_path / "api_keys.json").write_text("{")
    with pytest.raises(UsageError, match="damaged"):
        KeyStore(tmp_path).list()


def test_without_keys_this_machine_needs_none_and_foreign_pages_are_refused(client):
    assert client.get("/v1/collections").status_code == 200
    assert client.get("/v1/collections", headers={"Origin": "http://localhost:8501"}).status_code == 200
    foreign = client.get("/v1/collections", headers={"Origin": "https://example.com"})
    assert foreign.status_code == 403
    assert "origin" in foreign.json()["detail"]
    rebound = client.get("/v1/collections", headers={"Host": "example.com"})
    assert rebound.status_code == 403
    assert rebound.headers["content-type"] == "application/problem+json"


def test_once_there_is_a_key_every_request_needs_one(client, keys):
    key, _ = keys.add("reader")
    missing = client.get("/v1/collections")
    assert missing.status_code == 401
    assert missing.headers["www-authenticate"] == "Bearer"
    assert client.get("/v1/collections", headers=sign("hop_wrong")).status_code == 401
    assert client.get("/v1/collections", headers=sign(key)).status_code == 200
    assert client.get("/v1/collections", headers=sign("local token")).status_code == 200
    keys.remove("reader")
    keys.add("other")
    assert client.get("/v1/collections", headers=sign(key)).status_code == 401


def routes_of(app):
    paths = app.openapi()["paths"]
    return sorted((method.upper(), path) for path in paths.keys() - OPEN_PATHS for method in paths[path])


def test_every_route_needs_a_key(app, client, keys):
    keys.add("reader")
    routes = routes_of(app)
    assert len(routes) > 35
    for method, path in routes:
        response = client.request(method, path.format(document="x", node="x", community="x", page=1))
        assert response.status_code == 401, (method, path)
    assert client.get("/healthz").json()["status"] == "ok"
    assert client.get("/readyz").status_code == 200


# A request to every route that succeeds with a key for everything, in the collection "secret"; {b} is its document.
REQUESTS: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/v1/ask"): {"json": {"question": "Who?", "collection": "secret"}},
    ("POST", "/v1/ask/stream"): {"json": {"question": "Who?", "collection": "secret"}},
    ("POST", "/v1/retrieve"): {"json": {"question": "Who?", "collection": "secret"}},
    ("POST", "/v1/retrieve/stream"): {"json": {"question": "Who?", "collection": "secret"}},
    ("POST", "/v1/retrieve-many"): {"json": {"questions": ["Who?"], "collection": "secret"}},
    ("POST", "/v1/context"): {"json": {"question": "Who?", "collection": "secret"}},
    ("POST", "/v1/compare"): {"json": {"question": "Who?", "strategies": ["bm25"], "collection": "secret"}},
    ("POST", "/v1/answer-from-graph"): {"json": {"question": "Who?", "collection": "secret"}},
    ("GET", "/v1/suggested-questions"): {"params": {"collection": "secret"}},
    ("PATCH", "/v1/collections"): {"params": {"collection": "secret"}, "json": {"name": "other"}},
    ("DELETE", "/v1/collections"): {"params": {"collection": "secret"}},
    ("GET", "/v1/export"): {"params": {"collection": "secret"}},
    ("GET", "/v1/topics"): {"params": {"collection": "secret"}},
    ("PUT", "/v1/topics"): {"json": {"name": "", "collection": "secret"}},
    ("POST", "/v1/evaluate"): {"json": {"questions": [{"question": "Who?", "answer": "A"}], "collection": "secret"}},
    ("POST", "/v1/documents"): {"data": {"collection": "secret"}, "files": {"files": ("x.txt", b"text")}},
    ("POST", "/v1/estimate"): {"data": {"collection": "secret"}, "files": {"files": ("x.txt", b"text")}},
    ("GET", "/v1/documents"): {"params": {"collection": "secret"}},
    ("GET", "/v1/documents/count"): {"params": {"collection": "secret"}},
    ("DELETE", "/v1/documents"): {"params": {"collection": "secret", "document": "b.pdf"}},
    ("GET", "/v1/facets"): {"params": {"collection": "secret"}},
    ("PATCH", "/v1/metadata"): {"json": {"document": "b.pdf", "metadata": {"year": 1}, "collection": "secret"}},
    ("GET", "/v1/progress"): {"params": {"collection": "secret"}},
    ("POST", "/v1/progress"): {"json": {"ids": ["{b}"], "collection": "secret"}},
    ("POST", "/v1/retry"): {"json": {"collection": "secret"}},
    ("POST", "/v1/extract"): {"json": {"collection": "secret"}},
    ("GET", "/v1/documents/{document}"): {},
    ("GET", "/v1/documents/{document}/outline"): {},
    ("GET", "/v1/documents/{document}/file"): {},
    ("GET", "/v1/documents/{document}/pages"): {"params": {"label": "1"}},
    ("GET", "/v1/documents/{document}/pages/{page}"): {},
    ("GET", "/v1/documents/{document}/matches"): {"params": {"text": "pier"}},
    ("GET", "/v1/documents/{document}/pages/{page}.png"): {},
    ("GET", "/v1/nodes"): {"params": {"collection": "secret", "text": "b"}},
    ("GET", "/v1/entities"): {"params": {"collection": "secret"}},
    ("GET", "/v1/communities"): {"params": {"collection": "secret"}},
    ("GET", "/v1/communities/{community}"): {"params": {"collection": "secret"}},
    ("GET", "/v1/overview"): {"params": {"collection": "secret"}},
    ("GET", "/v1/nodes/{node}"): {},
    ("GET", "/v1/nodes/{node}/neighbours"): {},
    ("GET", "/v1/nodes/{node}/collection"): {},
    ("GET", "/v1/paths"): {"params": {"source": "{b}", "target": "{b}"}},
    ("GET", "/v1/entities/similar"): {"params": {"collection": "secret"}},
    ("GET", "/v1/entities/decisions"): {"params": {"collection": "secret"}},
    ("POST", "/v1/entities/merge"): {"json": {"source": "{b}", "target": "{b}"}},
    ("POST", "/v1/entities/reject"): {"json": {"source": "{b}", "target": "{b}"}},
    ("POST", "/v1/entities/undo"): {"json": {"decision": "{b}"}},
    ("GET", "/v1/corrections"): {"params": {"collection": "secret"}},
    ("POST", "/v1/corrections/passage"): {"json": {"evidence": "{b}", "text": "It is red."}},
    ("POST", "/v1/corrections/table"): {"json": {"evidence": "{b}", "caption": "Table 1"}},
    ("POST", "/v1/corrections/entity"): {"json": {"entity": "{b}", "name": "Halm"}},
    ("POST", "/v1/corrections/triple"): {"json": {"triple": "{b}"}},
    ("POST", "/v1/corrections/undo"): {"json": {"correction": "{b}"}},
    ("GET", "/v1/feedback"): {"params": {"collection": "secret"}},
    ("POST", "/v1/feedback"): {"json": {"question": "Who?", "verdict": "wrong", "collection": "secret"}},
    ("POST", "/v1/feedback/delete"): {"json": {"feedback": "{b}"}},
}
# Routes of the whole service, which need a key for all collections
WHOLE = {("GET", "/v1/status"), ("GET", "/metrics"), ("POST", "/v1/cypher"), ("POST", "/v1/upgrade")}
# Routes that give what the key may see, or use no collection
SELECTING = {
    ("GET", "/v1/collections"),
    ("POST", "/v1/states"),
    ("GET", "/v1/strategies"),
    ("POST", "/v1/evidence-graph"),
}


def test_every_route_is_checked_for_its_collection(app):
    assert set(routes_of(app)) == REQUESTS.keys() | WHOLE | SELECTING


def send(client, route, key):
    method, path = route
    request: dict[str, Any] = REQUESTS[route]
    id = make_document("secret", "b.pdf").id
    filled = json.loads(
        json.dumps({name: value for name, value in request.items() if name != "files"}).replace("{b}", id)
    )
    files = {"files": request["files"]} if "files" in request else {}
    return client.request(
        method, path.format(document=id, node=id, community="x", page=1), headers=sign(key), **filled, **files
    )


@pytest.mark.parametrize("route", REQUESTS, ids=" ".join)
def test_a_key_for_one_collection_reaches_no_other(client, keys, route):
    other, _ = keys.add("loans only", scope="admin", collections=["loans"])
    allowed, _ = keys.add("secret only", scope="admin", collections=["secret", "other"])
    refused = send(client, route, other)
    assert refused.status_code == 403, refused.text
    assert refused.json()["error"] == "AccessDenied"
    assert send(client, route, allowed).status_code != 403


@pytest.mark.parametrize("route", sorted(WHOLE), ids=" ".join)
def test_routes_of_the_whole_service_need_a_key_for_all_collections(client, keys, route):
    restricted, _ = keys.add("loans only", scope="admin", collections=["loans"])
    full, _ = keys.add("full", scope="admin")
    body = {"json": {"query": "RETURN 1"}} if route[1] == "/v1/cypher" else {}
    assert client.request(*route, headers=sign(restricted), **body).status_code == 403
    assert client.request(*route, headers=sign(full), **body).status_code == 200


def test_a_restricted_key_sees_its_collections_only(client, keys):
    key, _ = keys.add("loans only", collections=["loans"])
    assert [row["name"] for row in client.get("/v1/collections", headers=sign(key)).json()] == ["loans"]
    ids = [make_document("loans", "a.pdf").id, make_document("secret", "b.pdf").id]
    states = client.post("/v1/states", json={"ids": ids}, headers=sign(key)).json()
    assert list(states) == ids[:1]


WRITING = [
    route
    for route in REQUESTS
    if route[1]
    in {
        "/v1/documents",
        "/v1/retry",
        "/v1/extract",
        "/v1/topics",
        "/v1/metadata",
        "/v1/entities/merge",
        "/v1/entities/reject",
        "/v1/entities/undo",
        "/v1/corrections/passage",
        "/v1/corrections/table",
        "/v1/corrections/entity",
        "/v1/corrections/undo",
        "/v1/feedback",
        "/v1/feedback/delete",
        "/v1/collections",
    }
    and route[0] != "GET"
]


@pytest.mark.parametrize("route", WRITING, ids=" ".join)
def test_a_key_that_only_reads_changes_nothing(app, client, keys, route):
    key, _ = keys.add("reader")
    refused = send(client, route, key)
    assert refused.status_code == 403
    assert "this needs" in refused.json()["detail"]
    changing = ("add", "remove", "retry", "extract_again", "merge", "reject", "undo", "rename_collection", "assign",
                "correct_passage", "correct_table", "correct_entity", "delete")  # fmt: skip
    assert not [call for call in app.state.hop.state.calls if call.name.split(".")[-1] in changing]


def test_the_author_of_a_correction_is_the_one_given_or_the_name_of_the_key(app, client, keys):
    body = {"evidence": make_document("secret", "b.pdf").id, "text": "It is red."}
    client.post("/v1/corrections/passage", json=body)
    key, _ = keys.add("Ada's key", scope="write")
    client.post("/v1/corrections/passage", json=body, headers=sign(key))
    client.post("/v1/corrections/passage", json={**body, "author": "Bo"}, headers=sign(key))
    calls = app.state.hop.state.calls_of("corrections.correct_passage")
    assert [call["author"] for call in calls] == ["", "Ada's key", "Bo"]


def test_the_author_of_feedback_is_the_one_given_or_the_name_of_the_key(app, client, keys):
    body = {"question": "Who?", "verdict": "right", "answer": "Ada", "collection": "secret"}
    client.post("/v1/feedback", json=body)
    key, _ = keys.add("Ada's key", scope="write")
    client.post("/v1/feedback", json=body, headers=sign(key))
    client.post("/v1/feedback", json={**body, "author": "Bo"}, headers=sign(key))
    assert [call["author"] for call in app.state.hop.state.calls_of("feedback.add")] == ["", "Ada's key", "Bo"]


@pytest.mark.parametrize("path", ["/v1/collections?collection=loans", "/v1/upgrade", "/v1/cypher"])
def test_writing_is_not_administration(client, keys, path):
    key, _ = keys.add("writer", scope="write")
    method = "DELETE" if "collections" in path else "POST"
    body = {"json": {"query": "RETURN 1"}} if "cypher" in path else {}
    assert client.request(method, path, headers=sign(key), **body).status_code == 403
