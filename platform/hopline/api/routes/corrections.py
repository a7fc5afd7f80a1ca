"""Corrections of what was read from documents: list, correct, undo."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from hopline.api.access import Access, Authorized
from hopline.api.bodies import (
    CorrectionReference,
    EntityCorrection,
    Identifier,
    PassageCorrection,
    TableCorrectionBody,
    TripleRejection,
)
from hopline.api.client import PREFIX, Client
from hopline.api.keys import LOCAL_KEY
from hopline.api.routes.collections import InCollection
from hopline.records import Correction

router = APIRouter(prefix=PREFIX, tags=["corrections"])


@router.get("/corrections", summary="List corrections")
def list_corrections(
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    document: Annotated[Identifier | None, Query(description="Name or id of a document; none: all.")] = None,
) -> tuple[Correction, ...]:
    """Return the corrections of a collection or of a document, newest first."""
    access.check("read", collection)
    return hop.corrections.list(collection, document=document)


@router.post("/corrections/passage", summary="Correct a passage")
def correct_passage(body: PassageCorrection, hop: Client, access: Authorized) -> Correction:
    """Replace the text of a passage; undoing it restores what was read."""
    _check(hop, access, body.evidence)
    return hop.corrections.correct_passage(body.evidence, body.text, author=body.author or _name_author(access))


@router.post("/corrections/table", summary="Correct a table")
def correct_table(body: TableCorrectionBody, hop: Client, access: Authorized) -> Correction:
    """Replace the cells, the number of header rows or the caption of a table; undoing it restores what was read."""
    _check(hop, access, body.evidence)
    content = body.model_dump(include={"cells", "header_rows", "caption"})
    return hop.corrections.correct_table(body.evidence, **content, author=body.author or _name_author(access))


@router.post("/corrections/entity", summary="Correct the name or type of an entity")
def correct_entity(body: EntityCorrection, hop: Client, access: Authorized) -> Correction:
    """Replace the name or the type of an entity in every document; undoing it restores both."""
    _check(hop, access, body.entity)
    author = body.author or _name_author(access)
    return hop.corrections.correct_entity(body.entity, name=body.name, type=body.type, author=author)


@router.post("/corrections/triple", summary="Leave out a wrong triple")
def reject_triple(body: TripleRejection, hop: Client, access: Authorized) -> Correction:
    """Leave out a triple that is wrong; undoing it restores the triple."""
    _check(hop, access, body.triple)
    return hop.corrections.reject_triple(body.triple, author=body.author or _name_author(access))


@router.post("/corrections/undo", status_code=204, summary="Undo a correction")
def undo_correction(body: CorrectionReference, hop: Client, access: Authorized) -> None:
    """Undo a correction: what it applies to is again as it was read from the document."""
    _check(hop, access, body.correction)
    hop.corrections.undo(body.correction)


def _check(hop: Any, access: Access, node: str) -> None:
    """Check that the key may change the collection of a node."""
    access.check("write", hop.graph.get_collection(node))


def _name_author(access: Access) -> str:
    return "" if access.key is LOCAL_KEY else access.key.name
