"""The files that trained parts are tried on are those of the script, and each is read by what it is for."""

import sys
from importlib import util
from pathlib import Path

import pytest

from hopline.evaluation import read_questions
from hopline.evaluation.evidence_graphs import read_graphs
from hopline.evaluation.labels import read_labelled
from hopline.scoring.evidence_graph import QUESTION, nodes_of
from hopline.training.graph_hop import split

SCRIPT = Path(__file__).resolve().parents[2] / "samples" / "register.py"
spec = util.spec_from_file_location("register", SCRIPT)
assert spec
assert spec.loader
register = util.module_from_spec(spec)
sys.modules["register"] = register  # its dataclasses look themselves up there
spec.loader.exec_module(register)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return register.make(tmp_path_factory.mktemp("training"))


def test_the_script_writes_what_is_there(made: list[Path]) -> None:
    assert {path.name for path in made} == {path.name for path in register.TARGET.iterdir()}
    for path in made:
        assert path.read_bytes() == (register.TARGET / path.name).read_bytes(), path.name


def test_a_question_needs_passages_that_name_each_other() -> None:
    found = register.register()
    texts = {row.id: row.text for rows in found.values() for row in rows}
    names = {row.id: row.name for rows in found.values() for row in rows}
    assert len(texts) == len(set(names.values()))
    for one in read_questions(register.TARGET / "questions.jsonl"):
        assert len(one.gold) >= 2
        last = one.gold[-1]
        assert any(names[last] in texts[id] for id in one.gold[:-1]), one.text


def test_graphs_begin_at_the_question_and_reach_all_that_it_needs() -> None:
    graphs = read_graphs(register.TARGET / "graphs.jsonl")
    assert split(graphs)
    for graph in graphs:
        assert len(graph.facts) == register.FACTS
        begun = {target for source, target in graph.edges if source == QUESTION}
        assert begun | {target for source, target in graph.edges if source in begun} == set(nodes_of(graph.edges))
    assert {len(graph.edges) for graph in graphs} >= {2, 4}


def test_texts_have_labels_of_several_kinds() -> None:
    rows = read_labelled(register.TARGET / "texts.jsonl")
    assert len(rows) == 5 * register.EACH
    assert len({label for row in rows for label in row.labels}) > 5
