from collections.abc import Callable

import pytest

from hopline.results import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


@pytest.fixture
def two(passage: Make) -> tuple[Evidence, Evidence]:
    return (
        passage("p1", "Ivo Marek (3 May 1901 – 12 June 1987) was a surveyor.", "He moved in 1920.", title="Ivo Marek"),
        passage("p2", "Lena Voss was a painter.", "She was born on 4 May 1901 and died in 1950.", title="Lena Voss"),
    )


@pytest.mark.parametrize(
    ("question", "short", "quoted"),
    [
        ("Who is older, Ivo Marek or Lena Voss?", "Ivo Marek", ("3 May 1901", "4 May 1901")),
        ("Who is younger, Ivo Marek or Lena Voss?", "Lena Voss", ("3 May 1901", "4 May 1901")),
        ("Who died first, Ivo Marek or Lena Voss?", "Lena Voss", ("12 June 1987", "died in 1950")),
        ("Is Ivo Marek older than Lena Voss?", "yes", ("3 May 1901", "4 May 1901")),
        ("Did Ivo Marek die before Lena Voss?", "no", ("12 June 1987", "died in 1950")),
    ],
)
def test_two_things_are_compared_and_both_dates_are_quoted(
    answer: Ask, two: tuple[Evidence, ...], question: str, short: str, quoted: tuple[str, str]
) -> None:
    result = answer(question, *two)
    assert result.short == short
    assert [len(sentence.citations) for sentence in result.sentences] == [1, 1]
    for sentence, words in zip(result.sentences, quoted, strict=True):
        assert words in sentence.citations[0].quote


def test_a_thing_without_a_date_is_not_compared(answer: Ask, two: tuple[Evidence, ...], passage: Make) -> None:
    silent = passage("p3", "Una Roth was a painter too.", title="Una Roth")
    assert answer("Who is older, Ivo Marek or Una Roth?", *two, silent).short not in ("Ivo Marek", "Una Roth")


def test_equal_years_are_not_compared_if_a_day_is_unknown(
    answer: Ask, two: tuple[Evidence, ...], passage: Make
) -> None:
    vague = passage("p3", "Una Roth was born in 1901.", title="Una Roth")
    assert answer("Who is older, Ivo Marek or Una Roth?", *two, vague).short not in ("Ivo Marek", "Una Roth")


def test_a_sentence_that_names_both_is_not_used(answer: Ask, passage: Make) -> None:
    both = passage("p1", "Harrow Pier opened in 1904 and Sandmere Pier was built in 1899.", document="piers.pdf")
    assert answer("Which pier opened first, Harrow Pier or Sandmere Pier?", both).short == ""
    apart = passage("p2", "Harrow Pier opened in 1904.", "Sandmere Pier was built in 1899.", document="piers.pdf")
    assert answer("Which pier opened first, Harrow Pier or Sandmere Pier?", apart).short == "Sandmere Pier"


@pytest.mark.parametrize(
    ("lives", "longer"),
    [
        # 88 years and 1 day, 88 years and 364 days: months and days are borrowed
        (("31 December 1901 – 1 January 1990", "1 January 1902 – 31 December 1990"), "Lena Voss"),
        (("1 January 1902 – 31 December 1990", "31 December 1901 – 1 January 1990"), "Ivo Marek"),
        (("30 May 1901 – 2 June 1987", "1 May 1901 – 28 May 1987"), "Lena Voss"),  # 86 years and 3 or 27 days
        (("3 May 1901 – 12 May 1987", "3 May 1901 – 10 May 1987"), "Ivo Marek"),  # 9 and 7 days, in no other month
        (("1901 – 1987", "1903 – 1950"), "Ivo Marek"),
        (("May 1901 – June 1987", "2 March 1902 – 4 June 1987"), "Ivo Marek"),
        (("1901 – 1987", "1902 – 1987"), ""),  # at least 85 and at most 86 years
        (("1901 – 12 June 1987", "3 May 1901 – 12 June 1987"), ""),
        (("May 1901 – 12 June 1987", "3 May 1901 – 12 June 1987"), ""),
        (("3 May 1901 – 12 June 1987", "3 May 1901 – 12 June 1987"), ""),
    ],
)
def test_lives_are_compared_in_days_if_the_dates_decide(
    answer: Ask, passage: Make, lives: tuple[str, str], longer: str
) -> None:
    names = ("Ivo Marek", "Lena Voss")
    evidence = [
        passage(f"p{n}", f"{name} ({life}) was a surveyor.", title=name)
        for n, (name, life) in enumerate(zip(names, lives, strict=True))
    ]
    shorter = {"Ivo Marek": "Lena Voss", "Lena Voss": "Ivo Marek"}.get(longer, "")
    assert answer("Who lived longer, Ivo Marek or Lena Voss?", *evidence).short == longer
    assert answer("Who lived shorter, Ivo Marek or Lena Voss?", *evidence).short == shorter


@pytest.mark.parametrize(
    ("dates", "older"),
    [
        (("in May 1901", "on 3 May 1901"), ""),
        (("in April 1901", "on 3 May 1901"), "Ivo Marek"),
        (("in 1901", "on 3 May 1902"), "Ivo Marek"),
        (("on 31 June 1901", "in July 1901"), "Ivo Marek"),  # no such day: the month counts
    ],
)
def test_dates_are_compared_if_the_parts_that_are_given_decide(
    answer: Ask, passage: Make, dates: tuple[str, str], older: str
) -> None:
    evidence = [
        passage(f"p{n}", f"{name} was born {date}.", title=name)
        for n, (name, date) in enumerate(zip(("Ivo Marek", "Lena Voss"), dates, strict=True))
    ]
    assert answer("Who is older, Ivo Marek or Lena Voss?", *evidence).short == older
