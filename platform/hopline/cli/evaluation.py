"""Commands for evaluation: evaluate, prepare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from hopline.cli.command import (
    FAILED_DOCUMENTS,
    UNAVAILABLE,
    Collection,
    Filter,
    get_console,
    get_error_console,
    open_client,
    print_error,
)
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.evaluation import Evaluation, Question
    from hopline.evaluation.ablations import AblationResult
    from hopline.evaluation.experiment import EvaluationCallback

DEFAULT_K: Final = 10


def evaluate(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS.jsonl", help="Question set: one JSON object per line, plain or .gz.")
    ],
    *,
    collection: Collection = "default",
    strategy: Annotated[list[str] | None, typer.Option("--strategy", "-s", help="Strategy; may be repeated.")] = None,
    k: Annotated[
        list[int] | None,
        typer.Option(
            "-k",
            min=1,
            help="Number of passages and tables to retrieve; may be repeated, for one run each. [default: 10]",
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Use only the first N questions.")] = None,
    answers: Annotated[
        Literal["product", "paper", "none"],
        typer.Option(
            metavar="KIND",
            help="Answers to evaluate: product (those of ask), paper (the model's, from the evidence of the strategy "
            "alone, as papers do it) or none.",
        ),
    ] = "product",
    answer_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="With --answers paper: tokens of evidence that the model reads."),
    ] = None,
    own_documents: Annotated[
        bool, typer.Option("--own-documents", help="Search for each question in its own documents only.")
    ] = False,
    filter: Filter = "",
    baseline: Annotated[str | None, typer.Option(help="Strategy to compare the others with.")] = None,
    grade: Annotated[bool, typer.Option("--grade", help="Grade the answers with the language model.")] = False,
    cached: Annotated[
        bool, typer.Option("--cached", help="Use cached replies of the language model; latencies then include them.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Random seed of the bootstrap intervals.")] = 0,
    graph: Annotated[
        list[str] | None,
        typer.Option(
            help="Evaluate a passage graph of kgp instead: entities, keywords, similar or mdr; may be repeated."
        ),
    ] = None,
    neighbours: Annotated[
        int, typer.Option(min=1, help="With --graph: number of neighbours of a passage to follow.")
    ] = 50,
    ablate: Annotated[
        str | None,
        typer.Option(
            metavar="PAPER",
            help="Run the ablations of a paper instead, beside its figures: gnn_ret, gear, kgp, ras, or graph_hop, "
            "whose questions are evidence graphs. Answers are evaluated with --answers paper only.",
        ),
    ] = None,
    fail_under: Annotated[
        str | None,
        typer.Option(
            metavar="METRIC=VALUE,…",
            help="Exit with 1 if the mean of a metric of a strategy is lower: R@5=0.9,F1=0.6.",
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write the results to this file.")
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="With --ablate: continue an interrupted run with the rows of --json."),
    ] = False,
) -> None:
    """Evaluate strategies on questions with known answers."""
    from hopline.config import load_settings
    from hopline.evaluation import evaluate as evaluate_strategies
    from hopline.evaluation import read_questions
    from hopline.evaluation.minimums import find_failures, parse_minimums
    from hopline.rendering import draw_evaluation
    from hopline.strategies import check_strategy

    if json_file is not None and not json_file.resolve().parent.is_dir():
        raise UsageError(f"cannot write {json_file.name}: there is no folder {json_file.resolve().parent}")
    minimums = parse_minimums(fail_under or "")
    if ablate is not None:
        _run_ablations(ablate, questions, collection, limit, json_file, resume=resume, with_answers=answers == "paper")
        return
    rows = read_questions(questions, limit=limit)
    if graph:
        _evaluate_graphs(rows, graph, collection=collection, neighbours=neighbours, json_file=json_file)
        return
    names = strategy or [load_settings().strategy]
    for name in names:
        check_strategy(name)
    experiments = []
    with open_client() as hop:
        for count in dict.fromkeys(k or [DEFAULT_K]):
            with _show_progress(names, len(rows)) as on_progress:
                experiment = evaluate_strategies(
                    hop,
                    rows,
                    names,
                    collection=collection,
                    k=count,
                    answers=False if answers == "none" else answers,
                    answer_tokens=answer_tokens,
                    own_documents=own_documents,
                    filter=filter,
                    grade=grade,
                    seed=seed,
                    baseline=baseline,
                    cached=cached,
                    on_progress=on_progress,
                )
            draw_evaluation(experiment, get_console())
            experiments.append(experiment)
    if json_file is not None:
        _write_json(experiments, json_file)
    if all(row.failed == experiment.questions for experiment in experiments for row in experiment.strategies):
        raise typer.Exit(UNAVAILABLE)
    if failures := [failure for experiment in experiments for failure in find_failures(experiment, minimums)]:
        for failure in failures:
            print_error(failure)
        raise typer.Exit(FAILED_DOCUMENTS)


def _run_ablations(
    paper: str,
    questions: Path,
    collection: str,
    limit: int | None,
    json_file: Path | None,
    *,
    resume: bool,
    with_answers: bool,
) -> None:
    """Print each table of a paper's ablations when it is complete, and write every row when it is measured."""
    from hopline.atomic_files import write_text_atomically
    from hopline.evaluation import read_questions
    from hopline.evaluation.ablations import list_ablations, run_ablations, run_graph_ablations
    from hopline.evaluation.evidence_graphs import read_evidence_graphs
    from hopline.rendering import draw_ablation

    list_ablations(paper)  # an unknown paper is an error before anything is opened
    if resume and json_file is None:
        raise UsageError("--resume continues with the rows in a file; give it with --json FILE")
    earlier = json.loads(json_file.read_text(encoding="utf-8")) if resume and json_file and json_file.exists() else []
    results: list[dict[str, Any]] = []

    def write(*tables: AblationResult) -> None:
        if json_file is not None:
            done = results + [table.to_dict() for table in tables]
            write_text_atomically(json_file, json.dumps(done + earlier[len(done) :], indent=2) + "\n")

    with open_client() as hop, _show_current_row() as on_progress:
        if paper == "graph_hop":
            tables = run_graph_ablations(hop.evaluation, read_evidence_graphs(questions, limit=limit))
        else:
            tables = run_ablations(
                hop,
                read_questions(questions, limit=limit),
                paper,
                collection=collection,
                answers="paper" if with_answers else False,
                on_progress=on_progress,
                on_row=write,
                earlier=earlier,
            )
        for table in tables:
            draw_ablation(table, get_console())
            results.append(table.to_dict())
            write()


def _write_json(experiments: Sequence[Evaluation], file: Path) -> None:
    """Write the results of one run as an object, those of several as a list."""
    results = [experiment.to_dict() for experiment in experiments]
    file.write_text(json.dumps(results if len(results) > 1 else results[0], indent=2) + "\n", encoding="utf-8")


def _evaluate_graphs(
    rows: list[Question], graphs: list[str], *, collection: str, neighbours: int, json_file: Path | None
) -> None:
    from hopline.rendering import draw_graph_quality

    with open_client() as hop:
        quality = {
            name: hop.evaluation.graph_quality(rows, graph=name, collection=collection, neighbours=neighbours)
            for name in graphs
        }
    draw_graph_quality(quality, get_console())
    if json_file is not None:
        table = {name: [asdict(row) for row in reached] for name, reached in quality.items()}
        json_file.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def prepare(
    file: Annotated[Path, typer.Argument(help="Published question set: .json or .jsonl, plain or .gz.")],
    folder: Annotated[Path, typer.Argument(help="Output folder of corpus.jsonl.gz and questions.jsonl.gz.")],
    *,
    form: Annotated[str, typer.Option("--as", help="Format: hotpotqa, 2wiki, musique, iirc, quality or financebench.")],
    articles: Annotated[Path | None, typer.Option(help="Linked articles of IIRC.")] = None,
    split: Annotated[
        bool, typer.Option("--split", help="Let add split passages of more than 200 tokens, which keep their id.")
    ] = False,
) -> None:
    """Convert a published question set for add and evaluate."""
    from hopline.evaluation.datasets import read_dataset, write_dataset

    dataset = read_dataset(file, form, articles=articles, split=split)
    corpus, questions = write_dataset(dataset, folder)
    if corpus is not None:
        typer.echo(f"{len(dataset.passages):,} passages; add them with: hopline add {corpus}")
    typer.echo(f"{len(dataset.questions):,} questions; evaluate them with: hopline evaluate {questions}")


@contextmanager
def _show_progress(strategies: list[str], questions: int) -> Iterator[EvaluationCallback]:
    """Show a progress bar for each strategy; yields the function that updates them."""
    from rich.progress import Progress

    with Progress(console=get_error_console(), transient=True) as bars:
        tasks = {name: bars.add_task(name, total=questions) for name in strategies}

        def on_progress(name: str, done: int, total: int) -> None:
            bars.update(tasks[name], completed=done, total=total)

        yield on_progress


@contextmanager
def _show_current_row() -> Iterator[EvaluationCallback]:
    """Show one progress bar with the row that is being measured; yields the function that updates it."""
    from rich.progress import Progress

    with Progress(console=get_error_console(), transient=True) as bars:
        task = bars.add_task("", total=None)

        def on_progress(label: str, done: int, total: int) -> None:
            bars.update(task, description=label, completed=done, total=total)

        yield on_progress
