"""The files to add: each once, with a name and a path that a database can store."""

import os
import sys

import pytest

from hopline.documents.file_store import get_stored_path, store_file
from hopline.documents.source_files import SourceFile, encode_path, find_files


def write_files(folder, *names):
    """Write files of these names, each with its name as content."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def test_a_file_that_is_given_twice_is_returned_once(tmp_path):
    write_files(tmp_path, "a/report.pdf")
    report = tmp_path / "a" / "report.pdf"
    source_files = find_files([report, tmp_path / "a", tmp_path / "a" / ".." / "a" / "report.pdf"])
    assert source_files == [SourceFile(report, "report.pdf")]


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="file names there are text")
def test_undecodable_names_can_be_encoded_and_stay_distinct(tmp_path):
    for name in (b"\xff.txt", b"\xfe.txt"):
        (tmp_path / os.fsdecode(name)).write_bytes(name)
    source_files = find_files([tmp_path])
    assert [file.name for file in source_files] == ["\N{REPLACEMENT CHARACTER}.txt"] * 2
    assert len({encode_path(file.path).encode("utf-8") for file in source_files}) == 2
    for file in source_files:
        sha256 = store_file(tmp_path / "files", file.path)
        assert get_stored_path(tmp_path / "files", sha256, file.name).read_bytes() == file.path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no control characters in file names")
def test_a_document_name_has_no_control_characters(tmp_path):
    (tmp_path / "a\x1b]0;title\x07\n.txt").write_text("text")
    assert [file.name for file in find_files([tmp_path])] == ["a ]0;title  .txt"]
