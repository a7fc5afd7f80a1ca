"""Printed page numbers, from the labels of a file and from its headers and footers."""

import pytest

from hopline_ingest.formats.pdf.assembly.document import assemble_document
from hopline_ingest.formats.pdf.layout.page_labels import find_page_labels
from hopline_ingest.formats.pdf.page_content import PageContent

BODY = "This is running text that fills its line to the end of it."


@pytest.fixture
def label(line):
    """Label pages with these footers by what they print and by the labels of the file."""

    def label(*footers, labels=()):
        pages = [
            PageContent(number, 600.0, 800.0, (line(BODY, y=300), line(footer, y=770, block=1)) if footer else ())
            for number, footer in enumerate(footers, 1)
        ]
        positions = {(number, 1) for number, footer in enumerate(footers) if footer}
        return find_page_labels(pages, positions, labels)

    return label


def test_numbers_that_count_up_are_labels(label):
    footers = ("i", "ii", "iii", "Annual report | Page 1", "Annual report | Page 2", "Annual report | Page 3", "")
    assert label(*footers) == ["i", "ii", "iii", "1", "2", "3", ""]
    assert label("A-1", "A-2", "A-3") == ["A-1", "A-2", "A-3"]
    assert label("40 of 52", "41 of 52", "42 of 52") == ["40", "41", "42"]
    assert label("", "83 Fees", "84 Fees", "85 Fees") == ["", "83", "84", "85"]


@pytest.mark.parametrize("footers", [
    ("1", "2", "3"),  # the numbers of the pages themselves
    ("7", "9", "12"),  # no run
    ("Report 2024", "Report 2024", "Report 2024"),
    ("5", "6", ""),  # too short
])  # fmt: skip
def test_other_numbers_are_not(label, footers):
    assert label(*footers) == [""] * len(footers)


def test_the_labels_of_the_file_count_before_what_is_printed(label):
    assert label("7", "8", "9", labels=("T-1", "i", "1")) == ["T-1", "i", "1"]
    assert label("7", "8", "9", labels=("1", "2", "3")) == ["", "", ""]
    assert label("7", "8", "9", labels=("", "", "")) == ["7", "8", "9"]


def test_a_document_has_the_labels_of_its_pages(line):
    pages = [PageContent(n, 600.0, 800.0, (line(BODY, y=300), line(f"B-{n + 4}", y=775, block=1))) for n in (1, 2, 3)]
    assert [page.label for page in assemble_document(pages, name="a.pdf").pages] == ["B-5", "B-6", "B-7"]
