from collections.abc import Callable

import pytest

from hopline.results import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


@pytest.fixture
def letter(passage: Make) -> tuple[Evidence, Evidence]:
    return (
        passage(
            "p1", "12 March 1987\nMrs. Odile Vale\nDear Mrs. Vale,\nWe inspected the north pier.", document="a.pdf"
        ),
        passage("p2", "The repair costs 84,000 crowns.\nYours sincerely,\nTilda Moss", document="a.pdf"),
    )


def test_the_signature_is_cited_with_the_line_it_is_on(answer: Ask, letter: tuple[Evidence, ...]) -> None:
    signed = answer("Who signed the letter about the north pier?", *letter)
    assert signed.short == "Tilda Moss"
    [sentence] = signed.sentences
    assert sentence.text == "Sender: Tilda Moss"
    [citation] = sentence.citations
    assert (citation.evidence.id, citation.quote) == ("p2", "Tilda Moss")


def test_a_page_of_the_letter_that_the_search_missed_is_read(answer: Ask, letter: tuple[Evidence, ...]) -> None:
    signed = answer("Who signed the letter about the north pier?", letter[0], hidden=letter[1:])
    assert signed.short == "Tilda Moss"
    assert [evidence.id for evidence in signed.additional_evidence] == ["p2"]
    assert [path.evidence for path in signed.additional_paths] == ["p2"]


def test_the_letter_is_chosen_by_the_other_words_of_the_question(
    answer: Ask, passage: Make, letter: tuple[Evidence, ...]
) -> None:
    other = passage("p3", "Dear Mr. Brask,\nThe filters arrived.\nSincerely,\nIvo Marek", document="b.pdf")
    assert answer("Who signed the letter about the filters?", other, *letter).short == "Ivo Marek"
    assert answer("Who signed the letter about the north pier?", other, *letter).short == "Tilda Moss"


def test_a_letter_that_does_not_exist_has_no_sender(answer: Ask, letter: tuple[Evidence, ...]) -> None:
    assert answer("Who signed the letter about the south pier?", *letter).abstained


def test_a_document_without_passages_is_ignored(answer: Ask, table: Make, letter: tuple[Evidence, ...]) -> None:
    piers = table("t1", "Piers", ("pier", "length"), ("north pier", "120"), document="piers.xlsx")
    assert answer("Who signed the letter about the north pier?", piers, *letter).short == "Tilda Moss"


def test_a_field_of_a_form_is_cited(answer: Ask, passage: Make) -> None:
    form = passage("p1", "Name of applicant Hedda Lunn\nDate of birth 7 July 1969", document="form.pdf")
    born = answer("What is the date of birth of the applicant?", form)
    assert born.short == "7 July 1969"
    assert born.sentences[0].citations[0].quote == "Date of birth 7 July 1969"
