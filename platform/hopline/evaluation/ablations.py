"""The ablations of the five papers, run on a collection and shown beside the figures that the papers report.

The tables are listed in ``ablations.toml``: each row is a strategy with its options, a graph of passages (KGP), or a
rule that merges two evidence graphs (Graph-Hop). The papers' figures are those of their models on their data: they show
what a row changes there, not what it should be here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import Any, Final, Literal, Protocol, get_args

from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.evaluation.evidence_graphs import EvidenceGraphSample
from hopline.evaluation.experiment import EvaluatedClient, evaluate
from hopline.evaluation.graph_matching import match_graphs
from hopline.evaluation.graph_quality import GraphDensity, Reachability
from hopline.evaluation.questions import Question
from hopline.retrieval.agent.bidirectional_search import BidirectionalGraphs
from hopline.scoring.evidence_graph import GAMMA, QUESTION, Edge, MergeRule, merge_graphs

Paper = Literal["gnn_ret", "gear", "kgp", "graph_hop", "ras"]
Grouping = Literal["", "gold", "type", "depth", "width"]
ProgressCallback = Callable[[str, int, int], None]  # row, questions done, questions

PAPERS: Final[tuple[Paper, ...]] = get_args(Paper)
DEFAULT_K: Final = 10
METRICS: Final = ("R@5", "R@10", "all@5", "all@10")
ANSWER_METRICS: Final = ("EM", "F1")
MATCH_METRICS: Final = ("gm", "gs", "ged", "f1", "em")
EDIT_SECONDS: Final = 0.1  # time limit of one edit distance; when it is exceeded, the result is an upper bound


@dataclass(frozen=True, slots=True)
class AblationRow:
    """A row of a table: a ``strategy``, a ``graph`` with each number of ``neighbours``, a ``hub`` or a ``merge`` rule.

    ``hub`` is that of the graph of GNN-Ret, whose nodes and edges are counted.

    ``published`` are the figures of the paper, one text for each ``k`` of the table, "" where it has none.
    """

    label: str
    strategy: str = ""
    graph: str = ""
    neighbours: tuple[int, ...] = ()
    hub: int = 0
    merge: MergeRule | None = None
    gamma: float = GAMMA
    published: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ablation:
    """A table of a paper: where it stands (``source``), what its figures are (``published``), and its rows."""

    paper: Paper
    source: str
    title: str
    published: str
    rows: tuple[AblationRow, ...]
    k: tuple[int, ...] = (DEFAULT_K,)
    groups: Grouping = ""


@dataclass(frozen=True, slots=True)
class AblationFigures:
    """The figures of one row, for one ``setting`` ("k = 5", "10 neighbours, 2 hops"); rates are in [0, 1].

    ``error`` says why there are none.
    """

    label: str
    setting: str = ""
    questions: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)
    published: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class AblationResult:
    """A table of a paper with the figures measured here."""

    ablation: Ablation
    rows: tuple[AblationFigures, ...]

    def to_dict(self) -> dict[str, Any]:
        """Convert to what ``hopline evaluate --ablate PAPER --json FILE`` writes."""
        head = {name: getattr(self.ablation, name) for name in ("paper", "source", "title", "published")}
        return head | {"rows": [asdict(row) for row in self.rows]}


class GraphEvaluation(Protocol):
    """The part of `hopline.evaluation.service.EvaluationService` that is used here."""

    def graph_density(self, *, collection: str, hub: int) -> GraphDensity:
        """Count the nodes and edges of the graph of GNN-Ret."""
        ...

    def graph_quality(
        self, questions: Sequence[Question], *, graph: str, collection: str, neighbours: int
    ) -> list[Reachability]:
        """Measure how much gold is within 0, 1 and 2 hops of the first passages of questions."""
        ...

    def search_evidence_graphs(
        self, graphs: Sequence[EvidenceGraphSample], *, follows: Literal["network", "likeness"]
    ) -> list[BidirectionalGraphs]:
        """Search the evidence graphs of both directions over the facts of each question."""
        ...


@cache
def list_ablations(paper: str) -> tuple[Ablation, ...]:
    """Return the ablations of a paper, in its order.

    Raises:
        UnknownName: no such paper; lists the known ones.
    """
    tables = tomllib.loads(files("hopline.evaluation").joinpath("ablations.toml").read_text(encoding="utf-8"))
    for name in PAPERS:
        if name == paper:
            return tuple(_parse_ablation(name, table) for table in tables[name])
    raise UnknownName("paper", paper, PAPERS)


def _parse_ablation(paper: Paper, table: Mapping[str, Any]) -> Ablation:
    fields = dict(table)
    rows = tuple(_parse_row(row) for row in fields.pop("rows"))
    return Ablation(paper, rows=rows, k=tuple(fields.pop("k", [DEFAULT_K])), **fields)


def _parse_row(row: Mapping[str, Any]) -> AblationRow:
    fields = dict(row)
    published = fields.pop("published", [])
    texts = (published,) if isinstance(published, str) else tuple(published)
    return AblationRow(published=texts, neighbours=tuple(fields.pop("neighbours", ())), **fields)


def run_ablations(
    client: EvaluatedClient,
    questions: Sequence[Question],
    paper: str,
    *,
    collection: str = "default",
    answers: Literal["paper", False] = False,
    on_progress: ProgressCallback | None = None,
    on_row: Callable[[AblationResult], None] | None = None,
    earlier: Sequence[Mapping[str, Any]] = (),
) -> Iterator[AblationResult]:
    """Run the ablations of a paper on questions, and yield each table when it is complete.

    ``answers="paper"`` adds EM and F1 of the language model's answers from the evidence of each strategy. A row that
    cannot be run, for want of a model or of trained weights, says why. The same strategy is run once. ``on_row`` gets
    the table so far after each row, with those of ``earlier`` that come later. ``earlier`` are tables of an interrupted
    run (`AblationResult.to_dict`): their rows are not measured again, but for those with an error.

    Raises:
        UnknownName: no such paper or collection.
        UsageError: the paper is Graph-Hop, whose ablations are run on evidence graphs (`run_graph_ablations`).
        EngineError: the database cannot be reached.
    """
    runner = _StrategyRunner(client, collection, answers, on_progress)
    for ablation in list_ablations(paper):
        groups = _group_questions(questions, ablation.groups)
        rows: list[AblationFigures] = []
        known = _read_rows(ablation, earlier)
        for row in ablation.rows:
            if row.graph:
                for neighbours in row.neighbours:
                    rows += _pop_passage_graph(known, row, neighbours, len(questions)) or _measure_passage_graph(
                        client.evaluation,  # type: ignore[arg-type]
                        questions,
                        row,
                        neighbours,
                        collection,
                    )
                    _report(on_row, ablation, rows, known)
                    if rows[-1].error:
                        break
                continue
            if row.hub and (row.label, "", 0) in known:
                rows.append(known.pop((row.label, "", 0)))
                continue
            if row.hub:
                density = client.evaluation.graph_density(collection=collection, hub=row.hub)  # type: ignore[attr-defined]
                figures = {
                    "nodes": density.nodes,
                    "edges of a node": density.edges_per_node,
                    "density": density.density,
                }
                rows.append(AblationFigures(row.label, "", 0, figures, "".join(row.published)))
                _report(on_row, ablation, rows, known)
                continue
            for number, k in enumerate(ablation.k):
                published = row.published[number] if number < len(row.published) else ""
                for name, members in groups.items():
                    setting = ", ".join(filter(None, (f"k = {k}" if len(ablation.k) > 1 else "", name)))
                    earlier_row = known.pop((row.label, setting, len(members)), None)
                    rows.append(earlier_row or runner.run(row, members, k, setting, published))
                    _report(on_row, ablation, rows, known)
        yield AblationResult(ablation, tuple(rows))


def _report(
    on_row: Callable[[AblationResult], None] | None,
    ablation: Ablation,
    rows: Sequence[AblationFigures],
    known: Mapping[tuple[str, str, int], AblationFigures],
) -> None:
    """Report a table so far, with the rows of the interrupted run that are not reached yet."""
    if on_row:
        on_row(AblationResult(ablation, (*rows, *known.values())))


def _read_rows(ablation: Ablation, tables: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str, int], AblationFigures]:
    """Return the rows without error that an interrupted run has of this table, by label, setting and questions."""
    head = (ablation.paper, ablation.source, ablation.title)
    rows = [
        AblationFigures(**row)
        for table in tables
        if (table["paper"], table["source"], table["title"]) == head
        for row in table["rows"]
    ]
    return {(row.label, row.setting, row.questions): row for row in rows if not row.error}


def _group_questions(questions: Sequence[Question], groups: Grouping) -> dict[str, list[Question]]:
    """Return the questions by group, in the order of the names; all of them under "" without ``groups``."""
    grouped: dict[str, list[Question]] = {}
    for question in questions:
        name = f"{len(question.gold)} passages" if groups == "gold" else question.type if groups == "type" else ""
        grouped.setdefault(name, []).append(question)
    return dict(sorted(grouped.items()))


@dataclass(slots=True)
class _StrategyRunner:
    """Runs strategies, each once for the same questions and k."""

    client: EvaluatedClient
    collection: str
    answers: Literal["paper", False]
    on_progress: ProgressCallback | None
    measured: dict[tuple[str, int, tuple[str, ...]], tuple[dict[str, float], str]] = field(default_factory=dict)

    def run(
        self, row: AblationRow, questions: Sequence[Question], k: int, setting: str, published: str
    ) -> AblationFigures:
        key = (row.strategy, k, tuple(question.id for question in questions))
        if key not in self.measured:
            self.measured[key] = self._measure(row, questions, k)
        figures, error = self.measured[key]
        return AblationFigures(row.label, setting, len(questions), figures, published, error)

    def _measure(self, row: AblationRow, questions: Sequence[Question], k: int) -> tuple[dict[str, float], str]:
        """Return the figures of a strategy, and why there are none."""

        def show(_: str, done: int, total: int) -> None:
            if self.on_progress:
                self.on_progress(row.label, done, total)

        [result] = evaluate(
            self.client,
            questions,
            [row.strategy],
            collection=self.collection,
            k=k,
            answers=self.answers,
            on_progress=show,
        ).strategies
        if result.failed == len(questions):
            return {}, next(iter(result.errors), "every question failed")
        wanted = (*(METRICS if k == DEFAULT_K else (f"R@{k}",)), *ANSWER_METRICS)
        figures = {name: result.scores[name].mean for name in wanted if name in result.scores}
        per_question = {"calls": result.calls / len(questions), "tokens": result.tokens / len(questions)}
        if result.calls:
            figures |= per_question
        failed = f"{result.failed} of {len(questions)} questions failed" if result.failed else ""
        return figures | {"p50 ms": result.p50}, failed


def _pop_passage_graph(
    known: dict[tuple[str, str, int], AblationFigures], row: AblationRow, neighbours: int, questions: int
) -> list[AblationFigures]:
    """Remove and return the rows of an interrupted run for one number of neighbours; empty if it was not reached."""
    start = _format_neighbours(neighbours) + ","
    keys = [key for key in known if key[0] == row.label and key[1].startswith(start) and key[2] == questions]
    return [known.pop(key) for key in keys]


def _format_neighbours(neighbours: int) -> str:
    return f"{neighbours} neighbours"


def _measure_passage_graph(
    evaluation: GraphEvaluation, questions: Sequence[Question], row: AblationRow, neighbours: int, collection: str
) -> list[AblationFigures]:
    """Return a row for each number of hops over a graph of passages."""
    try:
        reached = evaluation.graph_quality(questions, graph=row.graph, collection=collection, neighbours=neighbours)
    except HoplineError as error:
        return [AblationFigures(row.label, _format_neighbours(neighbours), len(questions), error=str(error))]
    return [
        AblationFigures(
            row.label,
            f"{_format_neighbours(neighbours)}, {reach.hops} hop{'s' if reach.hops > 1 else ''}",
            len(questions),
            {
                "SF-EM": reach.complete,
                "recall": reach.recall,
                "precision": reach.precision,
                "evidence": reach.evidence,
                "degree": reach.degree,
            },
        )
        for reach in reached[1:]
    ]


def run_graph_ablations(
    evaluation: GraphEvaluation, graphs: Sequence[EvidenceGraphSample], paper: str = "graph_hop"
) -> Iterator[AblationResult]:
    """Run the ablations of Graph-Hop on questions with their facts and gold graphs, and yield each table.

    The graphs are searched by the trained network, or by the untrained encoder if none was trained on this machine;
    the settings say which. Figures: GM, GS, GED, F1 and EM (`hopline.evaluation.graph_matching`).

    Raises:
        UnknownName: no such paper.
    """
    try:
        follows, searched = "trained", evaluation.search_evidence_graphs(graphs, follows="network")
    except UsageError:
        follows, searched = "untrained", evaluation.search_evidence_graphs(graphs, follows="likeness")
    pairs = list(zip(graphs, searched, strict=True))
    for ablation in list_ablations(paper):
        groups: dict[str, list[tuple[EvidenceGraphSample, BidirectionalGraphs]]] = {}
        for pair in pairs:
            groups.setdefault(_name_shape(pair[0].edges, ablation.groups), []).append(pair)
        rows = [
            AblationFigures(
                row.label,
                ", ".join(filter(None, (follows, name))),
                len(members),
                _match_merged(members, row),
                "".join(row.published),
            )
            for row in ablation.rows
            for name, members in sorted(groups.items())
        ]
        yield AblationResult(ablation, tuple(rows))


def _match_merged(
    pairs: Sequence[tuple[EvidenceGraphSample, BidirectionalGraphs]], row: AblationRow
) -> dict[str, float]:
    assert row.merge is not None, f"the row {row.label!r} has no rule"
    matches = [
        match_graphs(
            merge_graphs(graphs.forward, graphs.backward, rule=row.merge, gamma=row.gamma),
            sample.edges,
            timeout=EDIT_SECONDS,
        )
        for sample, graphs in pairs
    ]
    return {name: fmean(getattr(match, name) for match in matches) for name in MATCH_METRICS}


def _name_shape(edges: Sequence[Edge], groups: Grouping) -> str:
    """Return the group of a gold graph: its hops, or its chains."""
    if groups == "depth":
        depth = _measure_depth(edges)
        return f"{depth} hop{'s' if depth > 1 else ''}"
    if groups == "width":
        width = sum(source == QUESTION for source, _ in edges)
        return f"{width} chain{'s' if width > 1 else ''}"
    return ""


def _measure_depth(edges: Sequence[Edge]) -> int:
    """Return the number of edges of the longest path from the question; the graph has no cycle."""
    depths = {QUESTION: 0}
    for _ in range(len(edges)):
        changed = {
            target: depths[source] + 1
            for source, target in edges
            if source in depths and depths.get(target, 0) < depths[source] + 1
        }
        if not changed:
            break
        depths |= changed
    return max(depths.values())
