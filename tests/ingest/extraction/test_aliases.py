import pytest

from hopline_ingest.extraction import ExtractionInput
from hopline_ingest.extraction.aliases import (
    are_same_entity,
    find_acronyms,
    find_aliases,
    find_long_form,
    strip_title_suffix,
)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("The World Health Organization (WHO) met.", ("WHO", "World Health Organization")),
        ("WHO (World Health Organization) met.", ("WHO", "World Health Organization")),
        ("The European Union (EU) grew.", ("EU", "European Union")),
        ("Défense Aérienne du Territoire (D.A.T.) ended.", ("D.A.T.", "Défense Aérienne du Territoire")),
    ],
)
def test_an_acronym_is_an_alias_in_both_directions(text, pair):
    assert list(find_acronyms(text)) == [pair]


@pytest.mark.parametrize("text", ["He scored (USA) twice.", "Paris (1998) was hot.", "() (A)", "It is (see NOTE)."])
def test_brackets_that_do_not_abbreviate_the_words_before_are_no_acronym(text):
    assert list(find_acronyms(text)) == []


def test_the_first_letter_must_begin_a_word():
    assert find_long_form("EU", "the nEuropean Union") == ""


@pytest.mark.parametrize(
    ("title", "bare"),
    [("Theodred II (Bishop of Elmham)", "Theodred II"), ("Moscow Elegy", "Moscow Elegy"), ("(500)", "(500)"), ("", "")],
)
def test_a_title_loses_its_disambiguating_suffix(title, bare):
    assert strip_title_suffix(title) == bare


def test_also_known_as_gives_an_alias(read):
    extraction = read("Francesco Carrozzini, also known as Carlo Blasis, is a director.")
    assert ("Carlo Blasis", "Francesco Carrozzini") in extraction.aliases


@pytest.mark.parametrize("phrase", ["formerly", "originally"])
def test_an_earlier_name_is_an_alias(read, phrase):
    extraction = read(f"Vale Industries ({phrase} known as Halm Works) is a firm in Bergen.")
    assert ("Halm Works", "Vale Industries") in extraction.aliases


def test_an_alternative_is_no_alias(read):
    extraction = read("Vale Industries or Halm Works will build it.")
    assert ("Halm Works", "Vale Industries") not in extraction.aliases


def test_a_surname_is_an_alias_of_the_title(read):
    extraction = read("Saban played for Kent State. Saban won.", title="Nick Saban")
    assert ("Saban", "Nick Saban") in extraction.aliases


def test_a_surname_of_two_people_is_an_alias_of_neither(read):
    extraction = read("Ada Brandt met Otto Brandt. Then Brandt left.")
    assert extraction.aliases == ()


def test_no_name_is_its_own_alias():
    evidence = ExtractionInput("p", "passage", "", title="Tern")
    assert find_aliases(evidence, [], "tern") == ()


def test_the_longer_name_in_the_text_is_an_alias_of_the_title(read):
    text = "Lucy Elizabeth Fry (born 13 March 1992) is an Australian actress."
    assert ("Lucy Elizabeth Fry", "Lucy Fry") in read(text, title="Lucy Fry").aliases


@pytest.mark.parametrize(
    ("opening", "title", "expected"),
    [
        ("Margaret of Bohemia", "Margaret of Bohemia, Duchess of Bavaria", True),
        ("Lithuanian", "Lithuanian language", True),
        ("James Anthony Fitzpatrick", "James A. Fitzpatrick", True),
        ("Riverton", "Riverton Bridge", False),
        ("Ada Brandt", "Otto Brandt", False),
        ("", "Tern", False),
        ("Tern", "", False),
    ],
)
def test_an_opening_matches_a_shorter_or_longer_title(opening, title, expected):
    assert are_same_entity(opening, title) is expected


def test_a_place_is_not_an_alias_of_what_is_named_after_it(read):
    extraction = read("Riverton Bridge is a bridge in Riverton, Ontario.", title="Riverton Bridge")
    assert extraction.aliases == ()
