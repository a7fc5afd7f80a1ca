"""Compare, without a browser: strategies side by side on one question, and on a question set."""

from __future__ import annotations

import io
import json
import time
from dataclasses import replace

import pytest
from canned import QUESTION

from hopline.types import Answer, Evidence, EvidencePath, Node, Retrieval, Sentence, Step, Trace, TraceStep
from hopline_ui import evaluation_run
from hopline_ui.comparison import agreement, ordinal, placed, table
from hopline_ui.session.questions import Answered


def answered(strategy, *ids, seconds=0.5, calls=0):
    evidence = tuple(Evidence(id, "passage", 1.0, f"text {id}", "a.pdf", id) for id in ids)
    step = Step(Node(ids[0], "passage"), "NEXT", Node(ids[-1], "passage"))
    path = EvidencePath(ids[-1], Node(ids[0], "passage"), (step,))
    trace = Trace((TraceStep("ask", "m", 3.0, calls=calls, tokens=9 * calls, cost=0.001 * calls),))
    retrieval = Retrieval("q", strategy, "c", evidence, (path,), trace)
    return Answered(Answer("q", (Sentence("It is so."),), retrieval, short="so"), seconds)


FOUND = {"dense": answered("dense", "a", "b"), "gear": answered("gear", "b", "c", seconds=2.0, calls=3)}


def test_each_evidence_says_where_else_it_was_found():
    told = {name: [(one.evidence.id, one.told) for one in places] for name, places in placed(FOUND).items()}
    assert told == {
        "dense": [("a", "only here"), ("b", "1st in gear")],
        "gear": [("b", "2nd in dense"), ("c", "only here")],
    }


def test_a_row_counts_what_a_strategy_found_and_spent():
    [dense, gear] = table(FOUND)
    assert (dense["Evidence"], dense["Only here"], dense["Longest path"], dense["Answer"]) == (2, 1, 1, "so")
    assert (gear["Model calls"], gear["Tokens"], gear["Cost"], gear["Seconds"]) == (3, 27, 0.003, 2.0)


def test_what_all_agree_on_is_one_sentence():
    assert agreement(FOUND) == "1 passage of 3 found by all · quickest: dense, 0.50 s"
    assert agreement({"dense": FOUND["dense"]}) == ""


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (22, "22nd")]
)
def test_ranks_are_read_as_words(number, word):
    assert ordinal(number) == word


def test_a_model_that_could_not_be_used_is_told_once(open_page, hop):
    hop.reshape = lambda answer: replace(answer, model_error="HTTP 401")
    page = open_page("compare")
    page.text_input[0].set_value(QUESTION)
    page.multiselect(key="compared strategies").set_value(["gnn_ret:hub=10", "bm25"])
    page = page.button(key="compare now").click().run()
    assert len(hop.asked) == 2
    assert ["HTTP 401" in one.value for one in page.warning] == [True]


def test_one_question_is_put_to_each_strategy_once(open_page, hop, told):
    page = open_page("compare")
    page.text_input[0].set_value(QUESTION)
    page = page.button(key="compare now").click().run()
    assert [one["strategy"] for one in hop.asked] == ["gnn_ret:hub=10"]
    page.multiselect(key="compared strategies").set_value(["gnn_ret:hub=10", "bm25"])
    page = page.button(key="compare now").click().run()
    assert [one["strategy"] for one in hop.asked] == ["gnn_ret:hub=10", "bm25"], "what was asked is not asked again"
    text = told(page)
    assert "found by all" in text
    assert "1st in bm25" in text
    assert "Way to its evidence" in text
    assert not page.exception


def test_nothing_to_compare_says_what_is_missing(open_page, told):
    page = open_page("compare")
    page = page.button(key="compare now").click().run()
    assert "Write a question" in told(page)


class Upload(io.BytesIO):
    name = "set.jsonl"


class Measured:
    """What `evaluate` needs of a Hopline."""

    def retrieve(self, question, *, collection, strategy, k):
        found = tuple(Evidence(id, "passage", 1.0, id, source_id=id) for id in ("g1", "x"))
        return Retrieval(question, strategy, collection, found)

    def retrieve_many(self, questions, *, strategy, collection, k):
        return [self.retrieve(one, collection=collection, strategy=strategy, k=k) for one in questions]


def test_a_question_set_is_measured_beside_the_page():
    rows = [{"question": "Who?", "answer": "Ada", "gold": ["g1"]}, {"question": "What?", "answer": "x", "gold": ["g2"]}]
    questions = evaluation_run.questions_of(Upload("\n".join(map(json.dumps, rows)).encode()))
    run = evaluation_run.begin(Measured(), questions, ["bm25", "dense"], "c")
    for _ in range(100):
        if run.over:
            break
        time.sleep(0.05)
    assert run.result is not None
    assert run.result.baseline == "dense"
    assert run.result.strategies[0].scores["R@5"].mean == 0.5
    assert run.share == 1.0


def test_a_fault_of_our_own_while_measuring_ends_it_too():
    class Broken:
        def retrieve_many(self, *_, **__):
            raise RuntimeError("a fault")

    [question] = evaluation_run.questions_of(Upload(b'{"question": "Who?", "answer": "Ada", "gold": ["g1"]}'))
    run = evaluation_run.begin(Broken(), [question], ["dense"], "c")
    deadline = time.monotonic() + 20
    while not run.over and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "page's log" in run.trouble
    assert "fault" not in run.trouble


def test_what_goes_wrong_while_measuring_is_kept_in_words():
    from hopline.errors import EngineUnavailable

    class Away(Measured):
        def retrieve(self, question, *, collection, strategy, k):
            raise EngineUnavailable("no server answers")

    [question] = evaluation_run.questions_of(Upload(b'{"question": "Who?", "answer": "Ada", "gold": ["g1"]}'))
    run = evaluation_run.begin(Away(), [question], ["dense"], "c")
    for _ in range(100):
        if run.over:
            break
        time.sleep(0.05)
    assert run.trouble == "no server answers"


@pytest.mark.parametrize(
    ("gold", "told_"), [(["g1"], "in brackets the difference to dense"), ([], "only times can be told")]
)
def test_figures_are_shown_as_a_table_and_a_plot_where_the_evidence_is_known(open_page, told, gold, told_):
    rows = [{"question": "Who?", "answer": "Ada", "gold": gold}, {"question": "What?", "answer": "x", "gold": gold}]
    questions = evaluation_run.questions_of(Upload("\n".join(map(json.dumps, rows)).encode()))
    run = evaluation_run.begin(Measured(), questions, ["bm25", "dense"], "nordvik")
    deadline = time.monotonic() + 20
    while not run.over and time.monotonic() < deadline:
        time.sleep(0.01)
    page = open_page("compare")
    page.session_state["measuring"] = run
    page = page.run()
    assert not page.exception
    assert "Something failed" not in told(page)
    assert told_ in told(page)
    assert [list(frame.value["Strategy"]) for frame in page.dataframe] == [["bm25", "dense"]]
    assert len(page.get("vega_lite_chart") or page.get("arrow_vega_lite_chart")) == bool(gold)
