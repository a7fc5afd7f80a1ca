"""Drafts of the answer that a language model is writing: what has arrived, with the state of each complete sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from json_repair import repair_json

from hopline.answers.verification import SentenceVerifier
from hopline.results import AnswerDraft

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

    def write(self, text: str) -> None:
        """Call ``on_draft`` with the draft of a reply that begins with ``text``, if there is something new to show."""
        if self._length <= len(text) < self._length * (1 + MIN_GROWTH):
            return
        if len(text) < self._length:  # the reply was requested again
            self._last = AnswerDraft()
        self._length = len(text)
        data = _parse_start(text)
        items = data.get("sentences") if isinstance(data, dict) else None
        if not isinstance(items, list):
            return
        complete, current = (items, "") if "short" in data else (items[:-1], _get_text(items[-1:]))
        sentences = self._last.sentences
        if len(complete) != len(sentences):  # verifying takes a few milliseconds a sentence
            claimed = [{"text": _get_text([item]), "citations": _list_claims(item)} for item in complete]
            sentences = tuple(self._verifier.verify(claimed))
        draft = AnswerDraft(sentences, current)
        if draft != self._last:
            self._last = draft
            self._on_draft(draft)


def _parse_start(text: str) -> Any:
    """Parse the object with the sentences in the beginning of a reply; what is open is closed."""
    start = text.rfind("{", 0, max(0, text.rfind('"sentences"')))
    return repair_json(text[start:], return_objects=True) if start >= 0 else None


def _get_text(items: list[Any]) -> str:
    text = items[0].get("text") if items and isinstance(items[0], dict) else ""
    return text if isinstance(text, str) else ""


def _list_claims(item: Any) -> list[dict[str, Any]]:
    claims = item.get("citations") if isinstance(item, dict) else None
    return [
        {"quote": claim["quote"], "evidence": claim["evidence"] if isinstance(claim.get("evidence"), int) else 0}
        for claim in (claims if isinstance(claims, list) else [])
        if isinstance(claim, dict) and isinstance(claim.get("quote"), str)
    ]
