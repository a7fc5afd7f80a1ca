"""Searches in the background for what the overview of a collection shows, so that the page does not wait for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from threading import Thread
from typing import Final, TypeVar

from hopline.client import Hopline
from hopline.entities.communities import Community
from hopline.errors import HoplineError
from hopline.question_suggestions import SuggestedQuestion

T = TypeVar("T")

MAX_QUESTIONS: Final = 5
MAX_COMMUNITIES: Final = 8
HEAD_START: Final = 0.1  # seconds that the page waits for results that the client has already

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OverviewSearch:
    """The communities of a collection and questions that it answers, each empty if the search failed."""

    communities: Future[Sequence[Community]] = field(default_factory=Future)
    questions: Future[Sequence[SuggestedQuestion]] = field(default_factory=Future)

    @property
    def done(self) -> bool:
        """Whether both are found."""
        return self.communities.done() and self.questions.done()


def start_search(hop: Hopline, collection: str, *, questions: bool = True) -> OverviewSearch:
    """Start to search a collection in a thread; without ``questions`` for communities only."""
    search = OverviewSearch()

    def run() -> None:
        _fill(search.communities, lambda: hop.graph.list_communities(collection, limit=MAX_COMMUNITIES).communities)
        _fill(search.questions, lambda: hop.suggest_questions(collection, limit=MAX_QUESTIONS) if questions else ())

    Thread(target=run, daemon=True, name="hopline overview").start()
    wait([search.questions], timeout=HEAD_START)  # the last one
    return search


def _fill(future: Future[Sequence[T]], find: Callable[[], Sequence[T]]) -> None:
    """Set the result of a future, which is empty if ``find`` fails."""
    try:
        future.set_result(find())
    except HoplineError as error:
        _log.warning("the overview of a collection is incomplete: %s", error)
        future.set_result(())
    except Exception:  # noqa: BLE001 - an overview is no reason to show an error
        _log.exception("the overview of a collection is incomplete")
        future.set_result(())
