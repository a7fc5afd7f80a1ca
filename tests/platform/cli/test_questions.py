import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hopline.documents.progress import Progress
from hopline.errors import BudgetSpent, EngineRefused, HoplineError, ModelUnavailable, UnknownName
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence, Trace
from hopline.testing import FakeHopline, FakeQuestion

Run = Callable[..., Any]
EVIDENCE = Evidence("p1", "passage", 0.5, "Halcyon lends to Nordvik.", "report.pdf", pages=(3,))


def test_an_answer_is_printed_with_its_path(run: Run, fake: FakeHopline) -> None:
    result = run("ask", "Who lends?", "-s", "dense", "-k", 5, "-d", "report.pdf", "-d", "b.pdf")
    assert result.exit_code == 0
    [call] = fake.state.calls_of("ask")
    assert (call["question"], call["collection"], call["strategy"], call["k"]) == ("Who lends?", "default", "dense", 5)
    assert list(call["documents"]) == ["report.pdf", "b.pdf"]
    assert "Halcyon. [1]" in result.stdout
    assert "◉ Nordvik ─MENTIONS─ ▤ report.pdf p. 3" in result.stdout


def test_an_answer_as_json_has_citations_and_paths(run_json: Run, fake: FakeHopline) -> None:
    data = run_json("ask", "Who lends?")
    assert data["answer"][0]["citations"] == [
        {"evidence": "p1", "quote": "Halcyon", "start": 0, "end": 7, "document": "report.pdf", "document_id": "",
         "page": 3, "boxes": [], "answer": None, "state": "quoted"}
    ]  # fmt: skip
    assert data["paths"][0]["steps"][0]["edge"] == "MENTIONS"


def test_if_the_model_fails_the_extractive_answer_is_printed_and_the_status_is_3(run: Run, fake: FakeHopline) -> None:
    reason = "model 'tiny' at http://h/v1 answered HTTP 500:\nbroken"
    answer = fake.state.answer
    fake.state.answer = lambda request: replace(answer(request), model_error=reason)
    result = run("ask", "Who lends?")
    notice = "The language model could not be used: model 'tiny' at http://h/v1 answered HTTP 500: broken."
    assert result.exit_code == 3
    assert "Halcyon. [1]" in result.stdout
    assert " ".join(result.stdout.split()).count(notice) == 1
    assert result.stderr == f"hopline: {notice} The answer is extracted from the passages.\n"
    data = run("ask", "Who lends?", "--json")
    assert data.exit_code == 3
    assert json.loads(data.stdout)["model_error"] == reason
    assert json.loads(data.stdout)["written_by"] == "extractive"


def test_if_the_model_fails_during_the_search_its_evidence_is_printed_and_the_status_is_3(
    run: Run, fake: FakeHopline
) -> None:
    reason = "after 1 reply: model 'tiny' timed out"
    answer = fake.state.answer

    def answer_partly(request: FakeQuestion) -> Answer:
        original = answer(request)
        return replace(original, retrieval=replace(original.retrieval, model_error=reason))

    fake.state.answer = answer_partly
    notice = f"The language model of the search failed {reason}. The evidence is that of the steps that succeeded."
    for command in ("ask", "retrieve"):
        result = run(command, "Who lends?")
        assert result.exit_code == 3
        assert "Halcyon" in result.stdout
        assert " ".join(result.stdout.split()).count(notice) == 1
        assert result.stderr == f"hopline: {notice}\n"
    assert json.loads(run("ask", "Who lends?", "--json").stdout)["retrieval_model_error"] == reason
    assert json.loads(run("retrieve", "Who lends?", "--json").stdout)["model_error"] == reason
    compared = run("retrieve", "Who lends?", "-s", "bm25", "-s", "dense")
    assert compared.exit_code == 3
    assert f"bm25: {notice}" in " ".join(compared.stdout.split())
    assert compared.stderr == f"hopline: bm25: {notice} dense: {notice}\n"


def test_control_characters_of_documents_do_not_reach_the_terminal(run: Run, fake: FakeHopline) -> None:
    evil = "\x1b]0;title\x07\x9b2J\x1b[31mred\r"
    evidence = replace(EVIDENCE, text=f"Halcyon {evil}", document=f"{evil}.pdf", caption=evil, section=(evil,))
    sentence = Sentence(f"Halcyon {evil}", (Citation(evidence, evidence.text, 0, 7, None),))
    retrieval = Retrieval("Who?", "hopline", "default", (evidence,), (), Trace())
    fake.state.answer = lambda _: Answer("Who?", (sentence,), retrieval, model_error=evil)
    for command in (("ask", "Who?"), ("ask", "Who?", "--json"), ("retrieve", "Who?"), ("retrieve", "Who?", "--json"),
                    ("retrieve", "Who?", "-s", "bm25", "-s", "dense")):  # fmt: skip
        result = run(*command)
        assert "2J" in result.stdout
        controls = {mark for mark in result.stdout + result.stderr if unicodedata.category(mark) == "Cc"}
        assert controls == {"\n"}, command
    assert json.loads(run("retrieve", "Who?", "--json").stdout)["evidence"][0]["document"] == f"{evil}.pdf"


def test_an_abstention_is_not_an_error(run: Run, run_json: Run, fake: FakeHopline) -> None:
    result = run("ask", "Is it absent?")
    assert result.exit_code == 0
    assert "Not found in default." in result.stdout
    assert run_json("ask", "Is it absent?")["abstained"] is True


def test_an_abstention_says_if_documents_are_still_being_processed(run: Run, fake: FakeHopline) -> None:
    assert "still being processed" not in run("ask", "Is it absent?").stderr
    fake.state.progress = Progress(documents=4, documents_done=1)
    assert "collection default is still being processed; ask again" in run("ask", "Is it absent?").stderr
    assert "still being processed" not in run("ask", "Who lends?").stderr


def test_the_trace_goes_to_stderr_and_json_to_stdout(run: Run, fake: FakeHopline) -> None:
    result = run("ask", "Who lends?", "--trace", "--json")
    assert json.loads(result.stdout)["answer"]
    assert result.stderr.split() == ["search", "evidence", "10", "rows", "2.0", "ms"]


def test_a_retrieval_has_evidence_and_no_answer(run: Run, run_json: Run, fake: FakeHopline) -> None:
    assert "Halcyon lends to Nordvik." in run("retrieve", "Who lends?").stdout
    data = run_json("retrieve", "Who lends?", "-s", "bm25")
    assert "answer" not in data
    assert data["strategy"] == "bm25"


def test_several_strategies_are_compared(run: Run, run_json: Run, fake: FakeHopline) -> None:
    assert "bm25" in run("retrieve", "Who?", "-s", "bm25", "-s", "dense").stdout
    [call, *_] = fake.state.calls_of("compare")
    assert (call["question"], call["strategies"], call["collection"]) == ("Who?", ["bm25", "dense"], "default")
    assert list(run_json("retrieve", "Who?", "-s", "bm25", "-s", "dense")["strategies"]) == ["bm25", "dense"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ask", "  "], "the question is empty"),
        (["ask", "Who?", "-s", "dens"], "no strategy called 'dens'; there are: "),
        (["retrieve", "Who?", "-s", "gnn_ret:base=none"], "must be one of dense, hybrid"),
        (["retrieve", "Who?", "-s", "bm25", "-s", "dense", "-d", "x"], "cannot be used with several strategies"),
        (["ask", "Who?", "-k", "0"], "0 is not in the range"),
        (["asks"], "No such command 'asks'"),
    ],
)
def test_usage_errors_are_reported_before_the_database_opens(
    run: Run, fake: FakeHopline, arguments: list[str], message: str
) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert fake.state.calls == []


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UnknownName("collection", "loan", ["loans"]), 2),
        (EngineRefused("wrong password"), 3),
        (ModelUnavailable("no answer from the model"), 3),
        (BudgetSpent("100 tokens spent"), 1),
    ],
)
def test_an_error_is_one_line_and_its_class_sets_the_exit_status(
    run: Run, fake: FakeHopline, error: HoplineError, status: int
) -> None:
    fake.state.error = error
    result = run("ask", "Who?")
    assert (result.exit_code, result.stdout, result.stderr) == (status, "", f"hopline: {error}\n")


def test_a_node_is_shown_with_its_neighbourhood(run: Run, run_json: Run, fake: FakeHopline) -> None:
    text = run("show", "e1", "--hops", 2).stdout
    assert text.splitlines() == [
        "◉ Nordvik e1",
        "  ▤ Halcyon lends… p1 ─MENTIONS→",
        "Showing 1 of 9 relationships",
    ]
    assert run_json("show", "e1", "--uncertain")["edges"] == [["p1", "MENTIONS", "e1"]]
    calls = fake.state.calls_of("graph.get_neighbourhood")
    assert calls[0] == {"node": "e1", "hops": 2, "limit": 40, "uncertain": False}
    assert calls[1]["uncertain"] is True


def test_an_unknown_node_is_a_usage_error(run: Run, fake: FakeHopline) -> None:
    assert run("show", "nope").exit_code == 2


def test_strategies_are_listed_with_summaries_and_without_a_database(
    run: Run, run_json: Run, fake: FakeHopline
) -> None:
    text = run("strategies").stdout
    assert "bm25" in text
    names = [row["name"] for row in run_json("strategies")["strategies"]]
    assert names == sorted(names)
    assert all(row["summary"] for row in run_json("strategies")["strategies"])
    assert fake.state.calls == []


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    rows = [{"question": "Who lends?", "answer": "Halcyon", "gold": ["g1"]}, {"question": "Who else?", "gold": ["g2"]}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_an_evaluation_is_printed_and_written(run: Run, fake: FakeHopline, questions: Path, tmp_path: Path) -> None:
    result = run("evaluate", questions, "-s", "bm25", "-s", "dense", "--json", tmp_path / "table.json")
    assert result.exit_code == 0
    line = next(line for line in result.stdout.splitlines() if line.startswith("R@5"))
    assert line.split() == ["R@5", "50.0", "0.0–100.0", "50.0", "0.0–100.0"]
    table = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert [row["strategy"] for row in table["strategies"]] == ["bm25", "dense"]
    assert table["strategies"][0]["scores"]["EM"]["mean"] == 1.0


def test_an_evaluation_without_answers_only_retrieves(run: Run, fake: FakeHopline, questions: Path) -> None:
    assert "EM" not in run("evaluate", questions, "-s", "bm25", "--answers", "none", "--limit", 1).stdout
    assert {call.name for call in fake.state.calls} == {"retrieve", "close"}


def test_answers_as_in_papers_are_of_the_model_and_named_in_the_report(
    run: Run, fake: FakeHopline, questions: Path, tmp_path: Path
) -> None:
    options = ("--answers", "paper", "--answer-tokens", 3500, "--json", tmp_path / "table.json")
    result = run("evaluate", questions, "-s", "bm25", "-k", 5, *options)
    assert "k = 5, paper answers, from 3,500 tokens of evidence" in " ".join(result.stdout.split())
    assert {call.name for call in fake.state.calls} == {"evaluation.answer_in_short", "close"}
    assert fake.state.calls_of("evaluation.answer_in_short")[0]["max_tokens"] == 3500
    table = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert (table["answers"], table["answer_tokens"]) == ("paper", 3500)


def test_each_number_of_passages_is_a_run_of_its_own(
    run: Run, fake: FakeHopline, questions: Path, tmp_path: Path
) -> None:
    options = ("--answers", "none", "--json", tmp_path / "table.json")
    result = run("evaluate", questions, "-s", "bm25", "-k", 5, "-k", 15, *options)
    assert "k = 5, no answers" in result.stdout
    assert "k = 15, no answers" in result.stdout
    assert {call["k"] for call in fake.state.calls_of("retrieve")} == {5, 15}
    table = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert [(row["k"], "R@15" in row["strategies"][0]["scores"]) for row in table] == [(5, False), (15, True)]


def test_the_ablations_of_a_paper_are_printed_beside_its_figures_and_written(
    run: Run, fake: FakeHopline, questions: Path, tmp_path: Path
) -> None:
    result = run("evaluate", questions, "--ablate", "gnn_ret", "--json", tmp_path / "tables.json")
    assert result.exit_code == 0
    assert "Table 3: Edges of the graph of passages" in result.stdout
    line = next(line for line in result.stdout.splitlines() if line.startswith("shared keywords"))
    assert line.split() == ["shared", "keywords", "2", "50.0", "50.0", "50.0", "50.0", "0", "45.4", "/", "54.8"]
    tables = json.loads((tmp_path / "tables.json").read_text(encoding="utf-8"))
    assert [table["source"] for table in tables][:2] == ["Table 2", "Table 3"]
    assert "EM" not in result.stdout


def test_an_interrupted_run_of_ablations_continues_with_its_file(
    run: Run, fake: FakeHopline, questions: Path, tmp_path: Path
) -> None:
    file = tmp_path / "tables.json"
    assert run("evaluate", questions, "--ablate", "gnn_ret", "--json", file, "--resume").exit_code == 0
    whole = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps([whole[0] | {"rows": whole[0]["rows"][:1]}]), encoding="utf-8")
    fake.state.calls.clear()
    assert run("evaluate", questions, "--ablate", "gnn_ret", "--json", file, "--resume").exit_code == 0
    again = json.loads(file.read_text(encoding="utf-8"))
    assert again[0]["rows"][0] == whole[0]["rows"][0]
    labels = [[row["label"] for row in table["rows"]] for table in whole]
    assert [[row["label"] for row in table["rows"]] for table in again] == labels
    assert run("evaluate", questions, "--ablate", "gnn_ret", "--resume").exit_code == 2


def test_an_unknown_paper_is_refused_before_anything_is_opened(run: Run, fake: FakeHopline, questions: Path) -> None:
    result = run("evaluate", questions, "--ablate", "graphrag")
    assert result.exit_code == 2
    assert "gnn_ret" in result.stderr
    assert fake.state.calls == []


def test_an_evaluation_without_results_ends_with_3_and_the_reason(run: Run, fake: FakeHopline, questions: Path) -> None:
    fake.state.error = ModelUnavailable("no model")
    result = run("evaluate", questions, "-s", "bm25")
    assert result.exit_code == 3
    assert "bm25: 2 failed: ModelUnavailable: no model" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/no.jsonl"], "no file /no.jsonl"),
        (["{q}", "-s", "x"], "no strategy"),
        (["{q}", "--json", "/no/t.json"], "there is no folder /no"),
    ],
)
def test_an_invalid_evaluation_is_rejected_before_it_starts(
    run: Run, fake: FakeHopline, questions: Path, arguments: list[str], message: str
) -> None:
    result = run("evaluate", *(argument.format(q=questions) for argument in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert fake.state.calls == []


def test_training_prints_the_result_and_how_to_use_it(
    run: Run, run_json: Run, fake: FakeHopline, questions: Path
) -> None:
    result = run("train", "rgnn", questions, "-c", "x", "--layers", 2, "--nodes", 3, "--competitors", 7)
    [call] = fake.state.calls_of("training.gnn")
    assert (call["variant"], len(call["questions"]), call["collection"], call["layers"]) == ("rgnn", 2, "x", 2)
    assert (call["nodes"], call["competitors"]) == (3, 7)
    assert "alpha 0.250, beta 0.500: trained on 2 questions in 7 rounds, loss 0.0200 -> 0.0100" in result.stdout
    assert "-c x -s rgnn_ret:trained=true" in result.stdout
    assert run_json("train", "gnn", questions, "--limit", 1)["rounds"] == 7
    assert len(fake.state.calls_of("training.gnn")[-1]["questions"]) == 1


def test_a_reranker_reports_its_recall_on_held_out_folds(
    run: Run, run_json: Run, fake: FakeHopline, questions: Path
) -> None:
    result = run("train", "reranker", questions, "-c", "x", "--for", "y")
    [call] = fake.state.calls_of("training.reranker")
    assert (len(call["questions"]), call["collection"], list(call["used_in"])) == (2, "x", ["y"])
    assert "of 2 questions: untrained 50.0, after each round 60.0, 70.0, 65.0" in result.stdout
    assert "-c y -s hopline:trained=true" in result.stdout
    assert "folds" in result.stderr
    assert run_json("train", "reranker", questions)["held_out"] == [0.6, 0.7, 0.65]
    result = fake.state.training_results["reranker"]
    untrained = replace(result.reranker, rounds=0)
    fake.state.training_results["reranker"] = replace(result, reranker=untrained)
    assert "Training did not improve the ranking" in run("train", "reranker", questions).stdout


def test_only_a_reranker_is_trained_for_another_collection(run: Run, fake: FakeHopline, questions: Path) -> None:
    result = run("train", "gnn", questions, "--for", "y")
    assert result.exit_code == 2
    assert "--for applies to reranker only" in result.stderr
    result = run("train", "mdr", questions, "--nodes", 3)
    assert result.exit_code == 2
    assert "--nodes applies to gnn and rgnn only" in result.stderr
    assert "--with applies to reranker only" in run("train", "gnn", questions, "--with", "guide").stderr
    assert "guide, hops, topics" in run("train", "reranker", questions, "--with", "unknown").stderr
    run("train", "reranker", questions, "--with", "hops", "--with", "guide")
    assert list(fake.state.calls_of("training.reranker")[0]["extras"]) == ["guide", "hops"]
    assert "reranker" in run("train", "bm25", questions).stderr


def test_a_network_is_trained_with_a_progress_bar(run: Run, run_json: Run, fake: FakeHopline, tmp_path: Path) -> None:
    rows = tmp_path / "graphs.jsonl"
    rows.write_text('{"question": "?", "facts": ["one"], "edges": [["", "0"]]}\n' * 3)
    result = run("train", "graph_hop", rows, "--dev", rows, "--layers", 2, "--epochs", 5)
    [call] = fake.state.calls_of("training.graph_hop")
    assert (len(call["graphs"]), len(call["validation"])) == (3, 3)
    assert (call["config"].layers, call["config"].recipe.epochs) == (2, 5)
    assert call["metadata"] == {"learned from": "graphs.jsonl", "chosen on": "graphs.jsonl"}
    assert "graph_hop: dev F1 0.57; 61 s" in result.stdout
    assert "-s graph_hop:follows=network" in result.stdout
    assert "graph_hop" in result.stderr
    assert run_json("train", "graph_hop", rows)["recipe"] == {"seed": 42}


def test_mdr_is_trained_on_the_questions_of_each_collection(run: Run, fake: FakeHopline, questions: Path) -> None:
    result = run("train", "mdr", questions, questions, "-c", "x", "-c", "y", "--limit", 1)
    [call] = fake.state.calls_of("training.mdr")
    assert {name: len(rows) for name, rows in call["questions"].items()} == {"x": 1, "y": 1}
    assert call["recipe"].epochs == 3
    assert call["metadata"] == {"learned from": f"{questions.name}, {questions.name}"}
    assert "-s mdr:trained=true" in result.stdout


def test_the_writer_needs_a_base_model(run: Run, fake: FakeHopline, questions: Path, tmp_path: Path) -> None:
    result = run("train", "writer", questions, "-c", "x", "--base", tmp_path / "small.gguf", "--epochs", 1)
    [call] = fake.state.calls_of("training.writer")
    assert (len(call["questions"]["x"]), call["base"].name, call["recipe"].epochs) == (2, "small.gguf", 1)
    assert "-s kgp:guide=writer" in result.stdout
    assert "writer needs --base" in run("train", "writer", questions).stderr


@pytest.mark.parametrize(
    ("what", "files", "collections", "message"),
    [
        ("mdr", 2, ["x"], "mdr needs one -c for each file of questions (got 1 for 2 files)"),
        ("reranker", 2, ["x"], "reranker takes one file and one collection (got 2 and 1)"),
        ("gnn", 1, ["x", "y"], "gnn takes one file and one collection (got 1 and 2)"),
    ],
)
def test_files_and_collections_must_match(
    run: Run, fake: FakeHopline, questions: Path, what: str, files: int, collections: list[str], message: str
) -> None:
    result = run("train", what, *[questions] * files, *(word for name in collections for word in ("-c", name)))
    assert result.exit_code == 2
    assert message in result.stderr
    assert fake.state.calls == []


def test_a_topic_set_is_named_after_its_file_or_by_an_option(run: Run, fake: FakeHopline, tmp_path: Path) -> None:
    rows = tmp_path / "Sea life.jsonl"
    rows.write_text('{"text": "a tern", "labels": ["bird"]}\n' * 2)
    result = run("train", "topics", rows, "--epochs", 3)
    [call] = fake.state.calls_of("training.topic_classifier")
    assert (len(call["rows"]), call["name"], call["recipe"].epochs) == (2, "sea_life", 3)
    assert call["metadata"] == {"learned from": "Sea life.jsonl"}
    assert "hopline topics --use sea_life" in result.stdout
    run("train", "topics", rows, "--name", "birds", "--limit", 1)
    call = fake.state.calls_of("training.topic_classifier")[-1]
    assert (len(call["rows"]), call["name"], call["recipe"].epochs) == (1, "birds", 200)


def test_topics_are_learned_once_then_listed(run: Run, run_json: Run, fake: FakeHopline, questions: Path) -> None:
    result = run("topics", "-c", "x")
    [call] = fake.state.calls_of("training.topics")
    assert (call["collection"], call["count"], call["questions"]) == ("x", None, [])
    assert "ferry, harbour" in result.stdout
    assert "1,200" in result.stdout
    assert run_json("topics", "-c", "x")["themes"][1] == {"name": "slate", "evidence": 7}
    assert len(fake.state.calls_of("training.topics")) == 1
    run("topics", "-c", "x", "--count", 9, "--questions", questions)
    call = fake.state.calls_of("training.topics")[-1]
    assert (call["count"], len(call["questions"])) == (9, 2)


def test_topics_are_chosen_and_removed(run: Run, fake: FakeHopline) -> None:
    assert "slate" in run("topics", "--use", "sea").stdout
    assert "default has no topics" in run("topics", "--drop").stdout
    assigned = [(call["name"], call["collection"]) for call in fake.state.calls_of("topics.assign")]
    assert assigned == [("sea", "default"), ("", "default")]
    result = run("topics", "--drop", "--learn")
    assert result.exit_code == 2
    assert "cannot be combined" in result.stderr
    assert "cannot be combined" in run("topics", "--drop", "--count", 3).stderr


def test_graph_llm_is_trained_on_labelled_questions(
    run: Run, fake: FakeHopline, questions: Path, tmp_path: Path
) -> None:
    result = run("train", "graph_llm", questions, "-c", "x", "--base", tmp_path / "small.gguf", "--epochs", 3)
    assert [call.name for call in fake.state.calls[:2]] == ["training.label_questions", "training.graph_llm"]
    [call] = fake.state.calls_of("training.graph_llm")
    assert (len(call["samples"]), call["base"].name, call["config"].recipe.epochs) == (1, "small.gguf", 3)
    assert call["metadata"] == {"learned from": questions.name, "labelled by": "a model"}
    assert "-s ras:planner=trained" in result.stdout
    assert "graph_llm needs --base" in run("train", "graph_llm", questions).stderr


def test_the_context_is_printed_as_numbered_blocks(run: Run, fake: FakeHopline) -> None:
    result = run("context", "Who lends?", "--tokens", 500, "-k", 3, "-d", "report.pdf")
    assert result.exit_code == 0
    assert result.stdout.startswith("[1] <document>\nreport.pdf, page 3\nHalcyon lends to Nordvik.\n")
    [call] = fake.state.calls_of("context")
    assert (call["tokens"], call["k"], list(call["documents"])) == (500, 3, ["report.pdf"])


def test_the_context_as_json_has_messages_and_blocks_with_pages(run_json: Run, fake: FakeHopline) -> None:
    data = run_json("context", "Who lends?")
    assert [message["role"] for message in data["messages"]] == ["system", "user"]
    assert [(block["number"], block["document"], block["pages"]) for block in data["blocks"]] == [
        (1, "report.pdf", [3])
    ]
