"""A model that fails: the answer of the client is extractive and has the reason."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.config import Settings

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from scripted import Turn, serve

QUESTION = "Who designed the Skarv Bridge?"
Open = Callable[..., tuple[Hopline, Any]]


@pytest.fixture
def model(settings: Settings, corpus: str) -> Iterator[Open]:
    """``model(*turns)``: a client whose model replies with these turns, and the server of the model."""
    with ExitStack() as stack:

        def open_with_model(*turns: Turn, url: str = "", **options: Any) -> tuple[Hopline, Any]:
            server = stack.enter_context(serve(turns or (Turn(),)))
            hop = Hopline.open(
                home=settings.home, model="tiny", openai_base_url=url or server.url, model_timeout=5.0, **options
            )
            return stack.enter_context(hop), server

        yield open_with_model


@pytest.mark.parametrize(
    ("turn", "retries", "requests"),
    [
        (Turn(status=401), 4, 1),
        (Turn(status=404), 4, 1),
        (Turn(status=429, headers={"retry-after": "0"}), 2, 3),
        (Turn(status=500), 1, 2),
        (Turn("no JSON"), 4, 2),
    ],
    ids=["401", "404", "429", "500", "no JSON"],
)
def test_an_answer_reports_why_the_model_failed(
    model: Open, corpus: str, turn: Turn, retries: int, requests: int
) -> None:
    hop, server = model(turn, model_retries=retries)
    answer = hop.ask(QUESTION, collection=corpus)
    assert "Ingrid Vale" in answer.text
    assert answer.written_by == "reader"
    assert (f"HTTP {turn.status}" if turn.status != 200 else "the reply contains no JSON") in answer.model_error
    assert len(server.requests) == requests


def test_an_unreachable_endpoint_is_reported(model: Open, corpus: str) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        hop, _ = model(url=f"http://127.0.0.1:{listener.getsockname()[1]}/v1", model_retries=0)
        assert "cannot be reached" in hop.ask(QUESTION, collection=corpus).model_error
        unaided = hop.ask(QUESTION, collection=corpus, strategy="direct")
        assert unaided.abstained
        assert "cannot be reached" in unaided.model_error


def test_an_exhausted_budget_is_reported(model: Open, corpus: str) -> None:
    hop, server = model(model_retries=0, max_calls=0)
    assert "budget of 0 calls" in hop.ask(QUESTION, collection=corpus).model_error
    assert server.requests == []


def test_without_a_model_there_is_no_model_error(hop: Hopline, corpus: str) -> None:
    answer = hop.ask(QUESTION, collection=corpus)
    assert (answer.written_by, answer.model_error) == ("reader", "")
