"""The command for feedback on answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.command import AsJson, Collection, get_console, open_client, print_object
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.records import Feedback


def feedback(
    *,
    collection: Collection = "default",
    questions: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Write the feedback as a question set for evaluate and train."),
    ] = None,
    delete: Annotated[str | None, typer.Option(metavar="ID", help="Delete feedback, by its id.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the feedback on answers, or write it as a question set."""
    if questions is not None and not questions.resolve().parent.is_dir():
        raise UsageError(f"cannot write {questions.name}: there is no folder {questions.resolve().parent}")
    with open_client() as hop:
        if delete is not None:
            hop.feedback.delete(delete)
            if as_json:
                print_object({"deleted": delete})
            else:
                typer.echo(f"Deleted: {delete}")
            return
        listed = hop.feedback.list(collection)
    if questions is not None:
        _write_questions(listed, questions, collection)
    elif as_json:
        print_object({"collection": collection, "feedback": [asdict(item) for item in listed]})
    else:
        _print_feedback(listed, collection)


def _write_questions(listed: Sequence[Feedback], file: Path, collection: str) -> None:
    """Write the feedback that is a question, and say how much is not.

    Raises:
        UsageError: none of it is.
    """
    from hopline.feedback.question_rows import write_question_rows

    count = sum(item.is_question for item in listed)
    left_out = len(listed) - count
    unknown = f"{left_out:,} of {len(listed):,} are answers that are wrong, of which no correct one is known"
    if not count:
        reason = unknown if listed else "it has no feedback"
        raise UsageError(f"collection {collection} has no feedback that is a question: {reason}")
    noun = "question" if count == 1 else "questions"
    file.write_text(write_question_rows(listed), encoding="utf-8")
    typer.echo(f"{count:,} {noun}; evaluate them with: hopline evaluate {file} -c {collection}")
    if left_out:
        typer.echo(f"Left out: {unknown}")


def _print_feedback(listed: Sequence[Feedback], collection: str) -> None:
    from rich.table import Table
    from rich.text import Text

    if not listed:
        typer.echo(f"Collection {collection} has no feedback")
        return
    table = Table("Id", "Question", "Answer", "Verdict", "Better answer", "Documents", "By", "Date", box=None)
    for item in listed:
        date = time.strftime("%Y-%m-%d", time.localtime(item.at))
        documents = ", ".join(dict.fromkeys(citation.document for citation in item.citations))
        answer = item.answer or "not found"
        table.add_row(
            *map(Text, (item.id, item.question, answer, item.verdict, item.better, documents, item.author, date))
        )
    get_console().print(table)
