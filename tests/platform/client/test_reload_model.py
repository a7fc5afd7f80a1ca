"""An open client follows the language model that is stored in its home, over HTTP: a server that is scripted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hopline import Hopline
from hopline.config import Settings
from hopline.errors import SettingsError
from hopline.stored_settings import get_stored_settings_file, remove_stored_settings, write_stored_settings

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from scripted import Turn, serve

QUESTION = "Who designed the Skarv Bridge?"
QUOTE = "It was designed by Ingrid Vale and opened in 1931."
REPLY = {
    "sentences": [{"text": "Ingrid Vale designed it.", "citations": [{"evidence": 1, "quote": QUOTE}]}],
    "short": "Ingrid Vale",
    "found": True,
}


@pytest.fixture
def clean_home(settings: Settings) -> Iterator[Path]:
    """The home of the session; nothing is stored in it before and after the test."""
    remove_stored_settings(settings.home)
    yield settings.home
    remove_stored_settings(settings.home)


def test_an_open_client_answers_with_the_model_that_is_stored_meanwhile(clean_home: Path, corpus: str) -> None:
    hop = Hopline.open(home=clean_home)
    try:
        assert hop.reload_model() is hop
        assert hop.ask(QUESTION, collection=corpus).written_by == "reader"
        with serve([Turn(json.dumps(REPLY))]) as server:
            write_stored_settings(clean_home, {"model": "stored model", "openai_base_url": server.url})
            by_model = hop.reload_model()
            answer = by_model.ask(QUESTION, collection=corpus)
            assert (answer.written_by, answer.short) == ("stored model", "Ingrid Vale")
            assert len(server.requests) == 1
            assert by_model.reload_model() is by_model
            assert hop.ask(QUESTION, collection=corpus).written_by == "reader"  # the earlier client is as it was
            remove_stored_settings(clean_home)
            plain = by_model.reload_model()
            assert plain.ask(QUESTION, collection=corpus).written_by == "reader"
            assert len(server.requests) == 1
            by_model._connections.language_model.close()
    finally:
        hop.close()


def test_arguments_of_the_client_still_replace_what_is_stored(clean_home: Path) -> None:
    with Hopline.open(home=clean_home, model="", k=3, worker=False) as hop:
        write_stored_settings(clean_home, {"model": "stored model", "openai_base_url": "http://127.0.0.1:9/v1"})
        changed = hop.reload_model()
        assert (changed.settings.model, changed.settings.k) == ("", 3)
        assert changed.settings.openai_base_url == "http://127.0.0.1:9/v1"


def test_settings_that_are_damaged_meanwhile_are_an_error_until_they_are_repaired(clean_home: Path) -> None:
    with Hopline.open(home=clean_home, worker=False) as hop:
        get_stored_settings_file(clean_home).write_text("{", "utf-8")
        for _ in range(2):
            with pytest.raises(SettingsError, match="correct the file, delete it"):
                hop.reload_model()
        with pytest.raises(SettingsError, match="delete it"):
            Hopline.open(home=clean_home)
        remove_stored_settings(clean_home)
        assert hop.reload_model() is hop


def test_the_status_names_embedder_and_reader_and_whether_they_are_in_memory(clean_home: Path, corpus: str) -> None:
    with Hopline.open(home=clean_home) as hop:
        assert [(model.kind, model.name, model.loaded) for model in hop.status().models] == [
            ("embedder", "minilm", False),
            ("reader", "minilm", False),
        ]
        hop.ask(QUESTION, collection=corpus)
        assert [model.loaded for model in hop.status().models] == [True, True]
