"""Limits of size, rate and concurrency; ids of requests; metrics."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from fastapi.testclient import TestClient

from hopline.api.app import create_app
from hopline.api.limits import RequestRateLimiter, ServiceLimits
from hopline.api.problems import Refused
from hopline.config import load_settings
from hopline.errors import ModelUnavailable
from hopline.testing import FakeHopline, FakeQuestion, make_answer


def open_client(tmp_path, limits=None, **state):
    hop = FakeHopline(settings=load_settings(home=tmp_path), documents={"loans": []}, **state)
    app = create_app(hop, limits)
    return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)


def test_a_body_that_is_too_large_is_refused_with_and_without_its_length(tmp_path):
    client = open_client(tmp_path, ServiceLimits(upload_mb=1, body_kb=4))
    body = {"question": "x" * 5000, "collection": "loans"}
    response = client.post("/v1/ask", json=body)
    assert response.status_code == 413
    assert "4,096 bytes" in response.json()["detail"]
    chunked = client.post(
        "/v1/ask", content=iter([b'{"question": "', b"x" * 5000, b'"}']), headers={"content-type": "application/json"}
    )
    assert chunked.status_code == 413
    upload = client.post("/v1/documents", data={"collection": "loans"}, files={"files": ("a.txt", b"x" * (2 << 20))})
    assert upload.status_code == 413


def test_a_large_answer_is_compressed_for_a_client_that_can_read_it(tmp_path):
    text = "The pier was built in 1911. " * 400
    client = open_client(tmp_path, answer=lambda fake: make_answer(fake, text))
    body = {"question": "When?", "collection": "loans"}
    answer = client.post("/v1/ask", json=body)
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(answer.content) / 10
    plain = client.post("/v1/ask", json=body, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert answer.json()["answer"] == plain.json()["answer"]


def test_more_requests_than_the_rate_are_refused_until_later():
    limiter = RequestRateLimiter(60)
    for _ in range(60):
        limiter.check("a")
    with pytest.raises(Refused, match="more than 60 requests a minute") as caught:
        limiter.check("a")
    assert caught.value.status == 429
    limiter.check("b")
    time.sleep(1.05)
    limiter.check("a")


def test_the_rate_is_an_http_error_with_the_time_to_wait(tmp_path):
    client = open_client(tmp_path, ServiceLimits(rate=2))
    statuses = [client.get("/v1/strategies").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused = client.get("/v1/strategies")
    assert int(refused.headers["retry-after"]) > 0
    assert refused.json()["error"] == "ServiceBusy"


def test_questions_wait_for_their_turn_and_too_many_are_refused(tmp_path, start_service, monkeypatch):
    hop = FakeHopline(settings=load_settings(home=tmp_path), documents={"loans": []})
    running, most, release = 0, 0, threading.Event()
    lock = threading.Lock()

    def ask(question, **options):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        release.wait(20)
        with lock:
            running -= 1
        return make_answer(FakeQuestion(question), "A.")

    monkeypatch.setattr(hop, "ask", ask)
    url = start_service(hop, ServiceLimits(parallel=2, waiting=3))
    with ThreadPoolExecutor(8) as threads:
        body = {"question": "Who?", "collection": "loans"}
        responses = [threads.submit(httpx2.post, f"{url}/v1/ask", json=body, timeout=30) for _ in range(8)]
        while sum(response.done() for response in responses) < 3:
            time.sleep(0.02)
        release.set()
        statuses = sorted(response.result().status_code for response in responses)
    assert statuses == [200] * 5 + [503] * 3
    assert most == 2


def test_a_request_has_an_id_in_its_response_and_in_the_log(tmp_path, caplog):
    client = open_client(tmp_path)
    with caplog.at_level(logging.INFO, "hopline.api"):
        chosen = client.get("/v1/strategies", headers={"X-Request-ID": "abc-1"})
        own = client.get("/v1/strategies")
        forged = client.get("/v1/strategies", headers={"X-Request-ID": "a b\x1b[31m"})
    assert chosen.headers["x-request-id"] == "abc-1"
    assert "abc-1 GET /v1/strategies 200" in caplog.text
    assert own.headers["x-request-id"] in caplog.text
    assert forged.headers["x-request-id"].isalnum()


def test_metrics_count_requests_by_route(tmp_path):
    client = open_client(tmp_path)
    client.post("/v1/ask", json={"question": "Who?", "collection": "loans"})
    client.get("/v1/nodes/x")
    text = client.get("/metrics").text
    assert 'hopline_requests_total{method="POST",route="/v1/ask",status="200"} 1.0' in text
    assert 'route="/v1/nodes/{node}"' in text
    assert "hopline_questions_total" in text


def fail(_question):
    raise RuntimeError("password=abc")


def test_an_outage_is_503_and_a_fault_hides_its_reason(tmp_path):
    client = open_client(tmp_path, error=ModelUnavailable("no model answers"))
    outage = client.post("/v1/ask", json={"question": "Who?", "collection": "loans"})
    assert (outage.status_code, outage.json()["error"]) == (503, "ModelUnavailable")
    client = open_client(tmp_path, answer=fail)
    fault = client.post("/v1/ask", json={"question": "Who?", "collection": "loans"})
    assert fault.status_code == 500
    assert "abc" not in fault.text
    assert fault.headers["content-type"] == "application/problem+json"
