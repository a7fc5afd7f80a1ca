import pytest

from hopline.ids import entity_id
from hopline_ingest.extraction.name_occurrences import entity_ids, mentions, parts, written


def found(text, *names):
    return {entity: [text[a:b] for a, b in spans] for entity, spans in mentions(text, {n: [n] for n in names}).items()}


def test_a_name_is_found_as_it_is_written():
    assert found("He made Blind Shaft in 2003.", "Blind Shaft") == {"Blind Shaft": ["Blind Shaft"]}
    assert found("In a blind shaft.", "Blind Shaft") == {}


def test_the_longest_name_wins_and_every_place_counts():
    text = "The Mask of Fu Manchu follows Fu Manchu; Fu Manchu returns."
    assert found(text, "Fu Manchu", "The Mask of Fu Manchu") == {
        "The Mask of Fu Manchu": ["The Mask of Fu Manchu"],
        "Fu Manchu": ["Fu Manchu", "Fu Manchu"],
    }


def test_a_line_break_inside_a_name_is_a_space():
    assert found("by Ingrid\nVale in", "Ingrid Vale") == {"Ingrid Vale": ["Ingrid\nVale"]}


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
    assert written(name) == as_written


def test_what_may_be_a_name_has_the_id_of_its_entity():
    ids = entity_ids("c", "the Skarv Bridge of Halm")
    assert ids["Skarv Bridge"] == entity_id("c", "Skarv Bridge")
    assert "Skarv Bridge of Halm" in ids
    assert all(part.written[0].isupper() for part in parts("the Skarv Bridge of Halm"))
