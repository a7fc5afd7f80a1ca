"""From questions with gold to parameters that are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from hopline.embeddings.minilm import MiniLM
from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow
from hopline.flow.run import run, run_many
from hopline.flow.services import Scope, World
from hopline.retrieval.agent.llm_session import Silence
from hopline.retrieval.reranking.learned_reranker import NAME as SCORER
from hopline.store.graph import Store
from hopline.training.collection_vectors import collection_vectors
from hopline.training.gnn import RECURRENT, Learned, Setup, train
from hopline.training.gnn_samples import sample_of
from hopline.training.hop_order import hops_of
from hopline.training.progress import Listener, Told, unheard
from hopline.training.reranker import LearnedScorer, shown_for, train_scorer

if TYPE_CHECKING:
    from hopline.flow.budget import Budget
    from hopline.retrieval.reranking.neural_features import Extra
    from hopline.training.mdr import Pool
    from hopline.training.sub_question_data import Sample

T = TypeVar("T")

AT_ONCE = 64  # questions that are shown before it is told how far it is
SETUPS = {"gnn": Setup(), "rgnn": RECURRENT}  # for the strategies gnn_ret and rgnn_ret


def train_part(
    store: Store,
    world: World,
    scope: Scope,
    what: str,
    questions: Sequence[Question],
    *,
    layers: int = 1,
    listener: Listener = unheard,
) -> Learned:
    """Fetch a sample of each question, train, and write what was learned.

    Raises:
        UnknownName: no such part can be trained.
        UsageError: no question has gold evidence in the collection, or, for ``rgnn``, smaller questions.
    """
    if what not in SETUPS:
        raise UnknownName("part that can be trained", what, SETUPS)
    setup = replace(SETUPS[what], layers=layers)
    asked = [(question.steps if setup.recurrent else (question.text,), question.gold) for question in questions]
    usable = [(steps, gold) for steps, gold in asked if steps and gold]
    if not usable:
        wanted = '"gold" and a "decomposition"' if setup.recurrent else '"gold"'
        raise UsageError(f"training {what} needs questions with {wanted} (got none among {len(questions)})")
    samples = _fetched([sample_of(steps, gold) for steps, gold in usable], world, scope, listener)
    learned = train(samples, setup, listener)
    _keep(store, scope.collection, what, {**learned.figures(), "layers": layers})
    return learned


def train_for_candidates(
    store: Store,
    world: World,
    scope: Scope,
    questions: Sequence[Question],
    *,
    used_in: Sequence[str] = (),
    extras: Sequence[Extra] = (),
    listener: Listener = unheard,
) -> LearnedScorer:
    """Show the candidates of each question to a scorer, train it, and write it for the collections ``used_in``, by id.

    Raises:
        UsageError: too few questions have gold evidence in the collection.
    """
    flows = [shown_for(one.text, one.gold, extras) for one in questions if one.gold]
    learned = train_scorer(_fetched(flows, world, scope, listener), extras=extras, listener=listener)
    for collection in used_in or (scope.collection,):
        _keep(store, collection, SCORER, learned.to_dict())
    return learned


def guide_pools(
    world: World, asked: Sequence[tuple[str, Scope, Sequence[Question]]], *, listener: Listener = unheard
) -> list[Pool]:
    """What the guide learns from: for each name, scope and questions the vectors of the collection and the hops.

    Raises:
        UsageError: the collections were embedded by another embedder than the one that the guide stands on.
    """
    if world.embedder.name != MiniLM.name:
        raise UsageError(
            f"the guide changes {MiniLM.name} and needs its vectors (got the embedder {world.embedder.name})"
        )
    return [_pool(world, *one, listener) for one in asked]


def _pool(world: World, name: str, scope: Scope, questions: Sequence[Question], listener: Listener) -> Pool:
    from hopline.training.mdr import Pool

    ids, vectors = run(collection_vectors(), world, scope).result
    flows = [hops_of(one.text, one.gold) for one in questions if len(one.gold) > 1]
    hops = _fetched(flows, world, scope, lambda told: listener(replace(told, phase=f"questions of {name}")))
    return Pool(name, ids, vectors, hops)


def _fetched(flows: Sequence[Flow[T | None]], world: World, scope: Scope, listener: Listener = unheard) -> list[T]:
    found: list[T] = []
    for start in range(0, len(flows), AT_ONCE):
        for outcome in run_many(flows[start : start + AT_ONCE], world, scope):
            if isinstance(outcome, HoplineError):
                raise outcome
            if outcome.result is not None:
                found.append(outcome.result)
        listener(Told("questions", min(start + AT_ONCE, len(flows)), len(flows)))
    return found


def _keep(store: Store, collection: str, name: str, values: Mapping[str, Any]) -> None:
    store.write(("train/write_learned", {"collection": collection, "name": name, "values": json.dumps(values)}))


def label_questions(
    world: World,
    scope: Scope,
    questions: Sequence[Question],
    *,
    budget: Budget | None = None,
    listener: Listener = unheard,
) -> list[Sample]:
    """The samples of questions that have an answer and two gold passages in the collection, one after another.

    Raises:
        ModelUnavailable: no model is configured, or it never answered.
    """
    from hopline.training.sub_question_data import samples_of

    samples: list[Sample] = []
    usable = [one for one in questions if one.answers and len(one.gold) > 1]
    try:
        for n, one in enumerate(usable, 1):
            found = run(samples_of(one.text, one.answers, one.gold), world, scope, budget=budget).result
            samples += found or []
            listener(Told("labelling", n, len(usable)))
    except Silence:
        pass  # the budget is spent: what was labelled is worth training on
    return samples
