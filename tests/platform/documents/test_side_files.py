"""Side files: which files they are, and what is said of one that cannot be used."""

import pytest

from hopline.documents.side_files import is_side_file, read_side_file
from hopline.documents.source_files import find_files, find_skipped_files
from hopline.errors import UsageError


@pytest.fixture
def report(tmp_path):
    file = tmp_path / "report.pdf"
    file.write_bytes(b"%PDF-")
    return file


def write_side_file(file, text):
    file.with_name(f"{file.name}.metadata.json").write_text(text, encoding="utf-8")


def test_a_side_file_has_the_metadata_of_the_file_beside_it(report):
    assert read_side_file(report) == {}
    write_side_file(report, '\ufeff{"year": 2024, "tag": ["risk", "loans"], "gone": null}')
    assert read_side_file(report) == {"tag": ("risk", "loans"), "year": 2024}


def test_a_side_file_is_neither_added_nor_skipped(report, tmp_path):
    write_side_file(report, "{}")
    alone = tmp_path / "other.pdf.metadata.json"
    alone.write_text("{}")
    assert [file.name for file in find_files([tmp_path])] == ["report.pdf"]
    assert [file.name for file in find_files(sorted(tmp_path.iterdir()))] == ["other.pdf.metadata.json", "report.pdf"]
    assert [file.path for file in find_skipped_files([tmp_path])] == [str(alone)]
    assert not is_side_file(alone)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read as JSON"),
        ("[1]", "must be a mapping"),
        ('{"a b": 1}', "a key has"),
        ('{"a": {}}', "a must be"),
    ],
)
def test_an_error_names_the_side_file(report, text, message):
    write_side_file(report, text)
    with pytest.raises(UsageError, match=rf"report\.pdf\.metadata\.json.*{message}"):
        read_side_file(report)
