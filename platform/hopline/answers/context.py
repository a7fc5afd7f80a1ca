"""Evidence packed into a limit of tokens, for language models that other programs call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.generated import GatheredEvidence, gather_evidence
from hopline.answers.prompts import MAX_SHARE, Span, estimate_tokens, shorten_evidence
from hopline.answers.redundancy import EvidenceGroup, group_evidence
from hopline.answers.section_scope import restrict_to_sections
from hopline.answers.written_tables import MARK
from hopline.errors import UsageError
from hopline.flow.quoted_text import QUOTING_RULE, quote_text
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.results import Context, ContextBlock, Retrieval

DEFAULT_TOKENS: Final = 4000
MIN_TOKENS: Final = 100
MIN_BLOCK: Final = 400  # tokens that a block may have even where its share of the limit is less
MAX_EVIDENCE: Final = 100  # that is retrieved unless the caller says how much
PASSAGE_TOKENS: Final = 150  # of a passage with its source, about
INSTRUCTIONS: Final = f"""Answer the question with the numbered evidence only. Do not use other knowledge.
Write the number of the evidence that supports a statement behind it, as [1]. If the evidence does not answer the
question, say so. In a table, "A › B" is the row or column B of the group A.{QUOTING_RULE}"""


def choose_depth(tokens: int, k: int | None, default: int) -> int:
    """Return how much evidence to retrieve for a context of so many tokens: ``k``, or enough to fill it."""
    if k is not None:
        return k
    return max(default, min(tokens // PASSAGE_TOKENS, MAX_EVIDENCE))


def check_token_limit(tokens: object) -> int:
    """Return a limit of tokens.

    Raises:
        UsageError: it is no whole number, or below `MIN_TOKENS`.
    """
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < MIN_TOKENS:
        raise UsageError(f"tokens must be a whole number of at least {MIN_TOKENS} (got {tokens!r})")
    return tokens


def build_context(
    question: str, retrieve: Callable[[str], Flow[Retrieval]], *, tokens: int = DEFAULT_TOKENS, reader: bool = True
) -> Flow[Context]:
    """Retrieve the evidence for a question and pack it into at most ``tokens`` tokens.

    It is the evidence that Hopline's own prompts have: that of the strategy, tables and passages that answering adds,
    in the order of the ``reader`` if there is one; for a summary, the most central passages of the documents.
    """
    retrieval = yield from retrieve(question)
    analysis = analyse_question(question)
    scoped = restrict_to_sections(analysis, retrieval)
    gathered = yield from gather_evidence(analysis, scoped, EvidenceReader(enabled=reader))
    return pack_evidence(analysis, retrieval, gathered, tokens=tokens)


def pack_evidence(
    question: QuestionAnalysis, retrieval: Retrieval, gathered: GatheredEvidence, *, tokens: int
) -> Context:
    """Pack evidence without repetition into at most ``tokens`` tokens, the most important first.

    Tokens are estimated (`hopline.answers.prompts.estimate_tokens`). A block takes at most a quarter of the limit, or
    `MIN_BLOCK` tokens: a longer table loses the rows that share least with the question, a longer passage its end.
    """
    writer = _BlockWriter(question, gathered.marked, min(tokens, max(int(MAX_SHARE * tokens), MIN_BLOCK)))
    selected = _select_groups(group_evidence(gathered.ranked), writer, tokens)
    selected.sort(key=lambda group: gathered.positions.get(group.shown.id, 0))
    blocks = [
        ContextBlock(number, writer.write(group, number), group.parts) for number, group in enumerate(selected, 1)
    ]
    ids = {item.id for block in blocks for item in block.evidence}
    return Context(
        question.original,
        retrieval.collection,
        retrieval.strategy,
        tuple(blocks),
        INSTRUCTIONS,
        sum(estimate_tokens(block.text) for block in blocks),
        tokens,
        tuple(path for path in gathered.retrieval.paths if path.evidence in ids),
        retrieval.model_error,
    )


@dataclass(frozen=True, slots=True)
class _BlockWriter:
    """Writes groups of evidence as blocks of at most ``limit`` tokens.

    ``answers`` are spans of the reader's answers by the ids of evidence: what is cut is far from them.
    """

    question: QuestionAnalysis
    answers: Mapping[str, Span]
    limit: int

    def write(self, group: EvidenceGroup, number: int) -> str:
        """Write a block: its number, its source, and its text between delimiters."""
        header = describe_source(group)
        room = max(self.limit - estimate_tokens(f"[{number}] {quote_text(header)}"), 0)
        text = self._shorten(group, room)
        while text and estimate_tokens(text) > room:  # a single row may be longer than the room for it
            text = text[: len(text) * room // (estimate_tokens(text) + 1)]
        quoted = quote_text("\n".join(filter(None, (header, text))))
        return f"[{number}] {quoted}"

    def _shorten(self, group: EvidenceGroup, room: int) -> str:
        span = self.answers.get(group.shown.id) if len(group.parts) == 1 else None
        text = shorten_evidence(group.shown, self.question, span, room)
        if span is None:
            return text
        answer = group.shown.text[slice(*span)]
        return text.replace(f"{MARK}{answer}{MARK}", answer, 1)


def _select_groups(groups: Sequence[EvidenceGroup], writer: _BlockWriter, tokens: int) -> list[EvidenceGroup]:
    """Return the groups that fit into the limit, the best first; those behind one that does not fit may fit."""
    room, selected = tokens, []
    for group in groups:
        size = estimate_tokens(writer.write(group, len(groups)))  # no block has a number with more digits
        if size <= room:
            room -= size
            selected.append(group)
    return selected


def describe_source(group: EvidenceGroup) -> str:
    """Return where evidence is from in one line: document, title, pages, section."""
    shown = group.shown
    pages = sorted({page for item in group.parts for page in item.pages})
    labels = list(filter(None, (shown.find_label(page) for page in shown.pages)))
    printed = f" (printed {'–'.join(dict.fromkeys((labels[0], labels[-1])))})" if labels else ""
    parts = (shown.document, shown.title, describe_pages(pages) + printed, " › ".join(shown.section))
    return ", ".join(dict.fromkeys(part for part in parts if part))


def describe_pages(pages: Sequence[int]) -> str:
    """Return pages as "page 3" or "pages 3–5, 9"; "" if there are none."""
    if not pages:
        return ""
    runs = [
        [page for _, page in run]
        for _, run in groupby(enumerate(sorted(set(pages))), key=lambda pair: pair[1] - pair[0])
    ]
    described = ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"page{'s' if len(set(pages)) > 1 else ''} {described}"
