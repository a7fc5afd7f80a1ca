"""The address of a page of a document: in the query parameters of the view of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hopline.results import Evidence
from hopline_ui import page_links

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DocumentAddress:
    """A page of a document, by the document's id; ``evidence`` is the id of the evidence to mark, "" for none.

    ``span`` is the part of the text of the evidence that is marked, None for all of it. ``start`` is the first evidence
    that is shown of a page without a picture that has many.
    """

    document: str
    page: int = 1
    evidence: str = ""
    span: Span | None = None
    start: int = 0

    def to_parameters(self) -> dict[str, str]:
        """Return the query parameters of this address."""
        parameters = {"document": self.document, "page": str(self.page)}
        parameters |= {"passage": self.evidence} if self.evidence else {}
        parameters |= {"span": f"{self.span[0]}-{self.span[1]}"} if self.span else {}
        return parameters | ({"from": str(self.start)} if self.start else {})

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, str]) -> DocumentAddress | None:
        """Parse query parameters; None where they name no document. A number that is not valid is ignored."""
        document = parameters.get("document", "")
        if not document:
            return None
        span = re.fullmatch(r"(\d{1,9})-(\d{1,9})", parameters.get("span", ""))
        return cls(
            document,
            max(1, _parse_number(parameters.get("page", ""), 1)),
            parameters.get("passage", ""),
            (int(span[1]), int(span[2])) if span else None,
            _parse_number(parameters.get("from", ""), 0),
        )


def make_address(evidence: Evidence, span: Span | None = None) -> DocumentAddress:
    """Return the address at which evidence is marked, or a span of its text, on the page where it begins."""
    boxes = evidence.find_boxes(*span) if span else evidence.boxes
    page = boxes[0].page if boxes else evidence.pages[0] if evidence.pages else 1
    return DocumentAddress(evidence.document_id, page, evidence.id, span)


def open_document(address: DocumentAddress) -> None:
    """Open a page of a document in the next run. Must be called by a callback."""
    page_links.open_page("documents", address.to_parameters())


def _parse_number(text: str, default: int) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else default
