import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hopline.cli import application
from hopline.client import CollectionThemes, Estimate, Failure, Hopline, Neighbourhood, Progress, Status, Theme
from hopline.config import Settings
from hopline.errors import HoplineError, UnknownName
from hopline.evaluation import Question
from hopline.evaluation.evidence_graphs import Graph
from hopline.evaluation.labels import Labelled
from hopline.learned.weight_files import Card
from hopline.retrieval.reranking.learned_reranker import Scorer
from hopline.scoring.trees import Trees
from hopline.training.gnn import Learned
from hopline.training.graph_hop import Setup
from hopline.training.graph_llm import Setup as GraphSetup
from hopline.training.progress import Listener, Told
from hopline.training.reranker import LearnedScorer
from hopline.training.sub_question_data import Sample
from hopline.training.training_loop import Recipe
from hopline.types import (
    Answer,
    Citation,
    Collection,
    Document,
    Evidence,
    EvidencePath,
    Node,
    Retrieval,
    Sentence,
    Step,
    Trace,
    TraceStep,
)

TREES = ("feature", "threshold", "left", "right", "value")
SEED = Node("e1", "entity", "Nordvik")
EVIDENCE = Evidence("p1", "passage", 0.5, "Halcyon lends to Nordvik.", "report.pdf", pages=(3,), source_id="g1")
NO_THEMES = CollectionThemes("", (), 0)
THEMES = CollectionThemes("sea", (Theme("ferry, harbour", 1200), Theme("slate", 7)), 0)
PATH = EvidencePath("p1", SEED, (Step(SEED, "MENTIONS", Node("p1", "passage")),))
STEP = TraceStep("search", "evidence", 2.0, 10)


@dataclass
class CannedBatch:
    ids: tuple[str, ...]
    failures: tuple[Failure, ...] = ()
    waited: bool = False
    interrupt: bool = False

    def progress(self) -> Progress:
        done = len(self.ids) - len(self.failures)
        return Progress(len(self.ids), done, len(self.failures), passages=12, done=self.waited)

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> "CannedBatch":
        if self.interrupt:
            raise KeyboardInterrupt
        self.waited = True
        return self


CARD = Card("graph_hop", 1, "", "", {}, {"seed": 42}, {}, {"dev F1": 0.57, "last loss": {"forward": 2.7}}, 61.0)


@dataclass
class Canned:
    """A graph that gives the same every time and notes what it was asked."""

    error: HoplineError | None = None
    failures: tuple[Failure, ...] = ()
    interrupt: bool = False
    model_error: str = ""
    rounds: int = 2
    has_themes: CollectionThemes = NO_THEMES
    settings: Settings = field(default_factory=lambda: Settings(model="a model"))
    now: Progress = field(default_factory=lambda: Progress(done=True))
    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def __enter__(self) -> "Canned":
        return self

    def __exit__(self, *_: object) -> None:
        self.calls.append(("close",))

    def _note(self, *call: Any) -> None:
        self.calls.append(call)
        if self.error:
            raise self.error

    def add(
        self, paths: Sequence[Path], collection: str, *, titles: str = "keep", max_calls: int | None = None
    ) -> CannedBatch:
        self._note("add", [path.name for path in paths], collection, *(() if titles == "keep" else (titles,)))
        return CannedBatch(tuple(path.stem for path in paths), self.failures, interrupt=self.interrupt)

    def progress(self, collection: str) -> Progress:
        return self.now

    def ask(self, question: str, *, listener: Callable[[TraceStep], None] | None = None, **how: Any) -> Answer:
        self._note("ask", question, how)
        if listener:
            listener(STEP)
        found = self._found(question, how["strategy"] or "gnn_ret", how["collection"])
        if "absent" in question:
            return Answer(question, (), found, abstained=True, missing=("absent",))
        sentence = Sentence("Halcyon.", (Citation(EVIDENCE, "Halcyon", 0, 7, PATH),))
        return Answer(question, (sentence,), found, model_error=self.model_error)

    def retrieve(self, question: str, *, listener: Callable[[TraceStep], None] | None = None, **how: Any) -> Retrieval:
        self._note("retrieve", question, how)
        if listener:
            listener(STEP)
        return self._found(question, how["strategy"] or "gnn_ret", how["collection"])

    def retrieve_many(self, questions: Sequence[str], **how: Any) -> list[Retrieval]:
        return [self.retrieve(question, **how) for question in questions]

    def compare(
        self, question: str, *, strategies: Sequence[str], collection: str, k: int | None
    ) -> dict[str, Retrieval]:
        self._note("compare", question, list(strategies), collection, k)
        return {name: self._found(question, name, collection) for name in strategies}

    def train(
        self, what: str, questions: Sequence[Question], *, collection: str, layers: int, listener: Listener
    ) -> Learned:
        self._note("train", what, len(questions), collection, layers)
        listener(Told("questions", len(questions), len(questions)))
        return Learned((0.25,), 0.5, len(questions), 7, 0.02, 0.01)

    def train_scorer(
        self,
        questions: Sequence[Question],
        *,
        collection: str,
        used_in: Sequence[str],
        extras: Sequence[str],
        listener: Listener,
    ) -> LearnedScorer:
        self._note("train_scorer", len(questions), collection, list(used_in), *extras)
        listener(Told("folds", 5, 5))
        trees = Trees.of_dict({"start": 0, "depth": 0} | {key: [[0]] for key in TREES})
        return LearnedScorer(Scorer(self.rounds, trees, trees), len(questions), 0.5, (0.6, 0.7, 0.65))

    def train_mdr(
        self,
        questions: Mapping[str, Sequence[Question]],
        *,
        recipe: Recipe,
        told: Mapping[str, Any],
        listener: Listener,
    ) -> Card:
        self._note("train_mdr", {name: len(rows) for name, rows in questions.items()}, recipe.epochs, dict(told))
        listener(Told("guide", 3, 3, 0.5))
        return replace(CARD, part="mdr")

    def train_writer(
        self,
        questions: Mapping[str, Sequence[Question]],
        base: Path,
        *,
        recipe: Recipe,
        told: Mapping[str, Any],
        listener: Listener,
    ) -> Card:
        self._note("train_writer", {name: len(rows) for name, rows in questions.items()}, base.name, recipe.epochs)
        return replace(CARD, part="writer")

    def train_graph_hop(
        self,
        graphs: Sequence[Graph],
        dev: Sequence[Graph],
        *,
        setup: Setup,
        told: Mapping[str, Any],
        listener: Listener,
    ) -> Card:
        self._note("train_graph_hop", len(graphs), len(dev), setup.layers, setup.recipe.epochs, dict(told))
        listener(Told("choosing", 1, 2))
        return CARD

    def label_questions(self, questions: Sequence[Question], *, collection: str, listener: Listener) -> list[Sample]:
        self._note("label_questions", len(questions), collection)
        listener(Told("labelling", 1, 2))
        return [Sample("plan", "?", (), "[NO_RETRIEVAL]")]

    def train_graph_llm(
        self, samples: Sequence[Sample], base: Path, *, setup: GraphSetup, told: Mapping[str, Any], listener: Listener
    ) -> Card:
        self._note("train_graph_llm", len(samples), base.name, setup.recipe.epochs, dict(told))
        return replace(CARD, part="graph_llm")

    def train_themes(
        self, rows: Sequence[Labelled], name: str, *, recipe: Recipe, told: Mapping[str, Any], listener: Listener
    ) -> Card:
        self._note("train_themes", len(rows), name, recipe.epochs, dict(told))
        listener(Told("shifter", 1, 2, 0.5))
        return replace(CARD, part=f"themes/{name}")

    def themes(self, collection: str) -> CollectionThemes:
        return self.has_themes

    def learn_themes(
        self, collection: str, *, count: int | None, questions: Sequence[Question], listener: Listener
    ) -> Card:
        self._note("learn_themes", collection, count, len(questions))
        listener(Told("themes", 1, 2, 0.5))
        self.has_themes = THEMES
        return CARD

    def use_themes(self, name: str, collection: str) -> None:
        self._note("use_themes", name, collection)
        self.has_themes = THEMES if name else NO_THEMES

    def collections(self) -> list[Collection]:
        return [Collection("c1", "default"), Collection("c2", "x")]

    def documents(self, collection: str) -> list[Document]:
        self._note("documents", collection)
        if collection not in {one.name for one in self.collections()}:
            raise UnknownName("collection", collection, [one.name for one in self.collections()])
        ready = Document("d1", "report.pdf", collection, state="ready", pages=8, passages=40, tables=2)
        return [ready, replace(ready, id="d2", name="[1].pdf", state="failed", reason="it asks for a password")]

    def retry(self, document: str | None = None, *, collection: str, max_calls: int | None = None) -> int:
        return 1 if document else 5 + (max_calls or 0)

    def reread(self, collection: str, *, model: bool | None = None, max_calls: int | None = None) -> int:
        self._note("reread", collection, model, max_calls)
        return 40

    def remove(self, document: str | None, *, collection: str) -> int:
        self._note("remove", document, collection)
        if document not in (None, "report.pdf"):
            raise UnknownName("document", str(document), ["report.pdf"])
        return 2 if document is None else 1

    def estimate(self, paths: Sequence[Path], collection: str) -> Estimate:
        self._note("estimate", [path.name for path in paths], collection)
        return Estimate(2, 30, 1200, 95.0, 0, 0, ("photo.raw",))

    def status(self) -> Status:
        self._note("status")
        engine = {"private": True, "running": True, "version": "5.26.28", "memory": 640_000_000, "uptime": 720.0}
        known = (Collection("c1", "default", 3, 1200),)
        return Status(engine, known, waiting=1, passages=1200, entities=77, worker=True, embedder="minilm")

    def explore(self, node: str, hops: int, *, limit: int) -> Neighbourhood:
        self._note("explore", node, hops, limit)
        if node == "nope":
            raise UnknownName("node", node, [])
        return Neighbourhood((SEED, Node("p1", "passage", "Halcyon lends…")), (("p1", "MENTIONS", "e1"),), 9)

    def _found(self, question: str, strategy: str, collection: str) -> Retrieval:
        return Retrieval(question, strategy, collection, (EVIDENCE,), (PATH,), Trace((STEP,)))


@pytest.fixture
def canned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Canned:
    found = Canned()
    monkeypatch.setattr(Hopline, "open", lambda **_: found)
    (tmp_path / "home" / "neo4j").mkdir(parents=True)
    monkeypatch.setenv("HOPLINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOPLINE_CACHE", str(tmp_path / "cache"))
    for name in ("NEO4J_URI", "HOPLINE_NEO4J_URI", "HOPLINE_MODEL", "HOPLINE_STRATEGY"):
        monkeypatch.delenv(name, raising=False)
    return found


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run one command: ``run("ask", "Who?", "--json")``; ``result.stdout`` and ``.stderr`` stand apart."""
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *arguments: CliRunner().invoke(application(), [str(argument) for argument in arguments])


@pytest.fixture
def printed(run: Callable[..., Result]) -> Callable[..., dict[str, Any]]:
    """The one JSON object that a command prints; anything else on stdout is an error."""

    def read(*arguments: object) -> dict[str, Any]:
        found = json.loads(run(*arguments, "--json").stdout)
        assert isinstance(found, dict)
        return found

    return read
