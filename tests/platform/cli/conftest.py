import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hopline.cli import application
from hopline.client import Hopline
from hopline.config import Settings
from hopline.documents.estimate import Estimate
from hopline.documents.status import Status
from hopline.errors import UnknownName
from hopline.graph_explorer import Neighbourhood
from hopline.learned.weight_files import ModelCard
from hopline.records import Collection
from hopline.results import (
    Answer,
    Citation,
    Evidence,
    EvidencePath,
    Node,
    PathStep,
    Retrieval,
    Sentence,
    Trace,
    TraceStep,
)
from hopline.retrieval.reranking.learned_reranker import LearnedReranker
from hopline.scoring.boosted_trees import Trees
from hopline.testing import FakeHopline, FakeQuestion, make_document
from hopline.topics.collection_topics import CollectionTopics, Topic
from hopline.training.gnn import GnnTrainingResult
from hopline.training.reranker import RerankerTrainingResult
from hopline.training.sub_question_data import SubQuestionSample

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))  # scripted.py

TREES = ("feature", "threshold", "left", "right", "value")
SEED = Node("e1", "entity", "Nordvik")
EVIDENCE = Evidence("p1", "passage", 0.5, "Halcyon lends to Nordvik.", "report.pdf", pages=(3,), source_id="g1")
TOPICS = CollectionTopics("sea", (Topic("ferry, harbour", 1200), Topic("slate", 7)), 0)
PATH = EvidencePath("p1", SEED, (PathStep(SEED, "MENTIONS", Node("p1", "passage")),))
STEP = TraceStep("search", "evidence", 2.0, 10)
CARD = ModelCard("graph_hop", 1, "", "", {}, {"seed": 42}, {}, {"dev F1": 0.57, "last loss": {"forward": 2.7}}, 61.0)


def answer_question(request: FakeQuestion) -> Answer:
    """Return "Halcyon" with one citation, or an abstention if the question contains "absent"."""
    retrieval = Retrieval(request.question, request.strategy, request.collection, (EVIDENCE,), (PATH,), Trace((STEP,)))
    if "absent" in request.question:
        return Answer(request.question, (), retrieval, abstained=True, missing=("absent",))
    sentence = Sentence("Halcyon.", (Citation(EVIDENCE, "Halcyon", 0, 7, PATH),))
    return Answer(request.question, (sentence,), retrieval)


def neighbourhood(node: str) -> Neighbourhood:
    if node == "nope":
        raise UnknownName("node", node, [])
    return Neighbourhood((SEED, Node("p1", "passage", "Halcyon lends…")), (("p1", "MENTIONS", "e1"),), 9)


def reranker_result(rounds: int) -> RerankerTrainingResult:
    """The result of a training on two questions; with 0 rounds the untrained order is better."""
    trees = Trees.from_dict({"start": 0, "depth": 0} | {key: [[0]] for key in TREES})
    return RerankerTrainingResult(LearnedReranker(rounds, trees, trees), 2, 0.5, (0.6, 0.7, 0.65))


def make_status() -> Status:
    engine = {"private": True, "running": True, "version": "5.26.28", "memory": 640_000_000, "uptime": 720.0}
    collections = (Collection("c1", "default", 3, 1200, tables=5),)
    return Status(engine, collections, waiting=1, passages=1200, tables=5, entities=77, worker=True, embedder="minilm")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeHopline:
    """The client that every command opens; its collections are "default" and "x"."""
    documents = {
        name: [
            make_document(name, "report.pdf", pages=8, passages=40, tables=2),
            make_document(name, "[1].pdf", state="failed", passages=0, reason="it asks for a password"),
        ]
        for name in ("default", "x")
    }
    for name in ("NEO4J_URI", "HOPLINE_NEO4J_URI", "HOPLINE_MODEL", "HOPLINE_STRATEGY"):
        monkeypatch.delenv(name, raising=False)
    hop = FakeHopline(
        settings=Settings(model="a model"),
        answer=answer_question,
        documents=documents,
        neighbourhood=neighbourhood,
        estimate=lambda _: Estimate(2, 30, 1200, 95.0, 0, 0, ("photo.raw",)),
        status=make_status(),
        topic_sets={"sea": TOPICS, "x": TOPICS},
        training_results={
            "gnn": GnnTrainingResult((0.25,), 0.5, 2, 7, 0.02, 0.01),
            "reranker": reranker_result(2),
            "label_questions": [SubQuestionSample("plan", "?", (), "[NO_RETRIEVAL]")],
        }
        | {part: replace(CARD, part=part) for part in ("mdr", "writer", "graph_hop", "graph_llm", "topic_classifier")},
    )
    monkeypatch.setattr(Hopline, "open", lambda **_: hop)
    (tmp_path / "home" / "neo4j").mkdir(parents=True)
    monkeypatch.setenv("HOPLINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOPLINE_CACHE", str(tmp_path / "cache"))
    return hop


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run one command: ``run("ask", "Who?", "--json")``; ``result.stdout`` and ``.stderr`` are apart."""
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *arguments: CliRunner().invoke(application(), [str(argument) for argument in arguments])  # type: ignore[return-value]


@pytest.fixture
def run_json(run: Callable[..., Result]) -> Callable[..., dict[str, Any]]:
    """Runs a command with ``--json`` and returns the object that it prints; any other output is an error."""

    def read(*arguments: object) -> dict[str, Any]:
        data = json.loads(run(*arguments, "--json").stdout)
        assert isinstance(data, dict)
        return data

    return read
