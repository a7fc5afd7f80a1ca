"""Weights with their card: what is written comes back, and what was changed is refused."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.learned.registry import BUNDLED, LOADERS
from hopline.learned.weight_files import CARD_FILE, README_FILE, WEIGHTS_FILE, ModelCard, load_weights, save_weights

CARD_OF = {
    "part": "toy", "version": 3, "purpose": "Nothing.", "base": "nothing", "shape": {"layers": 1}, "recipe": {"seed": 4},
    "data": {"rows": 2}, "figures": {"R@5": 71.5}, "seconds": 9.0, "limits": "Toys only.", "date": "2026-11-22",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    save_weights(tmp_path / "toy", {"a": np.arange(4, dtype=np.float32)}, ModelCard(**CARD_OF))  # type: ignore[arg-type]
    return tmp_path / "toy"


def test_saved_parameters_are_loaded_with_their_card(folder):
    tensors, card = load_weights(folder, version=3)
    assert tensors["a"].tolist() == [0, 1, 2, 3]
    assert card.figures == {"R@5": 71.5}
    assert len(card.sha256) == 64
    assert {path.name for path in folder.iterdir()} == {WEIGHTS_FILE, CARD_FILE, README_FILE}


def test_the_card_is_also_a_readme(folder):
    text = (folder / README_FILE).read_text()
    for text_part in ("# toy", "Nothing.", "| R@5 | 71.5 |", "| seed | 4 |", "Toys only.", "sha256"):
        assert text_part in text


def test_parameters_with_another_hash_are_refused(folder):
    (folder / WEIGHTS_FILE).write_bytes((folder / WEIGHTS_FILE).read_bytes()[:-1] + b"\x01")
    with pytest.raises(UsageError, match=r"sha256 differs.*train toy again"):
        load_weights(folder, version=3)


def test_weights_of_another_version_are_refused(folder):
    with pytest.raises(UsageError, match=r"wanted 4, got 3.*train toy again"):
        load_weights(folder, version=4)


def test_the_date_of_a_card_of_an_earlier_version_is_read(folder):
    card = json.loads((folder / CARD_FILE).read_text())
    (folder / CARD_FILE).write_text(json.dumps({**card, "made": card.pop("date")}))
    assert load_weights(folder, version=3)[1].date == "2026-11-22"


def test_an_invalid_card_is_refused(folder):
    (folder / CARD_FILE).write_text(json.dumps({"part": "toy"}))
    with pytest.raises(UsageError, match="cannot be read"):
        load_weights(folder, version=3)
    (folder / CARD_FILE).unlink()
    with pytest.raises(UsageError, match="cannot be read"):
        load_weights(folder, version=3)


def test_bundled_weights_can_be_loaded_and_are_small():
    folders = [path for path in BUNDLED.iterdir() if path.is_dir()]
    assert folders
    for folder in folders:
        assert LOADERS[folder.name](folder)
        assert (folder / README_FILE).exists()
    sizes = {folder.name: sum(path.stat().st_size for path in folder.iterdir()) for folder in folders}
    assert sizes.pop("reader") < 46e6
    assert sizes.pop("verifier") < 22e6
    assert sizes.pop("name_tagger") < 15e6
    assert sizes.pop("cell_selector") < 22e6
    assert sum(sizes.values()) < 5e6
