"""Feedback on answers: add, list, delete."""

from __future__ import annotations

from fastapi import APIRouter

from hopline.api.access import Access, Authorized
from hopline.api.bodies import FeedbackBody, FeedbackReference
from hopline.api.client import PREFIX, Client
from hopline.api.keys import LOCAL_KEY
from hopline.api.routes.collections import InCollection
from hopline.records import Feedback, GoldCitation

router = APIRouter(prefix=PREFIX, tags=["feedback"])


@router.get("/feedback", summary="List the feedback on answers")
def list_feedback(hop: Client, access: Authorized, collection: InCollection = "default") -> tuple[Feedback, ...]:
    """Return the feedback on answers of a collection, newest first."""
    access.check("read", collection)
    return hop.feedback.list(collection)


@router.post("/feedback", summary="Say whether an answer is right")
def add_feedback(body: FeedbackBody, hop: Client, access: Authorized) -> Feedback:
    """Store a verdict on an answer; it replaces earlier feedback on the same question."""
    access.check("write", body.collection)
    citations = [GoldCitation(**citation.model_dump()) for citation in body.citations]
    content = body.model_dump(exclude={"question", "verdict", "citations", "author"})
    author = body.author or _name_author(access)
    return hop.feedback.add(body.question, body.verdict, citations=citations, author=author, **content)


@router.post("/feedback/delete", status_code=204, summary="Delete feedback")
def delete_feedback(body: FeedbackReference, hop: Client, access: Authorized) -> None:
    """Delete feedback on an answer."""
    access.check("write", hop.graph.get_collection(body.feedback))
    hop.feedback.delete(body.feedback)


def _name_author(access: Access) -> str:
    return "" if access.key is LOCAL_KEY else access.key.name
