"""Labels of evidence, citations and nodes, shared by the terminal, notebooks and the web page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hopline.results.answers import Answer, Citation, Sentence
from hopline.results.context import Context
from hopline.results.evidence import Evidence, Retrieval, format_location, format_pages
from hopline.results.paths import EvidenceGraph, EvidencePath, Node

_FIGURE_NAME = re.compile(r"\s*(?:exhibit|chart|graph|diagram|map)\b", re.IGNORECASE)
UNCERTAIN_STATEMENT = "uncertain statement"
MARKS = {
    "collection": "▣",
    "document": "▧",
    "page": "▯",
    "passage": "▤",
    "table": "▦",
    "figure": "▨",
    "entity": "◉",
    "triple": "◆",
    "reference": "❧",
}


def describe_location(evidence: Evidence, page: int | None = None) -> str:
    """Describe the location of an evidence: document, page, and number of the table or figure or innermost section.

    Evidence whose text was corrected says so at the end.
    ``page`` is the page of a quote in evidence that spans several pages.
    """
    pages = (page,) if page else evidence.pages
    parts = [evidence.document or evidence.title]
    if pages:
        parts.append(format_pages(pages, evidence.find_label))
    if evidence.kind != "passage":
        parts.append(name_kind(evidence))
    elif evidence.section:
        parts.append(evidence.section[-1])
    if evidence.correction is not None:
        parts.append("corrected")
    return " · ".join(part for part in parts if part)


def name_kind(evidence: Evidence) -> str:
    """Return the kind of an evidence with its number: "Passage", "Table 2", "Figure 3" (or "Chart 1", as captioned)."""
    if evidence.kind == "figure":
        return name_figure(evidence.caption, evidence.number)
    return f"Table {evidence.number}".strip() if evidence.kind == "table" else "Passage"


def name_figure(caption: str, number: str) -> str:
    """Return the name of a figure: "Figure 3", or "Chart 1" as its caption has it."""
    match = _FIGURE_NAME.match(caption)
    return f"{match[0].strip().capitalize() if match else 'Figure'} {number}".strip()


def label_evidence(evidence: Iterable[Evidence]) -> dict[str, str]:
    """Return the label of each evidence by its id."""
    return {item.id: format_location(item) for item in evidence}


def label_node(node: Node, known: Mapping[str, str]) -> str:
    """Return the label of a node: from ``known`` labels by id, else its name, else its id.

    What an uncertain triple states is not shown unless ``known`` has it (`label_uncertain_triples`).
    """
    return known.get(node.id) or (UNCERTAIN_STATEMENT if node.uncertain else node.name) or node.id


def label_uncertain_triples(retrieval: Retrieval, paths: Iterable[EvidencePath | None] = ()) -> dict[str, str]:
    """Return labels by id that show what uncertain triples state, for the paths of a retrieval and others."""
    shown = [*retrieval.paths, *filter(None, paths)]
    nodes = {node.id: node for path in shown for node in path.nodes if node.uncertain}
    return {id: f"{node.name} (uncertain)" for id, node in nodes.items()}


def number_citations(answer: Answer) -> dict[Citation, int]:
    """Number the citations of an answer or possible answer from 1 in their order; equal citations share a number."""
    cited = dict.fromkeys(citation for sentence in answer.claims for citation in sentence.citations)
    return {citation: number for number, citation in enumerate(cited, 1)}


def describe_short_answer(answer: Answer) -> str:
    """Return the note behind a short answer whose words are in none of the cited evidence; "" for a quote."""
    return "" if answer.short_quoted or not answer.short else "concluded, not quoted"


def format_model_error(answer: Answer) -> str:
    """Return a notice that the model failed during the retrieval or the answer, with reasons; "" if it did not fail."""
    return " ".join(filter(None, (format_retrieval_error(answer.retrieval), _format_answer_error(answer))))


def format_retrieval_error(retrieval: Retrieval | Context) -> str:
    """Return a notice that the model failed during the retrieval, with the reason; "" if it did not fail."""
    if not retrieval.model_error:
        return ""
    reason = _to_clause(retrieval.model_error)
    return f"The language model of the search failed {reason}. The evidence is that of the steps that succeeded."


def _format_answer_error(answer: Answer) -> str:
    if not answer.model_error:
        return ""
    instead = " The answer is extracted from the passages." if answer.sentences else ""
    return f"The language model could not be used: {_to_clause(answer.model_error)}.{instead}"


def _to_clause(reason: str) -> str:
    return " ".join(reason.split()).rstrip(".")


def describe_state(sentence: Sentence) -> str:
    """Return what verification found of a sentence; "" if its quotes and figures are in its sources word for word."""
    notes = [_describe_verification(sentence)]
    if unfound := len(sentence.unfound_quotes):
        notes.append("a further quote was not found" if unfound == 1 else f"{unfound} further quotes were not found")
    return "; ".join(filter(None, notes))


def _describe_verification(sentence: Sentence) -> str:
    match sentence.state:
        case "similar":
            return "quote differs slightly"
        case "computed":
            return f"computed: {sentence.computation}"
        case "contradicted":
            return "the cited source says something else"
        case "unsupported":
            return "not confirmed by the cited sources" if sentence.citations else "not found in the sources"
        case _:
            return "" if sentence.citations else "no source"


def describe_difference(citation: Citation) -> str:
    """Return a quote as the model gave it, if it differs from the source; "" otherwise."""
    return f"The model quoted: “{citation.claimed}”" if citation.claimed else ""


def format_model_use(retrieval: Retrieval) -> str:
    """As "1 model call, 2,410 tokens, cost 0.0012"; "" without a model; replies from the cache are named as such."""
    trace = retrieval.trace
    calls, cached = trace.calls, trace.cached_calls
    parts = [f"{calls:,} model call{'' if calls == 1 else 's'}, {trace.tokens:,} tokens"] if calls else []
    parts += [f"cost {trace.cost:.2g}"] if trace.cost else []
    parts += [f"{cached:,} cached repl{'y' if cached == 1 else 'ies'}"] if cached else []
    return ", ".join(parts)


def format_author(answer: Answer) -> str:
    """Return "written by MODEL", "confidence 72 %" for an answer that the reader found, or ""."""
    if answer.by_model:
        return f"written by {answer.written_by}"
    return "" if answer.abstained or answer.confidence is None else f"confidence {100 * answer.confidence:.0f} %"


def shorten(text: str, length: int) -> str:
    """Shorten a text to at most ``length`` characters: white space collapsed, cut after a word, with an ellipsis."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    return flat[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def build_outline(graph: EvidenceGraph) -> list[tuple[int, Node, bool]]:
    """Return an evidence graph as an outline of (depth, node, repeated).

    A repeated node has been listed before; its successors are not listed again.
    """
    nodes = {node.id: node for node in graph.nodes}
    successors: dict[str, list[str]] = {}
    for source, target in graph.edges:
        successors.setdefault(source, []).append(target)
    rows: list[tuple[int, Node, bool]] = []
    stack = [(0, id) for id in reversed(successors.get("", []))]
    seen: set[str] = set()
    while stack:
        depth, id = stack.pop()
        if id in nodes:
            rows.append((depth, nodes[id], id in seen))
            following = [] if id in seen else successors.get(id, [])
            stack += [(depth + 1, successor) for successor in reversed(following)]
            seen.add(id)
    return rows
