"""The tables of the papers' ablations: their rows are valid, and their figures are those of the questions and graphs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.errors import HoplineError, ModelUnavailable, UnknownName, UsageError
from hopline.evaluation import Question
from hopline.evaluation.ablations import (
    PAPERS,
    AblationResult,
    AblationRow,
    list_ablations,
    run_ablations,
    run_graph_ablations,
)
from hopline.evaluation.evidence_graphs import EvidenceGraphSample, read_evidence_graphs
from hopline.evaluation.graph_quality import GraphDensity, Reachability
from hopline.results import Evidence, Retrieval
from hopline.retrieval.agent.bidirectional_search import BidirectionalGraphs
from hopline.retrieval.passage_graph import create_passage_graph
from hopline.scoring.evidence_graph import merge_graphs
from hopline.strategies import load_strategy

SAMPLES = Path(__file__).parents[3] / "samples" / "training"
GOLD, OTHER = (Evidence(id, "passage", 1.0, id, source_id=id) for id in ("g1", "x"))
QUESTIONS = [
    Question("1", "Who lends?", gold=("g1",)),
    Question("2", "Who borrows from whom?", gold=("g1", "g2")),
]


class Client:
    """A client whose every search finds g1 second; strategies that need a model fail."""

    def __init__(self) -> None:
        self.runs: list[tuple[str, int | None]] = []
        self.graphs: list[str] = []  # that were measured

    def retrieve(
        self, question: str, *, collection: str, documents: Sequence[str] = (), strategy: str | None, k: int | None
    ) -> Retrieval:
        self.runs.append((strategy or "", k))
        if load_strategy(strategy or "").needs_model:
            raise ModelUnavailable("no model is configured")
        return Retrieval(question, strategy or "", collection, (OTHER, GOLD))

    def retrieve_many(self, questions: Sequence[str], **_: object) -> list[Retrieval | HoplineError]:
        raise AssertionError(f"a batch of {len(questions)} questions")

    def ask(self, question: str, **_: object) -> None:
        raise AssertionError(f"asked {question!r}")

    def create_uncached_client(self) -> "Client":
        return self

    @property
    def evaluation(self) -> "Client":
        return self

    def graph_density(self, *, collection: str, hub: int) -> GraphDensity:
        self.graphs.append(f"hub={hub}")
        return GraphDensity(11, hub / 4)

    def graph_quality(
        self, questions: Sequence[Question], *, graph: str, collection: str, neighbours: int
    ) -> list[Reachability]:
        if graph == "mdr":
            raise UsageError("mdr has not been trained on this machine")
        self.graphs.append(graph)
        return [Reachability(hops, 0.5, 0.5, 0.1, 9.0, neighbours / 2) for hops in range(3)]


def make_client() -> Any:
    return Client()


ROWS = [
    pytest.param(paper, ablation, row, id=f"{paper} {ablation.source}: {row.label}")
    for paper in PAPERS
    for ablation in list_ablations(paper)
    for row in ablation.rows
]


@pytest.mark.parametrize(("paper", "ablation", "row"), ROWS)
def test_each_row_can_be_run_and_has_the_figures_of_each_k(paper: str, ablation: object, row: AblationRow) -> None:
    assert sum(map(bool, (row.strategy, row.graph, row.hub, row.merge))) == 1
    assert (paper == "graph_hop") == bool(row.merge)
    assert not row.published or len(row.published) == len(ablation.k)  # type: ignore[attr-defined]
    if row.strategy:
        load_strategy(row.strategy)
    elif row.graph:
        create_passage_graph(row.graph)
        assert row.neighbours
    elif row.merge:
        merge_graphs([("", "a")], [("", "a")], rule=row.merge, gamma=row.gamma)


def test_an_unknown_paper_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="gear, gnn_ret, graph_hop, kgp, ras"):
        list_ablations("hipporag")


def test_each_k_is_a_run_of_its_own_with_the_figures_of_the_paper() -> None:
    client = make_client()
    table = next(iter(run_ablations(client, QUESTIONS, "gear")))
    hybrid = [row for row in table.rows if row.label == "Hybrid"]
    assert [(row.setting, row.published) for row in hybrid] == [
        ("k = 5", "39.9 / 60.0 / 77.8"), ("k = 10", "46.3 / 65.8 / 85.8"), ("k = 15", "49.1 / 66.6 / 89.7"),
    ]  # fmt: skip
    assert [{name for name in row.figures if name != "p50 ms"} for row in hybrid] == [
        {"R@5"}, {"R@5", "R@10", "all@5", "all@10"}, {"R@15"},
    ]  # fmt: skip
    assert hybrid[0].figures["R@5"] == 0.75  # 1 of 1 and 1 of 2
    assert {k for strategy, k in client.runs if strategy == "hybrid"} == {5, 10, 15}


def test_a_row_that_needs_a_model_says_so_and_the_others_are_measured() -> None:
    rows = {row.label: row for row in next(iter(run_ablations(make_client(), QUESTIONS, "gear"))).rows}
    assert rows["GEAR"].error == "ModelUnavailable: no model is configured"
    assert not rows["GEAR"].figures
    assert not rows["BM25"].error


def test_an_interrupted_run_continues_with_the_rows_that_it_has() -> None:
    tables: list[AblationResult] = []
    first = next(iter(run_ablations(make_client(), QUESTIONS, "gear", on_row=tables.append)))
    assert [len(table.rows) for table in tables] == list(range(1, len(first.rows) + 1))
    interrupted = next(table for table in tables if table.rows[-1].label == "SBERT")
    client = make_client()
    reported: list[AblationResult] = []
    again = next(
        iter(run_ablations(client, QUESTIONS, "gear", on_row=reported.append, earlier=[interrupted.to_dict()]))
    )
    assert {row.label for row in reported[0].rows} == {row.label for row in interrupted.rows}, "a second interruption"
    assert [(row.label, row.setting) for row in again.rows] == [(row.label, row.setting) for row in first.rows]
    assert again.rows[: len(interrupted.rows)] == interrupted.rows
    assert {"bm25", "naive_ge:base=text"}.isdisjoint(strategy for strategy, _ in client.runs)
    assert "hybrid" in {strategy for strategy, _ in client.runs}


@pytest.mark.parametrize("paper", ["kgp", "gnn_ret"])
def test_an_interrupted_run_measures_no_graph_again(paper: str) -> None:
    before = make_client()
    first = list(run_ablations(before, QUESTIONS, paper))
    assert before.graphs
    client = make_client()
    reported: list[AblationResult] = []
    earlier = [table.to_dict() for table in first]
    again = list(run_ablations(client, QUESTIONS, paper, on_row=reported.append, earlier=earlier))
    rows = [row for table in again for row in table.rows]
    assert [row for row in rows if not row.error] == [row for table in first for row in table.rows if not row.error]
    assert client.graphs == []
    for table in reported:
        complete = next(other for other in first if other.ablation == table.ablation)
        assert len(table.rows) <= len(complete.rows), "rows of the interrupted run are listed once"


def test_a_strategy_that_several_tables_have_is_run_once() -> None:
    client = make_client()
    tables = list(run_ablations(client, QUESTIONS, "gnn_ret"))
    assert sum(row.label in ("GNN-Ret", "both", "K = 5") for table in tables for row in table.rows) > 2
    whole = [run for run in client.runs if run == ("gnn_ret", 10)]
    # once for all questions, and once for each of two groups; the first question of a run is run twice
    assert len(whole) == (2 + 1) + 2 * (1 + 1)


def test_questions_are_grouped_by_their_gold_passages() -> None:
    table = next(item for item in run_ablations(make_client(), QUESTIONS, "gnn_ret") if item.ablation.groups == "gold")
    dense = [row for row in table.rows if row.label == "SBERT"]
    assert [(row.setting, row.questions, row.figures["R@5"]) for row in dense] == [
        ("1 passages", 1, 1.0), ("2 passages", 1, 0.5),
    ]  # fmt: skip


def test_graphs_of_passages_are_measured_at_each_density_unless_they_need_training() -> None:
    table = next(item for item in run_ablations(make_client(), QUESTIONS, "kgp") if item.ablation.source == "Figure 4")
    names = [row for row in table.rows if row.label.startswith("shared names")]
    assert [row.setting for row in names][:3] == ["5 neighbours, 1 hop", "5 neighbours, 2 hops", "10 neighbours, 1 hop"]
    assert names[0].figures == {"SF-EM": 0.5, "recall": 0.5, "precision": 0.1, "evidence": 9.0, "degree": 2.5}
    [untrained] = [row for row in table.rows if row.label == "KNN-MDR"]
    assert "not been trained" in untrained.error


def test_the_size_of_the_graph_is_counted_with_each_limit_on_hubs() -> None:
    table = next(
        item for item in run_ablations(make_client(), QUESTIONS, "gnn_ret") if item.ablation.source == "Table 5"
    )
    assert [row.figures for row in table.rows] == [
        {"nodes": 11, "edges of a node": 5.0, "density": 1.0}, {"nodes": 11, "edges of a node": 25.0, "density": 5.0},
    ]  # fmt: skip


CHAIN, FORK = (("", "a"), ("a", "b")), (("", "a"), ("", "b"))


class Searched:
    """An evaluation whose forward search finds the gold graph, and whose backward search finds a chain."""

    def __init__(self, *trained: str) -> None:
        self.trained = trained

    def search_evidence_graphs(
        self, graphs: Sequence[EvidenceGraphSample], *, follows: str
    ) -> list[BidirectionalGraphs]:
        if follows == "network" and not self.trained:
            raise UsageError("graph_hop has not been trained on this machine")
        return [BidirectionalGraphs(sample.edges, CHAIN, sample.edges) for sample in graphs]


def test_evidence_graphs_are_merged_by_each_rule_and_grouped_by_their_shape() -> None:
    graphs = [
        EvidenceGraphSample(name, "Who?", {"a": "A", "b": "B"}, edges) for name, edges in (("1", CHAIN), ("2", FORK))
    ]
    tables = list(run_graph_ablations(Searched("graph_hop"), graphs))  # type: ignore[arg-type]
    rules = {row.label: row.figures["gm"] for row in tables[0].rows}
    assert (rules["Graph-Hop's forward"], rules["Graph-Hop's backward"]) == (1.0, 0.5)
    gammas = {row.label: row.figures["gm"] for row in tables[1].rows}
    assert gammas["γ = 1"] == 0.5  # the backward graph
    hops, chains = tables[2].rows, tables[3].rows
    assert [(row.setting, row.questions) for row in hops] == [("trained, 1 hop", 1), ("trained, 2 hops", 1)]
    assert [(row.setting, row.questions) for row in chains] == [("trained, 1 chain", 1), ("trained, 2 chains", 1)]


def test_without_a_trained_network_the_encoder_searches(hop: Hopline) -> None:
    graphs = read_evidence_graphs(SAMPLES / "graphs.jsonl", limit=2)
    [first, *_] = run_graph_ablations(hop.evaluation, graphs)
    assert {row.setting for row in first.rows} == {"untrained"}
    assert all(0 <= row.figures["f1"] <= 1 for row in first.rows)


def test_a_table_is_converted_for_json() -> None:
    data = next(iter(run_ablations(make_client(), QUESTIONS, "ras"))).to_dict()
    assert (data["paper"], data["source"]) == ("ras", "Table 2")
    assert data["rows"][0]["label"] == "all"
    assert data["rows"][0]["figures"]["R@5"] == 0.75
