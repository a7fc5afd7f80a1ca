"""Commands for documents: add, documents, outline, retry, extract, remove, estimate, status."""

from __future__ import annotations

import shlex
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, get_args

import typer

from hopline.cli.command import (
    FAILED_DOCUMENTS,
    AsJson,
    Collection,
    Filter,
    get_console,
    open_client,
    print_error,
    print_object,
    print_worker_notice,
)
from hopline.cli.metadata import Metadata, show_facets
from hopline.errors import UnknownName, UsageError
from hopline.metadata.values import parse_assignments
from hopline.text_encoding import clean_name

if TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.documents.addition import Titles
    from hopline.documents.progress import Batch, Failure
    from hopline.documents.status import Status
    from hopline.records import Document

Paths = Annotated[
    list[Path],
    typer.Argument(
        exists=True,
        metavar="PATH…",
        help="Files or folders: PDF, DOCX, PPTX, XLSX, ODT, CSV, HTML, EPUB, EML, MD, TXT, .jsonl(.gz) with passages.",
    ),
]

MAX_SKIPPED: Final = 10  # skipped files that are printed
PROGRESS_BATCH: Final = 1000  # documents whose progress is read by one query

MaxCalls = Annotated[
    int | None,
    typer.Option(
        min=0, help="Maximum number of model calls for extraction, added to what is left of an earlier limit."
    ),
]


def add(
    paths: Paths,
    *,
    collection: Collection = "default",
    titles: Annotated[str, typer.Option(help="Titles of .jsonl rows: keep, ignore or drop.")] = "keep",
    max_calls: MaxCalls = None,
    metadata: Metadata = None,
    remove_missing: Annotated[
        bool,
        typer.Option(
            "--remove-missing",
            help="Remove the documents of files that were added from the same folders before and no longer exist.",
        ),
    ] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Show progress until processing is complete.")] = True,
    as_json: AsJson = False,
) -> None:
    """Add documents and process them. Adding unchanged documents again has no effect.

    A changed file replaces its document. Files of one name from different folders get numbers: "report (2).pdf".
    """
    title_mode = _parse_titles(titles)
    changes = parse_assignments(metadata or ())
    with open_client() as hop:
        batch = hop.add(
            paths, collection, titles=title_mode, max_calls=max_calls, metadata=changes, remove_missing=remove_missing
        )
        print_worker_notice(hop)
        if wait:
            _wait(batch)
        failures, warnings = batch.failures, batch.warnings
        progress = batch.progress()
    if as_json:
        print_object(
            {
                "collection": collection,
                "documents": list(batch.ids),
                "files": [asdict(file) for file in batch.files],
                "missing": [asdict(file) for file in batch.missing],
                "skipped": [asdict(file) for file in batch.skipped],
                "failures": [asdict(failure) for failure in failures],
                "warnings": [asdict(warning) for warning in warnings],
                "progress": asdict(progress),
            }
        )
    else:
        _print_added(progress.passages, batch, collection, done=progress.done)
        _print_changes(batch, paths, collection, removed=remove_missing)
        _print_skipped(batch)
    for warning in warnings:
        print_error(f"warning: {warning.document}: {warning.message}")
    _print_failures(failures)


def _parse_titles(value: str) -> Titles:
    from hopline.documents.addition import Titles

    known: tuple[Titles, ...] = get_args(Titles)
    for name in known:
        if name == value:
            return name
    raise UsageError(f"--titles must be one of {', '.join(known)} (got {value!r})")


def _wait(batch: Batch) -> None:
    try:
        batch.wait(progress=True)
    except KeyboardInterrupt:
        print_error("processing continues in the background; see progress with: hopline status")
        raise typer.Exit(130) from None


def _print_added(passages: int, batch: Batch, collection: str, *, done: bool) -> None:
    if not batch.ids:
        typer.echo("Nothing to add: no supported files found")
    elif done:
        count = f"{len(batch.ids):,} document{'s' * (len(batch.ids) != 1)}"
        typer.echo(f"Added {count} to collection {collection}: {passages:,} passages and tables")
        if passages:
            typer.echo(f'Ask a question with: hopline ask "…" -c {collection}')
    else:
        typer.echo(f"Queued {len(batch.ids):,} documents in collection {collection}; see progress with: hopline status")


def _print_changes(batch: Batch, paths: list[Path], collection: str, *, removed: bool) -> None:
    """Print which documents were replaced or numbered, and which files no longer exist in the added folders."""
    for file in batch.files:
        if file.change == "replaced":
            typer.echo(clean_name(f"Replaced {file.name}: the file has changed"))
        elif file.change == "new" and not Path(file.path).as_posix().endswith(file.name):
            typer.echo(clean_name(f"Added {file.path} as {file.name}: a file of another folder has its name"))
    if not batch.missing:
        return
    kind = "Removed from" if removed else "Files that no longer exist, but whose documents are in"
    typer.echo(f"{kind} collection {collection}:")
    for missing in batch.missing:
        typer.echo(clean_name(f"  {missing.name}"))
    if not removed:
        command = shlex.join(["hopline", "add", *map(str, paths), "-c", collection, "--remove-missing"])
        typer.echo(clean_name(f"Remove these documents with: {command}"))


def _print_skipped(batch: Batch) -> None:
    """Print the files of the folders that were not added, with the reason."""
    for file in batch.skipped[:MAX_SKIPPED]:
        typer.echo(clean_name(f"Skipped {file.path}: {file.reason.partition(';')[0]}"))
    if len(batch.skipped) > MAX_SKIPPED:
        typer.echo(f"Skipped {len(batch.skipped) - MAX_SKIPPED:,} more files; --json lists all")


def _print_failures(failures: tuple[Failure, ...]) -> None:
    for failure in failures:
        print_error(f"{failure.document}: {failure.reason}")
    if failures:
        raise typer.Exit(FAILED_DOCUMENTS)


def documents(
    *,
    collection: Collection = "default",
    filter: Filter = "",
    metadata: Annotated[bool, typer.Option("--metadata", help="Also show the metadata of each document.")] = False,
    facets: Annotated[
        bool,
        typer.Option("--facets", help="Show the keys of the metadata instead, with values and numbers of documents."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the documents of a collection with errors and warnings.

    The JSON always has the metadata.
    """
    if facets:
        return show_facets(collection, filter, as_json=as_json)
    with open_client() as hop:
        listed = _list_documents(hop, collection, filter)
    if as_json:
        return print_object({"collection": collection, "documents": [asdict(document) for document in listed]})
    from hopline.rendering import draw_documents

    return draw_documents(listed, get_console(), metadata=metadata)


def outline(
    name: Annotated[str, typer.Argument(help="Name or id of a document.")],
    *,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Show the sections, tables and figures of a document."""
    with open_client() as hop:
        listed = hop.documents.list(collection)
        document = next((item for item in listed if name in (item.id, item.name)), None)
        if document is None:
            raise UnknownName("document", name, [item.name for item in listed])
        items = hop.documents.outline(document.id)
    if as_json:
        return print_object({"document": document.id, "outline": [asdict(item) for item in items]})
    from hopline.rendering import draw_outline

    return draw_outline(items, get_console())


def _list_documents(hop: Hopline, collection: str, filter: str) -> list[Document]:
    """Return the documents of a collection; their warnings include those of their passages."""
    from hopline.documents.progress import describe_passages

    listed, documents = hop.documents.list(collection, filter=filter), []
    for start in range(0, len(listed), PROGRESS_BATCH):
        batch = listed[start : start + PROGRESS_BATCH]
        states = hop.documents.states([document.id for document in batch])
        for document in batch:
            state = states.get(document.id)
            warned = [describe_passages(state.warned, state.warning)] if state and state.warned else []
            documents.append(replace(document, warnings=(*document.warnings, *warned)))
    return documents


def retry(
    name: Annotated[str | None, typer.Argument(help="Name or id of a document. [default: all that failed]")] = None,
    *,
    collection: Collection = "default",
    max_calls: MaxCalls = None,
    as_json: AsJson = False,
) -> None:
    """Process again what failed.

    These are documents that failed, and passages that were extracted with a warning.
    """
    with open_client() as hop:
        again = hop.documents.retry(name, collection=collection, max_calls=max_calls)
        print_worker_notice(hop)
    if as_json:
        print_object({"collection": collection, "again": again})
    else:
        typer.echo(f"Queued {again:,} again in collection {collection}; see progress with: hopline status")


def remove(
    name: Annotated[str | None, typer.Argument(help="Name or id of a document.")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Remove the whole collection.")] = False,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Remove a document, or a whole collection with --all.

    Entities and triples that occur in no other document are removed as well.
    """
    if (name is None) != everything:
        raise UsageError("remove needs either the name of one document, or --all")
    with open_client() as hop:
        removed = hop.documents.remove(name, collection=collection)
    if as_json:
        print_object({"collection": collection, "removed": removed})
    else:
        typer.echo(f"Removed {removed:,} document{'' if removed == 1 else 's'} from collection {collection}")


def extract(
    *,
    collection: Collection = "default",
    model: Annotated[
        bool | None,
        typer.Option("--model/--rules", help="Extract with the language model or rules. [default: as before]"),
    ] = None,
    max_calls: MaxCalls = None,
    as_json: AsJson = False,
) -> None:
    """Extract entities and triples of a whole collection again.

    The choice of --model or --rules also applies to documents that are added later.
    """
    with open_client() as hop:
        passages = hop.documents.extract_again(collection, model=model, max_calls=max_calls)
        print_worker_notice(hop)
    if as_json:
        print_object({"collection": collection, "passages": passages})
    else:
        typer.echo(
            f"Queued {passages:,} passages of collection {collection} for extraction; see progress with: hopline status"
        )


def estimate(paths: Paths, *, collection: Collection = "default", as_json: AsJson = False) -> None:
    """Estimate the time and model calls of adding documents."""
    with open_client() as hop:
        forecast = hop.documents.estimate(paths, collection)
    if as_json:
        print_object(asdict(forecast))
    else:
        from hopline.rendering import draw_estimate

        draw_estimate(forecast, get_console())


def status(*, as_json: AsJson = False) -> None:
    """Show the status of database, worker and collections.

    A private database that is stopped is not started.
    """
    state = _read_stopped_status()
    if state is None:
        with open_client() as hop:
            state = hop.status()
    if as_json:
        print_object(asdict(state))
    else:
        from hopline.rendering import draw_status

        draw_status(state, get_console())


def _read_stopped_status() -> Status | None:
    """Return the status of a private server that does not run, without starting it; None otherwise."""
    from hopline.config import load_settings
    from hopline.documents.status import Status
    from hopline.neo4j_server import get_status

    settings = load_settings()
    if settings.neo4j_uri or get_status(settings).running:
        return None
    engine = {"private": True, "running": False, "home": str(settings.server_home)}
    return Status(engine=engine, embedder=settings.embedder, model=settings.model)
