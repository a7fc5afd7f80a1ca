"""Settings of the language model in the home folder: what takes precedence, and what a damaged file says."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from hopline.config import find_variables, load_settings, load_unstored_settings, to_environment
from hopline.errors import SettingsError
from hopline.stored_settings import (
    get_stored_settings_file,
    read_file_version,
    read_stored_settings,
    remove_stored_settings,
    write_stored_settings,
)

ENDPOINT = "http://127.0.0.1:9/v1"
STORED = {"model": "small", "openai_base_url": ENDPOINT, "openai_api_key": "stored-key", "model_context": 4096}


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "HOPLINE_")):
            monkeypatch.delenv(name)


def get_key(**values: Any) -> str:
    return load_settings(**values).openai_api_key.get_secret_value()


def test_stored_settings_are_loaded_and_replace_the_defaults(tmp_path: Path) -> None:
    write_stored_settings(tmp_path, STORED)
    settings = load_settings(home=tmp_path)
    assert (settings.model, settings.openai_base_url, settings.model_context) == ("small", ENDPOINT, 4096)
    assert get_key(home=tmp_path) == "stored-key"
    assert settings.verify == "mark"


def test_the_environment_replaces_stored_settings_and_arguments_replace_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_stored_settings(tmp_path, STORED)
    monkeypatch.setenv("HOPLINE_MODEL", "of the environment")
    monkeypatch.setenv("HOPLINE_MODEL_CONTEXT", "16384")
    settings = load_settings(home=tmp_path, model_context=2048)
    assert (settings.model, settings.model_context, settings.openai_base_url) == ("of the environment", 2048, ENDPOINT)
    monkeypatch.setenv("HOPLINE_MODEL", "")
    assert load_settings(home=tmp_path).model == ""


def test_the_home_of_stored_settings_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_stored_settings(tmp_path, STORED)
    monkeypatch.setenv("HOPLINE_HOME", str(tmp_path))
    assert load_settings().model == "small"
    assert load_unstored_settings().model == ""


@pytest.mark.parametrize("stored", [STORED, {"model": "m", "openai_api_key": "stored-key"}])
def test_a_stored_key_is_not_sent_to_another_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: dict[str, Any]
) -> None:
    write_stored_settings(tmp_path, stored)
    assert get_key(home=tmp_path) == "stored-key"
    assert get_key(home=tmp_path, openai_base_url="http://other.example/v1") == ""
    assert get_key(home=tmp_path, openai_base_url="http://other.example/v1", openai_api_key="mine") == "mine"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://other.example/v1")
    assert get_key(home=tmp_path) == ""


def test_only_the_user_can_read_the_file_from_its_first_byte_on(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        write_stored_settings(tmp_path / "new home", STORED)
    finally:
        os.umask(mask)
    [file] = (tmp_path / "new home").iterdir()  # no temporary file is left
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_removed_settings_are_no_longer_loaded(tmp_path: Path) -> None:
    remove_stored_settings(tmp_path)
    write_stored_settings(tmp_path, STORED)
    remove_stored_settings(tmp_path)
    assert load_settings(home=tmp_path).model == ""
    assert list(tmp_path.iterdir()) == []


def test_the_version_of_the_file_changes_with_every_change(tmp_path: Path) -> None:
    versions = [read_file_version(tmp_path)]
    for model in ("a", "b"):
        write_stored_settings(tmp_path, {"model": model})
        versions.append(read_file_version(tmp_path))
    assert versions[0] is None
    assert len(set(versions)) == 3
    assert read_file_version(tmp_path) == versions[-1]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"model": "sm', "Unterminated string"),
        ("[]", "no JSON object"),
        ('{"modell": "m"}', "modell cannot be stored; there are: model,"),
        ('{"k": 3}', "k cannot be stored"),
        ('{"model": "m", "model_context": 5}', "model_context: Input should be greater than or equal to 2048"),
        ('{"model": "m", "openai_base_url": "localhost"}', "it looks like https://host/v1"),
        (b"\xff\xfe\x00", "decode"),
    ],
)
def test_the_error_of_a_damaged_file_names_it_and_says_what_to_do(
    tmp_path: Path, text: str | bytes, problem: str
) -> None:
    file = get_stored_settings_file(tmp_path)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingsError) as refused:
        load_settings(home=tmp_path)
    message = str(refused.value)
    assert str(file) in message
    assert problem in message
    assert "correct the file, delete it, or remove the settings on the page Settings" in message
    assert load_unstored_settings(home=tmp_path).model == ""


def test_a_damaged_key_is_not_shown(tmp_path: Path) -> None:
    get_stored_settings_file(tmp_path).write_text(json.dumps({"openai_api_key": ["hush-hush"]}), "utf-8")
    with pytest.raises(SettingsError) as refused:
        load_settings(home=tmp_path)
    assert "hush-hush" not in str(refused.value)


def test_other_settings_cannot_be_stored(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="neo4j_password cannot be stored"):
        write_stored_settings(tmp_path, {"model": "m", "neo4j_password": "x"})
    assert read_stored_settings(tmp_path) == {}


def test_variables_that_set_the_model_are_found_under_each_of_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_variables() == {}
    monkeypatch.setenv("OPENAI_API_KEY", "a")
    monkeypatch.setenv("HOPLINE_VERIFY", "mark")
    monkeypatch.setenv("HOPLINE_K", "3")
    assert find_variables() == {"openai_api_key": "OPENAI_API_KEY", "verify": "HOPLINE_VERIFY"}
    monkeypatch.setenv("HOPLINE_OPENAI_API_KEY", "b")
    assert find_variables()["openai_api_key"] == "HOPLINE_OPENAI_API_KEY"  # takes precedence


def test_a_worker_gets_the_stored_settings_of_the_client_that_starts_it(tmp_path: Path) -> None:
    write_stored_settings(tmp_path, STORED)
    environment = to_environment(load_settings(home=tmp_path))
    assert (environment["HOPLINE_MODEL"], environment["HOPLINE_OPENAI_API_KEY"]) == ("small", "stored-key")
