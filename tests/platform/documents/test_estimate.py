"""Estimates of what adding files takes, by the real counting process."""

import gzip

import pytest

from hopline.config import load_settings
from hopline.documents.estimate import estimate_processing

ROWS = b'{"text": "a"}\n{"text": "b"}\n'


@pytest.fixture
def settings(tmp_path):
    return load_settings(home=tmp_path / "home")


@pytest.mark.parametrize(
    "content",
    [
        b"\x1f\x8bno gzip",
        gzip.compress(ROWS)[:-4],
        gzip.compress(ROWS)[:12] + bytes(20),
        gzip.compress(ROWS)[:-8] + bytes(8),
    ],
    ids=["no header", "truncated", "damaged data", "wrong checksum"],
)
def test_a_damaged_file_does_not_affect_the_estimate_of_the_others(settings, tmp_path, content):
    (tmp_path / "rows.jsonl").write_bytes(ROWS)
    (tmp_path / "damaged.jsonl.gz").write_bytes(content)
    estimate = estimate_processing(settings, [tmp_path / "rows.jsonl", tmp_path / "damaged.jsonl.gz"], "")
    assert (estimate.documents, estimate.passages) == (1, 2)
    [unsupported] = estimate.unsupported
    assert unsupported.startswith("damaged.jsonl.gz: the file cannot be opened or decompressed: ")


def test_rows_that_are_not_compressed_are_counted_whatever_the_name(settings, tmp_path):
    (tmp_path / "rows.jsonl.gz").write_bytes(ROWS)
    assert estimate_processing(settings, [tmp_path], "").passages == 2


def test_more_paths_than_the_arguments_of_a_process_may_have_are_estimated(settings, tmp_path):
    folder = tmp_path / ("x" * 200) / ("y" * 200) / ("z" * 200)
    folder.mkdir(parents=True)
    for number in range(4000):  # 2.5 MB of paths; Linux allows 2 MB
        (folder / f"{number}.txt").touch()
    assert estimate_processing(settings, [tmp_path], "").documents == 4000
