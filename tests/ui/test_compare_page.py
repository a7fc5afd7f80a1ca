"""The Compare page without a browser: several strategies on one question, and on a question set."""

from __future__ import annotations

import io
import json
import time
from dataclasses import replace

import pytest
from nordvik import QUESTION, change_answers

from hopline.evaluation import Question, evaluate
from hopline.results import Answer, Evidence, EvidencePath, Node, PathStep, Retrieval, Sentence, Trace, TraceStep
from hopline_ui import evaluation_run
from hopline_ui.comparison import build_table, format_ordinal, rank_evidence, summarize_overlap
from hopline_ui.session.questions import SessionQuestion, TimedAnswer


def make_answer(strategy, *ids, seconds=0.5, calls=0):
    evidence = tuple(Evidence(id, "passage", 1.0, f"text {id}", "a.pdf", id) for id in ids)
    step = PathStep(Node(ids[0], "passage"), "NEXT", Node(ids[-1], "passage"))
    path = EvidencePath(ids[-1], Node(ids[0], "passage"), (step,))
    trace = Trace((TraceStep("ask", "m", 3.0, calls=calls, tokens=9 * calls, cost=0.001 * calls),))
    retrieval = Retrieval("q", strategy, "c", evidence, (path,), trace)
    return TimedAnswer(Answer("q", (Sentence("It is so."),), retrieval, short="so"), seconds)


FOUND = {"dense": make_answer("dense", "a", "b"), "gear": make_answer("gear", "b", "c", seconds=2.0, calls=3)}


def test_each_evidence_has_its_ranks_in_other_strategies():
    overlaps = {
        name: [(item.evidence.id, item.overlap) for item in items] for name, items in rank_evidence(FOUND).items()
    }
    assert overlaps == {
        "dense": [("a", "unique"), ("b", "1st in gear")],
        "gear": [("b", "2nd in dense"), ("c", "unique")],
    }


def test_a_row_counts_what_a_strategy_found_and_spent():
    [dense, gear] = build_table(FOUND)
    assert (dense["Evidence"], dense["Unique"], dense["Longest path"], dense["Answer"]) == (2, 1, 1, "so")
    assert (gear["Model calls"], gear["Tokens"], gear["Cost"], gear["Seconds"]) == (3, 27, 0.003, 2.0)


def test_the_overlap_is_summarized_in_one_sentence():
    assert summarize_overlap(FOUND) == "1 of 3 passages found by all · fastest: dense, 0.50 s"
    assert summarize_overlap({"dense": FOUND["dense"]}) == ""


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd")]
)
def test_ranks_are_formatted_as_ordinals(number, word):
    assert format_ordinal(number) == word


def test_a_model_error_of_several_strategies_is_shown_once(open_page, hop):
    change_answers(hop, lambda answer: replace(answer, model_error="HTTP 401"))
    page = open_page("compare")
    page.text_input[0].set_value(QUESTION)
    page.multiselect(key="compared strategies").set_value(["gnn_ret:hub=10", "bm25"])
    page = page.button(key="compare now").click().run()
    assert len(hop.state.calls_of("ask")) == 2
    assert ["HTTP 401" in warning.value for warning in page.warning] == [True]


def test_each_strategy_is_asked_once(open_page, hop, page_text):
    page = open_page("compare")
    page.text_input[0].set_value(QUESTION)
    page = page.button(key="compare now").click().run()
    assert [call["strategy"] for call in hop.state.calls_of("ask")] == ["gnn_ret:hub=10"]
    page.multiselect(key="compared strategies").set_value(["gnn_ret:hub=10", "bm25"])
    page = page.button(key="compare now").click().run()
    assert [call["strategy"] for call in hop.state.calls_of("ask")] == ["gnn_ret:hub=10", "bm25"], (
        "cached answers are not asked again"
    )
    text = page_text(page)
    assert "found by all" in text
    assert "1st in bm25" in text
    assert "Evidence path" in text
    assert not page.exception


def test_comparing_without_a_question_shows_a_message(open_page, page_text):
    page = open_page("compare")
    page = page.button(key="compare now").click().run()
    assert "Enter a question" in page_text(page)


class Upload(io.BytesIO):
    name = "set.jsonl"


class FakeClient:
    """The part of a client that `evaluate` uses."""

    def create_uncached_client(self):
        return self

    def retrieve(self, question, *, collection, strategy, k, documents=()):
        evidence = tuple(Evidence(id, "passage", 1.0, id, source_id=id) for id in ("g1", "x"))
        return Retrieval(question, strategy, collection, evidence)

    def retrieve_many(self, questions, *, strategy, collection, k):
        return [self.retrieve(question, collection=collection, strategy=strategy, k=k) for question in questions]


def test_a_question_set_is_evaluated_in_the_background():
    rows = [{"question": "Who?", "answer": "Ada", "gold": ["g1"]}, {"question": "What?", "answer": "x", "gold": ["g2"]}]
    questions = evaluation_run.read_uploaded_questions(Upload("\n".join(map(json.dumps, rows)).encode()))
    run = evaluation_run.start_evaluation(FakeClient(), questions, ["bm25", "dense"], "c")  # type: ignore[arg-type]
    for _ in range(100):
        if run.finished:
            break
        time.sleep(0.05)
    assert run.result is not None
    assert run.result.baseline == "dense"
    assert run.result.strategies[0].scores["R@5"].mean == 0.5
    assert run.progress == 1.0


def test_an_unexpected_error_ends_the_evaluation():
    class FailingClient:
        def retrieve_many(self, *_, **__):
            raise RuntimeError("secret detail")

    [question] = evaluation_run.read_uploaded_questions(
        Upload(b'{"question": "Who?", "answer": "Ada", "gold": ["g1"]}')
    )
    run = evaluation_run.start_evaluation(FailingClient(), [question], ["dense"], "c")  # type: ignore[arg-type]
    deadline = time.monotonic() + 20
    while not run.finished and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "log of this page" in run.error
    assert "secret" not in run.error


def test_an_evaluation_stores_the_message_of_its_error():
    from hopline.errors import EngineUnavailable

    class UnreachableClient(FakeClient):
        def retrieve(self, question, *, collection, strategy, k, documents=()):
            raise EngineUnavailable("no server answers")

    [question] = evaluation_run.read_uploaded_questions(
        Upload(b'{"question": "Who?", "answer": "Ada", "gold": ["g1"]}')
    )
    run = evaluation_run.start_evaluation(UnreachableClient(), [question], ["dense"], "c")  # type: ignore[arg-type]
    for _ in range(100):
        if run.finished:
            break
        time.sleep(0.05)
    assert run.error == "no server answers"


@pytest.mark.parametrize(
    ("gold", "message"), [(["g1"], "differences are those to dense"), ([], "only latencies were measured")]
)
def test_scores_are_shown_as_a_table_and_a_plot_where_the_evidence_is_known(open_page, page_text, gold, message):
    rows = [{"question": "Who?", "answer": "Ada", "gold": gold}, {"question": "What?", "answer": "x", "gold": gold}]
    questions = evaluation_run.read_uploaded_questions(Upload("\n".join(map(json.dumps, rows)).encode()))
    run = evaluation_run.start_evaluation(FakeClient(), questions, ["bm25", "dense"], "nordvik")  # type: ignore[arg-type]
    deadline = time.monotonic() + 20
    while not run.finished and time.monotonic() < deadline:
        time.sleep(0.01)
    page = open_page("compare")
    page.session_state["state"].evaluation = run
    page = page.run()
    assert not page.exception
    assert "unexpected error" not in page_text(page)
    assert message in page_text(page)
    [frame] = page.dataframe
    assert list(frame.value["Strategy"]) == ["bm25", "dense"]
    assert not gold or list(frame.value["R@5"]) == [100.0, 100.0], "numbers, which can be sorted"
    assert len(page.get("vega_lite_chart") or page.get("arrow_vega_lite_chart")) == bool(gold)


def test_the_question_of_the_conversation_is_taken_over_with_its_filter_and_gets_an_address(open_page, hop, page_text):
    page = open_page("compare")
    page.session_state["state"].question = SessionQuestion(QUESTION, "nordvik", "bm25", filter="pages > 1")
    page = page.run()
    assert page.text_input[0].value == QUESTION
    page.multiselect(key="compared strategies").set_value(["gnn_ret:hub=10", "bm25"])
    page = page.button(key="compare now").click().run()
    calls = hop.state.calls_of("ask")
    assert [(call["strategy"], call["filter"]) for call in calls] == [
        ("gnn_ret:hub=10", "pages > 1"),
        ("bm25", "pages > 1"),
    ]
    assert page.query_params["strategy"] == ["gnn_ret:hub=10", "bm25"]
    assert "filter: pages" in page_text(page).replace("\\", "")


def test_a_link_selects_question_and_strategies_and_asks_after_a_click(open_page, hop, page_text):
    link = {"q": QUESTION, "collection": "nordvik", "strategy": ["bm25", "gnn_ret:hub=10"], "filter": "pages > 1"}
    page = open_page("compare", **link)
    assert "comes from a link" in page_text(page)
    assert hop.state.calls_of("ask") == []
    assert page.multiselect(key="compared strategies").value == ["bm25", "gnn_ret:hub=10"]
    page = page.button(key="compare now").click().run()
    assert [call["strategy"] for call in hop.state.calls_of("ask")] == ["bm25", "gnn_ret:hub=10"]
    assert {call["filter"] for call in hop.state.calls_of("ask")} == {"pages > 1"}
    assert "comes from a link" not in page_text(page)


def test_feedback_is_a_question_set_whose_answers_are_scored(open_page, hop, page_text):
    hop.feedback.add(QUESTION, "right", collection="nordvik", answer="EIB loan 2021-044")
    hop.feedback.add("When?", "wrong", collection="nordvik", answer="never")
    page = open_page("compare")
    assert "1 question with a known answer or source. 1 left out" in page_text(page)
    page = page.button(key="measure").click().run()
    run = page.session_state["state"].evaluation
    deadline = time.monotonic() + 20
    while not run.finished and time.monotonic() < deadline:
        time.sleep(0.01)
    page = page.run()
    assert run.error == ""
    assert list(page.dataframe[0].value["F1"]) == [100.0]
    assert "differences are those to gnn" in page_text(page)


def test_all_scores_are_written_as_csv():
    questions = [Question("1", "Who?", ("Ada",), ("g1",)), Question("2", "What?", ("x",), ("g2",))]
    result = evaluate(FakeClient(), questions, ["bm25", "dense"], answers=False, baseline="dense")  # type: ignore[arg-type]
    rows = evaluation_run.list_score_rows(result)
    assert rows[0]["R@5"] == 50.0
    assert rows[0]["R@5 difference"] == "+0.0 (+0.0 to +0.0)"
    assert rows[1]["R@5 difference"] == "—"
    lines = evaluation_run.write_csv(rows).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Strategy,R@2,R@2 difference")
    assert [line.split(",")[0] for line in lines] == ["Strategy", "bm25", "dense"]
