"""The OpenAPI description is true: whatever fits it is answered, and bad input is never a fault of the service."""

from __future__ import annotations

import json

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import response_schema_conformance

from hopline import Hopline
from hopline.api.app import create_app
from hopline.api.bodies import AnswerBody, RetrievalBody

EXAMPLES = 15  # of one operation


@pytest.fixture(scope="module")
def app(hop, corpus):
    return create_app(hop, token="token")


@pytest.fixture(scope="module")
def description(app):
    return schemathesis.openapi.from_asgi("/openapi.json", app)


schema = schemathesis.pytest.from_fixture("description")


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_input_is_a_fault_of_the_service(case):
    response = case.call(headers={"Authorization": "Bearer token"})
    case.validate_response(response, checks=[response_schema_conformance])
    assert response.status_code < 500 or response.status_code == 503  # a part that needs a model, and there is none
    if response.status_code >= 400:
        problem = response.json()
        assert problem.keys() >= {"type", "title", "status", "detail", "error"}
        assert problem["status"] == response.status_code
        assert response.headers["content-type"] == ["application/problem+json"]


def test_the_bodies_of_answers_are_described(hop: Hopline, corpus):
    answer = hop.ask("Who designed the Skarv Bridge?", collection=corpus).to_dict()
    assert set(AnswerBody.model_validate(answer).model_dump(by_alias=True)) >= set(answer)
    body = AnswerBody.model_validate(answer).model_dump(by_alias=True, mode="json", exclude_unset=True)
    assert body["answer"] == json.loads(json.dumps(answer["answer"]))
    retrieval = hop.retrieve("Who designed the Skarv Bridge?", collection=corpus).to_dict()
    assert set(RetrievalBody.model_validate(retrieval).model_dump(by_alias=True)) >= set(retrieval)


def test_the_description_has_a_summary_and_the_problems_of_every_operation(app):
    description = TestClient(app, base_url="http://127.0.0.1").get("/openapi.json").json()
    assert description["openapi"].startswith("3.1")
    operations = [
        operation
        for path, methods in description["paths"].items()
        if path.startswith("/v1/")
        for operation in methods.values()
    ]
    assert len(operations) > 35
    for operation in operations:
        assert operation["summary"]
        assert {"401", "403", "404", "503"} <= operation["responses"].keys()
        assert operation["security"]
