"""Commands about questions: ask, retrieve, show, strategies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.command import NO_ENGINE, AsJson, Collection, complain, errors, opened, output, print_object
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.types import TraceStep

Asked = Annotated[str, typer.Argument(metavar="QUESTION", help="In words, within quotes.")]
Strategy = Annotated[str | None, typer.Option("--strategy", "-s", help="See hopline strategies.")]
Strategies = Annotated[
    list[str] | None, typer.Option("--strategy", "-s", help="See hopline strategies; several are compared.")
]
Depth = Annotated[int | None, typer.Option("-k", min=1, help="How much evidence.")]
Within = Annotated[list[str] | None, typer.Option("--document", "-d", help="Only in this document; may be repeated.")]
Steps = Annotated[bool, typer.Option("--trace", help="Show each request as it is made, on stderr.")]


def ask(
    question: Asked,
    *,
    collection: Collection = "default",
    strategy: Strategy = None,
    k: Depth = None,
    document: Within = None,
    trace: Steps = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question, with quotes and the way to each."""
    _check(question, strategy)
    with opened() as hop:
        answer = hop.ask(
            question,
            collection=collection,
            documents=document or (),
            strategy=strategy,
            k=k,
            listener=_listener() if trace else None,
        )
        reading = answer.abstained and not hop.progress(collection).done
    if reading:
        complain(f"{collection} is still being read: ask again when `hopline status` shows nothing waiting")
    if as_json:
        print_object(answer.to_dict())
    else:
        from hopline.rendering.terminal import draw_answer

        draw_answer(answer, output())
    if answer.model_error:
        from hopline.rendering.labels import model_notice

        complain(model_notice(answer))
        raise typer.Exit(NO_ENGINE)


def retrieve(
    question: Asked,
    *,
    collection: Collection = "default",
    strategy: Strategies = None,
    k: Depth = None,
    document: Within = None,
    trace: Steps = False,
    as_json: AsJson = False,
) -> None:
    """Find the evidence for a question, without an answer."""
    _check(question, *(strategy or ()))
    if strategy and len(strategy) > 1:
        if document or trace:
            raise UsageError("--document and --trace go with one strategy; comparing takes the whole collection")
        return _compare(question, strategy, collection, k, as_json=as_json)
    with opened() as hop:
        retrieval = hop.retrieve(
            question,
            collection=collection,
            documents=document or (),
            strategy=strategy[0] if strategy else None,
            k=k,
            listener=_listener() if trace else None,
        )
    if as_json:
        print_object(retrieval.to_dict())
    else:
        from hopline.rendering.terminal import draw_retrieval

        draw_retrieval(retrieval, output())
    return None


def _compare(question: str, strategies: list[str], collection: str, k: int | None, *, as_json: bool) -> None:
    with opened() as hop:
        found = hop.compare(question, strategies=strategies, collection=collection, k=k)
    if as_json:
        each = {name: retrieval.to_dict() for name, retrieval in found.items()}
        print_object({"question": question, "collection": collection, "strategies": each})
    else:
        from hopline.rendering.terminal import draw_comparison

        draw_comparison(found, output())


def show(
    node: Annotated[str, typer.Argument(metavar="ID", help="Of any node: an evidence, an entity, a document.")],
    *,
    hops: Annotated[int, typer.Option(min=1, max=3, help="How far from it.")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="How many nodes at most.")] = 40,
    as_json: AsJson = False,
) -> None:
    """Show a node of the graph with its neighbours."""
    with opened() as hop:
        found = hop.explore(node, hops, limit=limit)
    if as_json:
        print_object(asdict(found))
    else:
        from hopline.rendering.terminal import draw_neighbourhood

        draw_neighbourhood(found, node, output())


def strategies(*, as_json: AsJson = False) -> None:
    """List the retrieval strategies, each with what it does."""
    from hopline.strategies import load_strategies

    found, broken = load_strategies()
    if as_json:
        rows = [{"name": name, "summary": one.summary, "needs_model": one.needs_model} for name, one in found.items()]
        print_object({"strategies": rows, "broken": [{"name": name, "reason": why} for name, why in broken.items()]})
        return
    width = max(map(len, found), default=0)
    for name, one in found.items():
        typer.echo(f"{name:<{width}}  {one.summary}{' (needs a model)' if one.needs_model else ''}")
    for reason in broken.values():
        complain(reason)


def _check(question: str, *strategies: str | None) -> None:
    """Refuse what cannot work before the engine is started for it."""
    from hopline.strategies import load_strategy

    if not question.strip():
        raise UsageError("the question is empty; wanted one in words, within quotes")
    for strategy in filter(None, strategies):
        load_strategy(strategy)


def _listener() -> Callable[[TraceStep], None]:
    console = errors()

    def tell(step: TraceStep) -> None:
        tokens = f", {step.tokens} tokens" if step.tokens else ""
        console.print(f"{step.request:<7} {step.name:<28} {step.rows:>6} rows {step.ms:>8.1f} ms{tokens}", markup=False)

    return tell
