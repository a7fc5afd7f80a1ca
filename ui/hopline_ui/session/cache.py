"""The session's cache by collection: answers, explored graphs and suggestions of similar names."""

from __future__ import annotations

from hopline_ui.session.questions import SessionQuestion, TimedAnswer, insert_answer
from hopline_ui.session.state import get_state


def get_answers() -> dict[SessionQuestion, TimedAnswer]:
    """Return the session's answers by question, oldest first."""
    return get_state().answers


def add_answer(question: SessionQuestion, timed: TimedAnswer) -> None:
    """Cache an answer for this session."""
    insert_answer(get_answers(), question, timed)


def clear_answers(collection: str, *, abstained: bool = False) -> None:
    """Drop the answers of a collection whose graph has changed; with ``abstained`` only the abstentions."""
    for question, timed in list(get_answers().items()):
        if question.collection == collection and (not abstained or timed.answer.abstained):
            del get_answers()[question]


def clear_collection(collection: str) -> None:
    """Drop everything cached for a collection that was renamed or deleted."""
    clear_answers(collection)
    state = get_state()
    state.canvases.pop(collection, None)
    state.suggestions.pop(collection, None)
    state.compared = []
    state.conversation = [question for question in state.conversation if question.collection != collection]
