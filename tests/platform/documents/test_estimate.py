"""Estimates of what adding files takes, by the real counting process."""

import gzip

import pypdfium2
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from hopline.config import load_settings
from hopline.documents import protected_pdfs
from hopline.documents.estimate import estimate_processing
from hopline.documents.source_files import describe_unsupported
from hopline.errors import UsageError

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


def draw_pdf(path, **options):
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), **options)
    for page in range(3):
        canvas.drawString(50, 700, f"The harbour of Halm, part {page}.")
        canvas.showPage()
    canvas.save()
    return path


def test_protected_damaged_and_unsupported_files_are_named_before_they_are_added(settings, tmp_path):
    whole = draw_pdf(tmp_path / "whole.pdf")
    draw_pdf(tmp_path / "locked.pdf", encrypt=StandardEncryption("open sesame", strength=128))
    draw_pdf(tmp_path / "printable.pdf", encrypt=StandardEncryption("", ownerPassword="owner", strength=128))
    (tmp_path / "text.pdf").write_bytes(b"this is no PDF")
    (tmp_path / "cut.pdf").write_bytes(whole.read_bytes()[:40])
    song = tmp_path / "song.mp3"
    song.touch()
    estimate = estimate_processing(settings, [tmp_path, song], "")
    assert (estimate.documents, estimate.pages, estimate.protected) == (2, 6, ("locked.pdf",))
    assert [line.partition(": ")[::2] for line in estimate.unsupported] == [
        ("song.mp3", describe_unsupported("song.mp3")),
        ("cut.pdf", "the PDF is damaged and cannot be opened"),
        ("text.pdf", "the PDF is damaged and cannot be opened"),
    ]


def test_a_pdf_is_opened_only_if_its_bytes_are_unusual(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "hopline.documents.protected_pdfs.subprocess.run", lambda *_, **__: pytest.fail("it was opened")
    )
    assert protected_pdfs.read_pdf_state(draw_pdf(tmp_path / "whole.pdf")) == "open"


def test_a_password_is_removed_from_the_file_and_a_wrong_one_changes_nothing(tmp_path):
    path = draw_pdf(tmp_path / "locked.pdf", encrypt=StandardEncryption("open sesame", strength=128))
    before = path.read_bytes()
    with pytest.raises(UsageError, match=r"the password of locked\.pdf is wrong"):
        protected_pdfs.remove_password(path, "wrong")
    assert path.read_bytes() == before
    protected_pdfs.remove_password(path, "open sesame")
    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == 3
        assert "part 1" in document[1].get_textpage().get_text_range()
    assert protected_pdfs.read_pdf_state(path) == "open"
    assert [file.name for file in tmp_path.iterdir()] == ["locked.pdf"]
