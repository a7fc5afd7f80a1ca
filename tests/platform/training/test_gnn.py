"""Training of α and β on samples whose optimum is computed by hand."""

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.training.gnn import RECURRENT, GnnConfig, train_gnn
from hopline.training.gnn_samples import GnnQuery, GnnSample


def make_query(distances, edges=(), gold=()):
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return GnnQuery(np.array(distances, np.float32), ends[:, 0], ends[:, 1], np.array(gold, np.int64))


def sample(*queries):
    return GnnSample(tuple(str(n) for n in range(len(queries[0].distances))), queries)


def test_alpha_decreases_if_messages_reduce_the_distance_of_gold():
    # 0 is nearest and sends .1 to the gold 2: h = .9 α + .1 (1 − α); 1 stands at .5 and hears nothing
    example = sample(make_query([0.1, 0.5, 0.9], [(0, 2)], [0, 2]))
    learned = train_gnn([example], GnnConfig(nodes=1, competitors=3, alpha=0.9))
    # gold mean at α = .9 is (.1 + .82) / 2 = .46, the other's .5: no loss; at 1 it is (.1 + .9) / 2 = .5: loss .01
    assert learned.loss_before == 0
    worse = train_gnn([example], GnnConfig(nodes=1, competitors=3, alpha=1.0))
    assert worse.loss_before == pytest.approx(0.01, abs=1e-6)
    assert worse.alphas[0] == pytest.approx(0.6)  # the gradient is .4, the rate 1
    assert worse.loss_after == 0


def test_alpha_increases_if_messages_reduce_the_distance_of_competitors():
    example = sample(make_query([0.1, 0.4, 0.9], [(0, 2)], [1]))
    learned = train_gnn([example], GnnConfig(nodes=1, competitors=3, alpha=0.1))
    # the others' mean is (.1 + .1 + .8 α) / 2, the gold's .4: the loss is .31 − .4 α, least at α = 1, where it is gone
    assert learned.loss_before == pytest.approx(0.27, abs=1e-6)
    assert (learned.alphas[0], learned.loss_after) == (pytest.approx(0.9), 0)


def test_only_the_nearest_nodes_send_and_the_minimum_message_counts():
    # T is {0, 1}: 2 hears .1 and .2, of which .1 counts; 3 would send 0 but is not in T
    example = sample(make_query([0.1, 0.2, 0.9, 0.8], [(0, 2), (1, 2), (3, 2)], [2]))
    learned = train_gnn([example], GnnConfig(nodes=2, competitors=4, alpha=0.5))
    others = (0.1 + 0.2 + 0.8) / 3
    assert learned.loss_before == pytest.approx(0.01 + 0.5 * 0.9 + 0.5 * 0.1 - others, abs=1e-6)


def test_beta_decreases_if_earlier_queries_found_the_gold():
    first = make_query([0.1, 0.9, 0.5], gold=[0, 1])
    second = make_query([0.9, 0.6, 0.5], gold=[1])
    learned = train_gnn([sample(first, second)], RECURRENT)
    # no messages: β = 1 leaves the second query's gold at .6 behind the others' (.9 + .5) / 2 = .7: no loss there;
    # the first loses .01 + .5 − .5
    assert learned.loss_before == pytest.approx(0.005, abs=1e-6)
    assert learned.beta == 1.0
    late = make_query([0.9, 0.6, 0.2], gold=[0])
    learned_late = train_gnn([sample(make_query([0.1, 0.9, 0.5], gold=[0]), late)], RECURRENT)
    # ĥ of 0 is .9 β + .1 (1 − β), of the others (.4 β + .7 (1 − β)) on average: β must fall
    assert learned_late.loss_before == pytest.approx((0.01 + 0.9 - 0.4) / 2, abs=1e-6)
    assert learned_late.beta < 0.7
    assert learned_late.loss_after == 0


def test_a_step_without_gold_has_no_loss_but_its_distances_count_in_the_next_step():
    without = make_query([0.9, 0.3, 0.5])
    learned = train_gnn(
        [sample(make_query([0.1, 0.9, 0.5], gold=[0]), without, make_query([0.9, 0.6, 0.2], gold=[0]))], RECURRENT
    )
    # as with β = 1 the second step has no effect, the loss is the mean of 0 and .01 + .9 − .4
    assert learned.loss_before == pytest.approx((0.01 + 0.9 - 0.4) / 2, abs=1e-6)
    assert (learned.questions, learned.steps, learned.steps_left_out) == (1, 2, 1)
    alone = train_gnn([sample(make_query([0.1, 0.9, 0.5], gold=[0]), make_query([0.9, 0.6, 0.2], gold=[0]))], RECURRENT)
    assert learned.beta != pytest.approx(alone.beta)


def test_questions_without_gold_are_counted():
    learned = train_gnn([sample(make_query([0.1, 0.2], gold=[1])), sample(make_query([0.1, 0.2]))], GnnConfig())
    assert (learned.questions, learned.questions_left_out) == (1, 1)


def test_two_layers_have_two_alphas():
    learned = train_gnn(
        [sample(make_query([0.1, 0.5, 0.9], [(0, 1), (1, 2)], [2]))], GnnConfig(layers=2, nodes=2, competitors=3)
    )
    assert len(learned.alphas) == 2


def test_samples_without_gold_are_refused():
    with pytest.raises(UsageError, match="at least one question"):
        train_gnn([sample(make_query([0.1, 0.2]))], GnnConfig())
