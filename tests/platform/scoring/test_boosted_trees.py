"""Trees by hand, and the same chances as the library that grew them."""

import json

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from hopline.scoring.boosted_trees import Trees
from hopline.training.reranker import trees_from_sklearn


def arrays(*rows, kind):
    return np.array(rows, dtype=kind)


def test_the_values_of_a_row_s_leaves_are_summed():
    stump = Trees(
        start=0.5,
        depth=1,
        feature=arrays([0, 0, 0], [1, 0, 0], kind=np.int64),
        threshold=arrays([2.0, 0, 0], [0.0, 0, 0], kind=np.float64),
        left=arrays([1, 1, 2], [1, 1, 2], kind=np.int64),
        right=arrays([2, 1, 2], [2, 1, 2], kind=np.int64),
        value=arrays([0, -1.0, 1.0], [0, -3.0, 3.0], kind=np.float64),
    )
    odds = np.array([0.5 - 1 - 3, 0.5 - 1 + 3, 0.5 + 1 + 3])
    rows = np.array([[2.0, 0.0], [1.0, 0.1], [2.1, 9.0]])  # at the threshold: to the left
    assert stump.predict(rows) == pytest.approx(1 / (1 + np.exp(-odds)))
    assert (
        Trees.from_dict(json.loads(json.dumps(stump.to_dict()))).predict(rows).tolist() == stump.predict(rows).tolist()
    )
    assert stump.predict(np.zeros((0, 2))).shape == (0,)


def test_trained_trees_predict_the_probabilities_of_the_library():
    random = np.random.default_rng(3)
    rows = random.normal(size=(400, 6))
    wanted = rows[:, 0] * rows[:, 1] + 0.3 * random.normal(size=400) > 0
    model = GradientBoostingClassifier(n_estimators=40, max_depth=3, learning_rate=0.06, random_state=0)
    model.fit(rows, wanted)
    trees = trees_from_sklearn(model)
    assert trees.predict(rows) == pytest.approx(model.predict_proba(rows)[:, 1], abs=1e-9)
