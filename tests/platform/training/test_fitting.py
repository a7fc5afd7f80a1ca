"""The loop of every training: stopped and taken up again it ends where it would have ended."""

import pytest
import torch
from torch import nn

from hopline.training.training_loop import Recipe, fingerprint, fit

ROWS = [(float(n), 2.0 * n + 1.0) for n in range(12)]
RECIPE = Recipe(epochs=3, batch=4, rate=0.05)


def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(1, 4), nn.Dropout(0.5), nn.Linear(4, 1))


def loss_with(net):
    def loss_of(rows, random):
        x = torch.tensor([[x + random.random() / 100] for x, _ in rows])
        return ((net(x)[:, 0] - torch.tensor([y for _, y in rows])) ** 2).mean()

    return loss_of


class Stopped(Exception):
    pass


def test_a_training_that_was_stopped_ends_as_one_that_was_not(tmp_path, monkeypatch):
    whole = model()
    fit(whole, ROWS, loss_with(whole), RECIPE, phase="x")

    monkeypatch.setattr("hopline.training.training_loop.KEPT_EVERY", -1.0)
    seen = []

    def stop(told):
        seen.append(told.done)
        if told.done == 5:
            raise Stopped

    half = model()
    with pytest.raises(Stopped):
        fit(half, ROWS, loss_with(half), RECIPE, phase="x", checkpoint=tmp_path / "x.checkpoint", listener=stop)
    again = model()
    fit(
        again,
        ROWS,
        loss_with(again),
        RECIPE,
        phase="x",
        checkpoint=tmp_path / "x.checkpoint",
        listener=lambda told: seen.append(told.done),
    )
    assert seen == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9]  # what was heard of but not kept is done again
    for one, other in zip(whole.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("change", [{"rate": 0.01}, {"seed": 7}])
def test_a_checkpoint_of_another_recipe_is_not_taken_up(tmp_path, change):
    first, second = model(), model()
    fit(first, ROWS, loss_with(first), RECIPE, phase="x", checkpoint=tmp_path / "x.checkpoint")
    told = []
    other = Recipe(**{"epochs": 3, "batch": 4, "rate": 0.05, **change})
    fit(second, ROWS, loss_with(second), other, phase="x", checkpoint=tmp_path / "x.checkpoint", listener=told.append)
    assert [one.done for one in told] == list(range(1, 10))


def test_a_checkpoint_of_other_rows_or_another_setup_is_not_taken_up(tmp_path):
    same = fingerprint(ROWS, "deep")
    assert fingerprint(list(ROWS), "deep") == same
    others = (fingerprint([(0.5, 2.0), *ROWS[1:]], "deep"), fingerprint(ROWS, "flat"))
    assert same not in others
    path = tmp_path / "x.checkpoint"
    for data, steps in ((same, 9), (same, 0), (others[0], 9), (others[1], 9)):
        net, told = model(), []
        fit(net, ROWS, loss_with(net), RECIPE, phase="x", checkpoint=path, data=data, listener=told.append)
        assert len(told) == steps


def test_a_checkpoint_that_was_cut_off_is_none(tmp_path):
    (tmp_path / "x.checkpoint").write_bytes(b"PK\x03\x04 cut off")
    net, told = model(), []
    fit(net, ROWS, loss_with(net), RECIPE, phase="x", checkpoint=tmp_path / "x.checkpoint", listener=told.append)
    assert told[0].done == 1


def test_the_loss_falls():
    net = nn.Linear(1, 1)
    told = []
    fit(net, ROWS, loss_with(net), Recipe(epochs=40, batch=4, rate=0.1), phase="x", listener=told.append)
    assert told[-1].loss < told[0].loss / 10
