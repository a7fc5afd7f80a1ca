"""Commands for questions: ask, retrieve, context, show, strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hopline.cli.command import (
    UNAVAILABLE,
    AsJson,
    Collection,
    Filter,
    get_console,
    get_error_console,
    open_client,
    print_error,
    print_object,
)
from hopline.cli.running_service import open_service_or_client
from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.results import AnswerDraft, TraceStep

QuestionText = Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotes.")]
Strategy = Annotated[str | None, typer.Option("--strategy", "-s", help="Retrieval strategy; see: hopline strategies")]
Strategies = Annotated[
    list[str] | None, typer.Option("--strategy", "-s", help="Retrieval strategy; may be repeated to compare several.")
]
Depth = Annotated[int | None, typer.Option("-k", min=1, help="Number of passages and tables to retrieve.")]
Within = Annotated[list[str] | None, typer.Option("--document", "-d", help="Only this document; may be repeated.")]
Steps = Annotated[
    bool, typer.Option("--trace", help="Print each request to stderr, with prompts and replies of the model.")
]
Uncertain = Annotated[
    bool, typer.Option("--uncertain", help="Print what uncertain triples of the evidence paths state.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Print on stderr whether a running `hopline serve` answers, or this process.")
]


def ask(
    question: QuestionText,
    *,
    collection: Collection = "default",
    strategy: Strategy = None,
    k: Depth = None,
    document: Within = None,
    filter: Filter = "",
    trace: Steps = False,
    uncertain: Uncertain = False,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question, with quotes and the evidence path of each.

    A running `hopline serve` of the same home and settings answers, which is faster; --trace asks without it.
    """

    def check() -> None:
        _check_arguments(question, filter, strategy)

    with (
        open_service_or_client(check, local=trace, verbose=verbose) as hop,
        _show_drafts(enabled=not as_json and not trace) as on_draft,
    ):
        answer = hop.ask(
            question,
            collection=collection,
            documents=document or (),
            filter=filter,
            strategy=strategy,
            k=k,
            on_step=_build_step_printer() if trace else None,
            on_draft=on_draft,
            record=trace,
        )
        incomplete = answer.abstained and not hop.documents.progress(collection).done
    if incomplete:
        print_error(f"collection {collection} is still being processed; ask again when `hopline status` shows 0 queued")
    if as_json:
        print_object(answer.to_dict())
    else:
        from hopline.rendering import draw_answer

        draw_answer(answer, get_console(), uncertain=uncertain)
    from hopline.results.labels import format_model_error

    _report_model_failure(format_model_error(answer))


def retrieve(
    question: QuestionText,
    *,
    collection: Collection = "default",
    strategy: Strategies = None,
    k: Depth = None,
    document: Within = None,
    filter: Filter = "",
    trace: Steps = False,
    uncertain: Uncertain = False,
    verbose: Verbose = False,
    as_json: AsJson = False,
) -> None:
    """Retrieve the evidence for a question, without an answer."""

    def check() -> None:
        _check_arguments(question, filter, *(strategy or ()))

    if strategy and len(strategy) > 1:
        check()
        if document or trace:
            raise UsageError("--document and --trace cannot be used with several strategies")
        return _compare(question, strategy, collection, k, filter=filter, as_json=as_json)
    with open_service_or_client(check, local=trace, verbose=verbose) as hop:
        retrieval = hop.retrieve(
            question,
            collection=collection,
            documents=document or (),
            filter=filter,
            strategy=strategy[0] if strategy else None,
            k=k,
            on_step=_build_step_printer() if trace else None,
            record=trace,
        )
    from hopline.results.labels import format_retrieval_error

    if as_json:
        print_object(retrieval.to_dict())
    else:
        from hopline.rendering import draw_retrieval

        draw_retrieval(retrieval, get_console(), uncertain=uncertain)
    return _report_model_failure(format_retrieval_error(retrieval))


def context(
    question: QuestionText,
    *,
    tokens: Annotated[int, typer.Option(min=100, help="Maximum number of tokens of the evidence, estimated.")] = 4000,
    collection: Collection = "default",
    strategy: Strategy = None,
    k: Depth = None,
    document: Within = None,
    filter: Filter = "",
    as_json: AsJson = False,
) -> None:
    """Print the evidence for a question for another model.

    It consists of numbered blocks for a prompt, without repetition.
    """
    _check_arguments(question, filter, strategy)
    with open_client() as hop:
        packed = hop.context(
            question, tokens, collection=collection, documents=document or (), strategy=strategy, k=k, filter=filter
        )
    if as_json:
        print_object(packed.to_dict())
    else:
        from hopline.text_encoding import remove_control_characters

        typer.echo(remove_control_characters(packed.text))
    from hopline.results.labels import format_retrieval_error

    _report_model_failure(format_retrieval_error(packed))


def _compare(
    question: str, strategies: list[str], collection: str, k: int | None, *, filter: str, as_json: bool
) -> None:
    with open_client() as hop:
        retrievals = hop.compare(question, strategies=strategies, collection=collection, filter=filter, k=k)
    if as_json:
        each = {name: retrieval.to_dict() for name, retrieval in retrievals.items()}
        print_object({"question": question, "collection": collection, "strategies": each})
    else:
        from hopline.rendering import draw_comparison

        draw_comparison(retrievals, get_console())
    from hopline.results.labels import format_retrieval_error

    notices = {name: format_retrieval_error(retrieval) for name, retrieval in retrievals.items()}
    _report_model_failure(" ".join(f"{name}: {notice}" for name, notice in notices.items() if notice))


def show(
    node: Annotated[str, typer.Argument(metavar="ID", help="Id of a node: an evidence, an entity or a document.")],
    *,
    hops: Annotated[int, typer.Option(min=1, max=3, help="Distance from the node, in hops.")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of edges.")] = 40,
    uncertain: Annotated[bool, typer.Option("--uncertain", help="Include uncertain triples.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a node and its neighbourhood, or the card of a document."""
    with open_client() as hop:
        neighbourhood = hop.graph.get_neighbourhood(node, hops, limit=limit, uncertain=uncertain)
        is_document = any(item.id == node and item.kind == "document" for item in neighbourhood.nodes)
        document = hop.documents.get(node) if is_document else None
    if as_json:
        print_object(asdict(neighbourhood) | ({"document": asdict(document)} if document else {}))
    else:
        from hopline.rendering import draw_card, draw_neighbourhood

        if document:
            draw_card(document, get_console())
        draw_neighbourhood(neighbourhood, node, get_console())


def strategies(*, as_json: AsJson = False) -> None:
    """List the retrieval strategies with a summary of each."""
    from hopline.strategies import load_strategies

    working, broken = load_strategies()
    if as_json:
        rows = [
            {"name": name, "summary": strategy.summary, "needs_model": strategy.needs_model}
            for name, strategy in working.items()
        ]
        print_object(
            {"strategies": rows, "broken": [{"name": name, "reason": reason} for name, reason in broken.items()]}
        )
        return
    width = max(map(len, working), default=0)
    for name, strategy in working.items():
        needs_model = strategy.needs_model or strategy.closed_book
        typer.echo(f"{name:<{width}}  {strategy.summary}{' (needs a model)' if needs_model else ''}")
    for reason in broken.values():
        print_error(reason)


def _check_arguments(question: str, filter: str, *strategies: str | None) -> None:
    """Check the question, the filter and the strategies before the database is started."""
    from hopline.strategies import check_strategy

    if not question.strip():
        raise UsageError("the question is empty; pass it in quotes")
    if filter.strip():
        from hopline.metadata.filter_parser import parse_filter

        parse_filter(filter)
    for strategy in strategies:
        if strategy:
            check_strategy(strategy)


def _report_model_failure(notice: str) -> None:
    """Print a notice that the model failed, if there is one, and exit with `UNAVAILABLE`."""
    if notice:
        print_error(notice)
        raise typer.Exit(UNAVAILABLE)


@contextmanager
def _show_drafts(*, enabled: bool) -> Iterator[Callable[[AnswerDraft], None] | None]:
    """Yield a function that shows the draft of an answer in a terminal until the answer is there; None elsewhere."""
    console = get_console()
    if not enabled or not console.is_terminal:
        yield None
        return
    from rich.live import Live

    from hopline.rendering import format_draft

    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield lambda draft: live.update(format_draft(draft, console), refresh=True)


def _build_step_printer() -> Callable[[TraceStep], None]:
    from hopline.flow.trace_recording import list_calls

    console = get_error_console()

    def print_step(step: TraceStep) -> None:
        tokens = f", {step.tokens} tokens" if step.tokens else ""
        console.print(f"{step.request:<7} {step.name:<28} {step.rows:>6} rows {step.ms:>8.1f} ms{tokens}", markup=False)
        for system, prompt, reply in list_calls(step):
            for title, text in (("System prompt", system), ("Prompt", prompt), ("Reply", reply.text or reply.error)):
                if text:
                    console.print(f"{title}:\n{text}\n", markup=False, highlight=False, style="dim")

    return print_step
