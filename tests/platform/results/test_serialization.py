import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from hopline import Hopline
from hopline.errors import UsageError
from hopline.records import Box
from hopline.results import (
    Answer,
    Citation,
    Evidence,
    EvidenceGraph,
    EvidencePath,
    Node,
    PathStep,
    Retrieval,
    Sentence,
    Trace,
    TraceStep,
)
from hopline.results.evidence import format_location
from hopline.results.labels import describe_location, number_citations, shorten

SEED = Node("e1", "entity", "<Nordvik>")
FIRST = Evidence(
    "p1", "passage", 0.75, "Halcyon lends to <b>Nordvik</b> & others.", "report.pdf", "d1", "Report", ("2 Loans",), pages=(3, 4),
    boxes=(Box(3, 10.0, 20.0, 200.5, 32.0), Box(4, 10.0, 20.0, 90.0, 32.0)), lines=((0, 20), (20, 41)), source_id="row-1",
)  # fmt: skip
TABLE = Evidence("t1", "table", 0.5, "| a | b |", "report.pdf", caption="Lenders", number="2", pages=(5,))
HOP = EvidencePath("p1", SEED, (PathStep(SEED, "MENTIONS", Node("p1", "passage", "Halcyon lends…")),))
DIRECT = EvidencePath("t1", Node("t1", "table", "Lenders"))
TRACE = Trace((TraceStep("search", "evidence", 1.23456, 10), TraceStep("ask", "", 20.0, 1, 90, 1)))
RETRIEVAL = Retrieval("Who lends?", "gnn_ret", "loans", (FIRST, TABLE), (HOP, DIRECT), TRACE)
CITED = Citation(FIRST, "Halcyon lends", 0, 13, HOP)
ANSWER = Answer(
    "Who lends?", (Sentence("Halcyon lends.", (CITED,)), Sentence("It does.", (CITED,))), RETRIEVAL, short="Halcyon"
)


def test_the_dictionary_of_a_retrieval_has_every_documented_key_and_no_answer() -> None:
    data = json.loads(json.dumps(RETRIEVAL.to_dict(), allow_nan=False))
    assert list(data) == ["question", "strategy", "collection", "model_error", "evidence", "paths", "trace"]
    assert data["evidence"][0] == {
        "id": "p1", "source_id": "row-1", "kind": "passage", "document": "report.pdf", "document_id": "d1",
        "title": "Report", "lines": [[0, 20], [20, 41]], "sentences": [],
        "section": ["2 Loans"], "caption": "", "number": "", "pages": [3, 4],
        "boxes": [{"page": 3, "x0": 10.0, "y0": 20.0, "x1": 200.5, "y1": 32.0},
                  {"page": 4, "x0": 10.0, "y0": 20.0, "x1": 90.0, "y1": 32.0}],
        "text": "Halcyon lends to <b>Nordvik</b> & others.", "score": 0.75,
    }  # fmt: skip
    seed, target = (
        {"id": "e1", "kind": "entity", "name": "<Nordvik>"},
        {"id": "p1", "kind": "passage", "name": "Halcyon lends…"},
    )
    assert data["paths"] == [
        {"evidence": "p1", "seed": seed, "steps": [{"from": seed, "edge": "MENTIONS", "to": target}]},
        {"evidence": "t1", "seed": {"id": "t1", "kind": "table", "name": "Lenders"}, "steps": []},
    ]
    assert data["trace"][0] == {
        "request": "search", "name": "evidence", "ms": 1.23456, "rows": 10, "tokens": 0, "calls": 0, "cost": 0.0,
        "detail": {},
    }  # fmt: skip
    assert [step["calls"] for step in data["trace"]] == [0, 1]


def test_the_answer_within_a_quote_is_kept_and_in_a_table_its_box_is_that_of_the_citation() -> None:
    cells = replace(
        TABLE, boxes=(Box(5, 10.0, 20.0, 30.0, 32.0), Box(5, 40.0, 20.0, 60.0, 32.0)), lines=((2, 3), (6, 7))
    )
    row = Citation(cells, "| a | b |", 0, 9)
    cell = replace(row, answer=(6, 7))
    assert [box.x0 for box in row.boxes] == [10.0, 40.0]
    assert [box.x0 for box in cell.boxes] == [40.0]
    retrieval = replace(RETRIEVAL, evidence=(FIRST, cells))
    answer = Answer("Which?", (Sentence("b", (cell,)),), retrieval, short="b")
    data = json.loads(json.dumps(answer.to_dict()))
    assert data["answer"][0]["citations"][0]["answer"] == [6, 7]
    assert Answer.from_dict(data).sentences[0].citations[0].answer == (6, 7)


def test_an_evidence_graph_is_converted_with_its_edges_from_the_question() -> None:
    nodes = (Node("p1", "passage", "Halcyon lends…"), Node("t1", "table", "Lenders"))
    data = replace(RETRIEVAL, graph=EvidenceGraph(nodes, (("", "p1"), ("p1", "t1")))).to_dict()
    assert list(data)[-1] == "graph"
    assert json.loads(json.dumps(data["graph"])) == {
        "nodes": [
            {"id": "p1", "kind": "passage", "name": "Halcyon lends…"},
            {"id": "t1", "kind": "table", "name": "Lenders"},
        ],
        "edges": [{"from": "", "to": "p1"}, {"from": "p1", "to": "t1"}],
    }


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer("q", (Sentence("It was built."),), RETRIEVAL, confidence=0.9), "answered"),
        (Answer("q", (), RETRIEVAL, abstained=True, nearest=(Sentence("It was."),), confidence=0.2), "possible"),
        (Answer("q", (), RETRIEVAL, abstained=True, nearest=(Sentence("It was."),), confidence=0.01), "not_found"),
        (Answer("q", (), RETRIEVAL, abstained=True), "not_found"),
    ],
)
def test_the_status_of_an_answer_says_how_sure_it_is(answer: Answer, status: str) -> None:
    assert answer.status == answer.to_dict()["status"] == status


def test_the_dictionary_of_an_answer_adds_sentences_abstention_and_missing_words() -> None:
    data = json.loads(json.dumps(ANSWER.to_dict(), allow_nan=False))
    assert set(data) == set(RETRIEVAL.to_dict()) | {
        "answer", "status", "abstained", "missing", "short", "additional_evidence", "additional_paths", "written_by", "model_error",
        "understood_as", "confidence", "nearest", "notice", "retrieval_model_error", "short_quoted",
    }  # fmt: skip
    citation = {
        "evidence": "p1", "quote": "Halcyon lends", "start": 0, "end": 13, "document": "report.pdf",
        "document_id": "d1", "page": 3, "boxes": [{"page": 3, "x0": 10.0, "y0": 20.0, "x1": 200.5, "y1": 32.0}],
        "answer": None, "state": "quoted",
    }  # fmt: skip
    assert data["answer"] == [
        {"text": "Halcyon lends.", "state": "quoted", "citations": [citation]},
        {"text": "It does.", "state": "quoted", "citations": [citation]},
    ]
    assert (data["abstained"], data["missing"], data["short"]) == (False, [], "Halcyon")
    refused = Answer("Why?", (), RETRIEVAL, abstained=True, missing=("why",)).to_dict()
    assert (refused["question"], refused["answer"], refused["abstained"], refused["missing"]) == (
        "Why?",
        [],
        True,
        ["why"],
    )


def test_additional_evidence_is_separate_from_the_evidence_of_the_strategy() -> None:
    answer = replace(
        ANSWER,
        retrieval=replace(RETRIEVAL, evidence=(TABLE,), paths=(DIRECT,)),
        additional_evidence=(FIRST,),
        additional_paths=(HOP,),
    )
    data = answer.to_dict()
    assert [evidence["id"] for evidence in data["evidence"]] == [path["evidence"] for path in data["paths"]] == ["t1"]
    assert [evidence["id"] for evidence in data["additional_evidence"]] == ["p1"]
    assert [path["evidence"] for path in data["additional_paths"]] == ["p1"]
    assert answer.evidence == (TABLE, FIRST)
    assert (answer.find_path("p1"), answer.find_path("t1")) == (HOP, DIRECT)
    assert "[1] report.pdf · p. 3 · 2 Loans" in parse_html(answer._repr_html_()).text


def make_full_answer() -> Answer:
    """An answer with a graph, a follow-up, additional evidence, a citation with its own path, and a failed step."""
    other = Citation(TABLE, "a", 2, 3)
    far = Citation(FIRST, "Halcyon", 0, 7, EvidencePath("p1", SEED))
    detail = {"query": "Who?", "k": 10, "error": {"kind": "ModelError", "says": "gone"}}
    graph = EvidenceGraph((Node("t1", "table", "Lenders"),), (("", "t1"),))
    trace = Trace((*TRACE.steps, TraceStep("search", "x", 0.1 + 0.2, 3, 4, 5, 0.006, detail=detail)))
    retrieval = replace(
        RETRIEVAL,
        evidence=(TABLE,),
        paths=(DIRECT,),
        graph=graph,
        closed_book=True,
        trace=trace,
        memory=("Vale built it",),
    )
    sentences = (
        Sentence("x", (CITED, other)),
        Sentence("y", (far,), state="unsupported"),
        Sentence("z", (), state="unsupported"),
    )
    return Answer(
        "And who else?", sentences, retrieval, missing=("who",), short="Halcyon", additional_evidence=(FIRST,),
        additional_paths=(HOP,), written_by="tiny", model_error="gone", confidence=0.25, nearest=(Sentence("n", (other,)),),
        notice="The reader reads English.",
    )  # fmt: skip


@pytest.mark.parametrize(
    "answer", [ANSWER, make_full_answer(), Answer("Why?", (), RETRIEVAL, abstained=True, missing=("why",))]
)
def test_an_answer_and_its_retrieval_round_trip_through_json(answer: Answer) -> None:
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict(), allow_nan=False))) == answer
    data = json.loads(json.dumps(answer.retrieval.to_dict(), allow_nan=False))
    assert Retrieval.from_dict(data) == answer.retrieval


def test_the_confidence_of_a_triple_round_trips() -> None:
    triple = Node("r1", "triple", "Halcyon lends", 0.41)
    path = EvidencePath("p1", triple, (PathStep(triple, "STATES", Node("p1", "passage", "Halcyon lends…")),))
    data = replace(RETRIEVAL, paths=(path,)).to_dict()
    assert data["paths"][0]["seed"] == {"id": "r1", "kind": "triple", "name": "Halcyon lends", "confidence": 0.41}
    assert Retrieval.from_dict(data).paths == (path,)


def test_an_answer_round_trips_without_what_was_recorded_for_replay(hop: Hopline, corpus: str) -> None:
    question = "Who designed the Skarv Bridge?"
    plain = hop.ask(question, collection=corpus)
    assert plain.sentences
    assert Answer.from_dict(json.loads(json.dumps(plain.to_dict()))) == plain
    recorded = hop.ask(question, collection=corpus, record=True)
    back = Answer.from_dict(json.loads(json.dumps(recorded.to_dict())))
    assert back.sentences == recorded.sentences
    assert any("asked" in step.detail for step in recorded.retrieval.trace.steps)
    assert not any({"asked", "answer"} & step.detail.keys() for step in back.retrieval.trace.steps)


@pytest.mark.parametrize("data", [{}, {"question": "q"}, [], None, {**ANSWER.to_dict(), "evidence": []}])
def test_data_that_is_not_an_answer_is_refused(data: Any) -> None:
    with pytest.raises(UsageError, match=r"wanted the dictionary that to_dict\(\) of an answer gives"):
        Answer.from_dict(data)


def test_numpy_scores_become_plain_numbers() -> None:
    import numpy as np

    odd = Evidence("p", "passage", np.float32(0.5), "x")  # type: ignore[arg-type]
    assert json.dumps(Retrieval("q", "s", "c", (odd,)).to_dict()["evidence"][0]["score"]) == "0.5"


class Strict(HTMLParser):
    """Notes the text, the tags, and a tag that is closed out of order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def parse_html(html: str) -> Strict:
    parser = Strict()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def test_an_answer_in_a_notebook_shows_sentences_sources_and_path_escaped() -> None:
    html = ANSWER._repr_html_()
    page = parse_html(html)
    assert "Halcyon lends.[1] It does.[1]" in page.text
    assert "[1] report.pdf · p. 3 · 2 Loans" in page.text
    assert "◉ <Nordvik> ─MENTIONS─ ▤ report.pdf p. 3" in page.text
    assert "1 model call, 90 tokens" in page.text
    assert page.tags == {"div", "p", "sup", "b", "span"}
    assert "http" not in html
    assert "color:" not in html  # inherited: right on light and on dark


def test_a_retrieval_in_a_notebook_lists_its_evidence_in_order() -> None:
    text = parse_html(RETRIEVAL._repr_html_()).text
    assert text.index("report.pdf · pp. 3–4") < text.index("report.pdf · p. 5 · Table 2")
    assert "Halcyon lends to <b>Nordvik</b> & others." in text
    assert "No evidence." in parse_html(Retrieval("q", "s", "c")._repr_html_()).text


def test_a_long_retrieval_says_how_many_are_not_drawn() -> None:
    many = Retrieval("q", "s", "c", tuple(Evidence(str(n), "passage", 1.0, "x") for n in range(13)))
    assert "and 3 more in .evidence" in parse_html(many._repr_html_()).text


def test_the_author_of_an_answer_and_a_model_error_are_converted_and_displayed() -> None:
    assert [ANSWER.to_dict()[name] for name in ("written_by", "model_error")] == ["extractive", ""]
    assert "written by tiny <2>" in parse_html(replace(ANSWER, written_by="tiny <2>")._repr_html_()).text
    broken = replace(ANSWER, model_error="HTTP 401: <key>")
    assert broken.to_dict()["model_error"] == "HTTP 401: <key>"
    notice = "The language model could not be used: HTTP 401: <key>. The answer is extracted from the passages."
    assert notice in parse_html(broken._repr_html_()).text
    assert "language model" not in parse_html(ANSWER._repr_html_()).text


def test_an_abstention_in_a_notebook_lists_the_missing_words() -> None:
    text = parse_html(Answer("Why?", (), RETRIEVAL, abstained=True, missing=("<why>", "1843"))._repr_html_()).text
    assert "Not found. Terms without a match: <why>, 1843." in text


def test_an_abstention_in_a_notebook_shows_the_nearest_sentences_with_their_location() -> None:
    answer = Answer("Why?", (), RETRIEVAL, abstained=True, nearest=(Sentence("Halcyon <lends>.", (CITED,)),))
    assert "Not found.Halcyon <lends>. report.pdf · p. 3" in parse_html(answer._repr_html_()).text


def test_a_possible_answer_in_a_notebook_is_shown_in_place_of_not_found() -> None:
    nearest = (Sentence("Halcyon lends.", (CITED,)),)
    text = parse_html(Answer("Why?", (), RETRIEVAL, abstained=True, nearest=nearest, confidence=0.2)._repr_html_()).text
    assert "Possible answer (not sure).Halcyon lends.[1][1] report.pdf · p. 3" in text
    assert "Not found" not in text


@pytest.mark.parametrize(("confidence", "possible"), [(None, False), (0.14, False), (0.15, True)])
def test_the_nearest_sentence_is_a_possible_answer_from_a_confidence_on(confidence, possible) -> None:
    nearest = (Sentence("Halcyon lends.", (CITED,)),)
    answer = Answer("Why?", (), RETRIEVAL, abstained=True, nearest=nearest, confidence=confidence)
    assert answer.possible == (nearest[0] if possible else None)


def test_a_sentence_without_a_source_or_with_a_figure_that_is_in_no_source_is_marked() -> None:
    sentences = (
        Sentence("So it is said."),
        Sentence("There are 9.", (CITED,), state="unsupported"),
        Sentence("Yes.", (CITED,)),
    )
    text = parse_html(Answer("q", sentences, RETRIEVAL)._repr_html_()).text
    assert "So it is said. (no source)" in text
    assert "There are 9.[1] (not confirmed by the cited sources)" in text
    assert "Yes.[1] (" not in text


def test_equal_citations_share_a_number() -> None:
    other = Citation(TABLE, "a", 2, 3)
    answer = Answer("q", (Sentence("x", (CITED, other)), Sentence("y", (other,))), RETRIEVAL)
    assert number_citations(answer) == {CITED: 1, other: 2}


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (FIRST, ("report.pdf · pp. 3–4 · 2 Loans", "report.pdf p. 3")),
        (TABLE, ("report.pdf · p. 5 · Table 2", "report.pdf p. 5")),
        (Evidence("x", "passage", 1.0, "t", title="Ada Lovelace"), ("Ada Lovelace", "Ada Lovelace")),
    ],
)
def test_a_location_has_document_page_and_section(evidence: Evidence, expected: tuple[str, str]) -> None:
    assert (describe_location(evidence), format_location(evidence)) == expected


def test_an_excerpt_ends_after_a_word_and_within_its_length() -> None:
    assert shorten("one  two,\nthree", 40) == "one two, three"
    assert shorten("one two, three", 12) == "one two…"
    assert shorten("abcdefghij", 5) == "abcd…"
