"""The store of added files: every copy has the hash in its name."""

import hashlib
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from hopline.documents.file_store import get_stored_path, store_file

DAY = 24 * 3600


def read_stored_hashes(files):
    """Return the SHA-256 of each stored file with the one in its name."""
    return [
        (hashlib.sha256(path.read_bytes()).hexdigest(), path.name.partition(".")[0])
        for path in files.rglob("*")
        if path.is_file()
    ]


def test_threads_that_store_different_files_of_one_name_store_both_correctly(tmp_path):
    files, barrier = tmp_path / "files", Barrier(2, timeout=10)
    sources = [tmp_path / "one" / "report.pdf", tmp_path / "two" / "report.pdf"]
    for source in sources:
        source.parent.mkdir()

    def store(source):
        hashes = set()
        for round in range(40):
            content = f"{source} {round} ".encode() * 40_000
            source.write_bytes(content)
            barrier.wait()
            hashes.add(hashlib.sha256(content).hexdigest())
            assert store_file(files, source) in hashes
        return hashes

    with ThreadPoolExecutor(2) as threads:
        stored = set.union(*threads.map(store, sources))
    hashes = read_stored_hashes(files)
    assert {actual for actual, _ in hashes} == stored
    assert all(actual == expected for actual, expected in hashes)


@pytest.mark.parametrize("damage", [b"", b"RIGHT bytes", b"right bytes and more"], ids=["empty", "other", "longer"])
def test_a_damaged_copy_is_replaced_and_an_intact_one_is_not_written_again(tmp_path, damage):
    files, source = tmp_path / "files", tmp_path / "a.txt"
    source.write_bytes(b"right bytes")
    target = get_stored_path(files, store_file(files, source), source.name)
    before = target.stat()
    store_file(files, source)
    assert (target.stat().st_ino, target.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    target.write_bytes(damage)
    store_file(files, source)
    assert target.read_bytes() == b"right bytes"


def test_a_file_that_changes_while_it_is_copied_is_stored_under_the_hash_of_its_copy(tmp_path, monkeypatch):
    files, source = tmp_path / "files", tmp_path / "a.txt"
    source.write_bytes(b"first")
    copy, changes = shutil.copyfile, iter([b"second"])

    def change_and_copy(path, target):
        source.write_bytes(next(changes, b"second"))
        return copy(path, target)

    monkeypatch.setattr(shutil, "copyfile", change_and_copy)
    assert store_file(files, source) == hashlib.sha256(b"second").hexdigest()
    assert [actual == expected for actual, expected in read_stored_hashes(files)] == [True]


def test_a_file_that_keeps_changing_is_rejected_and_not_stored(tmp_path, monkeypatch):
    files, source = tmp_path / "files", tmp_path / "a.txt"
    source.write_bytes(b"")
    copy = shutil.copyfile

    def grow_and_copy(path, target):
        with source.open("ab") as growing:
            growing.write(b"more")
        return copy(path, target)

    monkeypatch.setattr(shutil, "copyfile", grow_and_copy)
    with pytest.raises(OSError, match=r"a\.txt changed during each of 3 copies"):
        store_file(files, source)
    assert read_stored_hashes(files) == []


def test_unfinished_copies_of_killed_processes_are_removed_after_a_day(tmp_path):
    files, source = tmp_path / "files", tmp_path / "a.txt"
    source.write_bytes(b"text")
    (files / "ab").mkdir(parents=True)
    leftovers = [files / ".123-report.pdf.part", files / "ab" / ".0f.part"]
    for leftover in leftovers:
        leftover.write_bytes(b"half")
        os.utime(leftover, (time.time() - 2 * DAY,) * 2)
    (files / "ab" / ".young.part").write_bytes(b"being written")
    store_file(files, source)
    assert [path.name for path in files.rglob("*.part")] == [".young.part"]
