import pytest

from hopline.text.tokens import tokenize
from hopline.text.words import load_synonyms, stem


def forms(text: str) -> set[str]:
    return {form for token in tokenize(text) for form in token.forms}


def meet(first: str, second: str) -> bool:
    return bool(forms(first) & forms(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("12,000", "12 thousand"),
        ("$13.2 billion", "13,200,000,000"),
        ("seventeen", "17"),
        ("FY2022", "2022"),
        ("FY22", "fiscal"),
        ("Q4", "fourth"),
        ("4Q22", "2022"),
        ("07/02/2015", "July"),
        ("2015-07-02", "2015"),
        ("95 %", "percent"),
        ("Adobe's", "Adobe"),
        ("Zürich", "Zurich"),
        ("Per-4", "PER4"),
        ("MP3.com", "mp3.com"),
    ],
)
def test_two_spellings_of_one_value_match(first: str, second: str) -> None:
    assert meet(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Per-4", "Per-13"), ("12", "1.2"), ("June 2015", "July 2016"), ("may", "May 3"), ("0-15175", "0 15175")],
)
def test_different_values_do_not_match(first: str, second: str) -> None:
    shared = forms(first) & forms(second)
    assert not shared - {stem("may")}


def test_spans_are_those_of_the_text() -> None:
    text = "In  1995, Halcyon's 3.6 billion"
    assert [text[token.start : token.end] for token in tokenize(text)] == ["In", "1995", "Halcyon's", "3.6", "billion"]


@pytest.mark.parametrize(
    "words",
    [
        "acquire acquires acquired acquiring acquisition acquisitions",
        "found founder founders founded founding",
        "adsorb adsorption adsorbent adsorbed",
        "operate operates operator operation operations",
        "employ employs employed employee employees employment",
        "locate located location locations",
        "company companies",
        "pay paid payment payments",
        "buy buys bought",
    ],
)
def test_the_forms_of_a_word_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("words", ["bank banana", "lender leader", "price prize", "loan loam"])
def test_other_words_have_another_stem(words: str) -> None:
    first, second = words.split()
    assert stem(first) != stem(second)


def test_synonyms_are_symmetric_and_exclude_the_word_itself() -> None:
    groups = load_synonyms()
    assert stem("acquire") in groups[stem("purchase")]
    assert stem("purchase") in groups[stem("acquire")]
    assert all(word not in others for word, others in groups.items())
