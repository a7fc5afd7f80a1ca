"""Training of the reranker from questions with gold evidence; it is used only if it improves the recall.

Gradient-boosted trees (Friedman 2001) on `hopline.retrieval.reranking.features`, in rounds: the first scores each
candidate by itself, later ones in the context of the candidates that the previous round ranked first. The number of
rounds is selected by recall@5 on held-out folds; it is 0 if the untrained order is better there. The trees of later
rounds are trained on out-of-fold probabilities, as they are in use on new questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.errors import UsageError
from hopline.flow.requests import Flow, fetch
from hopline.retrieval.reranking.context import compute_context_columns
from hopline.retrieval.reranking.feature_extraction import extract_features
from hopline.retrieval.reranking.features import CandidateFeatures, NeuralFeature
from hopline.retrieval.reranking.learned_reranker import LearnedReranker
from hopline.retrieval.stages.scoring import COVERAGE_WEIGHT, MAX_COVERED
from hopline.scoring.boosted_trees import Trees
from hopline.scoring.query_coverage import Bools, Floats, raise_for_coverage
from hopline.strategies.hopline import find_candidates
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress

K: Final = 5  # of the recall by which the number of rounds is selected
MAX_ROUNDS: Final = 3
FOLDS, INNER_FOLDS = 5, 3
MIN_QUESTIONS: Final = 10
TREES, MAX_DEPTH, LEARNING_RATE, SUBSAMPLE, MAX_FEATURES, MIN_LEAF = 120, 3, 0.06, 0.7, 0.5, 10

if TYPE_CHECKING:
    from sklearn.ensemble import GradientBoostingClassifier

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RerankerSample:
    """The features of a question's candidates, which are ``gold``, (N,), and the number of gold evidence."""

    features: CandidateFeatures
    gold: Bools
    gold_count: int


@dataclass(frozen=True, slots=True)
class RerankerTrainingResult:
    """A reranker with the recall@5 on held-out folds, in [0, 1]: of the untrained order, and after each round."""

    reranker: LearnedReranker
    questions: int
    untrained: float
    held_out: tuple[float, ...]

    @property
    def improves(self) -> bool:
        """Whether it is better than the untrained order, and therefore used."""
        return self.reranker.rounds > 0

    def summary(self) -> dict[str, Any]:
        """Convert to plain data without the trees."""
        return {
            "questions": self.questions,
            "rounds": self.reranker.rounds,
            "untrained": self.untrained,
            "held_out": list(self.held_out),
        }

    def to_dict(self) -> dict[str, Any]:
        """Convert to the form that is stored with the collection."""
        return {**self.summary(), "scorer": self.reranker.to_dict()}


def fetch_reranker_sample(
    question: str, gold: Sequence[str], extras: Sequence[NeuralFeature] = ()
) -> Flow[RerankerSample | None]:
    """Fetch the sample of a question; None if there are no candidates or no gold evidence is in the collection."""
    columns = yield fetch("gold/evidence", wanted=list(gold))
    gold_ids = set(columns["id"])
    candidates = yield from find_candidates(question, K)
    if not candidates.ids or not gold_ids:
        return None
    _, features = yield from extract_features(candidates, extras)
    return RerankerSample(features, np.array([id in gold_ids for id in features.ids]), len(gold_ids))


def train_reranker(
    samples: Sequence[RerankerSample],
    *,
    extras: Sequence[NeuralFeature] = (),
    seed: int = 0,
    on_progress: ProgressCallback = ignore_progress,
) -> RerankerTrainingResult:
    """Train the reranker and evaluate it on held-out folds; ``extras`` are those of the samples.

    Raises:
        UsageError: fewer than `MIN_QUESTIONS` questions.
    """
    if len(samples) < MIN_QUESTIONS:
        raise UsageError(
            f"a reranker needs {MIN_QUESTIONS} questions whose gold evidence is in the collection, better 50 "
            f"(got {len(samples)})"
        )
    first_round: list[Floats] = [np.empty(0)] * len(samples)
    by_round: list[list[Floats]] = [[] for _ in samples]
    for fold, (training, held_out) in enumerate(_split_folds(np.arange(len(samples)), FOLDS, seed), 1):
        training_samples = [samples[n] for n in training]
        first_trees = _train_first_round(training_samples, seed)
        inner_probabilities = _cross_validate(training_samples, INNER_FOLDS, seed)
        second_trees = _train_second_round(training_samples, inner_probabilities, seed)
        trained = LearnedReranker(MAX_ROUNDS, first_trees, second_trees)
        for n in held_out:
            by_round[n] = trained.predict_by_round(samples[n].features)
            first_round[n] = by_round[n][0]
        on_progress(TrainingProgress("folds", fold, FOLDS))
    untrained = _mean_recall(samples, [_score_untrained(sample.features) for sample in samples])
    held_out_recall = tuple(_mean_recall(samples, [scores[n] for scores in by_round]) for n in range(MAX_ROUNDS))
    best = int(np.argmax([untrained, *held_out_recall]))
    first_trees, second_trees = _train_first_round(samples, seed), _train_second_round(samples, first_round, seed)
    reranker = LearnedReranker(best, first_trees, second_trees, tuple(extras))
    return RerankerTrainingResult(reranker, len(samples), untrained, held_out_recall)


def _split_folds(indices: Indices, count: int, seed: int) -> list[tuple[Indices, Indices]]:
    from sklearn.model_selection import KFold

    return list(KFold(count, shuffle=True, random_state=seed).split(indices))


def _cross_validate(samples: Sequence[RerankerSample], count: int, seed: int) -> list[Floats]:
    """Predict the probabilities of the first round for each question, with trees trained on the other folds."""
    probabilities: list[Floats] = [np.empty(0)] * len(samples)
    for training, held_out in _split_folds(np.arange(len(samples)), count, seed):
        first_trees = _train_first_round([samples[n] for n in training], seed)
        for n in held_out:
            probabilities[n] = first_trees.predict(samples[n].features.to_matrix())
    return probabilities


def _train_first_round(samples: Sequence[RerankerSample], seed: int) -> Trees:
    return _fit_trees([sample.features.to_matrix() for sample in samples], samples, seed)


def _train_second_round(samples: Sequence[RerankerSample], probabilities: Sequence[Floats], seed: int) -> Trees:
    rows = [
        np.column_stack([sample.features.to_matrix(), compute_context_columns(sample.features, before)])
        for sample, before in zip(samples, probabilities, strict=True)
    ]
    return _fit_trees(rows, samples, seed)


def _fit_trees(rows: Sequence[Floats], samples: Sequence[RerankerSample], seed: int) -> Trees:
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=TREES,
        max_depth=MAX_DEPTH,
        learning_rate=LEARNING_RATE,
        subsample=SUBSAMPLE,
        max_features=MAX_FEATURES,
        min_samples_leaf=MIN_LEAF,
        random_state=seed,
    )
    gold = np.concatenate([sample.gold for sample in samples])
    if gold.all() or not gold.any():
        raise UsageError("a reranker needs gold evidence, and other evidence, among the candidates of its questions")
    model.fit(np.vstack(rows), gold)
    return trees_from_sklearn(model)


def trees_from_sklearn(model: GradientBoostingClassifier) -> Trees:
    """Convert binary gradient-boosted trees of scikit-learn, padded to one size; a leaf is its own child."""
    trees = [estimator.tree_ for [estimator] in model.estimators_]
    [_, prior] = model.init_.class_prior_
    size = max(tree.node_count for tree in trees)
    feature = np.zeros((len(trees), size), dtype=np.int64)
    threshold, value = np.zeros((len(trees), size)), np.zeros((len(trees), size))
    left = np.tile(np.arange(size), (len(trees), 1))
    right = left.copy()
    for n, tree in enumerate(trees):
        [internal] = np.nonzero(tree.children_left >= 0)
        feature[n, internal], threshold[n, internal] = tree.feature[internal], tree.threshold[internal]
        left[n, internal], right[n, internal] = tree.children_left[internal], tree.children_right[internal]
        value[n, : tree.node_count] = model.learning_rate * tree.value[:, 0, 0]
    return Trees(float(np.log(prior / (1.0 - prior))), model.max_depth, feature, threshold, left, right, value)


def _score_untrained(features: CandidateFeatures) -> Floats:
    """Return the scores of the strategy without a reranker, (N,)."""
    scores = features.candidates.column("score")
    raised = raise_for_coverage(scores[:MAX_COVERED], features.term_matches[:MAX_COVERED], COVERAGE_WEIGHT)
    return np.concatenate([raised, scores[MAX_COVERED:]])


def _mean_recall(samples: Sequence[RerankerSample], scores: Sequence[Floats]) -> float:
    """Return the mean recall@K."""
    recalls = [
        sample.gold[np.argsort(-score, kind="stable")[:K]].sum() / sample.gold_count
        for sample, score in zip(samples, scores, strict=True)
    ]
    return float(np.mean(recalls))
