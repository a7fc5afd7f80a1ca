import pytest

from hopline.entities.linking import EntityName, extract_question_stems, has_stem, link_entities


def name(text, *aliases, kind="NAME", id=None):
    return EntityName(id or text, text, aliases, kind, 1)


def link(question, *names):
    return [item.id for item in link_entities(question, names)]


def test_the_longest_name_is_linked_and_no_name_inside_it():
    assert link("Who designed the Skarv Bridge?", name("Skarv"), name("Skarv Bridge"), name("Bridge", kind="NOUN")) == [
        "Skarv Bridge"
    ]


def test_every_entity_with_the_same_name_is_linked():
    assert link("Who wrote Time?", name("Time", id="song"), name("Time", id="magazine")) == ["song", "magazine"]


def test_an_entity_is_linked_once_by_several_aliases():
    assert link(
        "When was the IMF, the International Monetary Fund, founded?", name("International Monetary Fund", "IMF")
    ) == ["International Monetary Fund"]


@pytest.mark.parametrize("odd", [name("Who Is It"), name("bridge", kind="NOUN"), name("1931", kind="DATE")])
def test_stop_words_and_single_common_words_are_not_linked(odd):
    assert link("Who is it that built the bridge in 1931?", odd) == []


def test_a_name_matches_whole_words_only():
    assert link("Who visited Romania?", name("Roman"), name("Rome")) == []


def test_question_stems_leave_out_names_and_stop_words():
    roots = extract_question_stems("Who is the director of the film Blind Shaft?", ["Blind Shaft"])
    assert has_stem(["was directed by"], roots)
    assert not has_stem(["in a blind shaft of the"], roots)
    assert not has_stem(["is the that of who"], roots)


def test_question_stems_include_synonyms():
    assert has_stem(["whom she married"], extract_question_stems("Who was the spouse of Ada?", ["Ada"]))
