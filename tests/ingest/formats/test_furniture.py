import pytest

from hopline_ingest.formats.pdf.layout.headers_footers import furniture
from hopline_ingest.formats.pdf.page_content import PageContent


def book(*pages):
    return [PageContent(n + 1, 600, 800, tuple(lines)) for n, lines in enumerate(pages)]


def dropped(pages):
    return {pages[page].lines[index].text for page, index in furniture(pages)}


def test_what_stands_at_the_same_height_of_pages_near_each_other_is_dropped(line):
    pages = book(*[[line(f"Chapter One · {n}", y=30), line(f"The text of page {n}.", y=300)] for n in range(4)])
    assert dropped(pages) == {f"Chapter One · {n}" for n in range(4)}


def test_left_and_right_pages_may_have_heads_of_their_own(line):
    heads = ["The Author", "The Book"]
    pages = book(*[[line(heads[n % 2], y=30), line("text", y=300)] for n in range(8)])
    assert dropped(pages) == set(heads)


def test_headings_of_like_words_far_apart_stay(line):
    pages = book(*[[line(f"PART {'I' * (n // 4 + 1)}" if n % 4 == 0 else "text", y=30)] for n in range(12)])
    assert not any(text.startswith("PART") for text in dropped(pages))


@pytest.mark.parametrize("number", ["7", "- 7 -", "Page 7 of 20", "xiv", "7 / 20"])
def test_a_page_number_alone_is_dropped_even_once(line, number):
    assert dropped(book([line("text", y=300), line(number, y=760)])) == {number}


def test_a_number_in_the_middle_of_a_page_stays(line):
    assert dropped(book([line("text", y=100), line("7", y=400), line("more", y=700)])) == set()


def test_what_the_model_calls_a_header_counts_at_the_edge_only(line):
    pages = book([line("Journal", y=20, role="header"), line("A heading", y=400, role="header")], [line("text", y=300)])
    assert dropped(pages) == {"Journal"}


def test_the_text_of_a_single_page_stays(line):
    assert dropped(book([line("A short note", y=20), line("text", y=300)])) == set()
