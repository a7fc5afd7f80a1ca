import pytest
import torch
from torch import nn

from hopline.training.best_epoch import BestEpoch


def create(path, scores, *, data="rows"):
    """A model whose weight is the number of the epoch, and its selection by ``scores``."""
    model, remaining = nn.Linear(1, 1), iter(scores)
    return model, BestEpoch(model, lambda: next(remaining), path, data=data)


def run(model, best, epochs):
    for epoch in epochs:
        with torch.no_grad():
            model.weight.fill_(float(epoch))
        best.update(epoch)


@pytest.mark.parametrize(
    ("scores", "epoch"),
    [
        ([(0.1, 0.9), (0.3, 0.2), (0.2, 0.8)], 2),
        ([(0.3, 0.2), (0.3, 0.5), (0.3, 0.4)], 2),  # a tie of the first score
        ([(0.3, 0.5), (0.3, 0.5)], 1),  # a complete tie: the earlier one
    ],
)
def test_the_epoch_with_the_best_score_is_restored(tmp_path, scores, epoch):
    model, best = create(tmp_path / "deep" / "x.best", scores)
    run(model, best, range(1, len(scores) + 1))
    assert best.restore() == epoch
    assert model.weight.item() == epoch


def test_a_resumed_training_continues_from_the_best_epoch_before(tmp_path):
    model, best = create(tmp_path / "x.best", [(0.9,), (0.1,)])
    run(model, best, [1, 2])
    model, best = create(tmp_path / "x.best", [(0.5,)])
    run(model, best, [3])
    assert best.restore() == 1
    assert model.weight.item() == 1.0


def test_the_best_epoch_of_another_training_and_a_truncated_file_are_ignored(tmp_path):
    model, best = create(tmp_path / "x.best", [(0.9,)])
    run(model, best, [1])
    model, best = create(tmp_path / "x.best", [(0.5,)], data="other rows")
    assert best.restore() == 0
    run(model, best, [2])
    assert best.restore() == 2
    (tmp_path / "x.best").write_bytes(b"PK cut off")
    assert best.restore() == 0
    assert model.weight.item() == 2.0
