"""The open client of the service, for its routes."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Request

from hopline.api.limits import QuestionQueue
from hopline.client import Hopline

PREFIX: Final = "/v1"


def get_client(request: Request) -> Hopline:
    """Return the client that the service has opened."""
    client: Hopline = request.app.state.hop
    return client


def get_queue(request: Request) -> QuestionQueue:
    """Return the queue of questions."""
    queue: QuestionQueue = request.app.state.questions
    return queue


Client = Annotated[Hopline, Depends(get_client)]
Questions = Annotated[QuestionQueue, Depends(get_queue)]
