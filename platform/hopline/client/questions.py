"""The door for questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hopline.client.connections import Listener, Opened
from hopline.errors import HoplineError, UsageError
from hopline.surrogates import replace_surrogates
from hopline.types import Answer, Retrieval, Trace

if TYPE_CHECKING:
    from hopline.flow.requests import Flow


class Questions(Opened):
    """Answers, evidence, and which strategies there are."""

    def ask(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
        after: Sequence[Answer] = (),
        listener: Listener | None = None,
        record: bool = False,
    ) -> Answer:
        """An answer whose sentences are cited, or an abstention that says what was not found.

        ``documents`` (names or ids) narrow the search; ``strategy`` may carry options
        (``gnn_ret:nodes=10``); ``k`` is how much evidence is looked at. A question may follow on the answers
        ``after`` which it is asked ("When was she born?"): ``retrieval.question`` says how it was understood.
        ``record`` keeps in the trace what each step asked and was answered, as `hopline.flow.replay` needs it.

        Raises:
            UsageError: the question is no text, or ``k`` no whole number of at least 1.
            UnknownName: no such collection, document or strategy.
            BudgetSpent: a cap of the settings was reached.
        """
        from hopline.answering.pipeline import answer_flow
        from hopline.strategies import load_strategy

        question = _question(question)
        chat = self._world.chat
        model = chat.name if chat is not None else ""
        unaided = load_strategy(strategy or self.settings.strategy).unaided

        def answered(meant: str) -> Flow[Answer]:
            retrieval = self._retrieval(meant, strategy, collection, k)
            return answer_flow(meant, retrieval, model=model, unaided_by_evidence=unaided)

        if after:
            from hopline.answering.query_rewriting import Turn, follow

            flow = follow(question, [Turn.of(one) for one in after], answered, by_model=bool(model))
        else:
            flow = answered(question)
        outcome = self._run(flow, self._scope(collection, documents), listener, record=record)
        return _with_trace(outcome.result, outcome.trace)

    def retrieve(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
        listener: Listener | None = None,
        record: bool = False,
    ) -> Retrieval:
        """The evidence for a question, best first, with the path to each. Arguments as for `ask`."""
        flow = self._retrieval(_question(question), strategy, collection, k)
        outcome = self._run(flow, self._scope(collection, documents), listener, record=record)
        return _retrieval_with_trace(outcome.result, outcome.trace)

    def retrieve_many(
        self,
        questions: Sequence[str],
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
    ) -> list[Retrieval | HoplineError]:
        """Many questions side by side, in order; one that fails has its error in its place."""
        from hopline.flow.run import run_many

        if isinstance(questions, str):
            raise UsageError(f"retrieve_many wants a list of questions, got the text {questions!r:.80}; use retrieve")
        flows = [self._retrieval(_question(question), strategy, collection, k) for question in questions]
        outcomes = run_many(flows, self._world, self._scope(collection, documents), budget=self._budget())
        return [
            one if isinstance(one, HoplineError) else _retrieval_with_trace(one.result, one.trace) for one in outcomes
        ]

    def compare(
        self, question: str, *, strategies: Sequence[str], collection: str = "default", k: int | None = None
    ) -> dict[str, Retrieval]:
        """The same question put to several strategies."""
        if isinstance(strategies, str):
            raise UsageError(f"compare wants a list of strategies, got the text {strategies!r}; use [{strategies!r}]")
        return {name: self.retrieve(question, collection=collection, strategy=name, k=k) for name in strategies}

    def strategies(self, *, usable: bool = False) -> dict[str, str]:
        """Every strategy with one line on what it does.

        ``usable`` leaves out those that need a model where none is configured, and those that only bound answers.
        """
        from hopline.strategies import working_strategies

        there = working_strategies()
        if usable:
            there = [one for one in there if not (one.unaided or one.needs_gold)]
            there = [one for one in there if self._chat is not None or not one.needs_model]
        return {one.name: one.summary for one in there}

    def _retrieval(self, question: str, strategy: str | None, collection: str, k: int | None) -> Flow[Retrieval]:
        from hopline.answering.pipeline import retrieval_flow
        from hopline.strategies import load_strategy

        chosen = self.settings.k if k is None else k
        if not isinstance(chosen, int) or isinstance(chosen, bool) or chosen < 1:
            raise UsageError(f"k must be at least 1, a whole number (got {chosen!r})")
        spec = strategy or self.settings.strategy
        return retrieval_flow(question, load_strategy(spec), spec, collection, chosen)


def _question(question: str) -> str:
    """The question as it can be encoded.

    Raises:
        UsageError: it is no text.
    """
    if not isinstance(question, str):
        raise UsageError(f"a question is a text; got {question!r:.80}, of type {type(question).__name__}")
    return replace_surrogates(question)


def _with_trace(answer: Answer, trace: Trace) -> Answer:
    return replace(answer, retrieval=_retrieval_with_trace(answer.retrieval, trace))


def _retrieval_with_trace(retrieval: Retrieval, trace: Trace) -> Retrieval:
    return replace(retrieval, trace=trace)
