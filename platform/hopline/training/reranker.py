"""A scorer of candidates, learned from questions with gold evidence, and used only where it wins.

Boosted trees (Friedman 2001) on `hopline.retrieval.reranking.features`, in rounds: the first judges each candidate by
itself,
the later ones beside those that the round before put first. How many rounds there are, and whether any, is decided
on held-out folds: none is learned where the untrained order has the better recall@5 there. The second trees are
trained on chances of folds too, so that they meet what they will meet in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.errors import UsageError
from hopline.flow.requests import Flow, fetch
from hopline.retrieval.candidates import gather
from hopline.retrieval.reranking.candidate_texts import COVER, SHOWN, look_at
from hopline.retrieval.reranking.features import Look, alone, beside
from hopline.retrieval.reranking.learned_reranker import Scorer
from hopline.retrieval.reranking.neural_features import Extra
from hopline.scoring.mmr import Bools, Floats, covering
from hopline.scoring.trees import Trees
from hopline.training.progress import Listener, Told, unheard

K: Final = 5  # of the recall that decides
ROUNDS: Final = 3  # at most
FOLDS, INNER = 5, 3
LEAST: Final = 10  # questions
COUNT, DEPTH, RATE, PART, FEATURES, LEAF = 120, 3, 0.06, 0.7, 0.5, 10  # of the trees

if TYPE_CHECKING:
    from sklearn.ensemble import GradientBoostingClassifier

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shown:
    """A question's candidates; which are ``gold``, (N,); and of how many gold evidence in the collection."""

    look: Look
    gold: Bools
    wanted: int


@dataclass(frozen=True, slots=True)
class LearnedScorer:
    """A scorer with the recall@5 of the held-out folds, in [0, 1]: of the untrained order, and after each round."""

    scorer: Scorer
    questions: int
    untrained: float
    held_out: tuple[float, ...]

    @property
    def wins(self) -> bool:
        """Whether it is used."""
        return self.scorer.rounds > 0

    def figures(self) -> dict[str, Any]:
        """All but the trees."""
        return {
            "questions": self.questions,
            "rounds": self.scorer.rounds,
            "untrained": self.untrained,
            "held_out": list(self.held_out),
        }

    def to_dict(self) -> dict[str, Any]:
        """What is kept with the collection."""
        return {**self.figures(), "scorer": self.scorer.to_dict()}


def shown_for(question: str, gold: Sequence[str], extras: Sequence[Extra] = ()) -> Flow[Shown | None]:
    """What a scorer is shown of a question; None where nothing is found or no gold evidence is in the collection."""
    columns = yield fetch("gold/evidence", wanted=list(gold))
    wanted = set(columns["id"])
    found = yield from gather(question, K)
    if found is None or not wanted:
        return None
    look = yield from look_at(question, found, extras)
    return Shown(look, np.array([id in wanted for id in look.ids]), len(wanted))


def train_scorer(
    shown: Sequence[Shown], *, extras: Sequence[Extra] = (), seed: int = 0, listener: Listener = unheard
) -> LearnedScorer:
    """The scorer, and how it did on questions that it was not trained on; ``extras`` as `shown_for` was given them.

    Raises:
        UsageError: fewer than `LEAST` questions.
    """
    if len(shown) < LEAST:
        raise UsageError(
            f"a scorer needs {LEAST} questions whose gold evidence is in the collection, better 50 (got {len(shown)})"
        )
    firsts: list[Floats] = [np.empty(0)] * len(shown)
    rounds: list[list[Floats]] = [[] for _ in shown]
    for fold, (training, held_out) in enumerate(_folds(np.arange(len(shown)), FOLDS, seed), 1):
        part = [shown[n] for n in training]
        first = _first(part, seed)
        inside = _held_out_chances(part, INNER, seed)
        trained = Scorer(ROUNDS, first, _second(part, inside, seed))
        for n in held_out:
            rounds[n] = trained.by_round(shown[n].look)
            firsts[n] = rounds[n][0]
        listener(Told("folds", fold, FOLDS))
    untrained = _recall(shown, [_untrained(one.look) for one in shown])
    held_out_recall = tuple(_recall(shown, [by_round[n] for by_round in rounds]) for n in range(ROUNDS))
    best = int(np.argmax([untrained, *held_out_recall]))
    scorer = Scorer(best, _first(shown, seed), _second(shown, firsts, seed), tuple(extras))
    return LearnedScorer(scorer, len(shown), untrained, held_out_recall)


def _folds(places: Places, count: int, seed: int) -> list[tuple[Places, Places]]:
    from sklearn.model_selection import KFold

    return list(KFold(count, shuffle=True, random_state=seed).split(places))


def _held_out_chances(shown: Sequence[Shown], count: int, seed: int) -> list[Floats]:
    """The chances of the first round for each question, by trees that did not see it."""
    chances: list[Floats] = [np.empty(0)] * len(shown)
    for training, held_out in _folds(np.arange(len(shown)), count, seed):
        first = _first([shown[n] for n in training], seed)
        for n in held_out:
            chances[n] = first.chances(alone(shown[n].look))
    return chances


def _first(shown: Sequence[Shown], seed: int) -> Trees:
    return _fitted([alone(one.look) for one in shown], shown, seed)


def _second(shown: Sequence[Shown], chances: Sequence[Floats], seed: int) -> Trees:
    rows = [
        np.column_stack([alone(one.look), beside(one.look, before)]) for one, before in zip(shown, chances, strict=True)
    ]
    return _fitted(rows, shown, seed)


def _fitted(rows: Sequence[Floats], shown: Sequence[Shown], seed: int) -> Trees:
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=COUNT,
        max_depth=DEPTH,
        learning_rate=RATE,
        subsample=PART,
        max_features=FEATURES,
        min_samples_leaf=LEAF,
        random_state=seed,
    )
    gold = np.concatenate([one.gold for one in shown])
    if gold.all() or not gold.any():
        raise UsageError("a scorer needs gold evidence, and other evidence, among the candidates of its questions")
    model.fit(np.vstack(rows), gold)
    return as_arrays(model)


def as_arrays(model: GradientBoostingClassifier) -> Trees:
    """The trees of scikit-learn for two classes, padded to one size; a leaf leads to itself."""
    trees = [one.tree_ for [one] in model.estimators_]
    [_, share] = model.init_.class_prior_
    size = max(tree.node_count for tree in trees)
    feature = np.zeros((len(trees), size), dtype=np.int64)
    threshold, value = np.zeros((len(trees), size)), np.zeros((len(trees), size))
    left = np.tile(np.arange(size), (len(trees), 1))
    right = left.copy()
    for n, tree in enumerate(trees):
        [inner] = np.nonzero(tree.children_left >= 0)
        feature[n, inner], threshold[n, inner] = tree.feature[inner], tree.threshold[inner]
        left[n, inner], right[n, inner] = tree.children_left[inner], tree.children_right[inner]
        value[n, : tree.node_count] = model.learning_rate * tree.value[:, 0, 0]
    return Trees(float(np.log(share / (1.0 - share))), model.max_depth, feature, threshold, left, right, value)


def _untrained(look: Look) -> Floats:
    """The scores of the strategy without a scorer, (N,)."""
    raised = covering(dict(zip(look.ids[:SHOWN], look.sums.tolist(), strict=False)), look.says[:SHOWN], COVER)
    return np.array([raised.get(id, sum) for id, sum in zip(look.ids, look.sums.tolist(), strict=True)])


def _recall(shown: Sequence[Shown], scores: Sequence[Floats]) -> float:
    """Mean recall@K."""
    each = [
        one.gold[np.argsort(-score, kind="stable")[:K]].sum() / one.wanted
        for one, score in zip(shown, scores, strict=True)
    ]
    return float(np.mean(each))
