"""Answers, retrievals and comparisons, drawn in the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hopline.rendering.labels import MARKS, author, excerpt, graph_outline, label, model_notice, names, numbered, place
from hopline.rendering.terminal.paths import path_lines
from hopline.rendering.terminal.symbols import STYLES, fitted
from hopline.types import Answer, Citation, EvidencePath, Retrieval
from hopline.types.evidence_place import short_place

NEAREST = 3  # evidence named beside an abstention
EXCERPT = 150  # characters of an evidence in a list
LONGEST_QUOTE = 700  # characters: a table is cited whole


def draw_answer(answer: Answer, console: Console) -> None:
    """The sentences with their citations, the quotes they rest on, and how each was found."""
    _line(console, Text(answer.question, style="bold"))
    sources = numbered(answer)
    _line(console)
    if answer.model_error:
        _line(console, Text(model_notice(answer), style="red"))
        _line(console)
    if answer.abstained:
        _draw_abstention(answer, console)
    else:
        _line(console, _said(answer, sources))
        _draw_sources(sources, console)
        _draw_paths(sources, answer, console)
        _draw_graph(answer.retrieval, names(answer.evidence), console)
    _line(console, _footer(answer.retrieval, answer))


def draw_retrieval(retrieval: Retrieval, console: Console) -> None:
    """The evidence best first, each with its score, its beginning, and how it was found."""
    _line(console, Text(retrieval.question, style="bold"))
    known = names(retrieval.evidence)
    for rank, evidence in enumerate(retrieval.evidence, 1):
        _line(console)
        path = retrieval.path_of(evidence.id)
        direct = "" if path is None or path.steps else ", found directly"
        score = (f"  {evidence.score:.3f}{direct}", "dim")
        _line(console, Text.assemble((f"{rank:>2} ", "bold"), place(evidence), score))
        _line(console, Text(excerpt(f"{evidence.caption} {evidence.text}", EXCERPT)), indent=3)
        _draw_path(None if direct else path, known, console, indent=3)
    _draw_graph(retrieval, known, console)
    _line(console)
    _line(console, _footer(retrieval))


def draw_comparison(found: Mapping[str, Retrieval], console: Console) -> None:
    """What each strategy ranks where, side by side; what one of them alone found is starred."""
    counts: dict[str, int] = {}
    for retrieval in found.values():
        for evidence in retrieval.evidence:
            counts[evidence.id] = counts.get(evidence.id, 0) + 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right", style="bold")
    for strategy in found:
        table.add_column(strategy, ratio=1, overflow="fold")
    for rank in range(max((len(retrieval.evidence) for retrieval in found.values()), default=0)):
        cells = [fitted(_cell(retrieval, rank, counts), console) for retrieval in found.values()]
        table.add_row(str(rank + 1), *cells)
    table.add_section()
    table.add_row("", *(Text(f"{retrieval.trace.ms:.0f} ms", style="dim") for retrieval in found.values()))
    console.print(table, highlight=False)
    _line(console, Text("* found by this strategy alone", style="dim"))


def _cell(retrieval: Retrieval, rank: int, counts: Mapping[str, int]) -> Text:
    if rank >= len(retrieval.evidence):
        return Text()
    evidence = retrieval.evidence[rank]
    alone = counts[evidence.id] == 1
    return Text.assemble(place(evidence), (" *" if alone else "", "bold yellow"))


def _said(answer: Answer, sources: Mapping[Citation, int]) -> Text:
    said = Text()
    for sentence in answer.sentences:
        said.append(" " if said else "").append(sentence.text)
        for citation in sentence.citations:
            said.append(f" [{sources[citation]}]", style="bold cyan")
        if not sentence.backed:
            said.append(" (its quote was not found)", style="red")
    return said


def _draw_abstention(answer: Answer, console: Console) -> None:
    _line(console, Text(f"Not found in {answer.retrieval.collection}.", style="bold"))
    if answer.missing:
        _line(console, Text(f"No evidence meets: {', '.join(answer.missing)}."))
    nearest = answer.retrieval.evidence[:NEAREST]
    if nearest:
        _line(console, Text("The nearest passages, which do not answer it:", style="dim"))
    for evidence in nearest:
        _line(console, Text(place(evidence)), indent=2)
    _line(console)


def _draw_sources(sources: Mapping[Citation, int], console: Console) -> None:
    for citation, number in sources.items():
        _line(console)
        _line(console, Text.assemble((f"[{number}] ", "bold cyan"), place(citation.evidence, citation.page)))
        _line(console, Text(f"“{excerpt(citation.quote, LONGEST_QUOTE)}”", style="italic"), indent=4)
    _line(console)


def _draw_paths(sources: Mapping[Citation, int], answer: Answer, console: Console) -> None:
    known = names(answer.evidence)
    known |= {citation.evidence.id: short_place(citation.evidence) for citation in sources}
    drawn: dict[EvidencePath, list[int]] = {}
    for citation, number in sources.items():
        if citation.path is not None:
            drawn.setdefault(citation.path, []).append(number)
    for path, numbers in drawn.items():
        _line(console, Text("".join(f"[{number}]" for number in numbers), style="bold cyan"))
        _draw_path(path, known, console, indent=2)
    if drawn:
        _line(console)


def _draw_path(path: EvidencePath | None, known: Mapping[str, str], console: Console, *, indent: int) -> None:
    if path is None:
        return
    width, ascii_only = console.width - indent, console.options.ascii_only
    for line in path_lines(path, known, width=width, ascii_only=ascii_only):
        _line(console, line, indent=indent)


def _draw_graph(retrieval: Retrieval, known: Mapping[str, str], console: Console) -> None:
    """How the evidence builds on one another, where the strategy says so; what stood before ends in dots."""
    if not retrieval.graph:
        return
    _line(console)
    _line(console, Text("What follows from what", style="dim"))
    for depth, node, again in graph_outline(retrieval.graph):
        name = excerpt(label(node, known), EXCERPT)
        line = Text.assemble(
            ("─ ", "dim"), (f"{MARKS[node.kind]} ", STYLES[node.kind]), name, (" …" if again else "", "dim")
        )
        _line(console, line, indent=2 * depth)


def _footer(retrieval: Retrieval, answer: Answer | None = None) -> Text:
    trace = retrieval.trace
    parts = [retrieval.strategy, retrieval.collection, f"{len(retrieval.evidence)} evidence"]
    if answer is not None:
        looked_up = len(answer.additional_evidence)
        parts += [f"{looked_up} looked up for the answer"] if looked_up else []
        parts += [author(answer)] if author(answer) else []
    parts.append(f"{len(trace.steps)} requests in {trace.ms:.0f} ms")
    if trace.calls:
        parts.append(f"{trace.calls} model calls, {trace.tokens} tokens")
    return Text(" · ".join(parts), style="dim")


def _line(console: Console, text: Text | None = None, *, indent: int = 0) -> None:
    if text is None:
        console.print()
    else:
        console.print(Padding(fitted(text, console), (0, 0, 0, indent), expand=False), highlight=False)
