from collections.abc import Callable
from typing import Any

import pytest

from hopline.store.read_only_query import QueryResult
from hopline.testing import FakeHopline

Run = Callable[..., Any]


def test_rows_of_a_query_are_printed_as_a_table_or_as_json(run: Run, run_json: Run, fake: FakeHopline) -> None:
    fake.state.query_result = QueryResult(("name", "n"), ({"name": "Bergen", "n": [1, 2]},), truncated=True)
    result = run("cypher", "MATCH (e) RETURN e", "--parameters", '{"name": "Bergen"}', "--limit", 1, "--timeout", 2)
    assert result.stdout.split() == ["name", "n", "Bergen", "[1,", "2]", "1", "row"]
    assert "--limit" in result.stderr
    [call] = fake.state.calls_of("graph.cypher")
    assert call == {
        "query": "MATCH (e) RETURN e", "parameters": {"name": "Bergen"}, "limit": 1, "timeout": 2.0, "vectors": False,
    }  # fmt: skip
    assert run_json("cypher", "MATCH (e) RETURN e") == {
        "columns": ["name", "n"], "rows": [{"name": "Bergen", "n": [1, 2]}], "truncated": True,
    }  # fmt: skip


@pytest.mark.parametrize("parameters", ["[]", "{", "1"])
def test_parameters_must_be_a_json_object(run: Run, fake: FakeHopline, parameters: str) -> None:
    result = run("cypher", "RETURN $x", "--parameters", parameters)
    assert result.exit_code == 2
    assert "--parameters" in result.stderr
    assert fake.state.calls == []


def test_the_password_of_the_database_is_printed_only_when_asked_for(
    run: Run, run_json: Run, fake: FakeHopline
) -> None:
    shown = run("neo4j").stdout
    assert "bolt://127.0.0.1:1" in shown
    assert "in the file password" in shown
    assert "secret" not in shown
    assert "secret" in run("neo4j", "--password").stdout
    assert "password" not in run_json("neo4j")
    assert run_json("neo4j", "--password")["password"] == "secret"
