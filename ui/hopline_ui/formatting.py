"""Format paths, progress, estimates and durations as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline.documents.estimate import Estimate
from hopline.documents.progress import DocumentProgress, Progress
from hopline.flow.services import Price
from hopline.records import Document, FileChange
from hopline.rendering.progress import format_duration
from hopline.results import EvidencePath, Node, PathStep
from hopline.results.labels import label_node
from hopline_ui.markup import escape_markdown, format_count

MAX_NAMES = 5  # of replaced documents in a message

_EDGE_LABELS = {  # in the edge's own direction, and in reverse
    "MENTIONS": ("mentions", "mentioned in"),
    "ABOUT": ("is about", "topic of"),
    "STATES": ("states", "stated in"),
    "SUBJECT": ("whose subject is", "subject of"),
    "OBJECT": ("whose object is", "object of"),
    "LISTS": ("lists", "listed in"),
    "CITES": ("cites", "cited in"),
    "NEXT": ("next to", "next to"),
    "SIMILAR": ("similar to", "similar to"),
    "HAS_DOCUMENT": ("has", "is in"),
    "HAS_PAGE": ("has", "is in"),
    "HAS_PASSAGE": ("has", "is on"),
    "HAS_TABLE": ("has", "is on"),
    "HAS_FIGURE": ("has", "is on"),
}
_LEVEL = {
    "collection": 0, "document": 1, "page": 2, "passage": 3, "table": 3, "figure": 3, "triple": 4, "reference": 4,
    "entity": 5,
}  # fmt: skip


def format_edge(step: PathStep) -> str:
    """Return the edge's label in the direction of the path: "mentions", or "mentioned in" in reverse."""
    forward = _LEVEL[step.source.kind] <= _LEVEL[step.target.kind]
    labels = _EDGE_LABELS.get(step.edge)
    return labels[not forward] if labels else step.edge.replace("_", " ").lower()


def describe_path(path: EvidencePath, known: Mapping[str, str]) -> list[str]:
    """Return the path as text, one line per edge; ``known`` maps node ids to labels."""
    if not path.steps:
        return [f"Search found {_format_node(path.seed, known)} directly."]
    found_by = "The question names" if path.seed.kind == "entity" else "Search found"
    lines = [f"{found_by} {_format_node(path.seed, known)}."]
    return lines + [describe_step(step, known) for step in path.steps]


def describe_step(step: PathStep, known: Mapping[str, str]) -> str:
    """Return an edge as text: "passage “a.pdf, p. 1” — mentions → entity “Halm”"; ``known`` maps node ids to labels."""
    return f"{_format_node(step.source, known)} — {format_edge(step)} → {_format_node(step.target, known)}"


def _format_node(node: Node, known: Mapping[str, str]) -> str:
    return f"{node.kind} “{label_node(node, dict(known))}”"


def format_additions(files: Sequence[FileChange]) -> str:
    """As "2 documents added · 1 replaced by a changed file: report.pdf · 1 unchanged", as Markdown."""
    names = {change: [file.name for file in files if file.change == change] for change in ("replaced", "unchanged")}
    parts = [f"{format_count(len(files) - sum(map(len, names.values())), 'document')} added"]
    if names["replaced"]:
        listed = ", ".join(escape_markdown(name) for name in names["replaced"][:MAX_NAMES])
        more = ", …" if len(names["replaced"]) > MAX_NAMES else ""
        parts.append(f"{len(names['replaced']):,} replaced by a changed file: {listed}{more}")
    if names["unchanged"]:
        parts.append(f"{len(names['unchanged']):,} unchanged")
    return " · ".join(parts)


def compute_progress(progress: Progress) -> float:
    """Return the processed fraction, 0 to 1: pages count 50 %, extraction 25 %, embedding 20 %, neighbours 5 %."""
    if progress.done or not progress.documents:
        return 1.0
    pages = min(progress.pages_done / _expect_pages(progress), 1.0) if progress.pages else 0.0
    documents = (progress.documents_done + progress.documents_failed) / progress.documents
    parsed = max(documents, pages)
    parts = [(0.5, parsed)]
    for weight, count in ((0.25, progress.extracted), (0.2, progress.embedded), (0.05, progress.related)):
        parts.append((weight * parsed, min(count / progress.passages, 1.0) if progress.passages else 0.0))
    return min(sum(weight * fraction for weight, fraction in parts), 0.99)


def _expect_pages(progress: Progress) -> float:
    """Return the pages of all documents: those not opened yet are expected to have as many as the others on average."""
    return progress.pages * progress.documents / _count_opened(progress)


def _count_opened(progress: Progress) -> int:
    """Count the documents whose number of pages is known; all of them if none is reported."""
    opened = progress.documents_done + progress.documents_failed + len(progress.reading)
    return min(opened, progress.documents) or progress.documents


def format_progress(progress: Progress, seconds_left: float | None) -> str:
    """As "2 of 5 documents · 42 of 80 pages · Finding entities 180/210 · Indexing 90/210 · about 40 s left".

    Totals of pages and passages are left out while there are documents that were not opened yet.
    """
    is_complete = _count_opened(progress) >= progress.documents
    done = progress.documents_done + progress.documents_failed
    parts = [f"{done:,} of {format_count(progress.documents, 'document')}"]
    if progress.documents_failed:
        parts.append(f"{progress.documents_failed:,} failed")
    if progress.pages and is_complete:
        parts.append(f"{progress.pages_done:,} of {format_count(progress.pages, 'page')}")
    elif progress.pages_done:
        parts.append(f"{format_count(progress.pages_done, 'page')} read")
    if progress.passages:
        total = f"/{progress.passages:,}" if is_complete else ""
        parts += [f"Finding entities {progress.extracted:,}{total}", f"Indexing {progress.embedded:,}{total}"]
    if seconds_left is not None:
        parts.append(f"about {format_duration(seconds_left)} left")
    return " · ".join(parts)


def format_document_progress(progress: DocumentProgress, seconds_left: float | None) -> str:
    """As "Page 12 of 80", then "Finding entities 30/210", then "Indexing 30/210"; with the time left if known."""
    if progress.pages_done < progress.pages or not progress.passages:
        parts = [f"Page {progress.pages_done:,} of {progress.pages:,}"]
    elif progress.extracted < progress.passages:
        parts = [f"Finding entities {progress.extracted:,}/{progress.passages:,}"]
    else:
        parts = [f"Indexing {progress.embedded:,}/{progress.passages:,}"]
    if seconds_left is not None:
        parts.append(f"about {format_duration(seconds_left)} left")
    return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class ProgressRate:
    """Start of an observation: time in seconds, and the fraction that was processed then."""

    start: float
    fraction: float

    def estimate_seconds_left(self, now: float, fraction: float) -> float | None:
        """Extrapolate the rate since the start; None before 2 s and 2 % of progress."""
        gained, seconds = fraction - self.fraction, now - self.start
        return seconds * (1.0 - fraction) / gained if gained > 0.02 and seconds > 2 else None


@dataclass(slots=True)
class SteadyProgress:
    """Progress of a collection as it is shown: the fraction never falls, and the time left changes slowly.

    A new one is made when documents are added; ``documents`` is their number.
    """

    documents: int
    shown: float
    rate: ProgressRate
    _end: float | None = None  # expected time of the end

    def update(self, now: float, fraction: float) -> float | None:
        """Update the fraction that is shown; returns the seconds left, None until they can be estimated."""
        self.shown = max(self.shown, fraction)
        seconds = self.rate.estimate_seconds_left(now, self.shown)
        if seconds is not None:
            self._end = now + seconds if self._end is None else 0.9 * self._end + 0.1 * (now + seconds)
        return None if self._end is None else max(self._end - now, 1.0)


def format_sizes(document: Document) -> list[str]:
    """As ["3 pages", "10 passages", "2 tables"]; counts of 0 are left out."""
    counts = ((document.pages, "page"), (document.passages, "passage"), (document.tables, "table"))
    return [format_count(number, noun) for number, noun in counts if number]


def format_estimate(estimate: Estimate, price: Price) -> str:
    """As "2 documents · about 14 pages, 60 passages, 12 s"; with a model also calls, tokens and cost."""
    counts = ((estimate.pages, "page"), (estimate.passages, "passage"))
    sizes = [format_count(number, noun) for number, noun in counts if number]
    parts = [format_count(estimate.documents, "document")]
    if sizes:
        parts.append(f"about {', '.join([*sizes, format_duration(estimate.seconds)])}")
    if estimate.calls:
        amount = price.tokens_in * estimate.tokens / 1e6
        cost = f", estimated cost {amount:,.2f}" if amount else ""
        parts.append(f"{format_count(estimate.calls, 'model call')}, {estimate.tokens:,} tokens{cost}")
    return " · ".join(parts)


def format_seconds(seconds: float) -> str:
    """As "0.71 s" below ten seconds, without decimals above."""
    return f"{seconds:.2f} s" if seconds < 10 else format_duration(seconds)
