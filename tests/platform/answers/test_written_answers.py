"""Answers of a scripted model over HTTP: streamed, verified in both settings, with prompts, tokens and cost."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.config import Settings, to_environment
from hopline.flow.trace_recording import list_calls
from hopline.results import AnswerDraft
from hopline.results.labels import format_model_use

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from scripted import ServerState, Turn, find_middle, serve

Open = Callable[..., tuple[Hopline, ServerState]]

REPORT = """# Brackwater

The Brackwater plant was opened in 1987 by Maud Kerrigan. It made 812,000 cubic metres of water in 2022.

In 2023 it made 918,400 cubic metres of water. Its director is Jo Ek. The Sandmere mill was sold in 1956.
"""
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")  # a style or a movement of the cursor


def reply(*sentences: tuple[str, Sequence[str]], short: str = "") -> str:
    items = [
        {"text": text, "citations": [{"evidence": 1, "quote": quote} for quote in quotes]} for text, quotes in sentences
    ]
    return json.dumps({"sentences": items, "short": short, "found": True})


LIST = reply(
    ("The plant has these **people**:", []),
    ("- Maud Kerrigan, who opened it in 1987", ["opened in 1987 by Maud Kerrigan"]),
    ("- Jo Ek, its director", ["Its director is Jo Ek"]),
    ("- Ada Quill, its engineer", ["Its engineer is Ada Quill"]),
)


@pytest.fixture(scope="module")
def plant(hop: Hopline, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a collection with one report."""
    file = tmp_path_factory.mktemp("plant") / "brackwater.md"
    file.write_text(REPORT, encoding="utf-8")
    assert hop.add(file, collection="plant").wait(timeout=240).failures == ()
    return "plant"


@pytest.fixture
def model(settings: Settings) -> Iterator[Open]:
    """``model(turn, **settings)``: a client whose model replies with this turn, and the server of the model."""
    with ExitStack() as stack:

        def open_with_model(turn: Turn, **options: Any) -> tuple[Hopline, ServerState]:
            server = stack.enter_context(serve([turn]))
            known = {"home": settings.home, "openai_base_url": server.url, "model_timeout": 10.0, "worker": False}
            return stack.enter_context(Hopline.open(**{"model": "tiny", **known, **options})), server

        yield open_with_model


def test_sentences_arrive_one_by_one_each_verified(model: Open, plant: str) -> None:
    hop, server = model(Turn(LIST, pause=0.005))
    drafts: list[AnswerDraft] = []
    answer = hop.ask("Which people does the plant have?", collection=plant, on_draft=drafts.append)
    counts = [len(draft.sentences) for draft in drafts]
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3, 4}
    assert [sentence.state for sentence in drafts[-1].sentences] == ["unsupported", "quoted", "quoted", "unsupported"]
    assert drafts[-1].sentences == answer.sentences
    assert (answer.status, len(server.requests)) == ("answered", 1)
    assert answer.text.split("\n") == [
        "The plant has these **people**:",
        "",
        "- Maud Kerrigan, who opened it in 1987",
        "- Jo Ek, its director",
        "- Ada Quill, its engineer",
    ]


def test_the_first_words_are_given_while_the_model_writes(model: Open, plant: str) -> None:
    hop, server = model(Turn(LIST, pause=0.03))
    times: list[float] = []
    hop.ask("Who are the people of the plant?", collection=plant, on_draft=lambda _: times.append(time.monotonic()))
    assert times[0] < find_middle(server) < times[-1]


def test_the_terminal_shows_the_first_words_while_the_model_writes(model: Open, plant: str, settings: Settings) -> None:
    hop, server = model(Turn(LIST, pause=0.06))
    controller, terminal = pty.openpty()
    environment = to_environment(hop.settings) | {"TERM": "xterm", "COLUMNS": "100", "LINES": "30"}
    command = [sys.executable, "-m", "hopline", "ask", "Who belongs to the plant?", "-c", plant]
    process = subprocess.Popen(command, stdout=terminal, stderr=terminal, stdin=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    shown_at, output = 0.0, b""
    while data := read_terminal(controller):
        output += data
        if not shown_at and b"The" in output:
            shown_at = time.monotonic()
    assert process.wait(60) == 0, output.decode()
    assert shown_at < find_middle(server)
    final = " ".join(ESCAPE.sub("", output.decode()).rpartition("Who belongs to the plant?")[2].split())
    assert "- Ada Quill, its engineer (not found in the sources)" in final
    assert "1 model call, 18 tokens" in final


def read_terminal(controller: int) -> bytes:
    """Read what a process wrote to its terminal; empty after its end."""
    try:
        return os.read(controller, 4096)
    except OSError:
        return b""


COMPUTED = reply(
    ("It rose by 106,400 cubic metres.", ["918,400 cubic metres", "812,000 cubic metres"]), short="106,400"
)
REWORDED = reply(("Maud Kerrigan did.", ["The Brackwater plant is opened in 1987 by Maud Kerrigan"]), short="Kerrigan")
UNFOUND = reply(("Ada Quill did.", ["opened by Ada Quill"]), short="Ada Quill")


@pytest.mark.parametrize(
    ("question", "text", "mark", "strict"),
    [
        (
            "By how much did the water of the plant rise?",
            COMPUTED,
            ("answered", "106,400", "tiny"),
            ("possible", "tiny"),
        ),
        ("Who opened the Brackwater plant?", REWORDED, ("answered", "Kerrigan", "tiny"), ("answered", "reader")),
        ("Who opened the plant at Brackwater?", UNFOUND, ("possible", "Ada Quill", "tiny"), ("answered", "reader")),
    ],
    ids=["computed", "reworded quote", "no quote"],
)
def test_one_reply_is_judged_in_both_settings(
    model: Open, plant: str, question: str, text: str, mark: tuple[str, ...], strict: tuple[str, ...]
) -> None:
    hop, server = model(Turn(text))
    marked = hop.ask(question, collection=plant)
    assert (marked.status, marked.short, marked.written_by) == mark
    with Hopline.open(**vars_of(hop), verify="strict", worker=False) as other:
        answer = other.ask(question, collection=plant)
    assert (answer.status, answer.written_by) == strict
    assert len(server.requests) == 1, "the reply is cached"


def vars_of(hop: Hopline) -> dict[str, Any]:
    """The settings of a client that name its home and its model."""
    return {name: getattr(hop.settings, name) for name in ("home", "model", "openai_base_url")}


def test_an_answer_has_the_prompt_the_reply_tokens_and_cost(model: Open, plant: str) -> None:
    hop, server = model(Turn(REWORDED), price_in=1_000_000.0, price_out=2_000_000.0)
    answer = hop.ask("Who opened the Brackwater plant in 1987?", collection=plant, record=True)
    [step] = [step for step in answer.retrieval.trace.steps if step.request == "ask"]
    [(system, prompt, reply)] = list_calls(step)
    assert reply.text == REWORDED
    assert [system, prompt] == [message["content"] for message in server.requests[0]["messages"]]
    assert format_model_use(answer.retrieval) == "1 model call, 18 tokens, cost 25"
    again = hop.ask("Who opened the Brackwater plant in 1987?", collection=plant)
    assert format_model_use(again.retrieval) == "1 cached reply"
    [step] = [step for step in answer.to_dict()["trace"] if step["request"] == "ask"]
    assert step["detail"]["answer"]
