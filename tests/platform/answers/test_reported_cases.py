"""Short inputs that were answered wrongly: the first name, number or date won, negation was ignored, numbers were cut."""

import re

import pytest

MARL = "The Marl bridge was designed by Odile Farrow and opened by Rune Salk on 14 May 1931."
FERRY = "The ferry Tern was built in 1899, sold in 1920 and scrapped in 1955."
FEE = "The fee rose from 40 crowns to 55 crowns."
LOAN = (
    "The board did not approve the loan of 1.5 million crowns on 3 March 2021.",
    "The board approved the loan of 1,250,000 crowns on 4 May 2021.",
)
STEEL = (
    "In 2020 the Halden works made 12,500 tonnes of steel.",
    "In 2021 the Halden works made 13 750 tonnes of steel.",
    "In 2022 no steel was made at the Halden works.",
)
NUMBERS = (
    "In 2021 the Halden works made 13 750 tonnes of steel.",
    "The depth of the pit is -12.5 metres.",
    "The rent is EUR 1.250,50 per month.",
    "Order B-7719-3 was sent to Hedda Lunn.",
    "The court can be reached by phone at 555-01-77.",
    "The mill employs between 30 and 45 people.",
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who opened the Marl bridge?", "Rune Salk"),
        ("When was the ferry Tern sold?", "1920"),
        ("When was the ferry Tern scrapped?", "1955"),
        ("To how many crowns did the fee rise?", "55"),
    ],
)
def test_of_two_names_dates_or_numbers_the_one_that_the_verb_asks_for_is_given(answer, passage, question, short):
    evidence = [passage("bridge", MARL), passage("ferry", FERRY), passage("fee", FEE)]
    assert re.match(short, answer(question, *evidence).short)


def test_a_negated_sentence_gives_no_date(answer, passage):
    result = answer("When was the loan of 1.5 million crowns approved?", passage("loan", *LOAN))
    assert result.status != "answered"
    assert "3 March" not in result.short


def test_the_sentence_that_affirms_is_answered(answer, passage):
    assert "1,250,000" in answer("How large was the loan that the board approved?", passage("loan", *LOAN)).short


def test_no_amount_of_another_year_is_given_where_the_year_has_none(answer, passage):
    result = answer("How many tonnes of steel did the Halden works make in 2022?", passage("steel", *STEEL))
    assert result.short == "no steel"
    assert next(sentence.text for sentence in result.sentences or result.nearest) == STEEL[2]


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many tonnes of steel did the Halden works make in 2021?", r"13 750"),
        ("What is the depth of the pit?", r"-12\.5"),
        ("How much is the rent per month?", r"EUR 1\.250,50"),
        ("What is the order number of Hedda Lunn?", r"(Order )?B-7719-3$"),
        ("What is the phone number of the court?", r"555-01-77$"),
        ("How many people does the mill employ?", r"between 30 and 45"),
    ],
)
def test_a_number_is_given_whole(answer, passage, question, short):
    assert re.match(short, answer(question, passage("numbers", *NUMBERS)).short)
