"""Lines that OCR recognised."""

from hopline_ingest.formats.pdf.ocr.scans import unify_sizes


def test_lines_about_as_high_as_most_text_have_one_size(line):
    sizes = [10.2, 12.6, 11.5, 11.5, 18.0, 7.0]
    lines = [line("The board approved the purchase.", size=size) for size in sizes]
    assert [shown.size for shown in unify_sizes(lines)] == [11.5, 11.5, 11.5, 11.5, 18.0, 7.0]
    assert unify_sizes([]) == []
