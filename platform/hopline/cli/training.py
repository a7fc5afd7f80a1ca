"""The command for training: parameters of strategies and weights of networks, learned from questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hopline.cli.command import AsJson, open_client, print_object
from hopline.cli.progress_bars import progress_bars
from hopline.cli.training_report import TrainingReport, report_card, summarize_gnn, summarize_reranker
from hopline.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.evaluation import Question
    from hopline.learned.weight_files import ModelCard
    from hopline.retrieval.reranking.features import NeuralFeature
    from hopline.training.progress import ProgressCallback
    from hopline.training.training_loop import Recipe

MAX_QUESTIONS: Final = 20  # for gnn and rgnn; the papers use 20 and 5

Rows = Annotated[
    list[Path],
    typer.Argument(
        metavar="ROWS.jsonl…",
        help="Questions with gold evidence; graph_hop: evidence graphs; topics: labelled texts; "
        "reader: files of SQuAD (.json) or MRQA (.jsonl, .jsonl.gz).",
    ),
]
Collections = Annotated[
    list[str] | None,
    typer.Option(
        "--collection",
        "-c",
        help="Collection of the questions; mdr, writer and reader: one for each file. reader: without it, files of "
        "questions on paragraphs. [default: default]",
    ),
]


def train(
    what: Annotated[
        str,
        typer.Argument(
            help="reranker (hopline), gnn, rgnn, mdr (mdr, kgp), writer (kgp), graph_hop, topics, "
            "graph_llm (ras) or reader."
        ),
    ],
    rows: Rows,
    *,
    collection: Collections = None,
    used_in: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            metavar="COLLECTION",
            help="Use the reranker in this collection instead of that of its questions; may be repeated.",
        ),
    ] = None,
    neural_features: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="FEATURE", help="Neural feature: guide, topics or hops; may be repeated."),
    ] = None,
    dev: Annotated[Path | None, typer.Option(help="Evidence graphs for the model selection of graph_hop.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Use only the first N rows of a file. [default: all; gnn and rgnn: 20]")
    ] = None,
    layers: Annotated[int, typer.Option(min=1, max=6, help="Layers of the GNN, or layers of MiniLM to fine-tune.")] = 1,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="gnn and rgnn: nearest passages that send messages (K). [default: 5]")
    ] = None,
    competitors: Annotated[
        int | None,
        typer.Option(min=1, help="gnn, rgnn: nearest passages that gold is compared with (O). [default: 25, 10]"),
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Number of epochs, for networks.")] = None,
    name: Annotated[
        str | None, typer.Option(metavar="SET", help="Name of the topic set. [default: name of the file]")
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(
            help="writer and graph_llm: a small language model, as a folder of transformers or a .gguf file; reader: a "
            "folder of weights to continue from, or `included`."
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            help="Resume an interrupted training of the reader, or start from the beginning with --no-resume."
        ),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Train a part of a strategy, or the reader, on questions."""
    if what not in PARTS:
        raise UnknownName("part to train", what, PARTS)
    _check_options(what, {"--for": used_in, "--with": neural_features}, ("reranker",))
    _check_options(what, {"--nodes": nodes, "--competitors": competitors}, ("gnn", "rgnn"))
    extras = _parse_neural_features(neural_features or [])
    names = collection or ["default"]
    takes_several = what in ("mdr", "writer")
    if what == "reader":
        takes_several = bool(collection)
    if takes_several and len(names) != len(rows):
        raise UsageError(f"{what} needs one -c for each file of questions (got {len(names)} for {len(rows)} files)")
    if not takes_several and what != "reader" and (len(rows) != 1 or len(names) != 1):
        raise UsageError(f"{what} takes one file and one collection (got {len(rows)} and {len(names)})")
    arguments = _Arguments(
        rows,
        names,
        limit,
        epochs,
        layers,
        nodes,
        competitors,
        dev,
        name,
        base,
        used_in or [],
        extras,
        resume,
        bool(collection),
    )
    with open_client() as hop, progress_bars() as on_progress:
        if what in NETWORKS:
            train_network, use = NETWORKS[what]
            report = report_card(train_network(hop, arguments, on_progress), use)
        elif what == "reranker":
            report = _train_reranker(hop, arguments, on_progress)
        else:
            report = _train_gnn(hop, what, arguments, on_progress)
    if as_json:
        print_object({"trained": what, "collection": names[0], **report.figures})
        return
    typer.echo(report.summary)
    typer.echo(f"Use it with: hopline ask … {report.use}")


def _check_options(what: str, options: Mapping[str, object], parts: Sequence[str]) -> None:
    """Raise `UsageError` for an option with a value that does not apply to what is trained."""
    for name, value in options.items():
        if value and what not in parts:
            raise UsageError(f"{name} applies to {' and '.join(parts)} only (got {what})")


def _parse_neural_features(names: list[str]) -> list[NeuralFeature]:
    for name in names:
        if name not in NEURAL_FEATURES:
            raise UnknownName("neural feature", name, tuple(NEURAL_FEATURES))
    return [feature for name, feature in NEURAL_FEATURES.items() if name in names]


@dataclass(frozen=True, slots=True)
class _Arguments:
    """Arguments of the command."""

    rows: Sequence[Path]
    names: Sequence[str]
    limit: int | None
    epochs: int | None
    layers: int
    nodes: int | None
    competitors: int | None
    dev: Path | None
    name: str | None
    base: Path | None
    used_in: Sequence[str]
    extras: Sequence[NeuralFeature]
    resume: bool
    by_collection: bool


def _train_reranker(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> TrainingReport:
    from hopline.evaluation import read_questions

    questions, [name] = read_questions(arguments.rows[0], limit=arguments.limit), arguments.names
    result = hop.training.reranker(
        questions, collection=name, used_in=arguments.used_in, extras=arguments.extras, on_progress=on_progress
    )
    use = f"-c {[*arguments.used_in, name][0]} -s hopline:trained=true"
    return TrainingReport(summarize_reranker(result), result.summary(), use)


def _train_gnn(hop: Hopline, what: str, arguments: _Arguments, on_progress: ProgressCallback) -> TrainingReport:
    from hopline.evaluation import read_questions

    questions, [name] = read_questions(arguments.rows[0], limit=arguments.limit or MAX_QUESTIONS), arguments.names
    result = hop.training.gnn(
        what,
        questions,
        collection=name,
        layers=arguments.layers,
        nodes=arguments.nodes,
        competitors=arguments.competitors,
        on_progress=on_progress,
    )
    return TrainingReport(summarize_gnn(result, what), result.to_dict(), f"-c {name} -s {what}_ret:trained=true")


def _read_by_collection(arguments: _Arguments) -> tuple[dict[str, list[Question]], dict[str, str]]:
    from hopline.evaluation import read_questions

    pairs = zip(arguments.names, arguments.rows, strict=True)
    questions = {name: read_questions(path, limit=arguments.limit) for name, path in pairs}
    return questions, {"learned from": ", ".join(path.name for path in arguments.rows)}


def _train_mdr(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> ModelCard:
    from hopline.training.mdr import RECIPE

    questions, metadata = _read_by_collection(arguments)
    recipe = _with_epochs(RECIPE, arguments.epochs)
    return hop.training.mdr(questions, recipe=recipe, metadata=metadata, on_progress=on_progress)


def _train_writer(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> ModelCard:
    from hopline.training.writer import RECIPE

    questions, metadata = _read_by_collection(arguments)
    base, recipe = _get_base_model("writer", arguments), _with_epochs(RECIPE, arguments.epochs)
    return hop.training.writer(questions, base, recipe=recipe, metadata=metadata, on_progress=on_progress)


def _get_base_model(what: str, arguments: _Arguments) -> Path:
    if arguments.base is None:
        raise UsageError(f"{what} needs --base, a small language model: a folder of transformers or a .gguf file")
    return arguments.base.resolve()


def _train_graph_hop(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> ModelCard:
    from hopline.evaluation.evidence_graphs import read_evidence_graphs
    from hopline.training.graph_hop import GraphHopConfig

    config = replace(GraphHopConfig(), layers=arguments.layers)
    config = replace(config, recipe=_with_epochs(config.recipe, arguments.epochs))
    metadata = {"learned from": arguments.rows[0].name, **({"chosen on": arguments.dev.name} if arguments.dev else {})}
    dev_graphs = read_evidence_graphs(arguments.dev, limit=arguments.limit) if arguments.dev else []
    graphs = read_evidence_graphs(arguments.rows[0], limit=arguments.limit)
    return hop.training.graph_hop(graphs, dev_graphs, config=config, metadata=metadata, on_progress=on_progress)


def _train_topics(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> ModelCard:
    from hopline.evaluation.labels import read_labelled_texts
    from hopline.training.topic_classifier import choose_recipe

    rows = read_labelled_texts(arguments.rows[0], limit=arguments.limit)
    name = arguments.name or re.sub(r"\W+", "_", arguments.rows[0].name.split(".")[0].lower())
    recipe, metadata = choose_recipe(len(rows), epochs=arguments.epochs), {"learned from": arguments.rows[0].name}
    return hop.training.topic_classifier(rows, name, recipe=recipe, metadata=metadata, on_progress=on_progress)


def _train_graph_llm(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> ModelCard:
    from hopline.evaluation import read_questions
    from hopline.training.graph_llm import GraphLlmConfig

    config = GraphLlmConfig(_get_base_model("graph_llm", arguments))
    config = replace(config, recipe=_with_epochs(config.recipe, arguments.epochs))
    questions = read_questions(arguments.rows[0], limit=arguments.limit)
    samples = hop.training.label_questions(questions, collection=arguments.names[0], on_progress=on_progress)
    metadata = {"learned from": arguments.rows[0].name, "labelled by": hop.settings.model}
    return hop.training.graph_llm(samples, config.base, config=config, metadata=metadata, on_progress=on_progress)


def _train_reader(hop: Hopline, arguments: _Arguments, on_progress: ProgressCallback) -> ModelCard:
    from hopline.training.reader import RECIPE

    recipe = _with_epochs(RECIPE, arguments.epochs)
    questions = _read_by_collection(arguments)[0] if arguments.by_collection else None
    return hop.training.reader(
        () if questions else arguments.rows,
        questions,
        base=arguments.base,
        recipe=recipe,
        resume=arguments.resume,
        on_progress=on_progress,
    )


NETWORKS: Final = {  # networks for any collection: training function, and options of `hopline ask` that use it
    "mdr": (_train_mdr, "-s mdr:trained=true, kgp:guide=mdr or guided:guide=mdr"),
    "writer": (_train_writer, "-s kgp:guide=writer or guided:guide=writer"),
    "graph_hop": (_train_graph_hop, "-s graph_hop:follows=network"),
    "topics": (_train_topics, "-s ras, after: hopline topics --use"),
    "graph_llm": (_train_graph_llm, "-s ras:planner=trained"),
    "reader": (_train_reader, "with any strategy"),
}
NEURAL_FEATURES: Final[dict[str, NeuralFeature]] = {"guide": "guide", "topics": "themes", "hops": "hops"}
PARTS: Final = ("reranker", "gnn", "rgnn", *NETWORKS)


def _with_epochs(recipe: Recipe, epochs: int | None) -> Recipe:
    return replace(recipe, epochs=epochs) if epochs else recipe
