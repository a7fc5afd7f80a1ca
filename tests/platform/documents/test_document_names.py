"""Names of files within a collection, decided without a database."""

import random

from hopline.documents.document_names import KnownFile, StoredFile, assign_names


def name(files, *known):
    """Return the name and the change of each file by its path; ``known`` are the files of the collection."""
    named = assign_names(
        files,
        lambda paths: {file.path: file for file in known if file.path in paths},
        lambda names: {file.name: file for file in known if file.name in names},
    )
    return {file.file.path: (file.name, file.change) for file in named}


def known(path, name, content):
    return KnownFile(name, name, path, content)


def test_files_of_one_name_get_unique_names_whatever_their_order():
    expected = {
        "a/report.pdf": "report.pdf",
        "b/report.pdf": "report (3).pdf",
        "c/report.pdf": "report (4).pdf",
        "b/report (2).pdf": "report (2).pdf",
        "a/rows.jsonl.gz": "rows.jsonl.gz",
        "b/rows.jsonl.gz": "rows (2).jsonl.gz",
    }
    files = [StoredFile(path.split("/")[1], path, path) for path in expected]
    for _ in range(10):
        random.shuffle(files)
        assert {path: name for path, (name, _) in name(files).items()} == expected


def test_a_file_keeps_the_name_that_it_got():
    files = [StoredFile("a.txt", "1/a.txt", "one"), StoredFile("a.txt", "2/a.txt", "two")]
    before = (known("2/a.txt", "a.txt", "two"), known("3/a.txt", "a (2).txt", "three"))
    assert name(files, *before) == {"1/a.txt": ("a (3).txt", "new"), "2/a.txt": ("a.txt", "unchanged")}


def test_a_file_that_cannot_be_read_replaces_nothing():
    unreadable = StoredFile("a.txt", "1/a.txt", reason="no permission")
    assert name([unreadable], known("1/a.txt", "a.txt", "one")) == {"1/a.txt": ("a.txt", "unchanged")}
    assert name([unreadable], known("2/a.txt", "a.txt", "")) == {"1/a.txt": ("a (2).txt", "new")}


def test_an_unknown_path_means_the_document_of_the_name():
    upload, file = StoredFile("a.txt", "", "two"), StoredFile("a.txt", "1/a.txt", "two")
    assert name([upload], known("1/a.txt", "a.txt", "one")) == {"": ("a.txt", "replaced")}
    assert name([file], known("", "a.txt", "one")) == {"1/a.txt": ("a.txt", "replaced")}
