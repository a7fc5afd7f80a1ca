"""Paths, progress and time in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hopline.client import Estimate, Progress, Reading
from hopline.flow.services import Price
from hopline.rendering.labels import label
from hopline.rendering.terminal.progress import duration
from hopline.types import Document, EvidencePath, Node, Step
from hopline_ui.markup import counted

_WORDS = {  # an edge read in its own direction, and against it
    "MENTIONS": ("mentions", "mentioned in"),
    "ABOUT": ("is about", "topic of"),
    "STATES": ("states", "stated in"),
    "SUBJECT": ("whose subject is", "subject of"),
    "OBJECT": ("whose object is", "object of"),
    "NEXT": ("next to", "next to"),
    "SIMILAR": ("similar to", "similar to"),
    "HAS_DOCUMENT": ("has", "is in"),
    "HAS_PAGE": ("has", "is in"),
    "HAS_PASSAGE": ("has", "is on"),
    "HAS_TABLE": ("has", "is on"),
}
_RANK = {"collection": 0, "document": 1, "page": 2, "passage": 3, "table": 3, "triple": 4, "entity": 5}


def edge_words(step: Step) -> str:
    """What an edge says in the direction of the path: "mentions", "mentioned in"."""
    forward = _RANK[step.source.kind] <= _RANK[step.target.kind]
    words = _WORDS.get(step.edge)
    return words[not forward] if words else step.edge.replace("_", " ").lower()


def path_lines(path: EvidencePath, known: Mapping[str, str]) -> list[str]:
    """The path as sentences, one an edge, for those who do not see the drawing."""
    if not path.steps:
        return [f"The question's search found {_named(path.seed, known)} directly."]
    found = "The question names" if path.seed.kind == "entity" else "The question's search found"
    lines = [f"{found} {_named(path.seed, known)}."]
    ends = ((_named(step.source, known), edge_words(step), _named(step.target, known)) for step in path.steps)
    return lines + [f"{source} — {words} → {target}" for source, words, target in ends]


def _named(node: Node, known: Mapping[str, str]) -> str:
    return f"{node.kind} “{label(node, dict(known))}”"


def fraction(progress: Progress) -> float:
    """How much of the reading is done, 0 to 1: pages count half, then entities, vectors, neighbours."""
    if progress.done or not progress.documents:
        return 1.0
    pages = min(progress.pages_done / progress.pages, 1.0) if progress.pages else 0.0
    opened = (progress.documents_done + progress.documents_failed) / progress.documents
    parts = [(0.5, max(opened, pages))]
    for weight, count in ((0.25, progress.extracted), (0.2, progress.embedded), (0.05, progress.related)):
        parts.append((weight * max(opened, pages), min(count / progress.passages, 1.0) if progress.passages else 0.0))
    return min(sum(weight * share for weight, share in parts), 0.99)


def counts(progress: Progress, left: float | None) -> str:
    """As "2 of 5 documents · 42 of 80 pages · 210 passages: 180 extracted, 90 embedded · about 40 s left"."""
    done = progress.documents_done + progress.documents_failed
    parts = [f"{done:,} of {counted(progress.documents, 'document')}"]
    if progress.documents_failed:
        parts.append(f"{progress.documents_failed:,} failed")
    if progress.pages:
        parts.append(f"{progress.pages_done:,} of {counted(progress.pages, 'page')}")
    if progress.passages:
        passages = counted(progress.passages, "passage")
        parts.append(f"{passages}: {progress.extracted:,} extracted, {progress.embedded:,} embedded")
    if left is not None:
        parts.append(f"about {duration(left)} left")
    return " · ".join(parts)


def reading_words(far: Reading, left: float | None) -> str:
    """As "page 12 of 80", then "30 of 210 passages extracted"; with the time that is left where there is a pace."""
    if far.pages_done < far.pages or not far.passages:
        parts = [f"page {far.pages_done:,} of {far.pages:,}"]
    else:
        stage, done = ("extracted", far.extracted) if far.extracted < far.passages else ("embedded", far.embedded)
        parts = [f"{done:,} of {counted(far.passages, 'passage')} {stage}"]
    if left is not None:
        parts.append(f"about {duration(left)} left")
    return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Pace:
    """When somebody began to look at a reading, and how much of it was done then."""

    begun: float
    first: float

    def left(self, now: float, share: float) -> float | None:
        """Seconds left at the pace since then; None while there is no pace to tell."""
        gained, seconds = share - self.first, now - self.begun
        return seconds * (1.0 - share) / gained if gained > 0.02 and seconds > 2 else None


def sizes(document: Document) -> list[str]:
    """As ["3 pages", "10 passages", "2 tables"]; what it has none of is left out."""
    parts = ((document.pages, "page"), (document.passages, "passage"), (document.tables, "table"))
    return [counted(number, one) for number, one in parts if number]


def expected(estimate: Estimate, price: Price) -> str:
    """What reading would take, as "2 documents · about 14 pages, 60 passages, 12 s"."""
    sizes = ((estimate.pages, "page"), (estimate.passages, "passage"))
    told = [counted(number, one) for number, one in sizes if number]
    parts = [counted(estimate.documents, "document")]
    if told:
        parts.append(f"about {', '.join([*told, duration(estimate.seconds)])}")
    if estimate.calls:
        money = price.tokens_in * estimate.tokens / 1e6
        cost = f", about {money:,.2f} at your price" if money else ""
        parts.append(f"{counted(estimate.calls, 'model call')}, {estimate.tokens:,} tokens{cost}")
    return " · ".join(parts)


def took(seconds: float) -> str:
    """As "0.71 s" below ten seconds, whole ones above."""
    return f"{seconds:.2f} s" if seconds < 10 else duration(seconds)
