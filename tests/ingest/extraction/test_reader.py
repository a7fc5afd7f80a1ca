import concurrent.futures
import multiprocessing
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.ids import normalise
from hopline_ingest.extraction import EXTRACTOR, Extraction, Readable, read_batch, rules

ODD = [
    "",
    " ",
    "\n\n\n",
    "\x00\x01",
    "\ud800 Paris is in France.",
    "🦊🦊 is a fox 👩‍👩‍👧‍👦.",
    "The السلام عليكم is a greeting in Arabic.",
    "He said ``Paris ''is big. “Quotes” and ‘more’.",
    "((((((((",
    '"' * 101,
    "of " * 300,
    "Ada, " * 2000,
    "a" * 10_000,
    "Ada Quill kept Tern. " * 476,
    "and the of (is) " * 600,
    "e\u0301" * 500,
    "| a | b |",
    "he she it they " * 50,
]


def check(readable: Readable, extraction: Extraction) -> None:
    """What holds for every extraction of every text."""
    text = readable.text
    assert extraction.id == readable.id
    assert extraction.warning == "" or "Latin script" in extraction.warning
    names = [normalise(mention.name) for mention in extraction.mentions]
    assert len(set(names)) == len(names)
    for mention in extraction.mentions:
        forms = {normalise(form) for form in (mention.name, *mention.aliases)}
        assert mention.spans
        assert list(mention.spans) == sorted(set(mention.spans))
        for start, end in mention.spans:
            assert 0 <= start < end <= len(text)
            assert normalise(" ".join(text[start:end].split())) in forms
    for one in extraction.triples:
        assert 0 <= one.span[0] < one.span[1] <= len(text)
        assert all(part.strip() for part in (one.subject, one.predicate, one.object))
    assert all(one.name.strip() and 0 < one.score <= 1 for one in extraction.about)
    assert all(normalise(alias) != normalise(name) for alias, name in extraction.aliases)


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_an_odd_text_is_read_without_a_warning(text):
    for kind in ("passage", "table"):
        readable = Readable("p", kind, text)
        check(readable, read_batch([readable])[0])


WORDS = st.sampled_from(
    [
        "Ada",
        "Quill",
        "Tern",
        "the",
        "a",
        "of",
        "and",
        "is",
        "was",
        "by",
        "who",
        "it",
        "she",
        "in",
        "1902",
        "(",
        ")",
        '"',
        "'",
        ",",
        ".",
        ";",
        "–",
        "founded",
        "known",
        "as",
        "film",
        "or",
        "WHO's",
        "\n",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300) | st.lists(WORDS, max_size=40).map(" ".join), st.text(max_size=20))
def test_spans_are_true_whatever_the_text(text, title):
    readable = Readable("p", "passage", text, title=title)
    check(readable, read_batch([readable])[0])


def test_two_runs_give_the_same():
    readables = [Readable(str(n), "passage", text, title="Tern") for n, text in enumerate(ODD)]
    assert read_batch(readables) == read_batch(readables)


def test_extractions_come_in_the_order_of_their_texts():
    readables = [Readable(str(n), ("passage", "table")[n % 2], text) for n, text in enumerate(ODD)]
    read = read_batch(readables)
    assert [one.id for one in read] == [one.id for one in readables]
    assert {one.extractor for one in read} == {EXTRACTOR}


@pytest.mark.parametrize("text", ["السلام عليكم ورحمة الله. هذا نص.", "世界保健機関は国際連合の専門機関である。"])
def test_another_script_is_not_read_as_english_and_says_so(text):
    [extraction] = read_batch([Readable("p", "passage", text, title="WHO")])
    assert (extraction.mentions, extraction.triples) == ((), ())
    assert [one.name for one in extraction.about] == ["WHO"]
    assert extraction.warning == "not read for entities: not in Latin script"


def test_nothing_gives_nothing():
    assert read_batch([]) == []


def test_one_text_that_fails_costs_only_itself(monkeypatch):
    whole = rules.read_passage

    def failing(readable, parse):
        if readable.id == "bad":
            raise IndexError("odd")
        return whole(readable, parse)

    monkeypatch.setattr(rules, "read_passage", failing)
    bad, good = read_batch([Readable("bad", "passage", "Paris."), Readable("good", "passage", "Paris is big.")])
    assert (bad.mentions, bad.warning) == ((), "could not be read: IndexError: odd")
    assert [mention.name for mention in good.mentions] == ["Paris"]


def test_a_text_that_is_too_long_is_read_at_its_beginning_and_says_so():
    text = "Ada Quill kept Tern. " + "x" * rules.MOST_CHARACTERS
    [extraction] = read_batch([Readable("p", "passage", text)])
    assert "only the first 100,000" in extraction.warning
    assert extraction.mentions[0].name == "Ada Quill"


def test_texts_are_read_in_another_process_as_in_this():
    readables = [Readable("p", "passage", "Ada Quill kept Tern until 1950.", title="Tern")]
    assert pickle.loads(pickle.dumps(readables)) == readables
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(read_batch, readables).result(timeout=120) == read_batch(readables)


def test_reading_leaves_torch_alone():
    code = (
        "import sys; from hopline_ingest.extraction import Readable, read_batch; "
        "read_batch([Readable('p', 'passage', 'Paris is big.')]); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0
