"""Files whole or not at all."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from hopline.atomic_files import replace, replace_text, text_lines
from hopline.errors import UsageError


def test_a_file_that_could_not_be_written_leaves_the_old_one_and_nothing_else(tmp_path):
    replace_text(tmp_path / "a.json", "old")

    def half(fresh):
        fresh.write_text("ne")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        replace(tmp_path / "a.json", half)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.json", "old")]


def test_threads_that_replace_one_file_at_once_leave_one_of_their_texts_whole(tmp_path):
    barrier = Barrier(2, timeout=10)

    def write(letter):
        for _ in range(200):
            barrier.wait()
            replace_text(tmp_path / "a.json", letter * 100_000)
            assert (tmp_path / "a.json").read_text() in ("a" * 100_000, "b" * 100_000)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(write, "ab"))
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_packed_and_plain_lines_are_the_same(tmp_path):
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_text("one\ntwo\n")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert list(text_lines(plain)) == list(text_lines(packed)) == ["one\n", "two\n"]


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"a line\n" * 500)[:40], gzip.compress(b"\xff\xfe")],
    ids=["no gzip", "cut off", "no text"],
)
def test_what_is_cut_off_or_no_text_is_told_with_its_name(tmp_path, content):
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(UsageError, match=r"a\.gz cannot be read"):
        list(text_lines(tmp_path / "a.gz"))
