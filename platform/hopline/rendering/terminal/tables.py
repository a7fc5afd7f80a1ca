"""Documents, status, estimates, evaluations and neighbourhoods as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hopline.rendering.labels import MARKS, excerpt
from hopline.rendering.terminal.progress import duration
from hopline.rendering.terminal.symbols import STYLES, fitted
from hopline.types import Document, Node

if TYPE_CHECKING:
    from hopline.documents.library import Estimate, Status
    from hopline.evaluation import Evaluation, StrategyFigures
    from hopline.evaluation.graph_quality import Reached
    from hopline.graph_explorer import Neighbourhood

STATES = {"ready": "green", "waiting": "yellow", "failed": "red"}


def draw_documents(documents: Sequence[Document], console: Console) -> None:
    """A row a document; below one that failed or was read with doubts, why."""
    if not documents:
        console.print("no documents; add some with: hopline add PATH", highlight=False)
        return
    table = _table("document", "state", pages="right", passages="right", tables="right")
    for document in documents:
        counts = (document.pages, document.passages, document.tables)
        state = Text(document.state, style=STATES[document.state])
        table.add_row(_name(document, console), state, *(f"{count:,}" if count else "" for count in counts))
    console.print(table, highlight=False)


def _name(document: Document, console: Console) -> Text:
    notes = [document.reason, *document.warnings] if document.reason else list(document.warnings)
    style = "red" if document.state == "failed" else "yellow"
    name = Text(document.name)
    for note in notes:
        name.append(f"\n  {note}", style=style)
    return fitted(name, console)


def draw_status(status: Status, console: Console) -> None:
    """Engine, worker, embedder and model, then a row a collection."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    grid.add_row("engine", Text(engine(status.engine)))
    grid.add_row("worker", Text("reading" if status.worker else "not running"))
    grid.add_row("embedder", Text(status.embedder))
    grid.add_row("model", Text(status.model or "none (answers are picked from the evidence)"))
    grid.add_row("documents", Text(_counts(status)))
    counts = {"passages": status.passages, "entities": status.entities, "triples": status.triples}
    grid.add_row("graph", Text(", ".join(f"{count:,} {name}" for name, count in counts.items())))
    console.print(grid, highlight=False)
    if status.collections:
        table = _table("collection", documents="right", passages="right")
        for found in status.collections:
            table.add_row(Text(found.name), f"{found.documents:,}", f"{found.passages:,}")
        console.print()
        console.print(table, highlight=False)


def _counts(status: Status) -> str:
    documents = sum(found.documents for found in status.collections)
    return f"{documents:,} in all, {status.waiting:,} waiting, {status.failed:,} failed"


def engine(found: Mapping[str, Any]) -> str:
    """The engine of a `Status` in words."""
    name = f"Neo4j {found['version']}" if found.get("version") else "Neo4j"
    parts = [f"{name}, {'private' if found.get('private') else 'at ' + str(found.get('uri', ''))}"]
    if not found.get("running"):
        return f"{parts[0]}, not running (it starts when it is needed)"
    if found.get("uptime"):
        parts.append(f"up for {duration(found['uptime'])}")
    if found.get("memory"):
        parts.append(f"{found['memory'] / 1e6:,.0f} MB")
    return ", ".join(parts)


def draw_estimate(estimate: Estimate, console: Console) -> None:
    """What reading would take, and which files it would refuse."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(justify="right")
    for name in ("documents", "pages", "passages", "calls", "tokens"):
        grid.add_row(name, f"{getattr(estimate, name):,}")
    grid.add_row("time", f"about {duration(estimate.seconds)}")
    console.print(grid, highlight=False)
    for file in estimate.unsupported:
        console.print(Text(f"cannot be read: {file}", style="yellow"), highlight=False, soft_wrap=True)


def draw_neighbourhood(found: Neighbourhood, centre: str, console: Console) -> None:
    """A node, then its edges with the nodes they lead to or come from, then edges farther away."""
    nodes = {node.id: node for node in found.nodes}
    console.print(fitted(_node(nodes.get(centre, Node(centre, "entity"))), console), highlight=False)
    for source, edge, target in sorted(found.edges, key=lambda one: centre not in {one[0], one[2]}):
        line = Text("  ")
        if source != centre:
            line.append_text(_node(nodes[source])).append(" ")
        line.append(f"─{edge}→", style="dim")
        if target != centre:
            line.append(" ").append_text(_node(nodes[target]))
        console.print(fitted(line, console), highlight=False, soft_wrap=True)
    if found.total > len(found.edges):
        console.print(f"showing {len(found.edges):,} of {found.total:,} edges", style="dim", highlight=False)


def _node(node: Node) -> Text:
    name = f"page {node.name}" if node.kind == "page" else excerpt(node.name or node.id, 48)
    return Text.assemble((f"{MARKS[node.kind]} ", STYLES[node.kind]), name, (f" {node.id}", "dim"))


def draw_evaluation(found: Evaluation, console: Console) -> None:
    """A column a strategy: each score in per cent with its 95 % interval, then time and cost."""
    table = _table("", **{row.strategy: "right" for row in found.strategies})
    metrics = dict.fromkeys(name for row in found.strategies for name in row.scores)
    for metric in metrics:
        table.add_row(metric, *(_score(row, metric, console) for row in found.strategies))
    table.add_section()
    table.add_row("p50 / p95 ms", *(f"{row.p50:.0f} / {row.p95:.0f}" for row in found.strategies))
    table.add_row("model calls", *(f"{row.calls:,}" for row in found.strategies))
    table.add_row("tokens", *(f"{row.tokens:,}" for row in found.strategies))
    if any(row.cost for row in found.strategies):
        table.add_row("cost", *(f"{row.cost:.4f}" for row in found.strategies))
    table.add_row("failed", *(f"{row.failed:,}" for row in found.strategies))
    console.print(table, highlight=False)
    console.print(
        f"{found.questions:,} questions, collection {found.collection}, k {found.k}", style="dim", highlight=False
    )
    if found.baseline:
        told = f"+/−: difference to {found.baseline} on the same questions; * where its 95 % interval leaves out 0"
        console.print(told, style="dim", highlight=False)
    for row in found.strategies:
        for reason, count in list(row.errors.items())[:3]:
            console.print(Text(f"{row.strategy}: {count} failed: {excerpt(reason, 200)}", style="red"), soft_wrap=True)


def draw_graph_quality(found: Mapping[str, Sequence[Reached]], console: Console) -> None:
    """A row a graph and hop: shares in per cent, and the evidence reached."""
    table = _table(
        "graph", hops="right", **{"SF-EM": "right", "recall": "right", "precision": "right", "evidence": "right"}
    )
    for name, rows in found.items():
        for row in rows:
            shares = (f"{100 * share:.1f}" for share in (row.complete, row.recall, row.precision))
            table.add_row(name if row.hops == 0 else "", str(row.hops), *shares, f"{row.evidence:.0f}")
    console.print(table, highlight=False)


def _score(row: StrategyFigures, metric: str, console: Console) -> Text:
    figure = row.scores.get(metric)
    if figure is None:
        return Text()
    interval = f" {figure.low * 100:.1f}–{figure.high * 100:.1f}"
    text = Text.assemble(f"{figure.mean * 100:.1f}", (interval, "dim"))
    difference = row.against.get(metric)
    if difference is not None:
        told = difference.low > 0 or difference.high < 0
        text.append(f" {difference.mean * 100:+.1f}{'*' if told else ''}", style="cyan" if told else "dim")
    return fitted(text, console)


def _table(*names: str, **aligned: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    for name, justify in aligned.items():
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    return table
