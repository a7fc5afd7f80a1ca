"""The command that measures strategies on a question set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.command import NO_ENGINE, Collection, errors, opened, output
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.evaluation import Evaluation, Question


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
    baseline: Annotated[str | None, typer.Option(help="The strategy that the others are compared with.")] = None,
    grade: Annotated[bool, typer.Option("--grade", help="Have the configured model mark the answers.")] = False,
    seed: Annotated[int, typer.Option(help="Of the bootstrap intervals.")] = 0,
    graph: Annotated[
        list[str] | None,
        typer.Option(help="Measure a graph of kgp instead: entities, keywords or similar; may be repeated."),
    ] = None,
    neighbours: Annotated[
        int, typer.Option(min=1, help="Neighbours of one passage that are followed, with --graph.")
    ] = 50,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the table here as well.")
    ] = None,
) -> None:
    """Measure strategies on questions with known answers."""
    from hopline.config import load_settings
    from hopline.evaluation import read_questions
    from hopline.rendering.terminal import draw_evaluation
    from hopline.strategies import load_strategy

    rows = read_questions(questions, limit=limit)
    if json_file is not None and not json_file.resolve().parent.is_dir():
        raise UsageError(f"no folder {json_file.resolve().parent} to write {json_file.name} into")
    if graph:
        _measure_graphs(rows, graph, collection=collection, neighbours=neighbours, json_file=json_file)
        return
    names = strategy or [load_settings().strategy]
    for name in names:
        load_strategy(name)
    found = _measured(
        rows, names, collection=collection, k=k, answers=answers, grade=grade, seed=seed, baseline=baseline
    )
    draw_evaluation(found, output())
    if json_file is not None:
        json_file.write_text(json.dumps(found.to_dict(), indent=2) + "\n", encoding="utf-8")
    if all(row.failed == found.questions for row in found.strategies):
        raise typer.Exit(NO_ENGINE)


def _measure_graphs(
    rows: list[Question], graphs: list[str], *, collection: str, neighbours: int, json_file: Path | None
) -> None:
    from dataclasses import asdict

    from hopline.rendering.terminal import draw_graph_quality

    with opened() as hop:
        found = {
            name: hop.graph_quality(rows, graph=name, collection=collection, neighbours=neighbours) for name in graphs
        }
    draw_graph_quality(found, output())
    if json_file is not None:
        table = {name: [asdict(row) for row in reached] for name, reached in found.items()}
        json_file.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def prepare(
    file: Annotated[
        Path, typer.Argument(help="A question set as its authors publish it: .json or .jsonl, or either .gz.")
    ],
    folder: Annotated[Path, typer.Argument(help="Where corpus.jsonl.gz and questions.jsonl.gz are written.")],
    *,
    form: Annotated[str, typer.Option("--as", help="hotpotqa, 2wiki, musique, iirc, quality or financebench.")],
    articles: Annotated[Path | None, typer.Option(help="The linked articles of IIRC.")] = None,
) -> None:
    """Turn a published question set into files to add and evaluate."""
    from hopline.evaluation.datasets import read_published, write_prepared

    found = read_published(file, form, articles=articles)
    corpus, questions = write_prepared(found, folder)
    if corpus is not None:
        typer.echo(f"{len(found.passages):,} passages: hopline add {corpus}")
    typer.echo(f"{len(found.questions):,} questions: hopline evaluate {questions}")


def _measured(
    rows: list[Question],
    names: list[str],
    *,
    collection: str,
    k: int,
    answers: bool,
    grade: bool,
    seed: int,
    baseline: str | None,
) -> Evaluation:
    from rich.progress import Progress

    from hopline.evaluation import evaluate

    with opened() as hop, Progress(console=errors(), transient=True) as bars:
        tasks = {name: bars.add_task(name, total=len(rows)) for name in names}

        def listener(name: str, done: int, total: int) -> None:
            bars.update(tasks[name], completed=done, total=total)

        return evaluate(
            hop,
            rows,
            names,
            collection=collection,
            k=k,
            answers=answers,
            grade=grade,
            seed=seed,
            baseline=baseline,
            listener=listener,
        )
