"""Evidence as the context of another language model: numbered blocks of text, and what each number cites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hopline.records import Box
from hopline.results.evidence import Evidence, EvidenceKind
from hopline.results.paths import EvidencePath


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """A numbered block of a context: its text with its number and source, and the evidence that it shows.

    A block of several evidence shows passages that overlap, or parts of one table. Long evidence is shortened.
    """

    number: int
    text: str
    evidence: tuple[Evidence, ...]

    @property
    def kind(self) -> EvidenceKind:
        """Whether it is a passage or a table."""
        return self.evidence[0].kind

    @property
    def document(self) -> str:
        """The name of its document."""
        return self.evidence[0].document

    @property
    def document_id(self) -> str:
        """The id of its document."""
        return self.evidence[0].document_id

    @property
    def title(self) -> str:
        """The title of its document."""
        return self.evidence[0].title

    @property
    def section(self) -> tuple[str, ...]:
        """The headings above its beginning, the outermost first."""
        return self.evidence[0].section

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages that it is on, in order."""
        return tuple(sorted({page for item in self.evidence for page in item.pages}))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where it is on these pages, each box once."""
        return tuple(dict.fromkeys(box for item in self.evidence for box in item.boxes))


@dataclass(frozen=True, slots=True)
class Context:
    """The evidence for a question as numbered blocks, the most important first, within a limit of tokens.

    ``instructions`` tell a model how to use and cite the blocks. ``tokens`` is the estimate for `text`, at most
    ``limit``. ``paths`` lead to the evidence of the blocks. ``model_error``: see `Retrieval`.
    """

    question: str
    collection: str
    strategy: str
    blocks: tuple[ContextBlock, ...] = ()
    instructions: str = ""
    tokens: int = 0
    limit: int = 0
    paths: tuple[EvidencePath, ...] = ()
    model_error: str = ""

    @property
    def text(self) -> str:
        """All blocks as one text."""
        return "\n\n".join(block.text for block in self.blocks)

    @property
    def citations(self) -> Mapping[int, ContextBlock]:
        """The blocks by their numbers: what "[2]" in the reply of a model cites, with its pages and boxes."""
        return {block.number: block for block in self.blocks}

    def messages(self, question: str = "") -> list[dict[str, str]]:
        """Return the system and the user message of a request to a chat model, in the form of OpenAI.

        ``question`` is put in place of that of the context.
        """
        evidence = self.text or "(There is no evidence.)"
        content = f"Evidence\n\n{evidence}\n\nQuestion: {question or self.question}"
        return [{"role": "system", "content": self.instructions}, {"role": "user", "content": content}]

    def to_dict(self) -> dict[str, Any]:
        """Convert to the object that ``--json`` prints."""
        from hopline.results.serialization import context_to_dict

        return context_to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Context:
        """Build the context from the dictionary that `to_dict` made.

        Raises:
            UsageError: the data is not a context.
        """
        from hopline.results.serialization import context_from_dict

        return context_from_dict(data)
