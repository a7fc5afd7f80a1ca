"""The committed training samples equal the output of the script, and each file can be read by its trainer."""

import sys
from importlib import util
from pathlib import Path

import pytest

from hopline.evaluation import read_questions
from hopline.evaluation.evidence_graphs import read_evidence_graphs
from hopline.evaluation.labels import read_labelled_texts
from hopline.scoring.evidence_graph import QUESTION, list_nodes
from hopline.training.graph_hop import split_graphs

SCRIPT = Path(__file__).resolve().parents[2] / "samples" / "register.py"
spec = util.spec_from_file_location("register", SCRIPT)
assert spec
assert spec.loader
register = util.module_from_spec(spec)
sys.modules["register"] = register  # dataclasses look up their module in sys.modules
spec.loader.exec_module(register)


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return register.make(tmp_path_factory.mktemp("training"))


def test_the_script_reproduces_the_committed_files(output: list[Path]) -> None:
    assert {path.name for path in output} == {path.name for path in register.TARGET.iterdir()}
    for path in output:
        assert path.read_bytes() == (register.TARGET / path.name).read_bytes(), path.name


def test_the_gold_passages_of_a_question_mention_each_other() -> None:
    passages = register.generate_passages()
    texts = {row.id: row.text for rows in passages.values() for row in rows}
    names = {row.id: row.name for rows in passages.values() for row in rows}
    assert len(texts) == len(set(names.values()))
    for question in read_questions(register.TARGET / "questions.jsonl"):
        assert len(question.gold) >= 2
        last = question.gold[-1]
        assert any(names[last] in texts[id] for id in question.gold[:-1]), question.text


def test_graphs_start_at_the_question_and_reach_all_gold_facts() -> None:
    graphs = read_evidence_graphs(register.TARGET / "graphs.jsonl")
    assert split_graphs(graphs)
    for graph in graphs:
        assert len(graph.facts) == register.FACTS
        starts = {target for source, target in graph.edges if source == QUESTION}
        assert starts | {target for source, target in graph.edges if source in starts} == set(list_nodes(graph.edges))
    assert {len(graph.edges) for graph in graphs} >= {2, 4}


def test_texts_have_labels_of_several_kinds() -> None:
    rows = read_labelled_texts(register.TARGET / "texts.jsonl")
    assert len(rows) == 5 * register.PER_KIND
    assert len({label for row in rows for label in row.labels}) > 5
