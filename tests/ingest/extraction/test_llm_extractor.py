import json
from collections.abc import Sequence

import pytest

from hopline.flow.requests import Ask, Reply
from hopline_ingest.extraction import EXTRACTOR, Extraction, ExtractionInput, extract_batch
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR, build_prompt, extract_with_llm

TEXT = "It was lit in 1902. Ada Quill kept it until 1950."
TERN = ExtractionInput("p", "passage", TEXT, title="Tern Lighthouse", sentences=((0, 19), (20, len(TEXT))))
FACTS = {
    "entities": ["Tern Lighthouse", "1902", "Ada Quill"],
    "triples": [
        {"subject": "Tern Lighthouse", "predicate": "was lit in", "object": "1902"},
        {"subject": "Ada Quill", "predicate": "kept", "object": "Tern Lighthouse"},
    ],
}
GOOD = Reply(json.dumps(FACTS), FACTS)
REFUSAL = Reply("I am sorry, but I cannot help with that.", None, "the reply contains no JSON")
EMPTY = Reply("", None, "the reply was empty")
WRONG = Reply('{"answer": 42}', None, "the reply does not fit its schema")


def replay(inputs: Sequence[ExtractionInput], *rounds: list[Reply]) -> tuple[list[Extraction], list[Ask]]:
    """Run the flow with given replies, all of which it has to request; returns its result and requests."""
    flow = extract_with_llm(inputs)
    requests: list[Ask] = []
    replies = iter(rounds)
    try:
        request = next(flow)
        while True:
            assert isinstance(request, Ask)
            requests.append(request)
            request = flow.send(next(replies))
    except StopIteration as stop:
        assert next(replies, None) is None
        return stop.value, requests


def triples(extraction: Extraction) -> list[tuple[str, str, str]]:
    return [(triple.subject, triple.predicate, triple.object) for triple in extraction.triples]


def test_a_good_reply_is_the_extraction():
    [extraction], requests = replay([TERN], [GOOD])
    assert len(requests) == 1
    assert extraction.extractor == MODEL_EXTRACTOR
    assert triples(extraction) == [("Tern Lighthouse", "was lit in", "1902"), ("Ada Quill", "kept", "Tern Lighthouse")]
    assert extraction.warning == ""


def test_a_triple_is_tied_to_the_sentence_with_most_of_its_words():
    [extraction], _ = replay([TERN], [GOOD])
    assert [TEXT[slice(*triple.span)] for triple in extraction.triples] == ["It was lit in 1902.", TEXT[20:]]


def test_entities_are_found_in_the_text_and_keep_their_kind():
    [extraction], _ = replay([TERN], [GOOD])
    mentions = {mention.name: mention for mention in extraction.mentions}
    assert [TEXT[a:b] for a, b in mentions["Ada Quill"].spans] == ["Ada Quill"]
    assert (mentions["1902"].kind, mentions["Tern Lighthouse"].spans) == ("DATE", ())


def test_subjects_come_from_the_rules():
    [extraction], _ = replay([TERN], [GOOD])
    assert extraction.about == extract_batch([TERN])[0].about


def test_the_prompt_holds_title_section_and_text():
    evidence = ExtractionInput("p", "passage", "The {lamp} is old.", title="Tern", section=("Tower", "Lamp"))
    assert "Title: Tern / Tower / Lamp\nPassage: The {lamp} is old." in build_prompt(evidence)


@pytest.mark.parametrize("bad", [REFUSAL, EMPTY, WRONG, Reply("[1, 2]", [1, 2])])
def test_an_invalid_reply_is_requested_once_more_with_the_complaint(bad):
    [extraction], requests = replay([TERN], [bad], [GOOD])
    assert extraction.extractor == MODEL_EXTRACTOR
    assert requests[1].prompts[0].startswith(requests[0].prompts[0])
    assert "could not be used" in requests[1].prompts[0]


@pytest.mark.parametrize("bad", [REFUSAL, EMPTY, WRONG, Reply("", None, "HTTP 500")])
def test_after_two_invalid_replies_the_passage_is_extracted_by_rules_with_a_warning(bad):
    [extraction], requests = replay([TERN], [bad], [bad])
    [plain] = extract_batch([TERN])
    assert len(requests) == 2
    assert (extraction.extractor, extraction.triples, extraction.mentions) == (EXTRACTOR, plain.triples, plain.mentions)
    assert "extracted without the model" in extraction.warning


def test_the_warning_contains_the_error_of_the_endpoint():
    down = Reply("", None, "HTTP 500")
    [extraction], _ = replay([TERN], [down], [down])
    assert extraction.warning.endswith("HTTP 500")


def test_only_invalid_replies_are_requested_again():
    other = ExtractionInput("q", "passage", "Bo Lind owns Halcyon.", title="Halcyon")
    owns = {"subject": "Bo Lind", "predicate": "owns", "object": "Halcyon"}
    reply = Reply("", {"entities": ["Bo Lind"], "triples": [owns]})
    extractions, requests = replay([TERN, other], [GOOD, REFUSAL], [reply])
    assert [len(request.prompts) for request in requests] == [2, 1]
    assert "Bo Lind owns Halcyon." in requests[1].prompts[0]
    assert [extraction.id for extraction in extractions] == ["p", "q"]
    assert triples(extractions[1]) == [("Bo Lind", "owns", "Halcyon")]


def test_tables_and_given_rows_are_not_sent_to_the_model():
    table = ExtractionInput("t", "table", "| Isle | Area |\n|---|---|\n| Tern | 12 |\n")
    row = ExtractionInput("g", "passage", "x", given_entities=("x",))
    extractions, requests = replay([table, TERN, row], [GOOD])
    assert [extraction.extractor for extraction in extractions] == [EXTRACTOR, MODEL_EXTRACTOR, "given"]
    assert len(requests[0].prompts) == 1


def test_without_inputs_no_prompt_is_sent():
    assert replay([]) == ([], [])
