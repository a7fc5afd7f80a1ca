"""Atomic replacement of files, and reading of text files."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from hopline.atomic_files import read_lines, replace_file, write_text_atomically
from hopline.errors import UsageError


def test_a_failed_write_leaves_the_old_file_and_no_temporary_one(tmp_path):
    write_text_atomically(tmp_path / "a.json", "old")

    def half(fresh):
        fresh.write_text("ne")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        replace_file(tmp_path / "a.json", half)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.json", "old")]


def test_concurrent_replacements_leave_one_complete_file(tmp_path):
    barrier = Barrier(2, timeout=10)

    def write(letter):
        for _ in range(200):
            barrier.wait()
            write_text_atomically(tmp_path / "a.json", letter * 100_000)
            assert (tmp_path / "a.json").read_text() in ("a" * 100_000, "b" * 100_000)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write, "ab"))
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_gzipped_and_plain_files_give_the_same_lines(tmp_path):
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_text("one\ntwo\n")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert list(read_lines(plain)) == list(read_lines(packed)) == ["one\n", "two\n"]


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"a line\n" * 500)[:40], gzip.compress(b"\xff\xfe")],
    ids=["no gzip", "truncated", "not text"],
)
def test_a_truncated_file_or_one_that_is_not_text_is_named_in_the_error(tmp_path, content):
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.gz cannot be read"):
        list(read_lines(tmp_path / "a.gz"))
