import pytest

from hopline.entities.linking import Name, asked_roots, named_in, says


def name(text, *aliases, kind="NAME", id=None):
    return Name(id or text, text, aliases, kind, 1)


def said(question, *names):
    return [one.id for one in named_in(question, names)]


def test_the_longest_name_counts_and_none_inside_it():
    assert said("Who designed the Skarv Bridge?", name("Skarv"), name("Skarv Bridge"), name("Bridge", kind="NOUN")) == [
        "Skarv Bridge"
    ]


def test_every_entity_of_the_same_name_is_named():
    assert said("Who wrote Time?", name("Time", id="song"), name("Time", id="magazine")) == ["song", "magazine"]


def test_an_alias_names_its_entity_once():
    assert said(
        "When was the IMF, the International Monetary Fund, founded?", name("International Monetary Fund", "IMF")
    ) == ["International Monetary Fund"]


@pytest.mark.parametrize("odd", [name("Who Is It"), name("bridge", kind="NOUN"), name("1931", kind="DATE")])
def test_small_words_and_single_plain_words_name_nothing(odd):
    assert said("Who is it that built the bridge in 1931?", odd) == []


def test_a_name_stands_as_whole_words():
    assert said("Who visited Romania?", name("Roman"), name("Rome")) == []


def test_what_is_asked_are_the_roots_of_the_words_that_are_no_name():
    roots = asked_roots("Who is the director of the film Blind Shaft?", ["Blind Shaft"])
    assert says(["was directed by"], roots)
    assert not says(["in a blind shaft of the"], roots)
    assert not says(["is the that of who"], roots)


def test_synonyms_of_what_is_asked_are_met():
    assert says(["whom she married"], asked_roots("Who was the spouse of Ada?", ["Ada"]))
