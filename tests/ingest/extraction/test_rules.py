import concurrent.futures
import multiprocessing
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.ids import normalize_name
from hopline_ingest.extraction import EXTRACTOR, Extraction, ExtractionInput, extract_batch, rules

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


def check(evidence: ExtractionInput, extraction: Extraction) -> None:
    """Assert what is true of every extraction of every text."""
    text = evidence.text
    assert extraction.id == evidence.id
    assert extraction.warning == "" or "Latin script" in extraction.warning
    names = [normalize_name(mention.name) for mention in extraction.mentions]
    assert len(set(names)) == len(names)
    for mention in extraction.mentions:
        forms = {normalize_name(form) for form in (mention.name, *mention.aliases)}
        assert mention.spans
        assert list(mention.spans) == sorted(set(mention.spans))
        for start, end in mention.spans:
            assert 0 <= start < end <= len(text)
            assert normalize_name(" ".join(text[start:end].split())) in forms
    for triple in extraction.triples:
        assert 0 <= triple.span[0] < triple.span[1] <= len(text)
        assert all(part.strip() for part in (triple.subject, triple.predicate, triple.object))
    assert all(subject.name.strip() and 0 < subject.score <= 1 for subject in extraction.about)
    assert all(normalize_name(alias) != normalize_name(name) for alias, name in extraction.aliases)


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_an_unusual_text_is_extracted_without_a_warning(text):
    for kind in ("passage", "table"):
        evidence = ExtractionInput("p", kind, text)
        check(evidence, extract_batch([evidence])[0])


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
    evidence = ExtractionInput("p", "passage", text, title=title)
    check(evidence, extract_batch([evidence])[0])


def test_two_runs_give_the_same():
    inputs = [ExtractionInput(str(n), "passage", text, title="Tern") for n, text in enumerate(ODD)]
    assert extract_batch(inputs) == extract_batch(inputs)


def test_extractions_come_in_the_order_of_their_texts():
    inputs = [ExtractionInput(str(n), ("passage", "table")[n % 2], text) for n, text in enumerate(ODD)]
    read = extract_batch(inputs)
    assert [item.id for item in read] == [item.id for item in inputs]
    assert {extraction.extractor for extraction in read} == {EXTRACTOR}


@pytest.mark.parametrize("text", ["السلام عليكم ورحمة الله. هذا نص.", "世界保健機関は国際連合の専門機関である。"])
def test_a_text_in_another_script_is_not_extracted_and_has_a_warning(text):
    [extraction] = extract_batch([ExtractionInput("p", "passage", text, title="WHO")])
    assert (extraction.mentions, extraction.triples) == ((), ())
    assert [subject.name for subject in extraction.about] == ["WHO"]
    assert extraction.warning == "entities were not extracted: the text is not in Latin script"


def test_nothing_gives_nothing():
    assert extract_batch([]) == []


def test_a_text_that_fails_does_not_affect_other_texts(monkeypatch):
    whole = rules.extract_passage

    def fail_on_bad(evidence, parse):
        if evidence.id == "bad":
            raise IndexError("odd")
        return whole(evidence, parse)

    monkeypatch.setattr(rules, "extract_passage", fail_on_bad)
    bad, good = extract_batch(
        [ExtractionInput("bad", "passage", "Paris."), ExtractionInput("good", "passage", "Paris is big.")]
    )
    assert (bad.mentions, bad.warning) == ((), "extraction failed: IndexError: odd")
    assert [mention.name for mention in good.mentions] == ["Paris"]


def test_only_the_beginning_of_a_text_that_is_too_long_is_extracted_with_a_warning():
    text = "Ada Quill kept Tern. " + "x" * rules.MAX_CHARACTERS
    [extraction] = extract_batch([ExtractionInput("p", "passage", text)])
    assert "only the first 100,000" in extraction.warning
    assert extraction.mentions[0].name == "Ada Quill"


def test_extraction_in_another_process_gives_the_same_result():
    inputs = [ExtractionInput("p", "passage", "Ada Quill kept Tern until 1950.", title="Tern")]
    assert pickle.loads(pickle.dumps(inputs)) == inputs
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(extract_batch, inputs).result(timeout=120) == extract_batch(inputs)


def test_extraction_does_not_import_torch():
    code = (
        "import sys; from hopline_ingest.extraction import ExtractionInput, extract_batch; "
        "extract_batch([ExtractionInput('p', 'passage', 'Paris is big.')]); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0
