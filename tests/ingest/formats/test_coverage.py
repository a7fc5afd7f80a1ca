from hypothesis import given
from hypothesis import strategies as st

from hopline_ingest.formats.coverage import list_missing_texts, measure_loss, warn_of_loss
from hopline_ingest.formats.parsed_document import PageTable, ParsedDocument, ParsedPassage


def document(*texts, **more):
    return ParsedDocument("A title", passages=tuple(ParsedPassage(text) for text in texts), **more)


def test_a_text_is_found_whatever_blanks_and_punctuation_it_has():
    assert measure_loss(document("The exam-\nple of H 2 O."), ["the  example", "of H2O"]) == (0.0, [])


def test_titles_sections_captions_cells_and_left_out_texts_count():
    parsed = ParsedDocument(
        "Harbour",
        passages=(ParsedPassage("Ships.", ("Trade",)),),
        tables=(PageTable(1, "Table 1", cells=(("Year", "2024"),)),),
        left_out=("header or footer: Annual report",),
    )
    source = ["Harbour", "Trade", "Ships.", "Table 1", "Year", "2024", "Annual report"]
    assert measure_loss(parsed, source) == (0.0, [])


def test_the_share_of_lost_letters_and_digits_is_measured():
    assert measure_loss(document("abcd"), ["abcd", "wxyz efgh"]) == (8 / 12, ["wxyz efgh"])


def test_words_that_are_stored_apart_from_their_neighbours_are_not_lost():
    assert measure_loss(document("Owner Hedda", "Lunn berth"), ["Hedda berth"]) == (0.0, [])


def test_text_without_blanks_between_words_counts():
    assert measure_loss(document("船厂建立"), ["船厂建立", "在城市东部"])[0] == 5 / 9


def test_runs_without_blanks_that_are_stored_in_another_order_are_not_lost():
    assert measure_loss(document("样本类型正常", "采样时间"), ["采样时间样本类型正常"]) == (0.0, [])


def test_a_loss_above_the_limit_is_a_warning_with_an_example():
    parsed = warn_of_loss(document("word " * 20, warnings=("first",)), ["word " * 20, "The lost sentence."])
    assert parsed.warnings == ("first", "about 16 % of the text could not be read, for example: The lost sentence.")


def test_small_losses_are_no_warning():
    text = "many words here " * 100
    assert warn_of_loss(document(text), [text, "lost text is short"]).warnings == ()
    assert warn_of_loss(document("a"), ["a", "xyz"]).warnings == (), "too few letters to tell"


def test_texts_that_are_not_in_another_one_are_listed():
    shown = "Dear Ada, the exam-\nple of H 2 O is in the harbour of Halm. Yours, Bo"
    texts = [
        "Dear Ada,",
        "the example of H2O",
        "is in the harbour of Halm!",
        "is in the harbour of Orla",
        "Bo",
        "Bob",
        "of",
    ]
    assert list(list_missing_texts(texts, shown)) == ["is in the harbour of Orla", "Bob"]


@given(st.text("abc", max_size=60), st.text("abc", max_size=30))
def test_a_text_is_missing_exactly_if_a_search_does_not_find_it(shown, text):
    assert list(list_missing_texts([text], shown)) == ([] if text in shown else [text])
