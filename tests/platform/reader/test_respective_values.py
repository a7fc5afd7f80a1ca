import time

import pytest

from hopline.questions.analysis import analyse_question
from hopline.reader.reading import find_respective_value

DEPRECIATION = "Depreciation was $27.2 million, $22.5 million and $22.0 million in 2019, 2018 and 2017, respectively."
RATES = "The rates for the years ended December 31, 2018 and 2019 were 30.15 and 30.90, respectively."
MIXED = "In 2019 and 2018, we paid 12% and 9.5% on loans of EUR 1,200 and EUR 1,100, respectively."


@pytest.mark.parametrize(
    ("year", "sentence", "read", "value"),
    [
        ("2019", DEPRECIATION, "$27.2 million", "$27.2 million"),
        ("2018", DEPRECIATION, "$27.2 million", "$22.5 million"),
        ("2017", DEPRECIATION, "$27.2 million, $22.5 million and $22.0 million", "$22.0 million"),
        ("2018", RATES, "30.90", "30.15"),
        ("2018", MIXED, "12%", "9.5%"),
        ("2018", MIXED, "1,200", "EUR 1,100"),
    ],
)
def test_the_value_of_the_year_of_the_question_is_found(year: str, sentence: str, read: str, value: str) -> None:
    start = sentence.index(read)
    span = find_respective_value(analyse_question(f"What was it in {year}?"), sentence, start, start + len(read))
    assert span is not None
    assert sentence[slice(*span)] == value


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What was it in 2016?", DEPRECIATION),
        ("What was it?", DEPRECIATION),
        ("What was it in 2018 and 2019?", DEPRECIATION),
        ("What was it in 2018?", DEPRECIATION.replace(", respectively", "")),
        ("What was it in 2018?", DEPRECIATION.replace(", 2018 and 2017", " and 2018")),
        ("Who was it in 2018?", "Ada Lund and Ben Rask led it in 2018 and 2019, respectively, for $27.2 million."),
    ],
)
def test_without_as_many_values_as_years_nothing_is_found(question: str, sentence: str) -> None:
    start = sentence.index("$27.2 million")
    assert find_respective_value(analyse_question(question), sentence, start, start + 13) is None


def test_a_long_run_of_digits_is_searched_in_linear_time() -> None:
    sentence = f"{'1' * 20_000} in 2018 and 2019, respectively"
    started = time.process_time()
    find_respective_value(analyse_question("What was it in 2018?"), sentence, 0, 1)
    assert time.process_time() - started < 2
