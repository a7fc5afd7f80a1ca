"""Documents, status, estimates, evaluations and neighbourhoods as tables in the terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hopline.bibliography import build_card, describe_source
from hopline.documents.outline import iterate_items
from hopline.metadata.facets import Facet
from hopline.metadata.values import format_value
from hopline.records import Document
from hopline.rendering.progress import format_duration
from hopline.rendering.symbols import STYLES, adapt_to_console
from hopline.results import Node
from hopline.results.labels import MARKS, shorten
from hopline.text_encoding import clean_name

if TYPE_CHECKING:
    from hopline.documents.estimate import Estimate
    from hopline.documents.outline import OutlineItem
    from hopline.documents.status import Status
    from hopline.evaluation import Evaluation, StrategyFigures
    from hopline.evaluation.ablations import AblationResult
    from hopline.evaluation.graph_quality import Reachability
    from hopline.graph_explorer import Neighbourhood
    from hopline.store.read_only_query import QueryResult

_MAX_CARD = 400  # characters of an abstract
STATES = {"ready": "green", "waiting": "yellow", "failed": "red"}


def draw_documents(documents: Sequence[Document], console: Console, *, metadata: bool = False) -> None:
    """Print a row a document, with the reason or the warnings below it if it failed or is incomplete.

    With ``metadata``, its keys and values are below it as well.
    """
    if not documents:
        console.print("No documents. Add some with: hopline add PATH", highlight=False)
        return
    table = _build_table("Document", "State", Pages="right", Passages="right", Tables="right")
    for document in documents:
        counts = (document.pages, document.passages, document.tables)
        state = Text(document.state, style=STATES[document.state])
        name = _format_name(document, console, metadata=metadata)
        table.add_row(name, state, *(f"{count:,}" if count else "" for count in counts))
    console.print(table, highlight=False)


def _format_name(document: Document, console: Console, *, metadata: bool) -> Text:
    notes = [document.reason, *document.warnings] if document.reason else list(document.warnings)
    style = "red" if document.state == "failed" else "yellow"
    name = Text(document.name)
    for note in notes:
        name.append(f"\n  {note}", style=style)
    for key, value in document.metadata.items() if metadata else ():
        name.append(f"\n  {key}: {format_value(value)}", style="dim")
    return adapt_to_console(name, console)


def draw_outline(items: Sequence[OutlineItem], console: Console) -> None:
    """Print the outline of a document: sections, tables and figures below their section, each with its page."""
    if not items:
        console.print("No sections, tables or figures.", highlight=False)
        return
    table = _build_table("Contents", Page="right")
    for depth, item in iterate_items(items):
        mark = "" if item.kind == "section" else f"{MARKS[item.kind]} "
        table.add_row(adapt_to_console(Text(f"{'  ' * depth}{mark}{item.title}"), console), f"{item.page:,}")
    console.print(table, highlight=False)


def draw_card(document: Document, console: Console) -> None:
    """Print what a document states about itself, each value with its source."""
    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_row("Document", Text(document.name))
    for line in build_card(document.bibliography):
        shown = shorten(line.text, _MAX_CARD) if line.key == "abstract" else line.text
        table.add_row(
            line.label, adapt_to_console(Text.assemble(shown, (f"  {describe_source(line)}", "dim")), console)
        )
    console.print(table, highlight=False)


def draw_facets(facets: Sequence[Facet], console: Console) -> None:
    """Print a row a key of metadata: its range or its most frequent values, with numbers of documents."""
    if not facets:
        console.print("No metadata. Add some with: hopline add PATH --metadata KEY=VALUE", highlight=False)
        return
    table = _build_table("Key", "Kind", Documents="right")
    table.add_column("Values", overflow="fold")
    for facet in facets:
        key, values = Text(facet.key), Text(_format_facet(facet))
        documents = f"{facet.documents:,}"
        table.add_row(adapt_to_console(key, console), facet.kind, documents, adapt_to_console(values, console))
    console.print(table, highlight=False)


def _format_facet(facet: Facet) -> str:
    """Format the range of numbers and dates, or the values with their counts: "risk (12), loans (3), …"."""
    if facet.minimum is not None and facet.maximum is not None:
        return f"{format_value(facet.minimum)} to {format_value(facet.maximum)}"
    values = ", ".join(f"{format_value(item.value)} ({item.documents:,})" for item in facet.values)
    return values + (", …" if facet.distinct > len(facet.values) else "")


def draw_status(status: Status, console: Console) -> None:
    """Print the state of database, worker, embedder and model, then a row a collection; no counts if it is stopped."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    grid.add_row("Database", Text(describe_database(status.engine)))
    grid.add_row("Worker", Text("running" if status.worker else "not running"))
    grid.add_row("Embedder", Text(status.embedder))
    grid.add_row("Model", Text(status.model or "none (answers are extractive)"))
    if status.engine.get("running") is not False:
        grid.add_row("Documents", Text(_format_counts(status)))
        counts = {name: getattr(status, name) for name in ("passages", "tables", "entities", "triples")}
        grid.add_row("Graph", Text(", ".join(f"{count:,} {name}" for name, count in counts.items())))
    console.print(grid, highlight=False)
    if status.collections:
        table = _build_table("Collection", Documents="right", Passages="right", Tables="right")
        for collection in status.collections:
            sizes = (collection.documents, collection.passages, collection.tables)
            table.add_row(Text(collection.name), *(f"{size:,}" for size in sizes))
        console.print()
        console.print(table, highlight=False)


def _format_counts(status: Status) -> str:
    documents = sum(collection.documents for collection in status.collections)
    counts = f"{documents:,} total, {status.waiting:,} queued, {status.failed:,} failed"
    outdated = f", {status.outdated:,} parsed by an older version (parse them again with: hopline upgrade)"
    return counts + (outdated if status.outdated else "")


def describe_database(server: Mapping[str, Any]) -> str:
    """Describe the database server of a `Status` in one line."""
    name = f"Neo4j {server['version']}" if server.get("version") else "Neo4j"
    parts = [f"{name}, {'private' if server.get('private') else 'at ' + str(server.get('uri', ''))}"]
    if not server.get("running"):
        return f"{parts[0]}, stopped (starts on demand)"
    if server.get("uptime"):
        parts.append(f"uptime {format_duration(server['uptime'])}")
    if server.get("memory"):
        parts.append(f"{server['memory'] / 1e6:,.0f} MB")
    return ", ".join(parts)


def draw_estimate(estimate: Estimate, console: Console) -> None:
    """Print an estimate, and the files that are not supported."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(justify="right")
    rows = {"Documents": estimate.documents, "Pages": estimate.pages, "Passages": estimate.passages}
    rows |= {"Model calls": estimate.calls, "Tokens": estimate.tokens}
    for name, count in rows.items():
        grid.add_row(name, f"{count:,}")
    grid.add_row("Time", f"about {format_duration(estimate.seconds)}")
    console.print(grid, highlight=False)
    for file in estimate.unsupported:
        console.print(Text(f"not supported: {file}", style="yellow"), highlight=False, soft_wrap=True)
    for name in estimate.protected:
        console.print(Text(f"needs a password: {name}", style="yellow"), highlight=False, soft_wrap=True)


def draw_neighbourhood(neighbourhood: Neighbourhood, centre: str, console: Console) -> None:
    """Print a node, its relationships with their other nodes, then the relationships farther away."""
    nodes = {node.id: node for node in neighbourhood.nodes}
    console.print(adapt_to_console(_format_node(nodes.get(centre, Node(centre, "entity"))), console), highlight=False)
    for source, edge, target in sorted(neighbourhood.edges, key=lambda edge: centre not in {edge[0], edge[2]}):
        line = Text("  ")
        if source != centre:
            line.append_text(_format_node(nodes[source])).append(" ")
        line.append(f"─{edge}→", style="dim")
        if target != centre:
            line.append(" ").append_text(_format_node(nodes[target]))
        console.print(adapt_to_console(line, console), highlight=False, soft_wrap=True)
    if neighbourhood.total > len(neighbourhood.edges):
        console.print(
            f"Showing {len(neighbourhood.edges):,} of {neighbourhood.total:,} relationships",
            style="dim",
            highlight=False,
        )


def _format_node(node: Node) -> Text:
    name = f"page {node.name}" if node.kind == "page" else shorten(node.name or node.id, 48)
    return Text.assemble((f"{MARKS[node.kind]} ", STYLES[node.kind]), name, (f" {node.id}", "dim"))


def draw_query_result(result: QueryResult, console: Console) -> None:
    """Print a row of a query a row, nodes and lists as JSON; then the number of rows."""
    if result.columns:
        table = _build_table(*result.columns)
        for row in result.rows:
            table.add_row(*(adapt_to_console(Text(_format_value(value)), console) for value in row.values()))
        console.print(table, highlight=False)
    console.print(f"{len(result):,} row{'' if len(result) == 1 else 's'}", style="dim", highlight=False)


def _format_value(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return clean_name(text)


def draw_evaluation(evaluation: Evaluation, console: Console) -> None:
    """Print a column a strategy: each score in percent with its 95 % interval, then latency and cost."""
    table = _build_table("", **{row.strategy: "right" for row in evaluation.strategies})
    metrics = dict.fromkeys(name for row in evaluation.strategies for name in row.scores)
    for metric in metrics:
        table.add_row(metric, *(_format_score(row, metric, console) for row in evaluation.strategies))
    table.add_section()
    table.add_row("Latency p50 / p95, ms", *(f"{row.p50:.0f} / {row.p95:.0f}" for row in evaluation.strategies))
    table.add_row("Model calls", *(f"{row.calls:,}" for row in evaluation.strategies))
    if any(row.cached_calls for row in evaluation.strategies):
        table.add_row("of these not charged", *(f"{row.cached_calls:,}" for row in evaluation.strategies))
    table.add_row("Tokens", *(f"{row.tokens:,}" for row in evaluation.strategies))
    if any(row.cost for row in evaluation.strategies):
        table.add_row("Cost", *(f"{row.cost:.4f}" for row in evaluation.strategies))
    table.add_row("Failed", *(f"{row.failed:,}" for row in evaluation.strategies))
    console.print(table, highlight=False)
    console.print(_describe_evaluation(evaluation), style="dim", highlight=False)
    if evaluation.baseline:
        legend = f"+/−: difference to {evaluation.baseline} on the same questions; *: its 95 % interval excludes 0"
        console.print(legend, style="dim", highlight=False)
    for row in evaluation.strategies:
        for reason, count in list(row.errors.items())[:3]:
            console.print(Text(f"{row.strategy}: {count} failed: {shorten(reason, 200)}", style="red"), soft_wrap=True)


def _describe_evaluation(evaluation: Evaluation) -> str:
    parts = [f"{evaluation.questions:,} questions", f"collection {evaluation.collection}", f"k = {evaluation.k}"]
    parts += ["each in its own documents"] if evaluation.own_documents else []
    parts += [f"documents with {evaluation.filter}"] if evaluation.filter else []
    parts += [f"{evaluation.answers} answers" if evaluation.answers else "no answers"]
    parts += [f"from {evaluation.answer_tokens:,} tokens of evidence"] if evaluation.answer_tokens else []
    return ", ".join(parts)


def draw_graph_quality(graphs: Mapping[str, Sequence[Reachability]], console: Console) -> None:
    """Print a row a graph and hop: rates in percent, the number of evidence reached, and neighbours of a passage."""
    table = _build_table(
        "Graph",
        **dict.fromkeys(["Hops", "SF-EM", "Recall", "Precision", "Evidence", "Neighbours of one"], "right"),
    )
    for name, rows in graphs.items():
        for row in rows:
            rates = (f"{100 * rate:.1f}" for rate in (row.complete, row.recall, row.precision))
            table.add_row(
                name if row.hops == 0 else "", str(row.hops), *rates, f"{row.evidence:.0f}", f"{row.degree:.1f}"
            )
    console.print(table, highlight=False)


def draw_ablation(result: AblationResult, console: Console) -> None:
    """Print a row for each row and setting of a paper's table: the figures measured here, then those of the paper."""
    ablation = result.ablation
    names = list(dict.fromkeys(name for row in result.rows for name in row.figures))
    table = _build_table("", "", **dict.fromkeys(["Questions", *names], "right"))
    table.add_column("Paper", overflow="fold")
    previous = ""
    for row in result.rows:
        figures = [_format_figure(name, row.figures[name]) if name in row.figures else "" for name in names]
        label = row.label if row.label != previous else ""
        table.add_row(label, row.setting, f"{row.questions:,}", *figures, row.published)
        previous = row.label
    console.print(f"{ablation.source}: {ablation.title}", style="bold", highlight=False)
    console.print(table, highlight=False)
    console.print(f"Paper: {ablation.published}", style="dim", highlight=False)
    for error, labels in _group_errors(result).items():
        console.print(Text(f"{', '.join(labels)}: {shorten(error, 200)}", style="red"), soft_wrap=True)
    console.print()


def _format_figure(name: str, value: float) -> str:
    """Format a rate in per cent, and anything else as it is."""
    if name in ("p50 ms", "evidence", "calls", "tokens", "nodes"):
        return f"{value:,.0f}"
    if name == "density":
        return f"{value:.4f}"
    return f"{value:.1f}" if name in ("degree", "ged", "edges of a node") else f"{100 * value:.1f}"


def _group_errors(result: AblationResult) -> dict[str, list[str]]:
    """Return the labels of the rows with each error."""
    labels: dict[str, list[str]] = {}
    for row in result.rows:
        if row.error and row.label not in labels.setdefault(row.error, []):
            labels[row.error].append(row.label)
    return labels


def _format_score(row: StrategyFigures, metric: str, console: Console) -> Text:
    figure = row.scores.get(metric)
    if figure is None:
        return Text()
    interval = f" {figure.low * 100:.1f}–{figure.high * 100:.1f}"
    text = Text.assemble(f"{figure.mean * 100:.1f}", (interval, "dim"))
    difference = row.against.get(metric)
    if difference is not None:
        significant = difference.low > 0 or difference.high < 0
        text.append(
            f" {difference.mean * 100:+.1f}{'*' if significant else ''}", style="cyan" if significant else "dim"
        )
    return adapt_to_console(text, console)


def _build_table(*names: str, **aligned: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    for name, justify in aligned.items():
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    return table
