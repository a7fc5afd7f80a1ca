"""The Settings page without a browser: what it stores, shows and sends. The endpoint is a server of the test."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

sys.path.insert(0, str(Path(__file__).parents[1] / "platform" / "llm"))

from scripted import Turn, serve

from hopline.config import load_settings
from hopline.documents.status import ModelState, Status
from hopline.errors import EngineUnavailable
from hopline.stored_settings import get_stored_settings_file, read_stored_settings, write_stored_settings
from hopline.testing import FakeHopline
from hopline_ui.components.model_form import PREFIX
from hopline_ui.page_access import is_this_machine

KEY = "hush-hush-key"
PARIS = Turn(json.dumps({"capital": "Paris"}))


@pytest.fixture(autouse=True)
def this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting comes from the environment, and the visitor may change settings."""
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "HOPLINE_")):
            monkeypatch.delenv(name)
    monkeypatch.setattr("hopline_ui.page_access.may_change_settings", lambda: True)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> None:
        pytest.fail(f"the page opened a connection: {arguments}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def fill(page: AppTest, model: str = "", **values: Any) -> AppTest:
    """Set inputs of the form; the model is one of the list, as AppTest cannot type into the box."""
    for name, value in values.items():
        page.session_state[f"{PREFIX}{name}"] = value
    page.run()
    if model:
        address = page.session_state[f"{PREFIX}address"].strip()
        page.session_state["state"].listed_models = {address: [model]}
        page.run().selectbox(key=f"{PREFIX}model").select(model).run()
    return page


def click(page: AppTest, key: str) -> AppTest:
    return page.button(key=key).click().run()


def remove_escapes(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def get_keys(page: AppTest) -> list[str]:
    return [str(button.key) for button in page.button]


def show_everything(page: AppTest) -> str:
    """Return everything that the page sends to the browser."""
    return "".join(str(element.proto) for element in page.main if hasattr(element, "proto")) + repr(page)


def test_without_a_model_the_page_says_so_and_opens_no_connection(
    open_page: Callable[..., AppTest], page_text: Callable[[AppTest], str], no_network: None
) -> None:
    page = open_page("settings")
    assert not page.exception
    text = remove_escapes(page_text(page))
    assert "No language model is set: answers are extracted from the documents" in text
    assert "are sent to" not in text
    assert page.button(key="list models").disabled
    assert page.button(key="test model").disabled


def test_a_preset_fills_the_endpoint_and_says_what_is_sent_where(
    open_page: Callable[..., AppTest], page_text: Callable[[AppTest], str], no_network: None
) -> None:
    page = open_page("settings")
    page = page.selectbox(key=f"{PREFIX}provider").select("OpenAI").run()
    assert page.text_input(key=f"{PREFIX}address").value == "https://api.openai.com/v1"
    assert "Questions and the passages found for them are sent to api.openai.com." in remove_escapes(page_text(page))
    page = page.selectbox(key=f"{PREFIX}provider").select("Ollama").run()
    assert "are sent to localhost:11434, which is on this machine." in remove_escapes(page_text(page))


def test_listed_models_are_offered_tested_and_stored(
    open_page: Callable[..., AppTest], page_text: Callable[[AppTest], str], hop: FakeHopline
) -> None:
    with serve([PARIS], ["qwen", "llama"]) as server:
        page = fill(open_page("settings"), address=server.url, key=KEY)
        assert server.paths == []  # nothing is sent before a click
        page = click(page, "list models")
        assert page.selectbox(key=f"{PREFIX}model").options == ["llama", "qwen"]
        page = click(page.selectbox(key=f"{PREFIX}model").select("qwen").run(), "test model")
        [message] = page.success
        assert "qwen at 127.0.0.1" in remove_escapes(message.value)
        assert "1 call, 18 tokens" in page_text(page)
        assert read_stored_settings(hop.settings.home) == {}
        page = click(page, "save model")
    assert server.paths == ["/v1/models", "/v1/chat/completions"]
    assert server.keys == [KEY, KEY]
    assert read_stored_settings(hop.settings.home) == {
        "model": "qwen",
        "openai_base_url": server.url,
        "openai_api_key": KEY,
    }
    assert "qwen writes the answers" in page_text(page)
    assert [toast.value for toast in page.toast] == ["Saved\\. The next question uses these settings\\."]


def test_a_stored_key_is_never_sent_to_the_browser_and_can_be_replaced_or_removed(
    open_page: Callable[..., AppTest], hop: FakeHopline
) -> None:
    stored = {"model": "small", "openai_base_url": "http://127.0.0.1:9/v1", "openai_api_key": KEY}
    write_stored_settings(hop.settings.home, stored)
    page = open_page("settings")
    assert "stored, and never shown" in show_everything(page)
    assert KEY not in show_everything(page)
    page = click(page, "save model")
    assert read_stored_settings(hop.settings.home) == stored
    page = click(page, "replace key")
    page = click(page.text_input(key=f"{PREFIX}key").input("another").run(), "save model")
    assert read_stored_settings(hop.settings.home) == stored | {"openai_api_key": "another"}
    assert "another" not in show_everything(page)
    page = click(click(page, "remove key"), "save model")
    assert read_stored_settings(hop.settings.home) == {key: stored[key] for key in ("model", "openai_base_url")}


def test_a_stored_key_is_not_sent_to_another_host(open_page: Callable[..., AppTest], hop: FakeHopline) -> None:
    stored = {"model": "small", "openai_base_url": "http://127.0.0.1:9/v1", "openai_api_key": KEY}
    write_stored_settings(hop.settings.home, stored)
    with serve([PARIS], ["small"]) as server:
        page = fill(open_page("settings"), address=server.url)
        page = click(click(page, "list models"), "test model")
        assert [message.value for message in page.success]
    assert set(server.keys) == {"", "none"}
    click(page, "save model")
    assert "openai_api_key" not in read_stored_settings(hop.settings.home)


def test_what_the_test_finds_is_said_in_plain_words(open_page: Callable[..., AppTest]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    page = click(fill(open_page("settings"), address=f"http://127.0.0.1:{port}/v1", model="small"), "test model")
    [message] = page.error
    assert "refused the connection. Check that the server of the model runs" in remove_escapes(message.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"address": "http://127.0.0.1:9/v1"}, "Enter the name of a model"),
        ({"address": "", "model": "m"}, "Enter the address of the endpoint"),
        ({"address": "localhost:9", "model": "m"}, "Enter the address of the endpoint"),
        ({"address": "ftp://host/v1", "model": "m"}, "it looks like https://host/v1"),
        ({"address": f"http://me:{KEY}@127.0.0.1:9/v1", "model": "m"}, "may have no user name and password"),
        ({"address": "http://127.0.0.1:9/v1", "model": "langchain:os:x"}, "set them by HOPLINE_MODEL"),
    ],
)
def test_values_that_cannot_be_used_are_refused_and_not_stored(
    open_page: Callable[..., AppTest], hop: FakeHopline, values: dict[str, str], message: str
) -> None:
    page = click(fill(open_page("settings"), **values), "save model")
    [error] = page.error
    assert message in remove_escapes(error.value)
    assert read_stored_settings(hop.settings.home) == {}


def test_limits_are_stored_where_they_differ_from_the_defaults(
    open_page: Callable[..., AppTest], hop: FakeHopline
) -> None:
    page = fill(open_page("settings"), address="http://127.0.0.1:9/v1", model="small", context=16384, verify="strict")
    click(page, "save model")
    stored = {"openai_base_url": "http://127.0.0.1:9/v1", "model": "small", "model_context": 16384, "verify": "strict"}
    assert read_stored_settings(hop.settings.home) == stored


def test_stored_settings_are_removed(
    open_page: Callable[..., AppTest], page_text: Callable[[AppTest], str], hop: FakeHopline
) -> None:
    write_stored_settings(hop.settings.home, {"model": "small", "openai_base_url": "http://127.0.0.1:9/v1"})
    page = click(open_page("settings"), "remove model")
    assert not get_stored_settings_file(hop.settings.home).exists()
    assert "No language model is set" in page_text(page)
    assert page.text_input(key=f"{PREFIX}address").value == ""


def test_values_of_the_environment_are_named_and_cannot_be_changed(
    open_page: Callable[..., AppTest],
    page_text: Callable[[AppTest], str],
    hop: FakeHopline,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HOPLINE_OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HOPLINE_MODEL_CONTEXT", "4096")
    write_stored_settings(hop.settings.home, {"model": "old", "model_context": 2048})
    page = open_page("settings")
    text = remove_escapes(page_text(page))
    for name in ("OPENAI_BASE_URL", "HOPLINE_OPENAI_API_KEY", "HOPLINE_MODEL_CONTEXT"):
        assert name in text
    assert KEY not in show_everything(page)
    assert page.text_input(key="fixed address").disabled
    assert page.number_input(key=f"{PREFIX}context").disabled
    click(fill(page, model="new"), "save model")
    assert read_stored_settings(hop.settings.home) == {"model": "new", "model_context": 2048}
    assert load_settings(home=hop.settings.home).model_context == 4096


def test_a_local_server_is_looked_for_on_a_click_and_used_on_another(
    open_page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve([PARIS], ["qwen"]) as server:
        port = int(server.url.split(":")[2].removesuffix("/v1"))
        monkeypatch.setattr("hopline.llm.local_servers.find_local_servers.__defaults__", ((port,),))
        page = open_page("settings")
        assert server.paths == []
        page = click(page, "find servers")
        page = click(page, f"use server {server.url}")
    assert page.text_input(key=f"{PREFIX}address").value == server.url
    assert page.selectbox(key=f"{PREFIX}model").value == "qwen"


def test_a_damaged_file_is_named_and_can_be_removed(
    open_page: Callable[..., AppTest], page_text: Callable[[AppTest], str], hop: FakeHopline
) -> None:
    file = get_stored_settings_file(hop.settings.home)
    file.write_text("{", "utf-8")
    page = open_page("settings")
    assert "settings.json" in remove_escapes(page_text(page))
    page = click(page, "remove damaged")
    assert not file.exists()
    assert "No language model is set" in page_text(page)


def test_the_page_is_shown_while_the_database_cannot_be_reached(
    open_page: Callable[..., AppTest],
    page_text: Callable[[AppTest], str],
    hop: FakeHopline,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOPLINE_HOME", str(hop.settings.home))

    def fail() -> None:
        raise EngineUnavailable("it does not answer")

    page = open_page("settings")
    monkeypatch.setattr("hopline_ui.client_connection.get_client", fail)
    page = page.run()
    assert "**Database not reachable, retrying.** it does not answer" in page_text(page)
    assert "save model" in get_keys(page)


def test_embedder_and_reader_are_shown_with_their_state(
    open_page: Callable[..., AppTest], page_text: Callable[[AppTest], str], hop: FakeHopline
) -> None:
    hop.state.status = Status(models=(ModelState("embedder", "minilm", loaded=True), ModelState("reader", "none")))
    text = remove_escapes(page_text(open_page("settings")))
    assert "**minilm** · loaded" in text
    assert "**none** · switched off" in text


def test_another_machine_sees_no_inputs_and_no_buttons(
    open_page: Callable[..., AppTest],
    page_text: Callable[[AppTest], str],
    hop: FakeHopline,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hopline_ui.page_access.may_change_settings", lambda: False)
    write_stored_settings(hop.settings.home, {"model": "small", "openai_base_url": "http://127.0.0.1:9/v1"})
    page = open_page("settings")
    assert get_keys(page) == []
    assert list(page.text_input) == []
    assert "only on the machine that runs Hopline" in page_text(page)
    get_stored_settings_file(hop.settings.home).write_text("{", "utf-8")
    assert get_keys(page.run()) == []


@pytest.mark.parametrize(
    ("address", "headers", "expected"),
    [
        (None, {"Host": "localhost:8501"}, True),
        (None, {"host": "127.0.0.1:8501"}, True),
        ("127.0.0.5", {"Host": "[::1]:8501"}, True),
        (None, {"Host": "reports.example.org"}, False),  # a name that leads here, or a proxy without headers
        (None, {"Host": "localhost", "X-Forwarded-For": "10.0.0.7"}, False),
        (None, {"Host": "localhost", "x-forwarded-for": "127.0.0.1"}, False),
        (None, {"Host": "localhost", "Forwarded": "for=10.0.0.7"}, False),
        ("10.0.0.7", {"Host": "localhost:8501"}, False),
        ("10.0.0.7", {"Host": "10.0.0.5:8501"}, False),
        (None, {}, False),
        ("", {"Host": "localhost"}, False),
    ],
)
def test_only_connections_of_this_machine_without_a_proxy_are_of_this_machine(
    address: str | None, headers: dict[str, str], expected: bool
) -> None:
    assert is_this_machine(address, headers) is expected
