"""The command that learns a strategy's parameters from questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hopline.cli.session import AsJson, Collection, opened, print_object
from hopline.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from hopline.training.gnn import Learned
    from hopline.training.scorer import LearnedScorer

PARTS: Final = ("scorer", "gnn", "rgnn")
QUESTIONS: Final = 20  # of gnn and rgnn; the papers take 20 and 5


def train(
    what: Annotated[
        str, typer.Argument(help="scorer, for the strategy hopline; gnn or rgnn, for gnn_ret and rgnn_ret.")
    ],
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl", help='Rows with "gold"; see the README.')],
    *,
    collection: Collection = "default",
    used_in: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            metavar="COLLECTION",
            help="Use a scorer in this collection, not in the one whose questions it learned from; may be repeated.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="The first so many questions; else all, for gnn and rgnn 20.")
    ] = None,
    layers: Annotated[int, typer.Option(min=1, max=3, help="Layers of the network of gnn and rgnn.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Learn a strategy's parameters from questions."""
    from hopline.evaluate import read_questions

    if what not in PARTS:
        raise UnknownName("part that can be trained", what, PARTS)
    if used_in and what != "scorer":
        raise UsageError(f"--for goes with the scorer; {what} is used in the collection that it learned from")
    rows = read_questions(questions, limit=limit if what == "scorer" else limit or QUESTIONS)
    learned: Learned | LearnedScorer
    with opened() as hop:
        if what == "scorer":
            learned = scorer = hop.train_scorer(rows, collection=collection, used_in=used_in or ())
            told, use = _of_scorer(scorer), f"-c {(used_in or [collection])[0]} -s hopline:trained=true"
        else:
            learned = network = hop.train(what, rows, collection=collection, layers=layers)
            told, use = _of_network(network, what), f"-c {collection} -s {what}_ret:trained=true"
    if as_json:
        print_object({"trained": what, "collection": collection, **learned.figures()})
        return
    typer.echo(told)
    typer.echo(f"use it: hopline ask … {use}")


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
