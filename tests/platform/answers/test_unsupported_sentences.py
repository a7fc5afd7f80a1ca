"""Sentences of a model that what they quote does not support; the file and the replies are those of a report."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hopline.flow.requests import Reply
from hopline.results import Evidence
from hopline.results.labels import describe_state

CASE = Path(__file__).parent / "cases" / "29-model-sentence-against-its-quote"
REPLIES = json.loads((CASE / "replies.json").read_text("utf-8"))
QUESTION = "Who opened Hollin Quarry?"
SENTENCES = (
    "Hollin Quarry was opened in 1888 by Frida Stang in the village of Moss.",
    "Her nephew Albin Stang sold it in 1931.",
)
Write = Callable[..., tuple]


@pytest.fixture
def quarry(passage: Callable[..., Evidence]) -> Evidence:
    assert all(sentence in (CASE / "quarry.md").read_text("utf-8") for sentence in SENTENCES)
    return passage("quarry", *SENTENCES, document="quarry.md", title="Hollin Quarry")


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("verification", ["mark", "strict"])
def test_a_sentence_that_its_quote_does_not_support_is_no_sure_answer(
    write: Write, quarry: Evidence, number: int, verification: str
) -> None:
    result, _ = write(QUESTION, Reply(json.dumps(REPLIES[number]), REPLIES[number]), quarry, verification=verification)
    text = REPLIES[number]["sentences"][0]["text"]
    if number == 3:  # without a quote, a strict answer is that of the reader
        assert (result.status != "answered") is (verification == "mark")
    else:
        assert (result.status, result.written_by) == ("possible", "canned")
    assert not any(sentence.supported for sentence in result.claims if sentence.text == text)


def test_a_sentence_that_its_quote_supports_is_answered(write: Write, quarry: Evidence) -> None:
    result, _ = write(QUESTION, Reply(json.dumps(REPLIES[4]), REPLIES[4]), quarry)
    assert (result.status, result.short, result.sentences[0].state) == ("answered", "Frida Stang", "quoted")
    assert result.written_by == "canned"


@pytest.mark.parametrize(
    ("text", "quote", "state"),
    [
        ("Albin Stang sold the quarry in 1931.", "Her nephew Albin Stang sold it in 1931", "quoted"),
        ("Frida Stang opened it.", "Hollin Quarry was opened in 1888 by Frida Stang", "quoted"),
        ("It is in the village of Moss.", "by Frida Stang in the village of Moss", "quoted"),
        ("Frida Stang closed the quarry.", "Hollin Quarry was opened in 1888 by Frida Stang", "contradicted"),
        ("The quarry was never sold.", "Her nephew Albin Stang sold it in 1931", "contradicted"),
    ],
)
def test_the_state_is_what_the_quoted_sentence_says(
    write: Write, quarry: Evidence, text: str, quote: str, state: str
) -> None:
    sentences = [{"text": text, "citations": [{"evidence": 1, "quote": quote}]}]
    reply = {"sentences": sentences, "short": text, "found": True}
    result, _ = write(QUESTION, Reply(json.dumps(reply), reply), quarry)
    [sentence] = result.claims
    assert (sentence.text, sentence.state) == (text, state)
    assert (describe_state(sentence) == "the cited source says something else") is (state == "contradicted")
