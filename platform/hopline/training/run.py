"""From questions with gold to parameters that are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.evaluate.questions import Question
from hopline.flow.run import run_many
from hopline.flow.world import Scope, World
from hopline.store.graph import Store
from hopline.training.gnn import RECURRENT, Learned, Setup, train
from hopline.training.samples import sample_of

SETUPS = {"gnn": Setup(), "rgnn": RECURRENT}  # for the strategies gnn_ret and rgnn_ret


def train_part(
    store: Store, world: World, scope: Scope, what: str, questions: Sequence[Question], *, layers: int = 1
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
    outcomes = run_many([sample_of(steps, gold) for steps, gold in usable], world, scope)
    failed = [one for one in outcomes if isinstance(one, HoplineError)]
    if failed:
        raise failed[0]
    samples = [one.result for one in outcomes if not isinstance(one, HoplineError) and one.result is not None]
    learned = train(samples, setup)
    values = json.dumps({**learned.to_dict(), "layers": layers})
    store.write(("train/write_learned", {"collection": scope.collection, "name": what, "values": values}))
    return learned
