"""Collections: list, rename, remove, export, topics, evaluation."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from hopline.api.access import Authorized
from hopline.api.bodies import CollectionName, Count, EvaluationRequest, NewName, TopicAssignment
from hopline.api.client import PREFIX, Client
from hopline.documents.status import Status
from hopline.evaluation import evaluate
from hopline.evaluation.questions import parse_question
from hopline.exchange.forms import ExportForm
from hopline.exchange.layout import MANIFEST
from hopline.records import Collection
from hopline.topics.collection_topics import CollectionTopics

router = APIRouter(prefix=PREFIX, tags=["collections"])

InCollection = Annotated[CollectionName, Query(description="Name of the collection.")]


@router.get("/status", summary="State of the service")
def get_status(hop: Client, access: Authorized) -> Status:
    """Get the state of the database, the worker and the collections."""
    access.check("read")
    return hop.status()


@router.get("/collections", summary="List the collections")
def list_collections(hop: Client, access: Authorized) -> list[Collection]:
    """List the collections that the key may use, by name."""
    collections = hop.collections()
    allowed = access.select(collection.name for collection in collections)
    return [collection for collection in collections if collection.name in allowed]


@router.patch("/collections", status_code=204, summary="Rename a collection")
def rename_collection(body: NewName, hop: Client, access: Authorized, collection: InCollection) -> None:
    """Give a collection another name; its contents stay."""
    access.check("admin", collection)
    access.check("admin", body.name)
    hop.rename_collection(collection, body.name)


@router.delete("/collections", summary="Remove a collection")
def remove_collection(hop: Client, access: Authorized, collection: InCollection) -> Count:
    """Remove a collection with all its documents, and return their number."""
    access.check("admin", collection)
    return Count(count=hop.documents.remove(collection=collection))


@router.get("/export", response_class=FileResponse, summary="Export a collection")
def export_collection(
    hop: Client,
    access: Authorized,
    collection: InCollection = "default",
    *,
    form: ExportForm = "jsonl",
    vectors: bool = True,
    originals: bool = True,
    unfinished: bool = False,
) -> FileResponse:
    """Export a collection as a ZIP file of the folder that `hopline export` writes."""
    access.check("read", collection)
    folder = Path(tempfile.mkdtemp(prefix="hopline-export-"))
    try:
        options: dict[str, Any] = {"form": form, "vectors": vectors, "originals": originals, "unfinished": unfinished}
        manifest = hop.export(collection, folder / "export", **options)
        (folder / "export").mkdir(exist_ok=True)  # it is there unless the client is a fake
        (folder / "export" / MANIFEST).write_text(manifest.to_json(), "utf-8")
        archive = shutil.make_archive(str(folder / "archive"), "zip", folder / "export")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    cleanup = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(archive, media_type="application/zip", filename="collection.zip", background=cleanup)


@router.post("/upgrade", summary="Parse documents of an older version again")
def upgrade_documents(hop: Client, access: Authorized) -> Count:
    """Queue the documents that an older version of the parser parsed, and return their number."""
    access.check("admin")
    return Count(count=hop.upgrade())


@router.get("/topics", summary="List the topics")
def list_topics(hop: Client, access: Authorized, collection: InCollection = "default") -> CollectionTopics:
    """List the topics of a collection with the amount of evidence of each."""
    access.check("read", collection)
    return hop.topics.list(collection)


@router.put("/topics", status_code=204, summary="Assign topics")
def assign_topics(body: TopicAssignment, hop: Client, access: Authorized) -> None:
    """Assign a trained topic set to a collection; the name "" removes its topics."""
    access.check("write", body.collection)
    hop.topics.assign(body.name, body.collection)


@router.post("/evaluate", summary="Evaluate strategies on questions")
def evaluate_strategies(body: EvaluationRequest, hop: Client, access: Authorized) -> dict[str, Any]:
    """Evaluate strategies on questions whose answers or gold passages are known; means with their intervals."""
    access.check("read", body.collection)
    questions = [parse_question(row, f"question {n}", n) for n, row in enumerate(body.questions, 1)]
    return evaluate(
        hop,
        questions,
        body.strategies,
        collection=body.collection,
        k=body.k,
        answers="product" if body.answers else False,
        baseline=body.baseline,
    ).to_dict()
