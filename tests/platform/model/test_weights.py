"""Weights with their card: what is written comes back, and what was changed is refused."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.learned.registry import LOADERS, SHIPPED
from hopline.learned.weight_files import CARD, NUMBERS, READ_ME, Card, load_weights, save_weights

CARD_OF = {
    "part": "toy", "version": 3, "purpose": "Nothing.", "base": "nothing", "shape": {"layers": 1}, "recipe": {"seed": 4},
    "data": {"rows": 2}, "figures": {"R@5": 71.5}, "seconds": 9.0, "limits": "Toys only.", "made": "2026-11-22",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    save_weights(tmp_path / "toy", {"a": np.arange(4, dtype=np.float32)}, Card(**CARD_OF))
    return tmp_path / "toy"


def test_what_was_saved_comes_back_with_its_card(folder):
    tensors, card = load_weights(folder, version=3)
    assert tensors["a"].tolist() == [0, 1, 2, 3]
    assert card.figures == {"R@5": 71.5}
    assert len(card.sha256) == 64
    assert {path.name for path in folder.iterdir()} == {NUMBERS, CARD, READ_ME}


def test_the_card_is_there_for_people_too(folder):
    text = (folder / READ_ME).read_text()
    for said in ("# toy", "Nothing.", "| R@5 | 71.5 |", "| seed | 4 |", "Toys only.", "sha256"):
        assert said in text


def test_numbers_that_the_card_does_not_vouch_for_are_refused(folder):
    (folder / NUMBERS).write_bytes((folder / NUMBERS).read_bytes()[:-1] + b"\x01")
    with pytest.raises(UsageError, match=r"sha256 differs.*train toy again"):
        load_weights(folder, version=3)


def test_weights_of_another_version_are_refused(folder):
    with pytest.raises(UsageError, match=r"wanted 4, got 3.*train toy again"):
        load_weights(folder, version=4)


def test_a_card_that_is_none_is_refused(folder):
    (folder / CARD).write_text(json.dumps({"part": "toy"}))
    with pytest.raises(UsageError, match="cannot be read"):
        load_weights(folder, version=3)
    (folder / CARD).unlink()
    with pytest.raises(UsageError, match="cannot be read"):
        load_weights(folder, version=3)


def test_what_is_shipped_can_be_loaded_and_is_small():
    folders = [path for path in SHIPPED.iterdir() if path.is_dir()]
    assert folders
    for folder in folders:
        assert LOADERS[folder.name](folder)
        assert (folder / READ_ME).exists()
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) < 5e6
