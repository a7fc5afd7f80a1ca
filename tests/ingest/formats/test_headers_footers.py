from dataclasses import replace

import pytest

from hopline_ingest.formats.pdf.layout.headers_footers import find_headers_and_footers, list_left_out
from hopline_ingest.formats.pdf.page_content import PageContent


def book(*pages):
    return [PageContent(n + 1, 600, 800, tuple(lines)) for n, lines in enumerate(pages)]


def find_removed_texts(pages):
    return {pages[page].lines[index].text for page, index in find_headers_and_footers(pages)}


def test_text_at_the_same_height_on_nearby_pages_is_removed(line):
    pages = book(*[[line(f"Chapter One · {n}", y=30), line(f"The text of page {n}.", y=300)] for n in range(4)])
    assert find_removed_texts(pages) == {f"Chapter One · {n}" for n in range(4)}


def test_left_and_right_pages_may_have_heads_of_their_own(line):
    heads = ["The Author", "The Book"]
    pages = book(*[[line(heads[n % 2], y=30), line(f"text {'abcdefgh'[n]}", y=300)] for n in range(8)])
    assert find_removed_texts(pages) == set(heads)


def test_numbers_that_do_not_count_the_pages_are_content(line):
    bills = book(*[[line(f"Invoice number {7013 + 11 * n * n}", y=30), line("text", y=300)] for n in range(6)])
    assert "Invoice number 7013" not in find_removed_texts(bills)
    chapters = book(*[[line(f"Chapter {1 + n // 3}", y=30), line("text", y=300)] for n in range(9)])
    assert "Chapter 2" in find_removed_texts(chapters)


def test_headings_of_like_words_far_apart_stay(line):
    pages = book(*[[line(f"PART {'I' * (n // 4 + 1)}" if n % 4 == 0 else "text", y=30)] for n in range(12)])
    assert not any(text.startswith("PART") for text in find_removed_texts(pages))


@pytest.mark.parametrize("number", ["7", "- 7 -", "Page 7 of 20", "xiv", "7 / 20"])
def test_a_page_number_alone_is_dropped_even_once(line, number):
    assert find_removed_texts(book([line("text", y=300), line(number, y=760)])) == {number}


def test_a_number_in_the_middle_of_a_page_stays(line):
    assert find_removed_texts(book([line("text", y=100), line("7", y=400), line("more", y=700)])) == set()


def test_what_the_model_calls_a_header_counts_at_the_edge_only(line):
    pages = book([line("Journal", y=20, role="header"), line("A heading", y=400, role="header")], [line("text", y=300)])
    assert find_removed_texts(pages) == {"Journal"}


def test_the_text_of_a_single_page_stays(line):
    assert find_removed_texts(book([line("A short note", y=20), line("text", y=300)])) == set()


def turn_line(line, text, x, y):
    return replace(line(text, y=y), rect=(x, y, x + 8, y + 5.0 * len(text)), turn=90)


def test_turned_text_in_the_margin_is_removed(line):
    mark = turn_line(line, "user on MACHINE with NOTICES", x=12, y=300)
    page = [mark, *(line("a line of the text", x=60, y=100 + 14 * n) for n in range(9))]
    assert find_removed_texts(book(page)) == {mark.text}


def test_a_turned_table_beside_the_text_stays(line):
    table = [turn_line(line, f"Sample Per-{n}", x=370 + 14 * n, y=300) for n in range(4)]
    page = [*table, *(line("a line of the text", x=60, y=100 + 14 * n) for n in range(9))]
    assert find_removed_texts(book(page)) == set()


def test_turned_text_within_the_text_and_on_a_turned_page_stays(line):
    label = turn_line(line, "Temperature (K)", x=80, y=300)
    page = [label, *(line("a line of the text", x=60, y=100 + 14 * n) for n in range(9))]
    assert find_removed_texts(book(page)) == set()
    assert find_removed_texts(book([turn_line(line, "a line", x=12 + 14 * n, y=60) for n in range(5)])) == set()


def test_a_text_at_one_place_of_most_pages_is_removed(line):
    texts = [f"what page {letter} says" for letter in "abcdef"]
    pages = book(*[[line("DRAFT 2023", y=400), line(text, y=300 + 20 * n)] for n, text in enumerate(texts)])
    assert find_removed_texts(pages) == {"DRAFT 2023"}


def test_sentences_at_one_place_that_differ_by_a_number_stay(line):
    pages = book(*[[line(f"Ship {n} carried grain to Lund.", y=400)] for n in range(6)])
    assert find_removed_texts(pages) == set()


def test_the_text_of_a_form_that_is_repeated_stays(line):
    form = [line("Name of the applicant", y=300), line("Address of the applicant", y=320)]
    assert find_removed_texts(book(*[[*form, line(f"Ada {'abcdef'[n]}", y=310)] for n in range(6)])) == set()


def test_a_text_at_one_place_of_few_pages_stays(line):
    pages = book(*[[line("Total" if n < 3 else f"text {n}", y=400)] for n in range(6)])
    assert "Total" not in find_removed_texts(pages)


@pytest.mark.parametrize(
    "text", ["changed by the keeper before the summer", "The share is high. It rises", "so that the keeper, Bo Lind,"]
)
def test_a_sentence_that_the_model_takes_for_a_header_is_text(line, text):
    pages = book(
        *[[line(text if n == 1 else f"Page text {n}", y=30, role="header"), line("text", y=300)] for n in range(2)]
    )
    assert (1, 0) not in find_headers_and_footers(pages)


def test_texts_that_are_left_out_are_listed_once_without_page_numbers(line):
    pages = book(*[[line(f"Annual Report {n}", y=30), line("text", y=300), line(str(n), y=780)] for n in range(4)])
    assert list_left_out(pages, find_headers_and_footers(pages)) == ("header or footer: Annual Report 0",)


def write_page(line, *header, start=260, text="abcdefgh", n=0):
    """Lines of a header, and eight lines of text below it that differ from page to page."""
    return [*header, *(line(f"line {letter} of {'stuvwxyz'[n]}", y=start + 14 * i) for i, letter in enumerate(text))]


@pytest.mark.parametrize("text", ["Harbour Report {}", "Page {} of 90", "{}", "Report 2023 | {}"])
def test_a_header_far_from_the_edge_is_removed_if_its_number_counts_the_pages(line, text):
    headers = [line(text.format(n + 17), y=160) for n in range(4)]
    pages = book(*[write_page(line, headers[n], n=n) for n in range(4)])
    assert find_removed_texts(pages) == {header.text for header in headers}


def test_a_header_of_several_rows_is_removed_up_to_the_one_with_the_number_of_the_page(line):
    rows = [[line("Port of Halm", y=130), line("Minutes", y=160), line(str(n + 3), x=400, y=160)] for n in range(4)]
    pages = book(*[write_page(line, *rows[n], n=n) for n in range(4)])
    assert find_removed_texts(pages) == {"Port of Halm", "Minutes", "3", "4", "5", "6"}


def test_a_footer_far_from_the_edge_is_removed(line):
    pages = book(*[[*write_page(line, n=n), line(f"Halm - {n + 1}", y=600)] for n in range(4)])
    assert find_removed_texts(pages) == {f"Halm - {n + 1}" for n in range(4)}


@pytest.mark.parametrize("text", ["Notes", "Table of {} boats", "Chapter {}"])
def test_a_heading_far_from_the_edge_stays(line, text):
    pages = book(*[write_page(line, line(text.format(7 * n % 5), y=160), n=n) for n in range(4)])
    assert find_removed_texts(pages) == set()


def test_a_numbered_row_directly_above_the_text_stays(line):
    pages = book(*[write_page(line, line(f"Row {n + 1}", y=160), start=174, n=n) for n in range(4)])
    assert find_removed_texts(pages) == set()


@pytest.mark.parametrize("pages", [3, 6])
def test_a_repeated_heading_below_the_header_stays(line, pages):
    header, heading = line("Annual Report", y=30, size=8), line("Notes", y=60, size=15)
    assert find_removed_texts(book(*[write_page(line, header, heading, n=n) for n in range(pages)])) == {header.text}


@pytest.mark.parametrize("pages", [3, 6])
def test_the_header_of_a_table_that_is_set_again_on_each_page_stays(line, pages):
    header, columns = line("Annual Report", y=30), line("Port Output Year", y=60)
    contents = [write_page(line, header, columns, start=74, n=n) for n in range(pages)]
    assert find_removed_texts(book(*contents)) == {header.text}


@pytest.mark.parametrize(
    "text",
    ["Downloaded from journals.example.org by guest on 12 May 2023", "This content downloaded from 10.0.0.1 on Mon"],
)
def test_a_stamp_of_a_download_at_the_edge_is_removed(line, text):
    assert find_removed_texts(book([line(text, y=780), line("Downloaded by boat.", y=300)])) == {text}


def test_a_watermark_of_another_page_is_removed_where_it_covers_no_text(line):
    pages = book([line("text", y=300)], [*write_page(line, start=60), line("DRAFT", y=500, size=60)])
    pages[0] = replace(pages[0], left_out=("watermark: DRAFT",))
    removed = find_headers_and_footers(pages)
    assert removed == {(1, 8)}
    assert list_left_out(pages, removed) == ()  # it is listed by the page itself
