"""Drafts of the answer that a language model is writing: what has arrived, with the state of each complete sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from json_repair import repair_json
from pydantic_core import from_json

from hopline.answers.verification import SentenceVerifier
from hopline.results import AnswerDraft
from hopline.text_encoding import clean_texts_in

DraftCallback = Callable[[AnswerDraft], None]

MIN_GROWTH: Final = 0.01  # of a reply before it is parsed again, as a share of its length


class DraftWriter:
    """Makes drafts of the text of a reply as it arrives, and verifies each sentence once it is complete.

    A sentence is complete when the reply goes on behind it.
    """

    def __init__(self, verifier: SentenceVerifier, on_draft: DraftCallback) -> None:
        self._verifier = verifier
        self._on_draft = on_draft
        self._last = AnswerDraft()
        self._length = 0
        self._items = 0  # of the reply that are verified; the strict verifier leaves sentences out

    def write(self, text: str) -> None:
        """Call ``on_draft`` with the draft of a reply that begins with ``text``, if there is something new to show.

        A text that is shorter than the last one is the beginning of another reply.
        """
        if self._length <= len(text) < self._length * (1 + MIN_GROWTH):
            return
        if len(text) < self._length:
            self._items = 0
            self._show(AnswerDraft())
        self._length = len(text)
        data = clean_texts_in(_parse_start(text))
        items = data.get("sentences") if isinstance(data, dict) else None
        if not isinstance(items, list):
            return
        is_open = bool(items) and next(reversed(data)) == "sentences"
        complete, current = (items[:-1], _get_text(items[-1])) if is_open else (items, "")
        before = self._last.sentences
        claimed = [{"text": _get_text(item), "citations": _list_claims(item)} for item in complete[self._items :]]
        self._items = max(self._items, len(complete))
        self._show(AnswerDraft((*before, *self._verifier.verify(claimed, before)), current))

    def _show(self, draft: AnswerDraft) -> None:
        if draft != self._last:
            self._last = draft
            self._on_draft(draft)


def _parse_start(text: str) -> Any:
    """Parse the object with the sentences in the beginning of a reply; what is open is closed."""
    start = text.rfind("{", 0, max(0, text.rfind('"sentences"')))
    if start < 0:
        return None
    try:
        return from_json(text[start:], allow_partial="trailing-strings")
    except ValueError:
        return repair_json(text[start:], return_objects=True)


def _get_text(item: Any) -> str:
    text = item.get("text") if isinstance(item, dict) else item
    return text if isinstance(text, str) else ""


def _list_claims(item: Any) -> list[dict[str, Any]]:
    claims = item.get("citations") if isinstance(item, dict) else None
    return [
        {"quote": claim["quote"], "evidence": claim["evidence"] if isinstance(claim.get("evidence"), int) else 0}
        for claim in (claims if isinstance(claims, list) else [])
        if isinstance(claim, dict) and isinstance(claim.get("quote"), str)
    ]
