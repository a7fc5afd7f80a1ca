"""The cache of model replies, shared by threads and processes."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import Turn, serve

from hopline.config import load_settings
from hopline.flow.services import Prompt
from hopline.llm.client import LlmClient, load_llm
from hopline.llm.provider import Completion
from hopline.llm.reply_cache import ReplyCache, compute_reply_key

PROGRAM = """
import json, sys
from hopline.config import load_settings
from hopline.flow.services import Prompt
from hopline.llm.client import load_llm
home, url, *texts = sys.argv[1:]
chat = load_llm(load_settings(home=home, model="tiny", openai_base_url=url))
replies = chat.complete([Prompt(text) for text in texts])
print(json.dumps([[reply.text, reply.cached, reply.error] for reply in replies]))
chat.close()
"""


class Parrot:
    """A provider that repeats the prompt and records the prompts."""

    name = "parrot"
    endpoint = "http://parrot/v1"

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt.text)
        return Completion(prompt.text, 3, 2) if prompt.text != "bad" else Completion(error="no")

    def close(self) -> None:
        pass


def start(home: Path, url: str, *texts: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(home), url, *texts]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_rows(process: subprocess.Popen[str]) -> list[list[object]]:
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    rows: list[list[object]] = json.loads(out)
    return rows


def test_processes_share_the_cache(tmp_path: Path) -> None:
    with serve(lambda body, number: Turn(body["messages"][0]["content"].upper())) as server:
        first = [start(tmp_path, server.url, *(f"{name} {n}" for n in range(20))) for name in ("left", "right")]
        for process, name in zip(first, ("LEFT", "RIGHT"), strict=True):
            assert wait_for_rows(process) == [[f"{name} {n}", False, ""] for n in range(20)]
        paid = len(server.requests)
        both = wait_for_rows(start(tmp_path, server.url, "left 3", "right 17", "new"))
    assert both == [["LEFT 3", True, ""], ["RIGHT 17", True, ""], ["NEW", False, ""]]
    assert (paid, len(server.requests)) == (40, 41)


def test_a_file_that_another_process_is_creating_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "replies.sqlite"
    other = sqlite3.connect(path, check_same_thread=False)
    other.execute("CREATE TABLE other (key TEXT)")
    other.execute("BEGIN")
    other.execute("SELECT * FROM other").fetchall()  # its shared lock prevents the change of the journal mode
    real, sleeps = time.sleep, []
    monkeypatch.setattr("hopline.llm.reply_cache.LOCK_TIMEOUT", 0.1)  # also how long SQLite itself waits
    monkeypatch.setattr("hopline.llm.reply_cache.time.monotonic", lambda: 0.0)
    monkeypatch.setattr("hopline.llm.reply_cache.time.sleep", lambda s: (sleeps.append(s), other.rollback(), real(s)))
    replies = ReplyCache(path)
    assert replies.read(["nothing"]) == {}
    replies.close()
    other.close()
    assert sleeps, "nothing stood in the way"
    assert caplog.messages == []


def test_a_reply_is_on_disk_before_it_is_returned(tmp_path: Path) -> None:
    chat = LlmClient(Parrot(), ReplyCache(tmp_path / "replies.sqlite"))
    chat.complete([Prompt("hello")])
    other = ReplyCache(tmp_path / "replies.sqlite")
    assert list(other.read([compute_reply_key("parrot", "http://parrot/v1", Prompt("hello"))]).values()) == [
        Completion("hello", 3, 2)
    ]
    other.close()
    chat.close()


def test_a_reply_from_the_cache_is_marked_and_keeps_its_tokens_and_data(tmp_path: Path) -> None:
    provider = Parrot()
    chat = LlmClient(provider, ReplyCache(tmp_path / "replies.sqlite"))
    prompt = Prompt('{"a": 1}', schema={"type": "object"})
    (first,) = chat.complete([prompt])
    (again,) = chat.complete([prompt])
    assert again == replace(first, cached=True)
    assert again.data == {"a": 1}
    assert len(provider.prompts) == 1
    chat.close()


def test_an_invalid_reply_is_not_cached(tmp_path: Path) -> None:
    provider = Parrot()
    chat = LlmClient(provider, ReplyCache(tmp_path / "replies.sqlite"))
    for _ in range(2):
        (reply,) = chat.complete([Prompt("bad")])
        assert (reply.error, reply.cached) == ("no", False)
    assert provider.prompts == ["bad", "bad"]
    chat.close()


@pytest.mark.parametrize(
    "other",
    [{"text": "other"}, {"system": "other"}, {"schema": {"type": "array"}}, {"schema": None}, {"max_tokens": 9}],
)
def test_everything_that_determines_a_reply_is_in_its_key(other: dict[str, object]) -> None:
    prompt = Prompt("text", "system", {"type": "object", "title": "x"}, 10)
    key = compute_reply_key("m", "http://h/v1", prompt)
    assert key != compute_reply_key("m", "http://h/v1", replace(prompt, **other))  # type: ignore[arg-type]
    assert key != compute_reply_key("n", "http://h/v1", prompt)
    assert key != compute_reply_key("m", "http://other/v1", prompt)
    assert key == compute_reply_key("m", "http://h/v1", replace(prompt, schema={"title": "x", "type": "object"}))


def test_two_endpoints_that_serve_the_same_model_name_do_not_share_replies(tmp_path: Path) -> None:
    with serve(lambda _body, _number: Turn("left")) as left, serve(lambda _body, _number: Turn("right")) as right:
        for url, text, cached in (
            (left.url, "left", False), (right.url, "right", False), (f"{left.url}/", "left", True),
        ):  # fmt: skip
            chat = load_llm(load_settings(home=tmp_path, model="tiny", openai_base_url=url))
            assert chat is not None
            (reply,) = chat.complete([Prompt("Which?")])
            chat.close()
            assert (reply.text, reply.cached) == (text, cached)


@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), min_size=2, max_size=2, unique=True))
def test_where_text_ends_and_system_begins_is_in_the_key(pairs: list[tuple[str, str]]) -> None:
    first, second = (compute_reply_key("m", "", Prompt(text, system)) for text, system in pairs)
    assert first != second


def test_more_keys_than_fit_one_query_are_all_found(tmp_path: Path) -> None:
    replies = ReplyCache(tmp_path / "replies.sqlite")
    for n in range(0, 1200, 100):
        replies.write(f"key {n}", Completion(str(n)))
    assert len(replies.read(f"key {n}" for n in range(1200))) == 12
    replies.close()


def test_an_unusable_cache_is_a_warning_and_the_model_is_called(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "replies.sqlite").write_bytes(b"this is no database" * 100)
    chat = LlmClient(Parrot(), ReplyCache(tmp_path / "replies.sqlite"))
    (reply,) = chat.complete([Prompt("hello")])
    assert reply.text == "hello"
    assert "cannot be read" in caplog.text
    assert "cannot be written" in caplog.text
    chat.close()


def test_a_reply_that_is_not_valid_unicode_is_returned_though_it_cannot_be_cached(tmp_path: Path) -> None:
    chat = LlmClient(Parrot(), ReplyCache(tmp_path / "replies.sqlite"))
    assert chat.complete([Prompt("half a pair \ud800")])[0].ok
    chat.close()


def test_the_cache_is_readable_while_somebody_writes(tmp_path: Path) -> None:
    replies = ReplyCache(tmp_path / "replies.sqlite")
    replies.write("one", Completion("1"))
    writer = sqlite3.connect(tmp_path / "replies.sqlite", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    assert replies.read(["one"]) == {"one": Completion("1")}
    writer.execute("ROLLBACK")
    writer.close()
    replies.close()


def test_without_a_model_in_the_settings_none_is_loaded(tmp_path: Path) -> None:
    assert load_llm(load_settings(home=tmp_path, model="")) is None
