import pytest

from hopline_ingest.extraction import Readable
from hopline_ingest.extraction.aliases import acronyms, alias_pairs, are_one, long_form, without_suffix


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
    assert list(acronyms(text)) == [pair]


@pytest.mark.parametrize("text", ["He scored (USA) twice.", "Paris (1998) was hot.", "() (A)", "It is (see NOTE)."])
def test_brackets_that_spell_nothing_are_no_acronym(text):
    assert list(acronyms(text)) == []


def test_the_first_letter_must_begin_a_word():
    assert long_form("EU", "the nEuropean Union") == ""


@pytest.mark.parametrize(
    ("title", "bare"),
    [("Theodred II (Bishop of Elmham)", "Theodred II"), ("Moscow Elegy", "Moscow Elegy"), ("(500)", "(500)"), ("", "")],
)
def test_a_title_loses_what_tells_it_from_others(title, bare):
    assert without_suffix(title) == bare


def test_also_known_as_gives_an_alias(read):
    extraction = read("Francesco Carrozzini, also known as Carlo Blasis, is a director.")
    assert ("Carlo Blasis", "Francesco Carrozzini") in extraction.aliases


def test_a_surname_is_an_alias_of_the_title(read):
    extraction = read("Saban played for Kent State. Saban won.", title="Nick Saban")
    assert ("Saban", "Nick Saban") in extraction.aliases


def test_a_surname_of_two_people_is_an_alias_of_neither(read):
    extraction = read("Ada Brandt met Otto Brandt. Then Brandt left.")
    assert extraction.aliases == ()


def test_no_name_stands_for_itself():
    readable = Readable("p", "passage", "", title="Tern")
    assert alias_pairs(readable, [], "tern") == ()


def test_the_longer_name_in_the_text_is_an_alias_of_the_title(read):
    text = "Lucy Elizabeth Fry (born 13 March 1992) is an Australian actress."
    assert ("Lucy Elizabeth Fry", "Lucy Fry") in read(text, title="Lucy Fry").aliases


@pytest.mark.parametrize(
    ("opening", "title", "one"),
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
def test_an_opening_is_one_with_a_title_that_says_less_or_more(opening, title, one):
    assert are_one(opening, title) is one


def test_a_place_is_no_short_form_of_what_is_named_after_it(read):
    extraction = read("Riverton Bridge is a bridge in Riverton, Ontario.", title="Riverton Bridge")
    assert extraction.aliases == ()
