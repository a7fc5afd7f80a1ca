"""The command that learns a strategy's parameters, or a network's weights, from questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import typer

from hopline.cli.command import AsJson, errors, opened, print_object
from hopline.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from hopline.client import Hopline
    from hopline.evaluation import Question
    from hopline.learned.weight_files import Card
    from hopline.retrieval.reranking.neural_features import Extra
    from hopline.training.gnn import Learned
    from hopline.training.progress import Listener
    from hopline.training.reranker import LearnedScorer
    from hopline.training.training_loop import Recipe

QUESTIONS: Final = 20  # of gnn and rgnn; the papers take 20 and 5

Rows = Annotated[
    list[Path], typer.Argument(metavar="ROWS.jsonl…", help="Questions with gold; graph_hop: graphs; themes: texts.")
]
Collections = Annotated[
    list[str] | None,
    typer.Option(
        "--collection", "-c", help="Whose questions these are; of mdr and writer one for each file. [default: default]"
    ),
]


def train(
    what: Annotated[
        str,
        typer.Argument(
            help="scorer (for hopline), gnn, rgnn, mdr (mdr, kgp), writer (kgp), graph_hop, themes or graph_llm (ras)."
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
            help="Use a scorer in this collection, not in the one whose questions it learned from; may be repeated.",
        ),
    ] = None,
    listen: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="PART", help="What a scorer listens to as well: guide, themes, hops; repeated."),
    ] = None,
    dev: Annotated[Path | None, typer.Option(help="Graphs on which graph_hop chooses what decides.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="The first so many rows of a file; else all, for gnn and rgnn 20.")
    ] = None,
    layers: Annotated[int, typer.Option(min=1, max=6, help="Layers: of gnn and rgnn, or of MiniLM that learn.")] = 1,
    epochs: Annotated[int | None, typer.Option(min=1, help="Rounds over all rows, of a network.")] = None,
    name: Annotated[
        str | None, typer.Option(metavar="SET", help="What a set of themes is called. [default: the file's name]")
    ] = None,
    base: Annotated[
        Path | None,
        typer.Option(help="Of writer and graph_llm: a small language model, a folder of transformers or a .gguf file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn a strategy's parameters from questions."""
    if what not in PARTS:
        raise UnknownName("part that can be trained", what, PARTS)
    if used_in and what != "scorer":
        raise UsageError(f"--for goes with the scorer; {what} has no use for it")
    extras = _extras(listen or [])
    if extras and what != "scorer":
        raise UsageError(f"--with goes with the scorer; {what} has no use for it")
    names = collection or ["default"]
    several = what in ("mdr", "writer")
    if several and len(names) != len(rows):
        raise UsageError(f"{what} needs one -c for each file of questions (got {len(names)} for {len(rows)} files)")
    if not several and (len(rows) != 1 or len(names) != 1):
        raise UsageError(f"{what} learns from one file and one collection (got {len(rows)} and {len(names)})")
    given = _Given(rows, names, limit, epochs, layers, dev, name, base, used_in or [], extras)
    with opened() as hop, told_as_bars() as listener:
        if what in NETWORKS:
            learn, use = NETWORKS[what]
            learned = _of_card(learn(hop, given, listener), use)
        elif what == "scorer":
            learned = _scorer(hop, given, listener)
        else:
            learned = _alphas(hop, what, given, listener)
    if as_json:
        print_object({"trained": what, "collection": names[0], **learned.figures})
        return
    typer.echo(learned.told)
    typer.echo(f"use it: hopline ask … {learned.use}")


def _extras(names: list[str]) -> list[Extra]:
    from hopline.retrieval.reranking.neural_features import Extra

    known: tuple[Extra, ...] = get_args(Extra)
    for name in names:
        if name not in known:
            raise UnknownName("part that a scorer listens to", name, known)
    return [one for one in known if one in names]


@dataclass(frozen=True, slots=True)
class _Said:
    """What is told of what was learned: in words, as figures, and how it is used."""

    told: str
    figures: dict[str, Any]
    use: str


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says about a training."""

    rows: Sequence[Path]
    names: Sequence[str]
    limit: int | None
    epochs: int | None
    layers: int
    dev: Path | None
    name: str | None
    base: Path | None
    used_in: Sequence[str]
    extras: Sequence[Extra]


def _scorer(hop: Hopline, given: _Given, listener: Listener) -> _Said:
    from hopline.evaluation import read_questions

    questions, [name] = read_questions(given.rows[0], limit=given.limit), given.names
    scorer = hop.train_scorer(questions, collection=name, used_in=given.used_in, extras=given.extras, listener=listener)
    return _Said(_of_scorer(scorer), scorer.figures(), f"-c {[*given.used_in, name][0]} -s hopline:trained=true")


def _alphas(hop: Hopline, what: str, given: _Given, listener: Listener) -> _Said:
    from hopline.evaluation import read_questions

    questions, [name] = read_questions(given.rows[0], limit=given.limit or QUESTIONS), given.names
    network = hop.train(what, questions, collection=name, layers=given.layers, listener=listener)
    return _Said(_of_network(network, what), network.figures(), f"-c {name} -s {what}_ret:trained=true")


def _by_collection(given: _Given) -> tuple[dict[str, list[Question]], dict[str, str]]:
    from hopline.evaluation import read_questions

    pairs = zip(given.names, given.rows, strict=True)
    asked = {name: read_questions(path, limit=given.limit) for name, path in pairs}
    return asked, {"learned from": ", ".join(path.name for path in given.rows)}


def _mdr(hop: Hopline, given: _Given, listener: Listener) -> Card:
    from hopline.training.mdr import RECIPE

    asked, told = _by_collection(given)
    return hop.train_mdr(asked, recipe=_longer(RECIPE, given.epochs), told=told, listener=listener)


def _writer(hop: Hopline, given: _Given, listener: Listener) -> Card:
    from hopline.training.writer import RECIPE

    asked, told = _by_collection(given)
    recipe = _longer(RECIPE, given.epochs)
    return hop.train_writer(asked, _base("writer", given), recipe=recipe, told=told, listener=listener)


def _base(what: str, given: _Given) -> Path:
    if given.base is None:
        raise UsageError(f"{what} needs --base, a small language model: a folder of transformers or a .gguf file")
    return given.base.resolve()


def _graph_hop(hop: Hopline, given: _Given, listener: Listener) -> Card:
    from hopline.evaluation.evidence_graphs import read_graphs
    from hopline.training.graph_hop import Setup

    setup = replace(Setup(), layers=given.layers)
    setup = replace(setup, recipe=_longer(setup.recipe, given.epochs))
    told = {"learned from": given.rows[0].name, **({"chosen on": given.dev.name} if given.dev else {})}
    chosen_on = read_graphs(given.dev, limit=given.limit) if given.dev else []
    graphs = read_graphs(given.rows[0], limit=given.limit)
    return hop.train_graph_hop(graphs, chosen_on, setup=setup, told=told, listener=listener)


def _themes(hop: Hopline, given: _Given, listener: Listener) -> Card:
    from hopline.evaluation.labels import read_labelled
    from hopline.training.topic_classifier import recipe_for

    rows = read_labelled(given.rows[0], limit=given.limit)
    name = given.name or re.sub(r"\W+", "_", given.rows[0].name.split(".")[0].lower())
    recipe, told = recipe_for(len(rows), epochs=given.epochs), {"learned from": given.rows[0].name}
    return hop.train_themes(rows, name, recipe=recipe, told=told, listener=listener)


def _graph_llm(hop: Hopline, given: _Given, listener: Listener) -> Card:
    from hopline.evaluation import read_questions
    from hopline.training.graph_llm import Setup

    setup = Setup(_base("graph_llm", given))
    setup = replace(setup, recipe=_longer(setup.recipe, given.epochs))
    questions = read_questions(given.rows[0], limit=given.limit)
    samples = hop.label_questions(questions, collection=given.names[0], listener=listener)
    told = {"learned from": given.rows[0].name, "labelled by": hop.settings.model}
    return hop.train_graph_llm(samples, setup.base, setup=setup, told=told, listener=listener)


NETWORKS: Final = {  # what is made on this machine, for any collection, and how it is used
    "mdr": (_mdr, "-s mdr:trained=true, kgp:guide=mdr or guided:guide=mdr"),
    "writer": (_writer, "-s kgp:guide=writer or guided:guide=writer"),
    "graph_hop": (_graph_hop, "-s graph_hop:follows=network"),
    "themes": (_themes, "-s ras, after: hopline themes --use"),
    "graph_llm": (_graph_llm, "-s ras:planner=trained"),
}
PARTS: Final = ("scorer", "gnn", "rgnn", *NETWORKS)


def _longer(recipe: Recipe, epochs: int | None) -> Recipe:
    return replace(recipe, epochs=epochs) if epochs else recipe


@contextmanager
def told_as_bars() -> Iterator[Listener]:
    """A bar on stderr for each phase of a training."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors()) as bars:
        known: dict[str, Any] = {}

        def listener(told: Any) -> None:
            if told.phase not in known:
                known[told.phase] = bars.add_task(told.phase, total=told.total)
            loss = f", loss {told.loss:.3f}" if told.loss else ""
            bars.update(known[told.phase], completed=told.done, description=f"{told.phase}{loss}")

        yield listener


def _of_card(card: Card, use: str) -> _Said:
    figures = "; ".join(f"{name} {value}" for name, value in card.figures.items() if not isinstance(value, dict))
    told = f"{card.part}: {figures}; {card.seconds:.0f} s. The whole card: hopline's home folder, weights/{card.part}"
    _, _, name = card.part.partition("/")
    return _Said(told, asdict(card), f"{use} {name}".rstrip())


def _of_network(learned: Learned, what: str) -> str:
    alphas = ", ".join(f"{alpha:.3f}" for alpha in learned.alphas)
    beta = f", beta {learned.beta:.3f}" if what == "rgnn" else ""
    return (
        f"alpha {alphas}{beta}: learned from {learned.questions} questions in {learned.rounds} rounds, "
        f"loss {learned.loss_before:.4f} -> {learned.loss_after:.4f}"
    )


def _of_scorer(learned: LearnedScorer) -> str:
    rounds = ", ".join(f"{100 * recall:.1f}" for recall in learned.held_out)
    told = (
        f"recall@5 on held-out folds of {learned.questions} questions: untrained {100 * learned.untrained:.1f}, "
        f"after each round {rounds}"
    )
    if not learned.wins:
        return (
            f"{told}\nthe untrained order wins, so hopline:trained=true goes on with that; more questions may change it"
        )
    return f"{told}\nrounds used: {learned.scorer.rounds}"
