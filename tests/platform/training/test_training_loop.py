"""The training loop: a resumed training gives the same result as an uninterrupted one."""

import pytest
import torch
from torch import nn

from hopline.training.training_loop import MIN_RATE, Recipe, compute_fingerprint, fit, scale_rate

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


def test_a_resumed_training_equals_an_uninterrupted_one(tmp_path, monkeypatch):
    uninterrupted = model()
    fit(uninterrupted, ROWS, loss_with(uninterrupted), RECIPE, phase="x")

    monkeypatch.setattr("hopline.training.training_loop.CHECKPOINT_SECONDS", -1.0)
    steps_seen = []

    def stop(progress):
        steps_seen.append(progress.done)
        if progress.done == 5:
            raise Stopped

    interrupted = model()
    with pytest.raises(Stopped):
        fit(
            interrupted,
            ROWS,
            loss_with(interrupted),
            RECIPE,
            phase="x",
            checkpoint=tmp_path / "x.checkpoint",
            on_progress=stop,
        )
    resumed = model()
    fit(
        resumed,
        ROWS,
        loss_with(resumed),
        RECIPE,
        phase="x",
        checkpoint=tmp_path / "x.checkpoint",
        on_progress=lambda progress: steps_seen.append(progress.done),
    )
    assert steps_seen == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9]  # steps after the last checkpoint are repeated
    for report, other in zip(uninterrupted.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(report, other)


@pytest.mark.parametrize("change", [{"rate": 0.01}, {"seed": 7}])
def test_a_checkpoint_of_another_recipe_is_ignored(tmp_path, change):
    first, second = model(), model()
    fit(first, ROWS, loss_with(first), RECIPE, phase="x", checkpoint=tmp_path / "x.checkpoint")
    reports = []
    other = Recipe(**{"epochs": 3, "batch": 4, "rate": 0.05, **change})
    fit(
        second,
        ROWS,
        loss_with(second),
        other,
        phase="x",
        checkpoint=tmp_path / "x.checkpoint",
        on_progress=reports.append,
    )
    assert [report.done for report in reports] == list(range(1, 10))


def test_a_checkpoint_of_other_rows_or_another_configuration_is_ignored(tmp_path):
    same = compute_fingerprint(ROWS, "deep")
    assert compute_fingerprint(list(ROWS), "deep") == same
    others = (compute_fingerprint([(0.5, 2.0), *ROWS[1:]], "deep"), compute_fingerprint(ROWS, "flat"))
    assert same not in others
    path = tmp_path / "x.checkpoint"
    for data, steps in ((same, 9), (same, 0), (others[0], 9), (others[1], 9)):
        net, reports = model(), []
        fit(net, ROWS, loss_with(net), RECIPE, phase="x", checkpoint=path, data=data, on_progress=reports.append)
        assert len(reports) == steps


def test_a_truncated_checkpoint_is_ignored(tmp_path):
    (tmp_path / "x.checkpoint").write_bytes(b"PK\x03\x04 cut off")
    net, reports = model(), []
    fit(net, ROWS, loss_with(net), RECIPE, phase="x", checkpoint=tmp_path / "x.checkpoint", on_progress=reports.append)
    assert reports[0].done == 1


def test_the_loss_decreases():
    net = nn.Linear(1, 1)
    reports = []
    fit(net, ROWS, loss_with(net), Recipe(epochs=40, batch=4, rate=0.1), phase="x", on_progress=reports.append)
    assert reports[-1].loss < reports[0].loss / 10


@pytest.mark.parametrize("total", [24, 100, 5000])
def test_the_rate_rises_during_the_warm_up_share_of_any_number_of_steps_and_then_falls(total):
    rates = [scale_rate(step, total, 0.1) for step in range(total)]
    peak = rates.index(max(rates))
    assert max(rates) == 1.0
    assert peak + 1 == round(0.1 * total)
    assert rates[: peak + 1] == sorted(rates[: peak + 1])
    assert rates[peak:] == sorted(rates[peak:], reverse=True)
    assert rates[-1] >= MIN_RATE
    assert rates[-1] < 0.06


def test_a_short_training_reaches_the_learning_rate_of_its_recipe(monkeypatch):
    rates = []
    step = torch.optim.AdamW.step

    def record(optimiser, *arguments, **options):
        rates.append(optimiser.param_groups[0]["lr"])
        return step(optimiser, *arguments, **options)

    monkeypatch.setattr(torch.optim.AdamW, "step", record)
    net = model()
    fit(net, ROWS, loss_with(net), Recipe(epochs=5, batch=4, rate=0.05, warmup=0.2), phase="x")
    assert len(rates) == 15
    assert rates[:4] == pytest.approx([0.05 / 3, 0.1 / 3, 0.05, 0.05 * 12 / 13])


def test_each_epoch_is_evaluated_without_dropout_and_without_an_effect_on_the_training():
    plain, evaluated, epochs = model(), model(), []

    def evaluate(epoch):
        assert not evaluated.training
        torch.rand(3)
        epochs.append(epoch)

    fit(plain, ROWS, loss_with(plain), RECIPE, phase="x")
    fit(evaluated, ROWS, loss_with(evaluated), RECIPE, phase="x", after_epoch=evaluate)
    assert epochs == [1, 2, 3]
    for parameter, other in zip(plain.parameters(), evaluated.parameters(), strict=True):
        assert torch.equal(parameter, other)
