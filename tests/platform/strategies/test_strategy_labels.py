"""The labels of strategies."""

from hopline.retrieval.strategy_labels import LABELS, MAX_LABEL, label_strategy
from hopline.strategies import list_strategy_names


def test_every_strategy_has_a_short_label_of_its_own():
    assert set(list_strategy_names()) <= LABELS.keys()
    assert len(set(LABELS.values())) == len(LABELS)
    assert [label for label in LABELS.values() if len(label) > MAX_LABEL or label.endswith(".")] == []


def test_options_are_part_of_a_label_and_a_foreign_strategy_has_its_name():
    assert label_strategy("hybrid") == "Words and meaning together"
    assert label_strategy("gnn_ret:nodes=10") == "Meaning, with neighbours in the graph · nodes=10"
    assert label_strategy("mine") == "mine"
