"""The session's cache by collection: answers, found nodes, explored graphs and suggestions of similar names."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from hopline.client import Hopline
from hopline.graph_explorer import NodeMatch
from hopline.records import Collection
from hopline.results import NodeKind
from hopline_ui.session.questions import SessionQuestion, TimedAnswer, insert_answer
from hopline_ui.session.state import get_state

MAX_SEARCHES: Final = 20
MAX_AGE: Final = 30.0  # seconds for which found nodes are kept: a worker adds entities to documents that are there


@dataclass(frozen=True, slots=True)
class NodeSearch:
    """A search for nodes in a collection, whose record changes with the number of its documents and passages."""

    text: str
    collection: Collection
    kinds: tuple[NodeKind, ...]
    limit: int


@dataclass(frozen=True, slots=True)
class CachedMatches:
    """The nodes that a search found, and when: seconds of the monotonic clock."""

    matches: list[NodeMatch]
    at: float


def find_nodes(hop: Hopline, search: NodeSearch) -> list[NodeMatch]:
    """Return the nodes that match a text: every click on a page runs it again, but only a new text is searched."""
    searches = get_state().searches
    cached = searches.get(search)
    if cached is None or time.monotonic() - cached.at > MAX_AGE:
        matches = hop.graph.find(search.text, collection=search.collection.name, kinds=search.kinds, limit=search.limit)
        searches.pop(search, None)
        cached = searches[search] = CachedMatches(matches, time.monotonic())
        while len(searches) > MAX_SEARCHES:
            del searches[next(iter(searches))]
    return cached.matches


def get_answers() -> dict[SessionQuestion, TimedAnswer]:
    """Return the session's answers by question, oldest first."""
    return get_state().answers


def add_answer(question: SessionQuestion, timed: TimedAnswer) -> None:
    """Cache an answer for this session."""
    insert_answer(get_answers(), question, timed)


def clear_answers(collection: str, *, abstained: bool = False) -> None:
    """Drop all searches and outlines, and the answers of a collection whose graph changed.

    With ``abstained`` only the abstentions among the answers are dropped.
    """
    state = get_state()
    for searches in (state.searches, state.outlines, state.text_matches):
        searches.clear()
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
