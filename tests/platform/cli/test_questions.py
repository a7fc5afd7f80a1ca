import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hopline.client import Progress
from hopline.errors import BudgetSpent, EngineRefused, HoplineError, ModelUnavailable, UnknownName

Run = Callable[..., Any]


def test_an_answer_is_drawn_with_its_path(run: Run, canned: Any) -> None:
    result = run("ask", "Who lends?", "-s", "dense", "-k", 5, "-d", "report.pdf", "-d", "b.pdf")
    assert result.exit_code == 0
    assert canned.calls[0] == (
        "ask", "Who lends?", {"collection": "default", "documents": ["report.pdf", "b.pdf"], "strategy": "dense", "k": 5},
    )  # fmt: skip
    assert "Halcyon. [1]" in result.stdout
    assert "◉ Nordvik ─MENTIONS─ ▤ report.pdf p. 3" in result.stdout


def test_an_answer_as_json_is_the_object_of_the_design(printed: Run, canned: Any) -> None:
    found = printed("ask", "Who lends?")
    assert found["answer"][0]["citations"] == [
        {"evidence": "p1", "quote": "Halcyon", "start": 0, "end": 7, "document": "report.pdf", "document_id": "",
         "page": 3, "boxes": [], "backed": True}
    ]  # fmt: skip
    assert found["paths"][0]["steps"][0]["edge"] == "MENTIONS"


def test_an_answer_that_the_model_failed_to_write_is_printed_and_the_exit_status_is_three(
    run: Run, canned: Any
) -> None:
    canned.model_error = "model 'tiny' at http://h/v1 answered HTTP 500:\nbroken"
    result = run("ask", "Who lends?")
    notice = "The language model could not be used: model 'tiny' at http://h/v1 answered HTTP 500: broken."
    assert result.exit_code == 3
    assert "Halcyon. [1]" in result.stdout
    assert " ".join(result.stdout.split()).count(notice) == 1
    assert result.stderr == f"hopline: {notice} The answer is picked from the passages.\n"
    data = run("ask", "Who lends?", "--json")
    assert data.exit_code == 3
    assert json.loads(data.stdout)["model_error"] == canned.model_error
    assert json.loads(data.stdout)["written_by"] == "extractive"


def test_an_abstention_is_no_failure(run: Run, printed: Run, canned: Any) -> None:
    result = run("ask", "Is it absent?")
    assert result.exit_code == 0
    assert "Not found in default." in result.stdout
    assert printed("ask", "Is it absent?")["abstained"] is True


def test_an_abstention_while_documents_are_read_says_so(run: Run, canned: Any) -> None:
    assert "still being read" not in run("ask", "Is it absent?").stderr
    canned.now = Progress(documents=4, documents_done=1)
    assert "default is still being read: ask again" in run("ask", "Is it absent?").stderr
    assert "still being read" not in run("ask", "Who lends?").stderr


def test_the_trace_goes_to_stderr_so_that_json_stays_whole(run: Run, canned: Any) -> None:
    result = run("ask", "Who lends?", "--trace", "--json")
    assert json.loads(result.stdout)["answer"]
    assert result.stderr.split() == ["search", "evidence", "10", "rows", "2.0", "ms"]


def test_a_retrieval_has_evidence_and_no_answer(run: Run, printed: Run, canned: Any) -> None:
    assert "Halcyon lends to Nordvik." in run("retrieve", "Who lends?").stdout
    found = printed("retrieve", "Who lends?", "-s", "bm25")
    assert "answer" not in found
    assert found["strategy"] == "bm25"


def test_several_strategies_are_compared(run: Run, printed: Run, canned: Any) -> None:
    assert "bm25" in run("retrieve", "Who?", "-s", "bm25", "-s", "dense").stdout
    assert canned.calls[0] == ("compare", "Who?", ["bm25", "dense"], "default", None)
    assert list(printed("retrieve", "Who?", "-s", "bm25", "-s", "dense")["strategies"]) == ["bm25", "dense"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["ask", "  "], "the question is empty"),
        (["ask", "Who?", "-s", "dens"], "no strategy called 'dens'; there are: "),
        (["retrieve", "Who?", "-s", "gnn_ret:base=none"], "must be one of dense, hybrid"),
        (["retrieve", "Who?", "-s", "bm25", "-s", "dense", "-d", "x"], "go with one strategy"),
        (["ask", "Who?", "-k", "0"], "0 is not in the range"),
        (["asks"], "No such command 'asks'"),
    ],
)
def test_wrong_use_is_told_before_the_engine_opens(run: Run, canned: Any, arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in result.stderr
    assert canned.calls == []


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UnknownName("collection", "loan", ["loans"]), 2),
        (EngineRefused("wrong password"), 3),
        (ModelUnavailable("no answer from the model"), 3),
        (BudgetSpent("100 tokens spent"), 1),
    ],
)
def test_an_error_is_one_line_and_its_kind_the_exit_status(
    run: Run, canned: Any, error: HoplineError, status: int
) -> None:
    canned.error = error
    result = run("ask", "Who?")
    assert (result.exit_code, result.stdout, result.stderr) == (status, "", f"hopline: {error}\n")


def test_a_node_is_shown_with_its_neighbours(run: Run, printed: Run, canned: Any) -> None:
    text = run("show", "e1", "--hops", 2).stdout
    assert text.splitlines() == [
        "◉ Nordvik e1",
        "  ▤ Halcyon lends… p1 ─MENTIONS→",
        "showing 1 of 9 edges",
    ]
    assert canned.calls[0] == ("explore", "e1", 2, 40)
    assert printed("show", "e1")["edges"] == [["p1", "MENTIONS", "e1"]]


def test_an_unknown_node_is_wrong_use(run: Run, canned: Any) -> None:
    assert run("show", "nope").exit_code == 2


def test_strategies_are_listed_with_what_they_do_and_without_an_engine(run: Run, printed: Run, canned: Any) -> None:
    text = run("strategies").stdout
    assert "bm25" in text
    names = [row["name"] for row in printed("strategies")["strategies"]]
    assert names == sorted(names)
    assert all(row["summary"] for row in printed("strategies")["strategies"])
    assert canned.calls == []


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "q.jsonl"
    rows = [{"question": "Who lends?", "answer": "Halcyon", "gold": ["g1"]}, {"question": "Who else?", "gold": ["g2"]}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_an_evaluation_is_drawn_and_written(run: Run, canned: Any, questions: Path, tmp_path: Path) -> None:
    result = run("evaluate", questions, "-s", "bm25", "-s", "dense", "--json", tmp_path / "table.json")
    assert result.exit_code == 0
    line = next(line for line in result.stdout.splitlines() if line.startswith("R@5"))
    assert line.split() == ["R@5", "50.0", "0.0–100.0", "50.0", "0.0–100.0"]
    table = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert [row["strategy"] for row in table["strategies"]] == ["bm25", "dense"]
    assert table["strategies"][0]["scores"]["EM"]["mean"] == 1.0


def test_an_evaluation_without_answers_only_retrieves(run: Run, canned: Any, questions: Path) -> None:
    assert "EM" not in run("evaluate", questions, "-s", "bm25", "--no-answers", "--limit", 1).stdout
    assert {call[0] for call in canned.calls} == {"retrieve", "close"}


def test_an_evaluation_of_which_nothing_came_ends_with_3_and_says_why(run: Run, canned: Any, questions: Path) -> None:
    canned.error = ModelUnavailable("no model")
    result = run("evaluate", questions, "-s", "bm25")
    assert result.exit_code == 3
    assert "bm25: 2 failed: ModelUnavailable: no model" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["/no.jsonl"], "no file /no.jsonl"),
        (["{q}", "-s", "x"], "no strategy"),
        (["{q}", "--json", "/no/t.json"], "no folder /no"),
    ],
)
def test_an_evaluation_that_cannot_be_made_is_refused_first(
    run: Run, canned: Any, questions: Path, arguments: list[str], complaint: str
) -> None:
    result = run("evaluate", *(argument.format(q=questions) for argument in arguments))
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert canned.calls == []


def test_what_was_learned_is_told_with_how_to_use_it(run: Run, printed: Run, canned: Any, questions: Path) -> None:
    result = run("train", "rgnn", questions, "-c", "x", "--layers", 2)
    assert canned.calls[0] == ("train", "rgnn", 2, "x", 2)
    assert "alpha 0.250, beta 0.500: learned from 2 questions in 7 rounds, loss 0.0200 -> 0.0100" in result.stdout
    assert "-c x -s rgnn_ret:trained=true" in result.stdout
    assert printed("train", "gnn", questions, "--limit", 1)["questions"] == 1


def test_a_scorer_says_how_it_did_where_it_was_not_trained(
    run: Run, printed: Run, canned: Any, questions: Path
) -> None:
    result = run("train", "scorer", questions, "-c", "x", "--for", "y")
    assert canned.calls[0] == ("train_scorer", 2, "x", ["y"])
    assert "of 2 questions: untrained 50.0, after each round 60.0, 70.0, 65.0" in result.stdout
    assert "-c y -s hopline:trained=true" in result.stdout
    assert "folds" in result.stderr
    assert printed("train", "scorer", questions)["held_out"] == [0.6, 0.7, 0.65]
    canned.rounds = 0
    assert "the untrained order wins" in run("train", "scorer", questions).stdout


def test_only_a_scorer_is_trained_for_another_collection(run: Run, canned: Any, questions: Path) -> None:
    result = run("train", "gnn", questions, "--for", "y")
    assert result.exit_code == 2
    assert "--for goes with the scorer" in result.stderr
    assert "--with goes with the scorer" in run("train", "gnn", questions, "--with", "guide").stderr
    assert "guide, hops, themes" in run("train", "scorer", questions, "--with", "hearsay").stderr
    run("train", "scorer", questions, "--with", "hops", "--with", "guide")
    assert ("train_scorer", 2, "default", [], "guide", "hops") in canned.calls
    assert "scorer" in run("train", "bm25", questions).stderr


def test_a_network_is_trained_with_a_bar_and_says_how_to_use_it(
    run: Run, printed: Run, canned: Any, tmp_path: Path
) -> None:
    rows = tmp_path / "graphs.jsonl"
    rows.write_text('{"question": "?", "facts": ["one"], "edges": [["", "0"]]}\n' * 3)
    result = run("train", "graph_hop", rows, "--dev", rows, "--layers", 2, "--epochs", 5)
    told = {"learned from": "graphs.jsonl", "chosen on": "graphs.jsonl"}
    assert canned.calls[0] == ("train_graph_hop", 3, 3, 2, 5, told)
    assert "graph_hop: dev F1 0.57; 61 s" in result.stdout
    assert "-s graph_hop:follows=network" in result.stdout
    assert "choosing" in result.stderr
    assert printed("train", "graph_hop", rows)["recipe"] == {"seed": 42}


def test_the_guide_learns_from_each_collections_questions(run: Run, canned: Any, questions: Path) -> None:
    result = run("train", "mdr", questions, questions, "-c", "x", "-c", "y", "--limit", 1)
    assert canned.calls[0] == (
        "train_mdr",
        {"x": 1, "y": 1},
        3,
        {"learned from": f"{questions.name}, {questions.name}"},
    )
    assert "-s mdr:trained=true" in result.stdout


def test_the_writer_learns_before_a_base(run: Run, canned: Any, questions: Path, tmp_path: Path) -> None:
    result = run("train", "writer", questions, "-c", "x", "--base", tmp_path / "small.gguf", "--epochs", 1)
    assert canned.calls[0] == ("train_writer", {"x": 2}, "small.gguf", 1)
    assert "-s kgp:guide=writer" in result.stdout
    assert "writer needs --base" in run("train", "writer", questions).stderr


@pytest.mark.parametrize(
    ("what", "files", "collections", "complaint"),
    [
        ("mdr", 2, ["x"], "mdr needs one -c for each file of questions (got 1 for 2 files)"),
        ("scorer", 2, ["x"], "scorer learns from one file and one collection (got 2 and 1)"),
        ("gnn", 1, ["x", "y"], "gnn learns from one file and one collection (got 1 and 2)"),
    ],
)
def test_files_and_collections_that_do_not_fit_are_refused(
    run: Run, canned: Any, questions: Path, what: str, files: int, collections: list[str], complaint: str
) -> None:
    result = run("train", what, *[questions] * files, *(word for name in collections for word in ("-c", name)))
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert canned.calls == []


def test_a_set_of_themes_is_trained_under_the_name_of_its_file_or_another(
    run: Run, canned: Any, tmp_path: Path
) -> None:
    rows = tmp_path / "Sea life.jsonl"
    rows.write_text('{"text": "a tern", "labels": ["bird"]}\n' * 2)
    result = run("train", "themes", rows, "--epochs", 3)
    assert canned.calls[0] == ("train_themes", 2, "sea_life", 3, {"learned from": "Sea life.jsonl"})
    assert "hopline themes --use sea_life" in result.stdout
    run("train", "themes", rows, "--name", "birds", "--limit", 1)
    assert ("train_themes", 1, "birds", 200, {"learned from": "Sea life.jsonl"}) in canned.calls


def test_themes_are_learned_once_then_listed(run: Run, printed: Run, canned: Any, questions: Path) -> None:
    result = run("themes", "-c", "x")
    assert canned.calls[0] == ("learn_themes", "x", None, 0)
    assert "ferry, harbour" in result.stdout
    assert "1,200" in result.stdout
    assert printed("themes", "-c", "x")["themes"][1] == {"name": "slate", "evidence": 7}
    assert [call[0] for call in canned.calls].count("learn_themes") == 1
    run("themes", "-c", "x", "--count", 9, "--questions", questions)
    assert ("learn_themes", "x", 9, 2) in canned.calls


def test_themes_are_chosen_and_taken_away(run: Run, canned: Any) -> None:
    assert "slate" in run("themes", "--use", "sea").stdout
    assert "default has no themes" in run("themes", "--drop").stdout
    used = [call for call in canned.calls if call[0] == "use_themes"]
    assert used == [("use_themes", "sea", "default"), ("use_themes", "", "default")]
    result = run("themes", "--drop", "--learn")
    assert result.exit_code == 2
    assert "exclude one another" in result.stderr
    assert "go with learning" in run("themes", "--drop", "--count", 3).stderr


def test_questions_are_labelled_then_taught_to_the_model_that_is_named(
    run: Run, canned: Any, questions: Path, tmp_path: Path
) -> None:
    result = run("train", "graph_llm", questions, "-c", "x", "--base", tmp_path / "small.gguf", "--epochs", 3)
    told = {"learned from": questions.name, "labelled by": "a model"}
    assert canned.calls[:2] == [("label_questions", 2, "x"), ("train_graph_llm", 1, "small.gguf", 3, told)]
    assert "-s ras:planner=trained" in result.stdout
    assert "graph_llm needs --base" in run("train", "graph_llm", questions).stderr
