"""The command that learns a strategy's parameters from questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hopline.cli.session import AsJson, Collection, opened, print_object


def train(
    what: Annotated[str, typer.Argument(help="gnn or rgnn: for the strategies gnn_ret and rgnn_ret.")],
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl", help='Rows with "gold"; see the README.')],
    *,
    collection: Collection = "default",
    limit: Annotated[int, typer.Option(min=1, help="The first so many questions; the paper takes 20 and 5.")] = 20,
    layers: Annotated[int, typer.Option(min=1, max=3, help="Layers of the network.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Learn a strategy's parameters from questions."""
    from hopline.evaluate import read_questions

    rows = read_questions(questions, limit=limit)
    with opened() as hop:
        learned = hop.train(what, rows, collection=collection, layers=layers)
    if as_json:
        print_object({"trained": what, "collection": collection, **learned.to_dict()})
        return
    alphas = ", ".join(f"{alpha:.3f}" for alpha in learned.alphas)
    beta = f", beta {learned.beta:.3f}" if what == "rgnn" else ""
    typer.echo(
        f"alpha {alphas}{beta}: learned from {learned.questions} questions in {learned.rounds} rounds, "
        f"loss {learned.loss_before:.4f} -> {learned.loss_after:.4f}"
    )
    typer.echo(f"use it: hopline ask … -c {collection} -s {what}_ret:trained=true")
