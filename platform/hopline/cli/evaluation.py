"""The command that measures strategies on a question set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.session import NO_ENGINE, Collection, errors, opened, output
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.evaluate import Evaluation, Question


def evaluate(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS.jsonl", help="Plain or .gz; its rows: see the README.")
    ],
    *,
    collection: Collection = "default",
    strategy: Annotated[list[str] | None, typer.Option("--strategy", "-s", help="May be repeated.")] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How much evidence.")] = 10,
    limit: Annotated[int | None, typer.Option(min=1, help="The first so many questions.")] = None,
    answers: Annotated[bool, typer.Option("--answers/--no-answers", help="Ask, or only retrieve.")] = True,
    seed: Annotated[int, typer.Option(help="Of the bootstrap intervals.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the table here as well.")
    ] = None,
) -> None:
    """Measure strategies on questions with known answers."""
    from hopline.config import load_settings
    from hopline.evaluate import read_questions
    from hopline.strategies import load_strategy
    from hopline.terminal import draw_evaluation

    rows = read_questions(questions, limit=limit)
    if json_file is not None and not json_file.resolve().parent.is_dir():
        raise UsageError(f"no folder {json_file.resolve().parent} to write {json_file.name} into")
    names = strategy or [load_settings().strategy]
    for name in names:
        load_strategy(name)
    found = _measured(rows, names, collection=collection, k=k, answers=answers, seed=seed)
    draw_evaluation(found, output())
    if json_file is not None:
        json_file.write_text(json.dumps(found.to_dict(), indent=2) + "\n", encoding="utf-8")
    if all(row.failed == found.questions for row in found.strategies):
        raise typer.Exit(NO_ENGINE)


def _measured(
    rows: list[Question], names: list[str], *, collection: str, k: int, answers: bool, seed: int
) -> Evaluation:
    from rich.progress import Progress

    from hopline.evaluate import evaluate

    with opened() as hop, Progress(console=errors(), transient=True) as bars:
        tasks = {name: bars.add_task(name, total=len(rows)) for name in names}

        def listener(name: str, done: int, total: int) -> None:
            bars.update(tasks[name], completed=done, total=total)

        return evaluate(hop, rows, names, collection=collection, k=k, answers=answers, seed=seed, listener=listener)
