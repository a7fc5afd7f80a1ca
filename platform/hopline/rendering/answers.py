"""Answers, retrievals and comparisons in the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hopline.rendering.paths import path_lines
from hopline.rendering.symbols import STYLES, adapt_to_console
from hopline.results import Answer, AnswerDraft, Citation, Evidence, EvidencePath, Retrieval, Sentence
from hopline.results.answers import join_sentences, list_separators
from hopline.results.evidence import format_location
from hopline.results.labels import (
    MARKS,
    build_outline,
    describe_difference,
    describe_location,
    describe_short_answer,
    describe_state,
    format_author,
    format_model_error,
    format_model_use,
    format_retrieval_error,
    label_evidence,
    label_node,
    label_uncertain_triples,
    number_citations,
    shorten,
)

NEAREST = 3  # evidence listed if there is no answer
EXCERPT = 150  # characters of an evidence in a list
MAX_QUOTE = 700  # characters: tables are quoted whole
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
NOT_SURE = "Possible answer (not sure: check it in the source):"


def draw_answer(answer: Answer, console: Console, *, uncertain: bool = False) -> None:
    """Print an answer: its sentences with citations, the quotes, and the evidence path of each.

    What uncertain triples of the paths state is only printed with ``uncertain``.
    """
    _print_line(console, Text(answer.question, style="bold"))
    sources = number_citations(answer)
    _print_line(console)
    _draw_notice(format_model_error(answer), console)
    if answer.status == "not_found":
        _draw_abstention(answer, console)
    else:
        if answer.abstained:
            _print_line(console, Text(NOT_SURE, style="bold"))
        _draw_short_answer(answer, console)
        _draw_sentences(answer, sources, console)
        if answer.abstained and answer.missing:
            _print_line(console, Text(f"Terms without a match: {', '.join(answer.missing)}."))
        if answer.notice:
            _print_line(console, Text(answer.notice, style="dim"))
        others = [sentence for sentence in answer.nearest if sentence not in answer.claims]
        _draw_sources(sources, console)
        _draw_paths(sources, answer, console, uncertain=uncertain)
        _draw_nearest(others, console, "Closest passages:" if answer.abstained else "Possible answers, not sure:")
        _draw_graph(answer.retrieval, label_evidence(answer.evidence), console)
    _print_line(console, _format_footer(answer.retrieval, answer))


def _add_caption(evidence: Evidence) -> str:
    """Return the text of an evidence after its caption, unless it begins with it."""
    has_caption = evidence.text.startswith(evidence.caption)
    return evidence.text if has_caption else f"{evidence.caption} {evidence.text}"


def draw_retrieval(retrieval: Retrieval, console: Console, *, uncertain: bool = False) -> None:
    """Print the evidence of a retrieval, best first: score, excerpt and evidence path.

    What uncertain triples of the paths state is only printed with ``uncertain``.
    """
    _print_line(console, Text(retrieval.question, style="bold"))
    known = label_evidence(retrieval.evidence) | (label_uncertain_triples(retrieval) if uncertain else {})
    for rank, evidence in enumerate(retrieval.evidence, 1):
        _print_line(console)
        path = retrieval.find_path(evidence.id)
        direct = "" if path is None or path.steps else ", found directly"
        score = (f"  {evidence.score:.3f}{direct}", "dim")
        _print_line(console, Text.assemble((f"{rank:>2} ", "bold"), describe_location(evidence), score))
        _print_line(console, Text(shorten(_add_caption(evidence), EXCERPT)), indent=3)
        _draw_path(None if direct else path, known, console, indent=3)
    _draw_graph(retrieval, known, console)
    _print_line(console)
    if retrieval.not_searched:
        _print_line(console, Text(f"Nothing was searched: {retrieval.not_searched}."))
    _draw_notice(format_retrieval_error(retrieval), console)
    _print_line(console, _format_footer(retrieval))


def draw_comparison(retrievals: Mapping[str, Retrieval], console: Console) -> None:
    """Print the rankings of several strategies side by side; evidence that only one of them found is starred."""
    counts: dict[str, int] = {}
    for retrieval in retrievals.values():
        for evidence in retrieval.evidence:
            counts[evidence.id] = counts.get(evidence.id, 0) + 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", justify="right", style="bold")
    for strategy in retrievals:
        table.add_column(strategy, ratio=1, overflow="fold")
    for rank in range(max((len(retrieval.evidence) for retrieval in retrievals.values()), default=0)):
        cells = [adapt_to_console(_format_cell(retrieval, rank, counts), console) for retrieval in retrievals.values()]
        table.add_row(str(rank + 1), *cells)
    table.add_section()
    table.add_row("", *(Text(f"{retrieval.trace.ms:.0f} ms", style="dim") for retrieval in retrievals.values()))
    console.print(table, highlight=False)
    _print_line(console, Text("* found only by this strategy", style="dim"))
    for strategy, retrieval in retrievals.items():
        if notice := format_retrieval_error(retrieval):
            _print_line(console, Text(f"{strategy}: {notice}", style="red"))


def format_draft(draft: AnswerDraft, console: Console) -> Text:
    """Format the draft of an answer: its sentences with their states, then the text that has arrived of the next one.

    Of a draft that is higher than the terminal, the last lines.
    """
    sentences = [_format_sentence(sentence, ["✓"] * sentence.supported, markdown=True) for sentence in draft.sentences]
    parts = [*sentences, *([Text(draft.text, style="dim")] if draft.text else [])]
    text = Text()
    for part, separator in zip(parts, list_separators(part.plain for part in parts), strict=True):
        text.append(separator).append_text(part)
    lines = adapt_to_console(text, console).wrap(console, console.width)
    return Text("\n").join(lines[-max(1, console.height - 1) :])


def _draw_notice(notice: str, console: Console) -> None:
    if notice:
        _print_line(console, Text(notice, style="red"))
        _print_line(console)


def _format_cell(retrieval: Retrieval, rank: int, counts: Mapping[str, int]) -> Text:
    if rank >= len(retrieval.evidence):
        return Text()
    evidence = retrieval.evidence[rank]
    unique = counts[evidence.id] == 1
    return Text.assemble(describe_location(evidence), (" *" if unique else "", "bold yellow"))


def _draw_short_answer(answer: Answer, console: Console) -> None:
    """Print the short answer, unless the sentences have it."""
    if answer.short not in join_sentences(sentence.text for sentence in answer.claims):
        note = describe_short_answer(answer)
        _print_line(console, Text.assemble((answer.short, "bold"), (f" ({note})" if note else "", "dim")))


def _draw_sentences(answer: Answer, sources: Mapping[Citation, int], console: Console) -> None:
    """Print sentences as one text, items of lists on lines of their own; each with its citations and its state."""
    text = Text()
    separators = list_separators(sentence.text for sentence in answer.claims)
    for sentence, separator in zip(answer.claims, separators, strict=True):
        marks = [f"[{sources[citation]}]" for citation in sentence.citations]
        text.append(separator).append_text(_format_sentence(sentence, marks, markdown=answer.by_model))
    _print_line(console, text)


def _format_sentence(sentence: Sentence, marks: Sequence[str], *, markdown: bool) -> Text:
    text = _format_markdown(sentence.text) if markdown else Text(sentence.text)
    for mark in marks:
        text.append(f" {mark}", style="bold cyan")
    if state := describe_state(sentence):
        text.append(f" ({state})", style="dim" if sentence.supported else "red")
    return text


def _format_markdown(text: str) -> Text:
    """Format the bold parts of a Markdown text, and its headings; other marks are left as they are."""
    heading = re.match(r"#{1,6}\s+", text)
    formatted = Text(style="bold" if heading else "")
    for number, part in enumerate(_BOLD.split(text[heading.end() if heading else 0 :])):
        formatted.append(part, style="bold" if number % 2 else "")
    return formatted


def _draw_abstention(answer: Answer, console: Console) -> None:
    _print_line(console, Text(f"Not found in {answer.retrieval.collection}.", style="bold"))
    if answer.notice:
        _print_line(console, Text(answer.notice))
    if answer.missing:
        _print_line(console, Text(f"Terms without a match: {', '.join(answer.missing)}."))
    if answer.nearest:
        _draw_nearest(answer.nearest, console)
        return
    nearest = answer.retrieval.evidence[:NEAREST]
    if nearest:
        _print_line(console, Text("Closest passages:", style="dim"))
    for evidence in nearest:
        _print_line(console, Text(describe_location(evidence)), indent=2)
    _print_line(console)


def _draw_nearest(sentences: Sequence[Sentence], console: Console, title: str = "Closest passages:") -> None:
    if not sentences:
        return
    _print_line(console, Text(title, style="dim"))
    for sentence in sentences:
        _draw_nearest_sentence(sentence, console)
    _print_line(console)


def _draw_nearest_sentence(sentence: Sentence, console: Console) -> None:
    citation = sentence.citations[0]
    _print_line(console, Text(f"“{shorten(sentence.text, EXCERPT)}”", style="italic"), indent=2)
    _print_line(console, Text(describe_location(citation.evidence, citation.page), style="dim"), indent=4)


def _draw_sources(sources: Mapping[Citation, int], console: Console) -> None:
    for citation, number in sources.items():
        _print_line(console)
        _print_line(
            console, Text.assemble((f"[{number}] ", "bold cyan"), describe_location(citation.evidence, citation.page))
        )
        _print_line(console, Text(f"“{shorten(citation.quote, MAX_QUOTE)}”", style="italic"), indent=4)
        if difference := describe_difference(citation):
            _print_line(console, Text(difference, style="dim"), indent=4)
    _print_line(console)


def _draw_paths(sources: Mapping[Citation, int], answer: Answer, console: Console, *, uncertain: bool) -> None:
    known = label_evidence(answer.evidence)
    known |= {citation.evidence.id: format_location(citation.evidence) for citation in sources}
    if uncertain:
        known |= label_uncertain_triples(answer.retrieval, (citation.path for citation in sources))
    drawn: dict[EvidencePath, list[int]] = {}
    for citation, number in sources.items():
        if citation.path is not None:
            drawn.setdefault(citation.path, []).append(number)
    for path, numbers in drawn.items():
        _print_line(console, Text("".join(f"[{number}]" for number in numbers), style="bold cyan"))
        _draw_path(path, known, console, indent=2)
    if drawn:
        _print_line(console)


def _draw_path(path: EvidencePath | None, known: Mapping[str, str], console: Console, *, indent: int) -> None:
    if path is None:
        return
    width, ascii_only = console.width - indent, console.options.ascii_only
    for line in path_lines(path, known, width=width, ascii_only=ascii_only):
        _print_line(console, line, indent=indent)


def _draw_graph(retrieval: Retrieval, known: Mapping[str, str], console: Console) -> None:
    """Print the evidence graph, if the strategy returned one; repeated nodes end in an ellipsis."""
    if not retrieval.graph:
        return
    _print_line(console)
    _print_line(console, Text("Evidence graph", style="dim"))
    for depth, node, again in build_outline(retrieval.graph):
        name = shorten(label_node(node, known), EXCERPT)
        line = Text.assemble(
            ("─ ", "dim"), (f"{MARKS[node.kind]} ", STYLES[node.kind]), name, (" …" if again else "", "dim")
        )
        _print_line(console, line, indent=2 * depth)


def _format_footer(retrieval: Retrieval, answer: Answer | None = None) -> Text:
    trace = retrieval.trace
    parts = [retrieval.strategy, retrieval.collection, f"{len(retrieval.evidence)} evidence"]
    if answer is not None:
        added = len(answer.additional_evidence)
        parts += [f"{added} added for the answer"] if added else []
        parts += [format_author(answer)] if format_author(answer) else []
    parts.append(f"{len(trace.steps)} requests in {trace.ms:.0f} ms")
    parts += [format_model_use(retrieval)] if format_model_use(retrieval) else []
    return Text(" · ".join(parts), style="dim")


def _print_line(console: Console, text: Text | None = None, *, indent: int = 0) -> None:
    if text is None:
        console.print()
    else:
        console.print(Padding(adapt_to_console(text, console), (0, 0, 0, indent), expand=False), highlight=False)
