import pytest

from hopline.ids import entity_id
from hopline_ingest.extraction.name_occurrences import (
    candidate_entity_ids,
    find_name_candidates,
    find_occurrences,
    to_surface_form,
)


def find_spans(text, *names):
    return {
        entity: [text[a:b] for a, b in spans]
        for entity, spans in find_occurrences(text, {n: [n] for n in names}).items()
    }


def test_a_name_is_found_as_it_is_written():
    assert find_spans("He made Blind Shaft in 2003.", "Blind Shaft") == {"Blind Shaft": ["Blind Shaft"]}
    assert find_spans("In a blind shaft.", "Blind Shaft") == {}


def test_the_longest_name_wins_and_every_place_counts():
    text = "The Mask of Fu Manchu follows Fu Manchu; Fu Manchu returns."
    assert find_spans(text, "Fu Manchu", "The Mask of Fu Manchu") == {
        "The Mask of Fu Manchu": ["The Mask of Fu Manchu"],
        "Fu Manchu": ["Fu Manchu", "Fu Manchu"],
    }


def test_a_line_break_inside_a_name_is_a_space():
    assert find_spans("by Ingrid\nVale in", "Ingrid Vale") == {"Ingrid Vale": ["Ingrid\nVale"]}


@pytest.mark.parametrize(
    ("name", "as_written"),
    [
        ("Ingrid Vale", "Ingrid Vale"),
        ("Get Low (Dillon Francis song)", ""),
        ('"Walk Like an Egyptian"', "Walk Like an Egyptian"),
        ("Halm", ""),
        ("live music", ""),
        ("One Two Three Four Five Six Seven Eight Nine", ""),
    ],
)
def test_names_of_one_word_and_plain_words_are_not_looked_for(name, as_written):
    assert to_surface_form(name) == as_written


def test_a_candidate_name_has_the_id_of_its_entity():
    ids = candidate_entity_ids("c", "the Skarv Bridge of Halm")
    assert ids["Skarv Bridge"] == entity_id("c", "Skarv Bridge")
    assert "Skarv Bridge of Halm" in ids
    assert all(candidate.surface_form[0].isupper() for candidate in find_name_candidates("the Skarv Bridge of Halm"))
