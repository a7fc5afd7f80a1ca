"""The figures of ours on the page about the papers are those of the committed results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "benchmarks" / "papers.md").read_text(encoding="utf-8")
SETS = {"MuSiQue": "musique", "2Wiki": "2wiki", "HotpotQA": "hotpotqa"}
GRAPH_ROWS = {
    "star by BM25": "bm25",
    "star by the encoder": "dense",
    "untrained, forward": "untrained, forward",
    "trained, forward": "trained, forward",
    "trained, backward": "trained, backward",
    "trained, merged by equation 2": "trained, equation",
}


def load_results(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())
    return results


def score(name: str, strategy: str, metric: str) -> str:
    mean = load_results(f"strategies-{SETS[name]}")["strategies"][strategy]["scores"][metric]["mean"]
    return f"{100 * mean:.1f}"


def read_table(after: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the first table after a text, the header first."""
    lines = PAGE.split(after)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    for line in lines[start:]:
        if not line.startswith("|"):
            return
        if not line.startswith("|---"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(
    ("after", "metrics", "rows"),
    [("Single-step retrieval, R@5 / R@10.", ("R@5", "R@10"), 5), ("our R@5 / all@5.", ("R@5", "all@5"), 6)],
)
def test_recall_beside_the_papers_is_that_of_the_results(after: str, metrics: tuple[str, str], rows: int) -> None:
    header, *table = read_table(after)
    names = [cell.split(",")[0] for cell in header[1::2]]
    measured = [row for row in table if row[2] != "–"]
    assert len(measured) == rows
    for row in measured:
        [strategy] = re.findall("`(.+)`", row[0])
        expected = [" / ".join(score(name, strategy, metric) for metric in metrics) for name in names]
        assert row[2::2] == expected, row[0]


def test_the_gain_of_gnn_ret_is_that_of_the_results() -> None:
    _, *table = read_table("What GNN-Ret adds to its dense search.")
    assert [row[0] for row in table] == list(SETS)
    for name, _, *cells in table:
        expected = [
            f"{score(name, 'dense', metric)} → {score(name, 'gnn_ret', metric)}" for metric in ("R@5", "all@5", "R@10")
        ]
        assert cells == expected, name


def test_the_evidence_graphs_are_those_of_the_results() -> None:
    _, *table = read_table('"Star" has the number of right facts given')
    assert len(table) == 7
    for name, *cells in table:
        facts, _, kind = name.partition(", ")
        rows = load_results("graphs-1-test" if facts == "right facts only" else "graphs-2-test")["rows"]
        row = rows[GRAPH_ROWS[kind]]
        metrics = ("gm", "gs", "ged", "f1", "precision", "recall", "em")
        assert [float(cell) for cell in cells] == [row[metric] for metric in metrics], name


def test_the_gain_of_naive_ge_is_the_difference_of_the_results() -> None:
    for metric in ("R@10", "R@5", "R@2"):
        gains = [float(score(name, "naive_ge", metric)) - float(score(name, "hybrid", metric)) for name in SETS]
        first, second, third = (f"{gain:+.1f}".replace("+0.", "+.").replace("-", "−") for gain in gains)
        assert re.search(re.escape(metric) + "( it is)? " + re.escape(f"{first}, {second} and {third}"), PAGE)


def test_the_recall_of_ras_is_that_of_the_results() -> None:
    recalls = [f"{name} {score(name, 'ras', 'R@5')} / {score(name, 'ras', 'all@5')}" for name in reversed(SETS)]
    assert ", ".join(recalls) in PAGE


def test_the_page_of_ablations_is_that_of_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    page = import_module("ablation_tables")
    assert page.PAGE.read_text(encoding="utf-8") == page.build_page()
    measured = {file.stem for file in page.RESULTS.glob("ablations-*.json")}
    shown = {f"ablations-{paper}-{name}" for paper, sets in page.read_tables().items() for name in sets}
    assert measured == shown


def read_ablation(paper: str, name: str, source: str) -> dict[tuple[str, str], dict[str, float]]:
    tables = load_results(f"ablations-{paper}-{name}")
    [table] = [each for each in tables if each["source"] == source]  # type: ignore[index]
    return {(row["label"], row["setting"]): row["figures"] for row in table["rows"]}  # type: ignore[index]


def test_the_effect_of_the_length_of_the_base_list_is_that_of_the_ablation() -> None:
    rows = read_ablation("gear", "hotpotqa", "Table 2")

    def gain(base: str) -> str:
        recalls = (rows[label, "k = 5"]["R@5"] for label in (base, f"{base} + NaiveGE"))
        return " to ".join(f"{100 * recall:.1f}" for recall in recalls)

    sentence = f"from {gain('SBERT')} over SBERT, {gain('BM25')} over BM25 and {gain('Hybrid')} over Hybrid"
    assert sentence in " ".join(PAGE.split())


def test_the_effect_of_diversity_is_that_of_the_ablation() -> None:
    rows = read_ablation("gear", "hotpotqa", "Table 4")
    losses = [
        100 * (rows["NaiveGE, with diversity", f"k = {k}"][f"R@{k}"] - rows["NaiveGE, without", f"k = {k}"][f"R@{k}"])
        for k in (5, 10, 15)
    ]
    first, second, third = (f"{loss:.1f}".removeprefix("0") for loss in losses)
    assert f"R@5 / 10 / 15 are {first}, {second} and {third} points lower" in PAGE


def test_the_figures_of_gnn_ret_in_the_text_are_those_of_the_ablations() -> None:
    hotpotqa, musique = ({label: row for source in ("Table 2", "Table 3", "Table 7", "Figure 4")
                          for (label, _), row in read_ablation("gnn_ret", name, source).items()}
                         for name in ("hotpotqa", "musique"))  # fmt: skip

    def find_gain(rows: dict[str, dict[str, float]], first: str, second: str, metric: str = "R@5") -> str:
        return f"{100 * rows[first][metric] - 100 * rows[second][metric]:.1f}".removeprefix("0")

    mean, minimum = "GNN-Ret (mean)", "GNN-Ret"
    assert f"the mean finds {find_gain(hotpotqa, mean, minimum)} more at R@5" in PAGE
    assert f"the minimum {find_gain(hotpotqa, minimum, mean, 'R@10')} more at R@10" in PAGE
    gains = f"{find_gain(musique, minimum, mean)} and {find_gain(musique, minimum, mean, 'R@10')}"
    assert f"on MuSiQue, the minimum finds {gains} more" in PAGE
    both = (hotpotqa, musique)
    gains = " and ".join(find_gain(rows, "2 layers", "1 layer") for rows in both)
    loss, gain = find_gain(hotpotqa, "1 layer", "3 layers"), find_gain(musique, "3 layers", "1 layer")
    assert f"2 layers gain {gains} over 1 at R@5, 3 lose {loss} and gain {gain}" in PAGE
    ranges = [[100 * rows[f"K = {k}"]["R@5"] for k in (1, 5, 10, 20)] for rows in both]
    spread = " and ".join(f"{max(values) - min(values):.1f}".removeprefix("0") for values in ranges)
    assert f"K from 1 to 20 changes R@5 by {spread}" in PAGE
    for rows in both:
        keywords = [rows[label] for label in ("shared keywords", "both", "no graph (SBERT)")]
        assert keywords[0]["R@5"] == keywords[1]["R@5"] > keywords[2]["R@5"], "keywords make all of the gain"
    assert f"{100 * hotpotqa['SBERT']['all@5']:.1f} → {100 * hotpotqa['GNN-Ret']['all@5']:.1f}; MuSiQue" in PAGE
    groups = read_ablation("gnn_ret", "musique", "Figure 5")
    pairs = [
        [
            f"{100 * groups[label, f'{gold} passages']['all@5']:.1f}".replace("0.0", "0")
            for label in ("SBERT", "GNN-Ret")
        ]
        for gold in (2, 3, 4)
    ]
    assert "MuSiQue with two, three and four: " + ", ".join(" → ".join(pair) for pair in pairs) in PAGE
    for name in ("hotpotqa", "musique"):
        [size, _] = read_ablation("gnn_ret", name, "Table 5").values()
        nodes, edges, density = f"{size['nodes']:,.0f}", f"{size['edges of a node']:.1f}", f"{size['density']:.4f}"[1:]
        assert f"{nodes} nodes, {edges} edges of a node, {density}" in PAGE or f"{nodes}, {edges}, {density}" in PAGE


def test_the_figures_of_kgp_and_ras_in_the_text_are_those_of_the_ablations() -> None:
    guides = {label: row for (label, _), row in read_ablation("kgp", "musique", "Table 3").items()}

    def show(row: dict[str, float], *metrics: str) -> str:
        return " / ".join(f"{100 * row[metric]:.1f}" for metric in metrics)

    without, encoder, mdr = (show(guides[label], "R@5", "R@10") for label in ("w/o LM", "encoder, not trained", "MDR"))
    assert f"without a guide {without}, by the encoder {encoder}, by MDR {mdr}" in PAGE
    graphs = read_ablation("kgp", "musique", "Figure 4")
    names, keywords = "shared names (TAGME)", "keywords (TF-IDF)"
    few, near, many = "5 neighbours, 1 hop", "KNN-ST", "50 neighbours, 1 hop"
    sparse = f"names {show(graphs[names, few], 'SF-EM')}, keywords {show(graphs[keywords, few], 'SF-EM')}"
    assert f"with 4 edges of a passage {sparse}, with 5 nearest neighbours {show(graphs[near, few], 'SF-EM')}" in PAGE
    dense = f"names {show(graphs[names, many], 'SF-EM')}, keywords {show(graphs[keywords, many], 'SF-EM')}"
    assert f"with about 20 edges {dense}" in PAGE
    assert graphs[names, many]["precision"] < graphs[names, few]["precision"]
    planned = read_ablation("ras", "musique", "Table 2")
    ras = {label: show(row, "R@5") for (label, _), row in planned.items() if row}
    assert f"with both {ras['all']}, without planning {ras['no planning']}" in PAGE
    assert f"without topics {ras['no themes']}" in PAGE
