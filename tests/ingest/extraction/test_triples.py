import pytest


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Marie Curie discovered radium in Paris.", ("Marie Curie", "discovered", "radium")),
        ("Marie Curie discovered radium in Paris.", ("Marie Curie", "discovered radium in", "Paris")),
        ("Halcyon Robotics was founded by Ada Brandt in 1998.", ("Ada Brandt", "founded", "Halcyon Robotics")),
        ("Halcyon Robotics was founded by Ada Brandt in 1998.", ("Halcyon Robotics", "was founded in", "1998")),
        ("The novel was written by Ada Brandt.", ("Ada Brandt", "wrote", "novel")),
        ("Berlin is the capital of Germany.", ("Berlin", "is capital of", "Germany")),
        ("Ada Brandt is an engineer and a painter.", ("Ada Brandt", "is", "painter")),
        ("Ada Brandt, an engineer, lives in Oslo.", ("Ada Brandt", "is", "engineer")),
        ("Ada Brandt and John Miles visited Oslo.", ("John Miles", "visited", "Oslo")),
        ("Ada Brandt visited Oslo and Bergen.", ("Ada Brandt", "visited", "Bergen")),
        ("Ada Brandt studied in Oslo and worked for Norsk Hydro.", ("Ada Brandt", "worked for", "Norsk Hydro")),
        ("Ada Brandt was born on 4 May 1971.", ("Ada Brandt", "was born on", "4 May 1971")),
        ("Ada Brandt does not like Oslo.", ("Ada Brandt", "does not like", "Oslo")),
        ("Norsk Hydro was taken over by Halcyon Robotics.", ("Halcyon Robotics", "took over", "Norsk Hydro")),
        ("Oslo was coldest in January.", ("Oslo", "was coldest in", "January")),
        ("Ada Brandt has no shares.", ("Ada Brandt", "has no", "shares")),
        ("Halcyon Robotics asked Norsk Hydro to buy the harbour.", ("Norsk Hydro", "asked to buy", "harbour")),
    ],
)
def test_a_clause_states(state_triples, text, triple):
    assert triple in state_triples(text)


def test_a_relative_clause_speaks_of_whom_the_noun_describes(state_triples):
    text = "Ada Brandt is a Norwegian engineer who founded Halcyon Robotics."
    assert ("Ada Brandt", "founded", "Halcyon Robotics") in state_triples(text)


def test_a_participle_speaks_of_whom_the_noun_describes(state_triples):
    assert ("Bo Lind", "directed", "Tern") in state_triples('"Tern" is a 1971 film directed by Bo Lind.')


def test_a_second_participle_does_not_speak_of_the_agent_of_the_first(state_triples):
    triples = state_triples("Big Eyes is a film directed by Tim Burton, written by Scott Alexander.")
    assert ("Scott Alexander", "wrote", "Big Eyes") in triples
    assert ("Scott Alexander", "wrote", "Tim Burton") not in triples


def test_a_possessive_states_the_role(state_triples):
    assert ("Ada Brandt", "husband", "John Miles") in state_triples("Ada Brandt's husband, John Miles, lives in Oslo.")


def test_a_possessive_pronoun_states_the_role(state_triples):
    text = "Margaret of Baux was a countess. Her husband was Peter of Luxembourg."
    assert ("Margaret of Baux", "husband", "Peter of Luxembourg") in state_triples(text)


def test_a_role_before_a_name_is_stated(state_triples):
    assert ("Stacey Kent", "is", "American jazz singer") in state_triples(
        "American jazz singer Stacey Kent covered the song."
    )


def test_a_place_is_in_the_region_after_the_comma(state_triples):
    triples = state_triples("The ride stands in Vaughan, Ontario.")
    assert ("Vaughan", "is in", "Ontario") in triples


def test_a_list_of_places_is_no_place_in_a_region(state_triples):
    triples = state_triples("She sang in Paris, London and Rome.")
    assert not [triple for triple in triples if triple[1] == "is in"]


def test_brackets_behind_a_name_state_the_years_of_life(state_triples):
    triples = state_triples("Ada Brandt (4 May 1871 – 2 June 1950) was a Norwegian engineer. She lived in Oslo.")
    assert ("Ada Brandt", "was born on", "4 May 1871") in triples
    assert ("Ada Brandt", "died on", "2 June 1950") in triples


def test_years_in_brackets_behind_a_painting_are_no_life(state_triples):
    triples = state_triples("The Last Supper (1445–1450) is a painting in Florence. It shows a table.")
    assert not [triple for triple in triples if "born" in triple[1]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Ada Brandt is an engineer. She founded Halcyon.", ("Ada Brandt", "founded", "Halcyon")),
        ("Attahaasam is a 1984 film. The film won two awards.", ("Attahaasam", "won", "two awards")),
        ("Halcyon Robotics is a company in Oslo. It makes arms.", ("Halcyon Robotics", "makes", "arms")),
    ],
)
def test_the_subject_of_the_next_sentence_is_followed_back(state_triples, text, triple):
    assert triple in state_triples(text)


def test_a_pronoun_at_the_beginning_refers_to_the_title(state_triples):
    assert ("Ada Brandt", "moved to", "Bergen") in state_triples("She moved to Bergen in 1990.", title="Ada Brandt")


def test_a_pronoun_that_nothing_explains_states_nothing(state_triples):
    assert state_triples("They moved to Bergen in 1990.") == set()


def test_a_surname_states_under_the_full_name(state_triples):
    triples = state_triples("Ada Brandt is an engineer. In 1990 Brandt moved to Bergen.")
    assert ("Ada Brandt", "moved to", "Bergen") in triples


def test_a_title_that_looks_like_a_clause_states_nothing_within_itself(state_triples):
    triples = state_triples('Ada Brandt wrote "Girls Want Fun" in 1971.')
    assert ("Ada Brandt", "wrote", "Girls Want Fun") in triples
    assert not [triple for triple in triples if triple[0] == "Girls"]


def test_every_triple_has_the_span_of_its_sentence(read):
    text = "Ada Brandt founded Halcyon Robotics. John Miles joined Halcyon Robotics in 1999."
    spans = {triple.subject: text[slice(*triple.span)] for triple in read(text).triples}
    assert spans["Ada Brandt"] == "Ada Brandt founded Halcyon Robotics."
    assert spans["John Miles"] == "John Miles joined Halcyon Robotics in 1999."


def test_sentences_that_are_given_are_the_spans_of_triples(read):
    text = "Ada Brandt founded Halcyon Robotics. John Miles joined Halcyon Robotics."
    sentences = ((0, 36), (37, len(text)))
    assert {triple.span for triple in read(text, sentences=sentences).triples} == set(sentences)


def test_the_same_triple_is_stated_once(read):
    text = "Ada Brandt founded Halcyon. Ada Brandt founded Halcyon."
    assert [triple.object for triple in read(text).triples].count("Halcyon") == 1


def test_from_and_to_are_stated_apart(state_triples):
    triples = state_triples("Ada Brandt led Halcyon Robotics from 1935 to 1965.")
    assert {
        ("Ada Brandt", "led Halcyon Robotics from", "1935"),
        ("Ada Brandt", "led Halcyon Robotics to", "1965"),
    } <= triples or (
        "Ada Brandt",
        "led from",
        "1935 to 1965",
    ) in triples


def test_a_title_with_commas_is_one_subject(state_triples):
    text = "Red Roses, Red Lips, Red Wine is a 1953 film. It was made in Berlin."
    assert ("Red Roses, Red Lips, Red Wine", "was made in", "Berlin") in state_triples(
        text, title="Red Roses, Red Lips, Red Wine"
    )


def test_a_tree_endemic_to_a_place_states_so(state_triples):
    assert ("Lithocarpus", "endemic to", "Java") in state_triples("Lithocarpus is a tree endemic to Java.")


def test_a_player_from_a_place_is_meant_by_who(state_triples):
    triples = state_triples("Roldano Simeoni is a water polo player from Italy, who competed in the Summer Olympics.")
    assert not [triple for triple in triples if triple[0] == "Italy"]


@pytest.mark.parametrize(
    "text",
    [
        "If Ada Brandt had founded Halcyon Robotics, it would be rich.",
        "It is not true that Ada Brandt founded Halcyon Robotics.",
        "See Ada Brandt, The Works of Halcyon Robotics, Oslo.",
    ],
)
def test_what_is_supposed_denied_or_cited_is_not_stated(state_triples, text):
    assert not {
        triple for triple in state_triples(text) if {"Ada Brandt", "Halcyon Robotics"} <= {triple[0], triple[2]}
    }


def test_an_index_states_nothing(state_triples):
    text = (
        "Brandt, Ada, 12, 19 Bergen, a city, 44, 51, 63 Oslo, the capital, 70 Vale, Ingrid, the engineer, 81, 90, 102"
    )
    assert not state_triples(text)


def test_a_list_of_activities_is_no_description(state_triples):
    triples = state_triples("Ada Brandt: analysis, investigation, writing and review of the results.")
    assert not {triple for triple in triples if triple[:2] == ("Ada Brandt", "is")}


def test_plain_statements_are_more_probable_than_entangled_ones(read):
    [plain] = [
        triple
        for triple in read("Ada Brandt founded Halcyon Robotics.").triples
        if (triple.subject, triple.object) == ("Ada Brandt", "Halcyon Robotics")
    ]
    entangled = read(
        "the harbour, which, unlike the ferries (and the pilots that it employs, see above), Halcyon Robotics, as of 2019 "
        "or so, may or may not, for reasons given below, have sold to Oslo"
    ).triples
    assert min(triple.confidence for triple in (plain, *entangled)) > 0
    assert all(triple.confidence < plain.confidence <= 1 for triple in entangled)
    assert entangled
