"""The reasons for which another attempt is not offered are those of the parsers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from hopline.documents.reprocessing import may_succeed
from hopline.documents.source_files import describe_unsupported
from hopline.errors import DocumentError
from hopline_ingest.formats.office_source import require_zip
from hopline_ingest.formats.pdf.file import open_pdf


def open_protected(folder: Path) -> None:
    canvas = Canvas(str(folder / "a.pdf"), encrypt=StandardEncryption("open sesame", strength=128))
    canvas.drawString(50, 700, "text")
    canvas.save()
    open_pdf(str(folder / "a.pdf"))


def open_damaged(folder: Path) -> None:
    (folder / "a.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    open_pdf(str(folder / "a.pdf"))


@pytest.mark.parametrize(
    "fail",
    [
        open_protected,
        open_damaged,
        lambda _: require_zip(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".docx"),
        lambda _: require_zip(b"text", ".docx"),
    ],
    ids=["protected", "damaged", "old office file", "no office file"],
)
def test_a_file_at_fault_is_not_processed_again(tmp_path: Path, fail: Callable[[Path], None]) -> None:
    with pytest.raises(DocumentError) as failure:
        fail(tmp_path)
    assert not may_succeed(str(failure.value))


def test_an_unsupported_file_is_not_processed_again_but_one_that_took_too_long_is() -> None:
    assert not may_succeed(describe_unsupported("song.mp3"))
    assert may_succeed("the page was not parsed within 300 seconds")
    assert may_succeed("the file has 120 MB; the limit is 100 MB (HOPLINE_MAX_FILE_MB)")
