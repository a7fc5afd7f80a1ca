"""Documents: upload, list, progress, retry, remove, files, and pages as pictures."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import FileResponse
from pydantic.dataclasses import dataclass

from hopline.api.access import Authorized
from hopline.api.bodies import (
    AddedFileIds,
    CollectionName,
    Count,
    DocumentIds,
    ExtractRequest,
    FilterText,
    Identifier,
    MetadataUpdate,
    Position,
    RetryRequest,
)
from hopline.api.client import PREFIX, Client
from hopline.api.routes.collections import InCollection
from hopline.documents.addition import Titles
from hopline.documents.estimate import Estimate
from hopline.documents.outline import OutlineItem
from hopline.documents.pages import DocumentPage, TextMatch
from hopline.documents.progress import BatchState, DocumentProgress, Progress
from hopline.documents.uploads import Upload, write_uploads
from hopline.errors import UsageError
from hopline.metadata.facets import Facet
from hopline.records import Box, Document, DocumentCounts, FileChange

router = APIRouter(prefix=PREFIX, tags=["documents"])

Uploads = Annotated[list[UploadFile], File(description="Files of supported types.")]
CallLimit = Annotated[int | None, Form(ge=0, le=2**31, description="Model calls that extraction may make in addition.")]


@dataclass(frozen=True)
class AddedFiles:
    """What the uploaded files change in the collection, and a note on the worker, if there is one."""

    files: tuple[FileChange, ...]
    notice: str = ""


@router.post("/documents", status_code=202, summary="Upload documents")
def add_documents(
    *,
    hop: Client,
    access: Authorized,
    request: Request,
    files: Uploads,
    collection: Annotated[CollectionName, Form()] = "default",
    titles: Annotated[Titles, Form()] = "keep",
    max_calls: CallLimit = None,
    metadata: Annotated[
        str,
        Form(max_length=200_000, description="Metadata of all files, as a JSON object.", examples=['{"year": 2024}']),
    ] = "",
) -> AddedFiles:
    """Store files and queue them for processing; a file replaces the document of its name.

    The upload is written to disk as it arrives. Nothing is added from an upload that ends early. A file
    `NAME.metadata.json` of the same upload has the metadata of the file NAME.
    """
    access.check("write", collection)
    values = _parse_metadata(metadata)
    request.app.state.metrics.uploaded_bytes.inc(sum(file.size or 0 for file in files))
    with _write(files) as paths:
        options: dict[str, Any] = {"titles": titles, "max_calls": max_calls, "metadata": values}
        batch = hop.documents.add(paths, collection, **options, uploaded=True)
    return AddedFiles(batch.files, hop.documents.worker_notice)


@router.post("/estimate", summary="Estimate the work of adding documents")
def estimate_documents(
    hop: Client, access: Authorized, files: Uploads, collection: Annotated[CollectionName, Form()] = "default"
) -> Estimate:
    """Estimate what adding these files would take, without adding them."""
    access.check("read", collection)
    with _write(files) as paths:
        return hop.documents.estimate(paths, collection)


@router.get("/documents", summary="List documents")
def list_documents(
    *,
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    text: Annotated[
        str, Query(max_length=500, description="A part of their names, titles or authors, in any case.")
    ] = "",
    filter: Annotated[FilterText, Query()] = "",
    start: Annotated[int, Query(ge=0, le=2**31)] = 0,
    limit: Annotated[int | None, Query(ge=0, le=2**31)] = None,
) -> list[Document]:
    """List the documents of a collection, sorted by name, or a part of them."""
    access.check("read", collection)
    return list(hop.documents.list(collection, text=text, filter=filter, start=start, limit=limit))


@router.get("/documents/count", summary="Count documents")
def count_documents(
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    text: Annotated[str, Query(max_length=500)] = "",
    filter: Annotated[FilterText, Query()] = "",
) -> DocumentCounts:
    """Count the documents of a collection by state."""
    access.check("read", collection)
    return hop.documents.count(collection, text=text, filter=filter)


@router.get("/facets", summary="Facets of the metadata")
def list_facets(
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    filter: Annotated[FilterText, Query()] = "",
    limit: Annotated[int, Query(ge=1, le=10_000)] = 20,
) -> list[Facet]:
    """Return the keys of the metadata of a collection, with their values and numbers of documents."""
    access.check("read", collection)
    return list(hop.documents.facets(collection, filter=filter, limit=limit))


@router.patch("/metadata", summary="Set metadata of a document")
def set_metadata(body: MetadataUpdate, hop: Client, access: Authorized) -> Document:
    """Set keys of the metadata of a document, and return the document; nothing is processed again."""
    access.check("write", body.collection)
    return hop.documents.set_metadata(body.document, body.metadata, collection=body.collection)


@router.delete("/documents", summary="Remove a document")
def remove_document(
    hop: Client,
    access: Authorized,
    document: Annotated[Identifier, Query(description="Name or id of the document.")],
    collection: InCollection = "default",
) -> Count:
    """Remove one document, by name or id; it is hidden at once and deleted in batches."""
    access.check("write", collection)
    return Count(count=hop.documents.remove(document, collection=collection))


@router.get("/progress", summary="Progress of a collection")
def get_progress(hop: Client, access: Authorized, collection: InCollection = "default") -> Progress:
    """Return the progress of a whole collection."""
    access.check("read", collection)
    return hop.documents.progress(collection)


@router.post("/progress", summary="Progress of added files")
def get_batch_state(body: AddedFileIds, hop: Client, access: Authorized) -> BatchState:
    """Return progress, failures and warnings of added files, by the ids that the upload gave."""
    access.check("read", body.collection)
    batch = hop.documents.batch(body.ids, body.collection)
    return BatchState(batch.progress(), batch.failures, batch.warnings)


@router.post("/states", summary="Progress of single documents")
def get_states(body: DocumentIds, hop: Client, access: Authorized) -> dict[str, DocumentProgress]:
    """Return the progress of documents by their ids; unknown ids are omitted."""
    if not access.key.collections:
        return hop.documents.states(body.ids)
    allowed = access.select(collection.name for collection in hop.collections())
    return hop.documents.states([id for name in sorted(allowed) for id in hop.documents.batch(body.ids, name).ids])


@router.post("/retry", summary="Process again what failed")
def retry_documents(body: RetryRequest, hop: Client, access: Authorized) -> Count:
    """Process again what failed: one document, or all of the collection; the number of documents and passages."""
    access.check("write", body.collection)
    count = hop.documents.retry(
        body.document, collection=body.collection, passages=body.passages, max_calls=body.max_calls
    )
    return Count(count=count)


@router.post("/extract", summary="Extract entities and triples again")
def extract_again(body: ExtractRequest, hop: Client, access: Authorized) -> Count:
    """Extract the entities and triples of a whole collection again; its number of passages."""
    access.check("write", body.collection)
    return Count(count=hop.documents.extract_again(body.collection, model=body.model, max_calls=body.max_calls))


@router.get("/documents/{document}", summary="Get a document")
def get_document(hop: Client, access: Authorized, document: str) -> Document:
    """Return a document by its id."""
    return _get_document(hop, access, document)


@router.get("/documents/{document}/outline", summary="Outline of a document")
def get_outline(hop: Client, access: Authorized, document: str) -> list[OutlineItem]:
    """Return the sections of a document as a tree with their pages, tables and figures, by the document's id."""
    return list(hop.documents.outline(_get_document(hop, access, document).id))


@router.get("/documents/{document}/file", response_class=FileResponse, summary="Download a document")
def get_file(hop: Client, access: Authorized, document: str) -> FileResponse:
    """Return the file of a document as it was added, by the document's id."""
    stored = _get_document(hop, access, document)
    media_type = mimetypes.guess_type(stored.name)[0] or "application/octet-stream"
    return FileResponse(hop.documents.file(document), media_type=media_type, filename=stored.name)


@router.get(
    "/documents/{document}/pages/{page}.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The page as a PNG."}},
    summary="Picture of a page",
)
def get_page(
    hop: Client,
    access: Authorized,
    document: str,
    page: Position,
    boxes: Annotated[
        list[str],
        Query(
            max_length=500,
            description="Boxes to highlight: x0,y0,x1,y1 in points from the top left; "
            "x0,y0,x1,y1,rrggbb also has the colour, as hexadecimal digits.",
        ),
    ] = [],  # noqa: B006  FastAPI copies it
    *,
    whole: bool = True,
) -> Response:
    """Return a picture of a page of a PDF or image, whole or cropped to the highlighted boxes."""
    _get_document(hop, access, document)
    marked = [_parse_box(text, page) for text in boxes]
    shown, colours = [box for box, _ in marked], [colour for _, colour in marked]
    image = hop.documents.render_page(document, page, shown, whole=whole, colours=colours)
    return Response(image, media_type="image/png")


@router.get("/documents/{document}/pages", summary="Find pages by number or label")
def find_pages(
    hop: Client,
    access: Authorized,
    document: str,
    label: Annotated[str, Query(max_length=50, description="A page number, or a number printed on a page.")],
) -> list[int]:
    """Return the numbers of the pages with a number or a printed label such as "iv", by the document's id."""
    return list(hop.documents.find_pages(_get_document(hop, access, document).id, label))


@router.get("/documents/{document}/pages/{page}", summary="Page of a document")
def read_page(
    *,
    hop: Client,
    access: Authorized,
    document: str,
    page: Position,
    start: Annotated[int, Query(ge=0, le=2**31, description="The first passage of a long page.")] = 0,
    around: Annotated[str, Query(max_length=100, description="Id of a passage that the part is to have.")] = "",
) -> DocumentPage:
    """Return the passages, tables and figures of a page, and the entities that they mention."""
    return hop.documents.read_page(_get_document(hop, access, document).id, page, start=start, around=around)


@router.get("/documents/{document}/matches", summary="Search within a document")
def find_text(
    hop: Client,
    access: Authorized,
    document: str,
    text: Annotated[str, Query(max_length=1000, description="The text, in any case, with or without accents.")],
    limit: Annotated[int, Query(ge=0, le=1000)] = 100,
) -> list[TextMatch]:
    """Find a text in a document, by its id; the matches are sorted by page."""
    return list(hop.documents.find_text(_get_document(hop, access, document).id, text, limit=limit))


def _get_document(hop: Any, access: Any, document: str) -> Document:
    stored: Document = hop.documents.get(document)
    access.check("read", stored.collection)
    return stored


def _parse_metadata(text: str) -> dict[str, Any] | None:
    if not text.strip():
        return None
    try:
        metadata = json.loads(text)
    except ValueError as error:
        raise UsageError(f"metadata is no JSON: {error} (got {text!r:.80})") from error
    if not isinstance(metadata, dict):
        raise UsageError(f'metadata is a JSON object such as {{"year": 2024}} (got {text!r:.80})')
    return metadata


def _parse_box(text: str, page: int) -> tuple[Box, str]:
    """Parse a box with its colour, "" if there is none."""
    numbers, colour = (text.split(",")[:4], text.split(",")[4:]) if text.count(",") == 4 else (text.split(","), [])
    try:
        x0, y0, x1, y1 = map(float, numbers)
    except ValueError as error:
        raise UsageError(f"a box is x0,y0,x1,y1 in points, such as 72,100,300,112 (got {text!r:.80})") from error
    if not all(abs(value) < 1e6 for value in (x0, y0, x1, y1)):
        raise UsageError(f"a box is within a page, in points (got {text!r:.80})")
    return Box(page, x0, y0, x1, y1), f"#{colour[0]}" if colour else ""


def _write(files: Sequence[UploadFile]) -> AbstractContextManager[list[Path]]:
    return write_uploads([Upload(file.filename or "document", file.file) for file in files])
