"""Forms of replies and responses that small models and gateways send: each gives the model's answer at the first call."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.config import Settings

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from scripted import ServerState, Turn, serve

FOLDER = Path(__file__).parent / "cases" / "30-model-reply-refused-for-a-trifle"
REPLIES: dict[str, str] = json.loads((FOLDER / "replies.json").read_text(encoding="utf-8"))
RESPONSES: dict[str, Any] = json.loads((FOLDER / "responses.json").read_text(encoding="utf-8"))
GOOD = REPLIES["number as text"]
TURNS = {
    **{name: Turn(text) for name, text in REPLIES.items()},
    **{f"{name}, not streamed": Turn(text, stream=False) for name, text in REPLIES.items()},
    **{name: Turn(raw=json.dumps(response).encode()) for name, response in RESPONSES.items()},
    "number with a decimal point": Turn(GOOD.replace('"1"', "1.0")),
    "streamed parts": Turn(GOOD, parts=True),
    "streamed tool call": Turn(GOOD, call="tool", finish="tool_calls"),
    "streamed function call": Turn(GOOD, call="function", finish="function_call"),
    "stream without finish_reason": Turn(GOOD, finish=None, done=False),
    "stream as text": Turn(GOOD, content_type="text/plain"),
    "stream as JSON": Turn(GOOD, content_type="application/json"),
    "JSON as a stream": Turn(GOOD, stream=False, content_type="text/event-stream"),
}


@pytest.fixture(scope="module")
def quarry(hop: Hopline) -> str:
    """The name of a collection with the document of the case."""
    assert hop.add(FOLDER / "quarry.md", collection="quarry").wait(timeout=240).failures == ()
    return "quarry"


@pytest.fixture(scope="module")
def endpoint(settings: Settings) -> Iterator[tuple[Hopline, ServerState, list[Turn]]]:
    """A client with a model, the server of the model, and the list whose last turn it replies with."""
    turns: list[Turn] = []
    with serve(lambda body, number: turns[-1]) as server:
        options = {"home": settings.home, "openai_base_url": server.url, "model_timeout": 5.0, "worker": False}
        with closing(Hopline.open(model="forms", **options)) as hop:
            yield hop, server, turns


@pytest.mark.parametrize("form", TURNS)
def test_a_reply_in_any_form_is_the_answer_at_the_first_call(
    endpoint: tuple[Hopline, ServerState, list[Turn]], quarry: str, form: str
) -> None:
    hop, server, turns = endpoint
    turns.append(TURNS[form])
    server.requests.clear()
    # another question each time, as replies are cached
    answer = hop.ask(f"Who opened Hollin Quarry{' ' * len(turns)}?", collection=quarry)
    assert answer.short == "Frida Stang"
    assert answer.written_by == hop.settings.model
    assert (answer.model_error, len(server.requests)) == ("", 1)
    [citation] = answer.sentences[0].citations
    assert citation.quote == "Hollin Quarry was opened in 1888 by Frida Stang"
