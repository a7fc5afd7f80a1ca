"""Invalid settings are refused when they are loaded."""

import traceback

import pytest

from hopline import Hopline, config
from hopline.cli import diagnostics
from hopline.config import load_settings
from hopline.errors import SettingsError


def test_the_error_of_a_misspelt_setting_suggests_the_closest_ones(tmp_path):
    with pytest.raises(SettingsError, match=r"no setting 'hme'; did you mean home"):
        Hopline.open(home=tmp_path, hme="x")
    with pytest.raises(SettingsError, match="max_calls"):
        load_settings(maxcalls=3)


def test_the_error_of_an_unknown_setting_lists_all():
    with pytest.raises(SettingsError, match=r"there are: answer_threshold, cache, embedder.*worker_idle_seconds"):
        load_settings(qqq=None)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("max_calls", -1, "greater than or equal to 0"),
        ("max_tokens", -5, "greater than or equal to 0"),
        ("max_seconds", -0.5, "greater than or equal to 0"),
        ("max_cost", float("nan"), "greater than or equal to 0"),
        ("embedder", "", "empty"),
        ("embedder", "  ", "empty"),
        ("strategy", "", "empty"),
        ("home", "", "empty"),
        ("k", 0, "greater than or equal to 1"),
        ("neo4j_uri", "localhost:7687", "bolt://host:7687"),
        ("neo4j_uri", "http://localhost:7474", "bolt://host:7687"),
        ("neo4j_uri", "bolt://", "bolt://host:7687"),
        ("neo4j_uri", "bolt://host:99999", "Port out of range"),
        ("openai_base_url", "localhost/v1", "https://host/v1"),
    ],
)
def test_an_invalid_value_is_refused_with_the_setting_the_value_and_advice(name, value, words):
    with pytest.raises(SettingsError) as refused:
        load_settings(**{name: value})
    message = str(refused.value).lower()
    assert name in message
    assert words.lower() in message
    assert f"got {value!r}".lower() in message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("neo4j_uri", "bolt://neo4j:hush-hush@localhost:7687"),
        ("neo4j_uri", "neo4j:hush-hush@localhost:7687"),
        ("neo4j_uri", "bolt://neo4j:p@ss/hush-hush@localhost:7687"),
        ("neo4j_uri", "http://hush-hush@localhost:7474"),
        ("openai_base_url", "ftp://user:hush-hush@host/v1"),
        ("neo4j_password", ["hush-hush"]),
        ("openai_api_key", {"key": "hush-hush"}),
    ],
)
def test_a_refused_value_is_shown_without_its_password(name, value):
    with pytest.raises(SettingsError, match=name) as refused:
        load_settings(**{name: value})
    shown = "".join(traceback.format_exception(refused.value))
    assert "hush-hush" not in shown
    assert "localhost" in shown or "host/v1" in shown or f"got a {type(value).__name__}" in shown


@pytest.mark.parametrize(
    "uri", ["bolt://127.0.0.1:7687", "neo4j+s://x.databases.neo4j.io", "neo4j+ssc://[::1]:7687/", "neo4j://h?region=eu"]
)
def test_addresses_of_neo4j_servers_are_accepted(uri):
    assert load_settings(neo4j_uri=uri).neo4j_uri == uri


def test_the_model_calls_of_a_question_are_limited_by_default(monkeypatch):
    monkeypatch.delenv("HOPLINE_MAX_CALLS", raising=False)
    assert load_settings().max_calls == 200


def test_a_cap_of_zero_is_accepted():
    assert load_settings(max_calls=0, max_cost=0).max_calls == 0


@pytest.mark.parametrize("spec", ["nope", "bm25:depth=3", "gnn_ret:nodes=many"])
def test_an_unknown_strategy_is_refused_before_the_server_starts(spec, tmp_path, monkeypatch):
    monkeypatch.setattr("hopline.store.graph.connect", lambda *_, **__: pytest.fail("the server was started"))
    with pytest.raises(SettingsError, match=rf"strategy: .*\(got '{spec}'\)"):
        Hopline.open(home=tmp_path, strategy=spec)


def test_doctor_notes_unknown_variables(monkeypatch):
    monkeypatch.setenv("HOPLINE_HMOE", "/tmp")
    monkeypatch.setenv("HOPLINE_EMBEDDER", "minilm")
    check = diagnostics.check_variables(config.find_unknown_variables())
    assert check.state == "note"
    assert "HOPLINE_HMOE" in check.result
    assert "HOPLINE_EMBEDDER" not in check.result
    assert "did you mean HOPLINE_HOME" in check.advice
    monkeypatch.delenv("HOPLINE_HMOE")
    assert diagnostics.check_variables(config.find_unknown_variables()).state == "good"


def test_the_default_threshold_is_the_one_that_the_confidence_was_fitted_for() -> None:
    from hopline.answers.answerer import THRESHOLD

    assert load_settings().answer_threshold == THRESHOLD


def test_no_test_can_use_the_default_home_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOPLINE_HOME", raising=False)
    with pytest.raises(NotADirectoryError):
        load_settings().home.mkdir(parents=True)
