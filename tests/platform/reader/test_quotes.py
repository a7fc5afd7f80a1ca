import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopline.reader.quotes import contains_words, find_quote

TEXT = "The ferry “MV Petrel” was fin-\nanced by Lantern Mutual Bank. It carried 160,400 passengers in 2024.\n| Loan | 2.35 % |"


def find_texts(quote: str) -> list[str]:
    return [TEXT[a:b] for a, b in find_quote(quote, TEXT)]


def test_an_exact_quote_is_found() -> None:
    assert find_texts("Lantern Mutual Bank") == ["Lantern Mutual Bank"]


def test_spaces_hyphens_quotation_marks_and_case_may_differ() -> None:
    assert find_texts('the ferry "MV  petrel" was financed') == ["The ferry “MV Petrel” was fin-\nanced"]


def test_bars_of_a_table_may_be_omitted() -> None:
    assert find_texts("Loan 2.35 %") == ["Loan | 2.35 %"]


def test_a_digit_may_not_differ() -> None:
    assert find_texts("carried 160,500 passengers") == []


def test_a_quote_does_not_begin_or_end_inside_a_word() -> None:
    assert find_texts("antern Mutual Ban") == []
    assert find_texts("60,400 passengers") == []


def test_a_quote_with_an_ellipsis_gives_its_parts_in_order() -> None:
    assert find_texts("The ferry ... 160,400 passengers") == ["The ferry", "160,400 passengers"]
    assert find_texts("160,400 passengers … The ferry") == []


@pytest.mark.parametrize("quote", ["", " . ", "It", "…", "**"])
def test_a_quote_that_is_too_short_is_rejected(quote: str) -> None:
    assert find_texts(quote) == []


def test_full_width_letters_and_ligatures_match_plain_letters() -> None:
    assert find_quote("first office", "the ﬁrst oﬃce") == ((4, 13),)


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Z"]), max_size=60), st.data())
def test_every_run_of_whole_words_is_found_and_its_span_repeats_it(text: str, data: st.DataObject) -> None:
    words = [word for word in text.split() if sum(c.isalnum() for c in word) == len(word)]
    joined_words = " ".join(words)
    count = data.draw(st.integers(0, len(words)))
    quote = " ".join(words[:count])
    if sum(c.isalnum() for c in quote) < 3:
        return
    spans = find_quote(quote, joined_words)
    assert spans
    assert joined_words[spans[0][0] : spans[-1][1]] == quote


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("5 million people", "1.5 million people"),
        ("a cost of 5", "a cost of 5.3"),
        ("a cost of 5", "a cost of 5,300"),
        ("USD 5 million", "-USD 5 million"),
        ("₹5 million", "−₹5 million"),
    ],
)
def test_a_quote_does_not_cut_a_number_or_its_sign(quote: str, text: str) -> None:
    assert find_quote(quote, text) == ()
    assert not contains_words(quote, text)


def test_a_short_answer_is_not_a_part_of_a_number() -> None:
    assert not contains_words("5", "a cost of 1.5")
    assert contains_words("5", "a cost of 5.")


def test_blanks_around_the_dash_of_a_range_may_differ() -> None:
    assert find_quote("2010 – 2012 rise", "2010-2012 rise") == ((0, 14),)
    assert find_quote("2010-2012 rise", "2010 – 2012 rise") == ((0, 16),)


def test_an_ellipsis_may_be_in_round_brackets() -> None:
    assert len(find_quote("The ferry (...) passengers", TEXT)) == 2
