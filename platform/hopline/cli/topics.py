"""The command for the topics of a collection."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hopline.cli.command import AsJson, Collection, get_console, get_error_console, open_client, print_object
from hopline.cli.progress_bars import progress_bars
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.topics.collection_topics import CollectionTopics

POLL_SECONDS: Final = 0.5


def topics(
    *,
    collection: Collection = "default",
    learn: Annotated[bool, typer.Option("--learn", help="Learn the topics of the collection again.")] = False,
    count: Annotated[
        int | None, typer.Option(min=2, help="Number of topics. [default: by the size of the collection]")
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Questions with gold evidence, to learn the topics of questions.")
    ] = None,
    use: Annotated[str | None, typer.Option(metavar="SET", help="Use a topic set of `hopline train topics`.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Remove the topics of the collection.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the topics of a collection; learn them if it has none."""
    if sum([learn, use is not None, drop]) > 1:
        raise UsageError("--learn, --use and --drop cannot be combined")
    if (count or questions) and (use or drop):
        raise UsageError("--count and --questions cannot be combined with --use or --drop")
    with open_client() as hop:
        topics = hop.topics.list(collection)
        if use is not None or drop:
            hop.topics.assign(use or "", collection)
        elif learn or count or questions or not topics:
            _learn(hop, collection, count, questions)
        topics = _wait(hop, collection)
    if as_json:
        print_object({"collection": collection, **_to_dict(topics)})
    else:
        _print_topics(topics, collection)


def _learn(hop: Hopline, collection: str, count: int | None, path: Path | None) -> None:
    from hopline.evaluation import read_questions

    questions = read_questions(path) if path else []
    with progress_bars() as on_progress:
        hop.training.topics(collection, count=count, questions=questions, on_progress=on_progress)


def _wait(hop: Hopline, collection: str) -> CollectionTopics:
    """Wait until all evidence has topics, and return them; Ctrl-C returns the topics as they are."""
    topics = hop.topics.list(collection)
    with get_error_console().status("Assigning topics to passages and tables"):
        try:
            while topics.waiting:
                time.sleep(POLL_SECONDS)
                before, topics = topics.waiting, hop.topics.list(collection)
                if topics.waiting == before and not hop.status().worker:
                    break
        except KeyboardInterrupt:
            pass
    return topics


def _to_dict(topics: CollectionTopics) -> dict[str, Any]:
    return {"set": topics.set, "themes": [asdict(topic) for topic in topics.topics], "waiting": topics.waiting}


def _print_topics(topics: CollectionTopics, collection: str) -> None:
    from rich.table import Table

    if not topics:
        typer.echo(f"Collection {collection} has no topics; learn them with: hopline topics -c {collection}")
        return
    table = Table("Topic", "Passages and tables", box=None)
    table.columns[1].justify = "right"
    for topic in topics.topics:
        table.add_row(topic.name, f"{topic.evidence:,}")
    get_console().print(table)
    if topics.waiting:
        typer.echo(f"{topics.waiting:,} passages and tables are queued for the worker, or have no embedding yet")
    typer.echo(f"Search by topic with: hopline ask … -c {collection} -s ras")
