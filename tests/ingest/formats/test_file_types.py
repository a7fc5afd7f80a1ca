import gzip

import pytest

from hopline.errors import DocumentError
from hopline_ingest.formats.estimate import estimate_file
from hopline_ingest.formats.file_types import SUPPORTED, check_file, detect_file_type, match_suffix


def test_every_supported_suffix_has_a_kind_in_any_case():
    assert {detect_file_type("a" + suffix.upper()) for suffix in SUPPORTED} == {
        "pdf",
        "office",
        "spreadsheet",
        "text",
        "jsonl",
    }
    assert match_suffix("corpus.JSONL.gz") == ".jsonl.gz"


@pytest.mark.parametrize("name", ["a.mp3", "a.gz", "README", "a.pdf.exe"])
def test_unsupported_files_are_rejected_with_the_list_of_supported_ones(name):
    with pytest.raises(DocumentError, match=r"are not supported; supported are: \.pdf \.png"):
        detect_file_type(name)


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "empty"), (b"PK\x03\x04", "not a valid PDF"), (b"%PDF-1.4" + b"0" * 2**20, "limit is 1 MB")],
)
def test_a_file_is_checked_before_it_is_parsed(tmp_path, data, reason):
    path = tmp_path / "a.pdf"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        check_file(path, "a.pdf", max_mb=1)


def test_a_missing_file_raises_an_error(tmp_path):
    with pytest.raises(DocumentError, match="cannot be opened: No such file"):
        check_file(tmp_path / "none.pdf", "none.pdf", max_mb=1)


def test_a_pdf_may_have_something_before_its_mark(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(b"\r\n\r\n%PDF-1.4\n")
    assert check_file(path, "a.pdf", max_mb=1) == "pdf"


def test_estimates_count_pages_and_lines_without_opening(tmp_path):
    pdf, packed, text = tmp_path / "a.pdf", tmp_path / "a.jsonl.gz", tmp_path / "a.txt"
    pdf.write_bytes(b"%PDF-1.4 <</Type/Pages /Count 7 /Kids[]>> <</Type/Pages /Count 3>>")
    packed.write_bytes(gzip.compress(b"{}\n{}\n{}"))
    text.write_bytes(b"x" * 9000)
    assert estimate_file(pdf)[0] == 7
    assert estimate_file(packed) == (1, 3)
    assert estimate_file(text) == (1, 10)
    pdf.write_bytes(b"%PDF-1.5 " + b"0" * 90_000)
    assert estimate_file(pdf)[0] == 10
    pdf.write_bytes(b"")
    assert estimate_file(pdf) == (0, 0)
