"""Commands about documents: add, documents, remove, estimate, status."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from hopline.cli.command import FAILED_DOCUMENTS, AsJson, Collection, complain, opened, output, print_object
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.client import Batch, Failure
    from hopline.documents.addition import Titles
    from hopline.documents.library import Status

Paths = Annotated[
    list[Path],
    typer.Argument(
        exists=True,
        metavar="PATH…",
        help="Files or folders: PDF, DOCX, PPTX, HTML, EPUB, MD, TXT, .jsonl(.gz) of passages.",
    ),
]

MaxCalls = Annotated[
    int | None,
    typer.Option(min=0, help="Calls of the model that reading may make from now on, where one extracts."),
]


def add(
    paths: Paths,
    *,
    collection: Collection = "default",
    titles: Annotated[str, typer.Option(help="Titles of .jsonl rows: keep, ignore or drop.")] = "keep",
    max_calls: MaxCalls = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Stay until all is read, with progress.")] = True,
    as_json: AsJson = False,
) -> None:
    """Add documents and read them. Adding the same ones again changes nothing."""
    chosen = _titles(titles)
    with opened() as hop:
        batch = hop.add(paths, collection, titles=chosen, max_calls=max_calls)
        if wait:
            _wait(batch)
        failures = batch.failures
        progress = batch.progress()
    if as_json:
        print_object(
            {
                "collection": collection,
                "documents": list(batch.ids),
                "failures": [asdict(failure) for failure in failures],
                "progress": asdict(progress),
            }
        )
    else:
        _say_added(progress.passages, batch, collection, done=progress.done)
    _name_failures(failures)


def _titles(given: str) -> Titles:
    from hopline.documents.addition import Titles

    known: tuple[Titles, ...] = get_args(Titles)
    for name in known:
        if name == given:
            return name
    raise UsageError(f"--titles must be one of {', '.join(known)} (got {given!r})")


def _wait(batch: Batch) -> None:
    try:
        batch.wait(progress=True)
    except KeyboardInterrupt:
        complain("reading goes on without this command; hopline status says how far it is")
        raise typer.Exit(130) from None


def _say_added(passages: int, batch: Batch, collection: str, *, done: bool) -> None:
    if not batch.ids:
        typer.echo(f"nothing new: every document is in collection {collection} already")
    elif done:
        typer.echo(f"{len(batch.ids):,} documents in collection {collection}, {passages:,} passages and tables")
        typer.echo(f'Ask them: hopline ask "…" -c {collection}')
    else:
        typer.echo(f"{len(batch.ids):,} documents wait in collection {collection}; hopline status says how far it is")


def _name_failures(failures: tuple[Failure, ...]) -> None:
    for failure in failures:
        complain(f"{failure.document}: {failure.reason}")
    if failures:
        raise typer.Exit(FAILED_DOCUMENTS)


def documents(*, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List a collection's documents, and why some were not read."""
    with opened() as hop:
        found = hop.documents(collection)
    if as_json:
        print_object({"collection": collection, "documents": [asdict(document) for document in found]})
    else:
        from hopline.rendering.terminal import draw_documents

        draw_documents(found, output())


def retry(
    name: Annotated[str | None, typer.Argument(help="A document's name or id; default: all that failed.")] = None,
    *,
    collection: Collection = "default",
    max_calls: MaxCalls = None,
    as_json: AsJson = False,
) -> None:
    """Read what failed once more.

    That is documents, and passages that were read with a warning.
    """
    with opened() as hop:
        again = hop.retry(name, collection=collection, max_calls=max_calls)
    if as_json:
        print_object({"collection": collection, "again": again})
    else:
        typer.echo(f"{again:,} to be read again in collection {collection}; hopline status says how far it is")


def remove(
    name: Annotated[str | None, typer.Argument(help="A document's name or id.")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every document of the collection.")] = False,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Remove a document, or with --all a collection.

    What only they had put into the graph goes with them.
    """
    if (name is None) != everything:
        raise UsageError("remove needs the name of one document, or --all, and not both")
    with opened() as hop:
        removed = hop.remove(name, collection=collection)
    if as_json:
        print_object({"collection": collection, "removed": removed})
    else:
        typer.echo(f"removed {removed:,} document{'' if removed == 1 else 's'} from collection {collection}")


def reread(
    *,
    collection: Collection = "default",
    model: Annotated[
        bool | None, typer.Option("--model/--rules", help="By the language model, or by rules; default: as before.")
    ] = None,
    max_calls: MaxCalls = None,
    as_json: AsJson = False,
) -> None:
    """Extract entities and triples of a whole collection again.

    With --model or --rules, that is how the collection is read from now on.
    """
    with opened() as hop:
        passages = hop.reread(collection, model=model, max_calls=max_calls)
    if as_json:
        print_object({"collection": collection, "passages": passages})
    else:
        typer.echo(
            f"{passages:,} passages of collection {collection} are read again; hopline status says how far it is"
        )


def estimate(paths: Paths, *, collection: Collection = "default", as_json: AsJson = False) -> None:
    """Say what adding to a collection would take, and add nothing."""
    with opened() as hop:
        found = hop.estimate(paths, collection)
    if as_json:
        print_object(asdict(found))
    else:
        from hopline.rendering.terminal import draw_estimate

        draw_estimate(found, output())


def status(*, as_json: AsJson = False) -> None:
    """Say how engine, worker and collections are."""
    found = _unused()
    if found is None:
        with opened() as hop:
            found = hop.status()
    if as_json:
        print_object(asdict(found))
    else:
        from hopline.rendering.terminal import draw_status

        draw_status(found, output())


def _unused() -> Status | None:
    """The status of a private server that was never started, which asking does not change."""
    from hopline.config import load_settings
    from hopline.documents.library import Status

    settings = load_settings()
    if settings.neo4j_uri or settings.server_home.exists():
        return None
    engine = {"private": True, "running": False, "home": str(settings.server_home)}
    return Status(engine=engine, embedder=settings.embedder, model=settings.model)
